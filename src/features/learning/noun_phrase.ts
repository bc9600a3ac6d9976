/**
 * The noun phrase that a few words of a request begin with: a term has to be found again in other requests, and a whole
 * clause stands in no second one. English by its small words alone; text without spaces stays as it is. Pure.
 */

const DETERMINERS = toSet("a an the this that these those its their our my your every each any");
/** Words with which a clause goes on behind its noun phrase; `of`, `and` and `or` hold one together. */
const CLOSERS = toSet(
  "is are was were be been being has have had do does did can cannot could may might must shall should will would " +
    "to which who whose when where while whenever if unless until because so since although though whether but then " +
    "than as not never always only also instead without with by via from into onto on in at for after before during " +
    "between through over under about against per",
);
const HOLDERS = toSet("of and or");
/** Verbs that begin a request and no noun phrase. */
const OPENERS = toSet("add fix implement let please");
const MOST_WORDS = 6;

/**
 * The noun phrase at the beginning of a text; empty where there is none.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { toNounPhrase } from "./noun_phrase.ts";
 * equal(toNounPhrase("get_debug_flag take a default"), "get_debug_flag");
 * equal(toNounPhrase("the length of the name when it is empty"), "length of the name");
 * equal(toNounPhrase("login form"), "login form");
 * ```
 */
export function toNounPhrase(text: string): string {
  const words = skipOpening(text.trim().split(/\s+/));
  const phrase: string[] = [];
  for (const word of words) {
    const plain = toPlain(word);
    if (CLOSERS.has(plain)) break;
    if (DETERMINERS.has(plain) && phrase.length > 0 && toPlain(phrase.at(-1) ?? "") !== "of") {
      // What stands before an article within a text is a verb.
      phrase.pop();
      break;
    }
    phrase.push(word.replace(/[,;:.!?]+$/, ""));
    if (/[,;:.!?]$/.test(word) || phrase.length === MOST_WORDS) break;
  }
  while (
    HOLDERS.has(toPlain(phrase.at(-1) ?? "")) || DETERMINERS.has(toPlain(phrase.at(-1) ?? ""))
  ) {
    phrase.pop();
  }
  return phrase.join(" ");
}

/** Whether a text names a deed, as "renew a loan" does: its noun phrase alone says less than half of it. */
export function isVerbPhrase(text: string): boolean {
  const [first = "", second = ""] = text.trim().split(/\s+/).map(toPlain);
  return !OPENERS.has(first) && !DETERMINERS.has(first) && DETERMINERS.has(second);
}

/** Leaves out the verb of a request and the article behind it. */
function skipOpening(words: readonly string[]): readonly string[] {
  const [first = ""] = words;
  const isVerb = OPENERS.has(toPlain(first)) || isVerbPhrase(words.join(" "));
  const rest = isVerb && words.length > 1 ? words.slice(1) : words;
  return DETERMINERS.has(toPlain(rest[0] ?? "")) ? rest.slice(1) : rest;
}

function toPlain(word: string): string {
  return word.toLowerCase().replace(/[,;:.!?]+$/, "");
}

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
