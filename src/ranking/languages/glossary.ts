/** How the tables of words of other languages are written. */

/** English words of each word of another language. */
export type Glossary = ReadonlyMap<string, readonly string[]>;

/** Reads entries such as `검색 search find;`: a word, then its English words, none of them for a word that says nothing. */
export function parseGlossary(entries: string): Glossary {
  return new Map(
    entries.split(";").map((entry) => entry.trim().split(/\s+/))
      .filter(([word = ""]) => word !== "")
      .map(([word = "", ...english]) => [word, english]),
  );
}
