/**
 * The code index: what is known of each content, and which file of which worktree has it.
 *
 * @module
 */
export { analyseText } from "./analyse.ts";
export type {
  Analysis,
  AnalysisOptions,
  Chunk,
  CodeSymbol,
  ImportEntry,
  Occurrence,
  Parser,
} from "./analysis.ts";
export type { ReferenceKind } from "./occurrence_kinds.ts";
