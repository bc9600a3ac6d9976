/**
 * Words of a question in Japanese as the English words that code uses: by a table, and loan words that the
 * table lacks by their sound, among the words that the repository itself has. Pure.
 */
import type { Glossary } from "./glossary_ja.ts";
import { readGlossary } from "./glossary_ja.ts";

/** A question as far as it can be put into English. */
export interface Translation {
  /** English words of each Japanese one that is known, in the order of the question. */
  readonly terms: readonly (readonly string[])[];
  /** Loan words in katakana that the table does not have. */
  readonly unknown: readonly string[];
  /** The question in English words, as far as it goes; loan words that nobody knows stand as they are. */
  readonly english: string;
  /** The share of its kanji and katakana that became words, 0 to 1. */
  readonly coverage: number;
}

const KATAKANA = /[\u30a1-\u30f6\u30fc]+/gu;
const MEANINGFUL = /[\u30a1-\u30f6\u3400-\u4dbf\u4e00-\u9fff]/gu;
const JAPANESE_RUN = /[\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+|[A-Za-z0-9_$]+/gu;
const IS_KATAKANA = /^[\u30a1-\u30f6\u30fc]+$/u;
const MAX_KEY_CHARS = 12;
// Shorter rests are endings of other words.
const MIN_UNKNOWN_CHARS = 3;

/**
 * Takes a question apart by the table.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { translate } from "./translate.ts";
 * deepEqual(translate("JSONの解析").terms, [["JSON"], ["parse", "parser", "analyze"]]);
 * ```
 */
export function translate(question: string, glossary: Glossary = readGlossary()): Translation {
  const text = question.normalize("NFKC");
  const terms: (readonly string[])[] = [];
  const unknown: string[] = [];
  const english: string[] = [];
  let known = 0;
  for (const run of text.match(JAPANESE_RUN) ?? []) {
    for (const piece of toPieces(run, glossary)) {
      const words = /^[\w$]/.test(piece) ? [piece] : glossary.get(piece);
      known += piece.match(MEANINGFUL)?.length ?? 0;
      english.push(words === undefined ? piece : words[0] ?? "");
      if (words === undefined) unknown.push(piece);
      else if (words.length > 0) terms.push(words);
    }
  }
  const all = text.match(MEANINGFUL)?.length ?? 0;
  return {
    terms,
    unknown,
    english: english.filter((word) => word !== "").join(" "),
    coverage: all === 0 ? 0 : known / all,
  };
}

function toPieces(run: string, glossary: Glossary): readonly string[] {
  if (/^[\w$]/.test(run)) return [run];
  return splitScripts(run).flatMap((part) =>
    IS_KATAKANA.test(part) ? splitLoans(part, glossary) : splitWords(part, glossary)
  );
}

/** Katakana stands for itself: what goes on in kanji or hiragana is another word. */
function splitScripts(run: string): string[] {
  const parts: string[] = [];
  let at = 0;
  for (const { 0: loan, index } of run.matchAll(KATAKANA)) {
    if (index > at) parts.push(run.slice(at, index));
    parts.push(loan);
    at = index + loan.length;
  }
  if (at < run.length) parts.push(run.slice(at));
  return parts;
}

/** The longest words of the table from left to right; what it does not have is passed over. */
function splitWords(text: string, glossary: Glossary): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length;) {
    let length = Math.min(MAX_KEY_CHARS, text.length - at);
    while (length > 0 && !glossary.has(text.slice(at, at + length))) length--;
    if (length > 0) found.push(text.slice(at, at + length));
    at += Math.max(1, length);
  }
  return found;
}

interface Split {
  readonly cost: number;
  readonly pieces: readonly string[];
}

// Few long words are likelier than many short ones, and a word that is not known than two rests of one.
const COST_OF_WORD = 0.1;
const COST_OF_SHORT_WORD = 2.1;
const COST_OF_REST = 3;

/** Cuts a run of katakana so that the table covers as much as it can; the rests are in it as they are. */
function splitLoans(run: string, glossary: Glossary): readonly string[] {
  const best: Split[] = [{ cost: 0, pieces: [] }];
  for (let end = 1; end <= run.length; end++) {
    const splits = best.map((before, start): Split => {
      const piece = run.slice(start, end);
      const word = toKnown(piece, glossary);
      if (word !== null) {
        const cost = word.length < MIN_UNKNOWN_CHARS ? COST_OF_SHORT_WORD : COST_OF_WORD;
        return { cost: before.cost + cost, pieces: [...before.pieces, word] };
      }
      const isWord = piece.length >= MIN_UNKNOWN_CHARS;
      return {
        cost: before.cost + piece.length + COST_OF_REST,
        pieces: isWord ? [...before.pieces, piece] : before.pieces,
      };
    });
    best.push(splits.reduce((one, other) => other.cost < one.cost ? other : one));
  }
  return best.at(-1)?.pieces ?? [];
}

function toKnown(piece: string, glossary: Glossary): string | null {
  if (glossary.has(piece)) return piece;
  const short = piece.replace(/\u30fc$/, "");
  return short !== piece && glossary.has(short) ? short : null;
}

const CONSONANTS: readonly (readonly [kana: string, sound: string])[] = [
  ["アイウエオ", "A"],
  ["ァィゥェォャュョッー", ""],
  ["カキクケコ", "k"],
  ["ガギグゲゴ", "g"],
  ["サシスセソ", "s"],
  ["ザジズゼゾヂヅ", "z"],
  ["タチツテト", "t"],
  ["ダデド", "d"],
  ["ナニヌネノマミムメモン", "n"],
  ["ハヒヘホ", "h"],
  ["フ", "f"],
  ["バビブベボヴ", "b"],
  ["パピプペポ", "p"],
  ["ヤユヨ", "y"],
  ["ラリルレロ", "r"],
  ["ワヲ", "w"],
];
const SOUNDS = new Map(CONSONANTS.flatMap(([kana, sound]) => [...kana].map((one) => [one, sound])));

/** The consonants of a word in katakana; vowels only where it begins with one. */
export function toKanaSound(word: string): string {
  const heard = word.replaceAll(/ウ(?=[ァィェォ])/g, "ワ");
  return toSkeleton([...heard].map((kana) => SOUNDS.get(kana) ?? "").join(""));
}

const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/[ts]ion|ssion|cian|tian/g, "sn"],
  [/ture\b/g, "t"],
  [/t(?=ia|io)/g, "s"],
  [/sch/g, "sk"],
  [/tch|ch/g, "t"],
  [/dg/g, "z"],
  [/ph/g, "f"],
  [/sh|th/g, "s"],
  [/ck|q/g, "k"],
  [/x/g, "ks"],
  [/c(?=[eiy])/g, "s"],
  [/c/g, "k"],
  [/g(?=[eiy])|j/g, "z"],
  [/wr/g, "r"],
  [/kn/g, "n"],
  [/(?<=[aeiou])r(?![aeiouy])/g, ""],
  [/(?<=[aeiou])re$/g, ""],
  [/v/g, "b"],
  [/l/g, "r"],
  [/m/g, "n"],
  [/(?<=.)[yw](?![aeiou])/g, ""],
  [/(?<=.)y/g, ""],
];

/** The consonants of an English word, spelled as {@link toKanaSound} hears them. */
export function toEnglishSound(word: string): string {
  const spelled = SPELLINGS.reduce(
    (text, [pattern, sound]) => text.replace(pattern, sound),
    word.toLowerCase(),
  );
  return toSkeleton(spelled.replace(/^[aeiou]+/, "A").replace(/[aeiou]/g, ""));
}

function toSkeleton(sounds: string): string {
  return sounds.replace(/(?<=.)A/g, "").replace(/(.)\1+/g, "$1");
}
