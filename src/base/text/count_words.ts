/** How much of a question a text says. Pure. */
import { toStem } from "./stem.ts";

/** Words of a text, and of its names. */
const PARTS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

/** How many of the words, or other forms of them, stand in the text. */
export function countWords(words: readonly string[], text: string): number {
  const lower = text.toLowerCase();
  const stems = new Set(text.match(PARTS)?.map((part) => toStem(part.toLowerCase())));
  return words.map((word) => word.toLowerCase())
    .filter((word) => lower.includes(word) || stems.has(toStem(word))).length;
}
