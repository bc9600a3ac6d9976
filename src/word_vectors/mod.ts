/**
 * Meaning by words alone: vectors of texts as sums of the rows of their words.
 *
 * @module
 */
export { compareTexts, findWordTableFault, loadWordTable, WORD_TABLE_FILE } from "./load_table.ts";
export type { Asked, MeasuredFile, WindowNearness } from "./window_vectors.ts";
export {
  compareWindows,
  measureWindows,
  packWindows,
  PATH_WEIGHT,
  toAsked,
  WINDOW_LINES,
} from "./window_vectors.ts";
export type { WordRows } from "./word_table.ts";
export { packWordTable, WordTable } from "./word_table.ts";
