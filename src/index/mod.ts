/**
 * The code index: what is known of each content, and which file of which worktree has it.
 *
 * @module
 */
export { createCodeIndex } from "./code_index.ts";
export type {
  Builder,
  CodeIndex,
  CodeIndexOptions,
  Freshness,
  FreshOptions,
  IndexSettings,
  IndexStatus,
  SyncProgress,
  SyncReport,
} from "./index_api.ts";
export type {
  ChunkHit,
  ChunkScore,
  ContentDefinition,
  IndexView,
  OccurrenceHit,
  RankedContent,
  SkippedFile,
  SymbolHit,
} from "./read/view.ts";
export { FileList } from "./scan/file_list.ts";
export { hashOfContent } from "./scan/file_reader.ts";
export type { Comparison, MeaningIndex } from "./vectors/meaning_api.ts";
export { findExtension } from "./vectors/sqlite_vec.ts";
export type { NearSpan, SpanScore } from "./vectors/vector_table.ts";
