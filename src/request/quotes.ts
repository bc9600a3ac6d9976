/** Are the quotes of a query frame really in the request? Pure. */
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import { clip } from "../base/text/clip.ts";
import { splitSentences } from "../base/text/sentences.ts";
import { countShared, SHARED_WORDS } from "../base/text/shared_words.ts";
import { stemWord } from "../base/text/stem.ts";

/** A slot as the agent sent it. */
export interface SentSlot {
  readonly value: string;
  readonly quote: string;
}

/** A slot whose quote was found, with the exact words of the request as proof. */
export interface ProvenSlot extends SentSlot {
  /** HYPOTHESIS when the value does not follow from the quote. */
  readonly source: "FACT" | "HYPOTHESIS";
}

/** All slots, and a problem for each whose quote is not in the request. */
export interface FrameCheck {
  readonly slots: Readonly<Record<string, ProvenSlot | null>>;
  readonly problems: readonly Problem[];
}

/** Checks every slot of a frame against the request. */
export function checkSlots(
  request: string,
  slots: Readonly<Record<string, SentSlot | null | undefined>>,
): FrameCheck {
  const problems: Problem[] = [];
  const proven: Record<string, ProvenSlot | null> = {};
  for (const [name, slot] of Object.entries(slots)) {
    if (slot === null || slot === undefined) {
      proven[name] = null;
      continue;
    }
    const proof = findQuote(request, slot.quote);
    if (proof === null) {
      problems.push(makeProblem("quote_not_found", `${name}: the request does not say this`, {
        at: `data.slots.${name}.quote`,
        hint: `Copy the words of the request, or send null for what it does not say.${
          formatNearest(request, slot.quote)
        }`,
      }));
      continue;
    }
    const source = fits(slot.value, proof) || isSaid(slot.value, request) ? "FACT" : "HYPOTHESIS";
    proven[name] = { value: slot.value, quote: proof, source };
  }
  return { slots: proven, problems };
}

/** The sentence of the request that shares most words with a quote, for a hint; empty where none shares two. */
function formatNearest(request: string, quote: string): string {
  const sentences = splitSentences(request);
  const [best = ""] = sentences.toSorted((a, b) => countShared(quote, b) - countShared(quote, a));
  return countShared(quote, best) < SHARED_WORDS ? "" : ` It says: "${clip(best, 160)}".`;
}

/**
 * The exact words of `request` that a quote says. Both are compared in form NFKC, with white space, case and kinds of quotes
 * folded. An ellipsis stands for words between two parts.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { findQuote } from "./quotes.ts";
 * equal(findQuote("Add a  login\nform", "login form"), "login\nform");
 * equal(findQuote("Add a form to the login", "add … the login"), "Add a form to the login");
 * equal(findQuote("Add a form", "login"), null);
 * ```
 */
export function findQuote(request: string, quote: string): string | null {
  const parts = foldSigns(fold(quote).text).split(ELLIPSIS).map((part) => part.trim())
    .filter((part) => part !== "");
  const folded = fold(request);
  const said = foldSigns(folded.text);
  let first = -1;
  let end = 0;
  for (const part of parts) {
    const start = said.indexOf(part, end);
    if (start < 0 || first >= 0 && start - end > MOST_LEFT_OUT) return null;
    if (first < 0) first = start;
    end = start + part.length;
  }
  if (first < 0) return null;
  const from = folded.origin[first] ?? 0;
  // One character of the request can fold to several: a quote of some of them is proven by it whole.
  const last = folded.origin[end - 1] ?? from;
  const to = folded.origin.slice(end).find((at) => at > last) ?? request.length;
  return request.slice(from, to).trim();
}

/** A folded text in small letters, with one kind of quotes; each sign stays one. */
function foldSigns(text: string): string {
  return text.replaceAll(/\p{Lu}/gu, (letter) => {
    const small = letter.toLowerCase();
    return small.length === letter.length ? small : letter;
  }).replaceAll(/[“”„«»]/g, '"').replaceAll(/[‘’‚]/g, "'");
}

/** What stands for words that a quote leaves out; in form NFKC the sign is three points. */
const ELLIPSIS = /\s*\[?\.{3,}\]?\s*/;
/** Most characters that it leaves out (guessed). */
const MOST_LEFT_OUT = 200;

/**
 * What must be composed together: a base character and its marks, and the letters of a decomposed
 * Hangul syllable. To Unicode the half-width sound marks of kana are letters.
 */
const CLUSTER =
  /[\u1100-\u115F][\u1160-\u11A7][\u11A8-\u11FF]?|[\uAC00-\uD7A3][\u11A8-\u11FF]|\P{M}[\p{M}\uFF9E\uFF9F]*|\p{M}+/gu;

/** Text in comparable form, with the place of each character in the original. */
function fold(text: string): { readonly text: string; readonly origin: readonly number[] } {
  let folded = "";
  const origin: number[] = [];
  let index = 0;
  for (const cluster of text.match(CLUSTER) ?? []) {
    const normal = cluster.normalize("NFKC").replaceAll(/\s+/g, " ");
    for (const character of normal) {
      if (character === " " && folded.endsWith(" ")) continue;
      for (let unit = 0; unit < character.length; unit++) origin.push(index);
      folded += character;
    }
    index += cluster.length;
  }
  return { text: folded, origin };
}

const PARTICLES = new Set("のをにはがでとも");
/** Characters of scripts that write words without blanks between. */
const JOINED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/gu;
/** Words that say nothing about what a request is for. */
const EMPTY_WORDS = new Set(
  "a an and any all are as at be been by can do for from had has have how if in into is it its no not of on or our shall should so some that the their then there they this to was we were what when where which will with would you your"
    .split(" "),
);
/** Words that say that something is changed, or wrong, or right, and not what. */
const PLAIN_WORDS = new Set(
  "add allow always avoid behave behaves behavior behaviour bug change correct correctly currently ensure ensures fail fails fix handle handles incorrect incorrectly instead issue lack lacking lacks let lets make makes missing must need needed needs never problem properly support supports update wrong wrongly"
    .split(" "),
);
/** Forms of verbs that no stem leads to. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  ("began=begin begun=begin bound=bind broke=break broken=break built=build came=come caught=catch chose=choose chosen=choose done=do " +
    "forgot=forget forgotten=forget found=find gave=give given=give gone=go held=hold hid=hide hidden=hide kept=keep knew=know " +
    "known=know led=lead left=leave lost=lose made=make meant=mean overridden=override ran=run said=say sent=send shown=show " +
    "spoke=speak spoken=speak taken=take threw=throw thrown=throw took=take went=go written=write wrote=write")
    .split(" ").map((pair) => pair.split("=") as [string, string]),
);
/** Shortest beginning of a longer word that stands for it. */
const SHORT_FORM_CHARS = 4;

/**
 * Whether a value says what its quote says: the same text, or at least half of the words of the shorter one.
 * Characters are compared only in scripts that write no blanks between words.
 */
function fits(value: string, quote: string): boolean {
  const [left, right] = [fold(value).text.trim(), fold(quote).text.trim()];
  if (left.toLowerCase() === right.toLowerCase()) return true;
  return sharesHalf(listJoinedSigns(left), listJoinedSigns(right), 2) ||
    sharesHalf(splitWords(left), splitWords(right), 1);
}

/**
 * Whether the request says every telling word of a value, if not in the words that are quoted. What only says that
 * something is to change is no telling word.
 */
function isSaid(value: string, request: string): boolean {
  const [words, said] = [splitWords(value), splitWords(request)];
  const telling = splitWords(value, PLAIN_WORDS);
  return words.length > 1 && telling.length > 0 && listJoinedSigns(value).length === 0 &&
    telling.every((word) => said.some((other) => isSameWord(word, other)));
}

function sharesHalf(a: readonly string[], b: readonly string[], least: number): boolean {
  const [few, many] = a.length <= b.length ? [a, b] : [b, a];
  const shared = few.filter((word) => many.some((other) => isSameWord(word, other))).length;
  return shared >= least && shared >= few.length / 2;
}

function isSameWord(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  return short === long || (short.length >= SHORT_FORM_CHARS && long.startsWith(short));
}

function listJoinedSigns(text: string): readonly string[] {
  return [...new Set(text.match(JOINED) ?? [])].filter((sign) => !PARTICLES.has(sign));
}

/** The words of a text that say something, as stems; those of identifiers apart. */
function splitWords(text: string, without: ReadonlySet<string> = new Set()): readonly string[] {
  const parted = text.replaceAll(JOINED, " ")
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, " ");
  const words = (parted.toLowerCase().match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? [])
    .filter((word) => !EMPTY_WORDS.has(word) && !without.has(word));
  return [...new Set(words.map((word) => stemWord(IRREGULAR.get(word) ?? word)))];
}
