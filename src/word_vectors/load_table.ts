/** The table of word vectors that the program brings along. */
import { readProgramFile } from "../base/program_files.ts";
import { WordTable } from "./word_table.ts";

/** The file of the program that holds the table. */
export const WORD_TABLE_FILE = "models/word_vectors.bin";

let loading: Promise<WordTable | null> | undefined;

/** The table of the program, read once a thread; null where its file is missing or damaged. */
export function loadWordTable(): Promise<WordTable | null> {
  loading ??= readProgramFile(WORD_TABLE_FILE).then(WordTable.parse).catch(() => null);
  return loading;
}
