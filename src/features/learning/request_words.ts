/**
 * The words by which two requests are compared: lower case, identifiers split, words by their stems,
 * East Asian text in pairs of characters, words that every request has left out. Pure.
 */
import { stemWord } from "../../base/text/stem.ts";

const WORD = /[\p{L}\p{N}\p{M}_$]+/gu;
// Scripts that are written without spaces between words.
const EAST_ASIAN = "\\u3005-\\u3007\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7af" +
  "\\uf900-\\ufaff\\u{20000}-\\u{3ffff}";
const RUNS = new RegExp(`[${EAST_ASIAN}]+|[^${EAST_ASIAN}]+`, "gu");
const IS_EAST_ASIAN = new RegExp(`^[${EAST_ASIAN}]`, "u");
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{N}+|\p{Lu}/gu;
// Longer ones are data, which no two requests share by meaning.
const MAX_WORD_CHARS = 64;
const MAX_TEXT_CHARS = 4_000;

/** Words that say nothing about what a request is about, and the verbs that nearly all requests have. */
const STOP_WORDS = new Set(
  ("a an the and or but if then so as at by for from in into of on onto off out over to up with " +
    "without is are be was were been do does did not no it its this that these those there here i " +
    "we you my our your me us can could should would will shall may must have has had when where " +
    "which who what why how all any some each also only just please want need like make made get " +
    "add fix change update use via about after before than too very new let").split(" "),
);

/** Particles and endings of Japanese: pairs of these alone carry no meaning. */
const HIRAGANA_PAIR = /^[\u3040-\u309f]{2}$/u;

/**
 * The words of a request, each once.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { listRequestWords } from "./request_words.ts";
 * deepEqual([...listRequestWords("Fix the loginForms")], ["login", "form"]);
 * deepEqual([...listRequestWords("認証を直す")], ["認証", "証を", "を直", "直す"]);
 * ```
 */
export function listRequestWords(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const word of text.slice(0, MAX_TEXT_CHARS).normalize("NFKC").match(WORD) ?? []) {
    for (const run of word.match(RUNS) ?? []) {
      if (IS_EAST_ASIAN.test(run)) addPairs(words, run);
      else addIdentifier(words, run);
    }
  }
  return words;
}

function addPairs(words: Set<string>, run: string): void {
  const chars = [...run];
  if (chars.length === 1) words.add(run);
  for (let i = 0; i + 1 < chars.length; i++) {
    const pair = `${chars[i]}${chars[i + 1]}`;
    if (!HIRAGANA_PAIR.test(pair)) words.add(pair);
  }
}

function addIdentifier(words: Set<string>, word: string): void {
  if (word.length > MAX_WORD_CHARS) return;
  for (const part of word.match(PARTS) ?? []) {
    const plain = part.toLowerCase();
    // A single letter is an article, an initial or a variable.
    if (STOP_WORDS.has(plain) || /^[a-z]$/.test(plain)) continue;
    words.add(stemWord(plain));
  }
}
