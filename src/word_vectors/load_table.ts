/** The table of word vectors that the program brings along. */
import { readProgramFile } from "../base/program_files.ts";
import { buildAsked, dotProduct } from "./window_vectors.ts";
import { WordTable } from "./word_table.ts";

/** The file of the program that holds the table. */
export const WORD_TABLE_FILE = "models/word_vectors.bin";

/**
 * How near texts are to one, by the words of each: cosines in their order. A cosine is null where
 * the table knows no word of its text or of the compared text; all are null without a table.
 */
export async function compareTexts(
  words: readonly string[],
  others: readonly (readonly string[])[],
): Promise<(number | null)[]> {
  const table = await loadWordTable();
  if (table === null) return others.map(() => null);
  const asked = buildAsked(words, table);
  return others.map((other) => {
    const own = asked === null ? null : buildAsked(other, table);
    return own === null || asked === null ? null : dotProduct(asked.vector, own.vector);
  });
}

let loading: Promise<WordTable | null> | undefined;

/** Why the table cannot be read, as the end of a sentence; null when it can. */
export function findWordTableFault(): Promise<string | null> {
  return readProgramFile(WORD_TABLE_FILE).then(WordTable.parse).then(() => null)
    .catch((error: unknown) => error instanceof Error ? error.message : String(error));
}

/** The table of the program, read once a thread; null where its file is missing or damaged. */
export function loadWordTable(): Promise<WordTable | null> {
  loading ??= readProgramFile(WORD_TABLE_FILE).then(WordTable.parse).catch(() => null);
  return loading;
}
