/** How much of a question a text says. Pure. */
import { toStem } from "./stem.ts";

/** Words of a text, and of its names. */
const PARTS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

/** How many of the words, or other forms of them, stand in the text. */
export function countWords(words: readonly string[], text: string): number {
  return findWords(words, text).length;
}

/** Those of the words that stand in the text, or other forms of them, in their order. */
export function findWords(words: readonly string[], text: string): string[] {
  const lower = text.toLowerCase();
  const stems = new Set(text.match(PARTS)?.map((part) => toStem(part.toLowerCase())));
  return words.filter((word) => {
    const plain = word.toLowerCase();
    return lower.includes(plain) || stems.has(toStem(plain));
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
