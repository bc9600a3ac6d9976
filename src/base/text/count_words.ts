/** How much of a question a text says. Pure. */

/** How many of the words, or their stems, stand in the text. */
export function countWords(words: readonly string[], text: string): number {
  const lower = text.toLowerCase();
  return words.filter((word) => lower.includes(toStem(word.toLowerCase()))).length;
}

/** `cleaned`, `branches` and `checks` as their beginnings, by which other forms are found. */
function toStem(word: string): string {
  const stem = word.replace(/(?:ing|ed|es|s)$/, "");
  return stem.length >= 3 ? stem : word;
}
