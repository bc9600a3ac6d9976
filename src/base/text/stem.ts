/** Words of a text, and of its names. */
const PARTS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

/** How many of the words, or other forms of them, stand in the text. */
export function countWords(words: readonly string[], text: string): number {
  return findWords(words, text).length;
}

/** Those of the words that stand in the text, or other forms of them, in their order. */
export function findWords(words: readonly string[], text: string): string[] {
  const lower = text.toLowerCase();
  const stems = new Set(text.match(PARTS)?.map((part) => stemWord(part.toLowerCase())));
  return words.filter((word) => {
    const plain = word.toLowerCase();
    return lower.includes(plain) || stems.has(stemWord(plain));
  });
}

/** Where the last part of a name begins that stands in the text as a whole word; -1 where it does not. */
export function findName(name: string, text: string): number {
  const last = name.split(/::|->|[.#\\]/).at(-1) ?? name;
  for (let at = text.indexOf(last); at >= 0; at = text.indexOf(last, at + 1)) {
    if (!WORD_END.test(text.slice(0, at)) && !WORD_BEGIN.test(text.slice(at + last.length))) {
      return at;
    }
  }
  return -1;
}

const WORD_END = /[\p{L}\p{N}_$]$/u;
const WORD_BEGIN = /^[\p{L}\p{N}_$]/u;

/**
 * Porter's stemmer for English words, as SQLite's full text search has it: so that a word of a question
 * meets the words of names in the same form in which it meets the texts. It depends on its argument alone.
 *
 * M. F. Porter, An algorithm for suffix stripping, 1980: https://tartarus.org/martin/PorterStemmer/
 */

const CONSONANT = "[^aeiou]";
const VOWEL = "[aeiouy]";
const CONSONANTS = `${CONSONANT}[^aeiouy]*`;
const VOWELS = `${VOWEL}[aeiou]*`;
const HAS_MEASURE = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}`);
const IS_MEASURE_ONE = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}(?:${VOWELS})?$`);
const IS_LONGER = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`);
const HAS_VOWEL = new RegExp(`^(?:${CONSONANTS})?${VOWEL}`);
const ENDS_SHORT = new RegExp(`^${CONSONANTS}${VOWEL}[^aeiouwxy]$`);

const STEP_2: readonly (readonly [ending: string, instead: string])[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["logi", "log"],
  ["bli", "ble"],
  ["alli", "al"],
  ["entli", "ent"],
  ["eli", "e"],
  ["ousli", "ous"],
  ["ization", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["biliti", "ble"],
];
const STEP_3: readonly (readonly [ending: string, instead: string])[] = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ful", ""],
  ["ness", ""],
];
const STEP_4 =
  /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$/;

/**
 * The stem of a lower-case word; what is no English word is given back as it is.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { stemWord } from "./stem.ts";
 * equal(stemWord("initialization"), stemWord("initializing"));
 * ```
 */
export function stemWord(word: string): string {
  if (word.length < 3) return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = cutWord(word);
  // The engine keeps a longer part of a text as a view of it: remembered, it would hold the whole text.
  if (word.length < VIEWED_CHARS) {
    if (stems.size >= MAX_STEMS) stems.clear();
    stems.set(word, stem);
  }
  return stem;
}

// Texts are many, their words few.
const stems = new Map<string, string>();
const MAX_STEMS = 50_000;
const VIEWED_CHARS = 13;

function cutWord(word: string): string {
  if (!/^[a-z]+$/.test(word)) return word;
  // A `y` at the beginning is a consonant.
  const isY = word.startsWith("y");
  const stem = cutRest(cutParticiple(cutPlural(isY ? `Y${word.slice(1)}` : word)));
  return isY ? stem.toLowerCase() : stem;
}

function cutPlural(word: string): string {
  if (/(?:ss|i)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function cutParticiple(word: string): string {
  if (word.endsWith("eed")) {
    return HAS_MEASURE.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  }
  const [, stem] = /^(.+?)(?:ed|ing)$/.exec(word) ?? [];
  if (stem === undefined || !HAS_VOWEL.test(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/([^aeiouylsz])\1$/.test(stem)) return stem.slice(0, -1);
  return ENDS_SHORT.test(stem) ? `${stem}e` : stem;
}

function cutRest(word: string): string {
  let stem = /^.+y$/.test(word) && HAS_VOWEL.test(word.slice(0, -1))
    ? `${word.slice(0, -1)}i`
    : word;
  stem = replaceEnding(replaceEnding(stem, STEP_2), STEP_3);
  const [, before = ""] = STEP_4.exec(stem) ?? /^(.+?[st])ion$/.exec(stem) ?? [];
  if (before !== "" && IS_LONGER.test(before)) stem = before;
  if (stem.endsWith("e")) {
    const short = stem.slice(0, -1);
    if (IS_LONGER.test(short) || (IS_MEASURE_ONE.test(short) && !ENDS_SHORT.test(short))) {
      stem = short;
    }
  }
  return stem.endsWith("ll") && IS_LONGER.test(stem) ? stem.slice(0, -1) : stem;
}

function replaceEnding(
  word: string,
  rows: readonly (readonly [ending: string, instead: string])[],
): string {
  const row = rows.filter(([ending]) => word.endsWith(ending))
    .sort((a, b) => b[0].length - a[0].length)[0];
  if (row === undefined) return word;
  const stem = word.slice(0, -row[0].length);
  return HAS_MEASURE.test(stem) ? `${stem}${row[1]}` : word;
}
