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
  LookedFiles,
  MeaningUse,
  Peek,
  PeekOptions,
  ReadIndex,
  SyncOptions,
  SyncProgress,
  SyncReport,
} from "./index_api.ts";
export { openIndexReader } from "./index_reader.ts";
export type { IndexReader, ReaderOpening } from "./index_reader.ts";
export type {
  ChunkHit,
  ChunkScore,
  ContentDefinition,
  ContentFactRows,
  ContentLine,
  FileInfo,
  Found,
  ImportHit,
  ImportRow,
  IndexCounts,
  IndexView,
  MapView,
  NamedOccurrence,
  NameMatch,
  OccurrenceHit,
  OutlineRow,
  PhraseOptions,
  PlacesRow,
  RankedContent,
  RankingView,
  ScoreOptions,
  SkippedFile,
  SymbolHit,
  SymbolQuery,
  TextColumn,
  TextHit,
  TextSearch,
  WantedFacts,
} from "./read/view.ts";
export type { HeldContent } from "./read/record_queries.ts";
export type { SharedContents, SharedKey, SharedRecord } from "./shared_contents.ts";
export { ANALYSIS_VERSION, toVariant, toVariantPrefix } from "./store/variant.ts";
export type { Variant } from "./store/variant.ts";
export type {
  Dialect,
  Reader,
  Row,
  Source,
  Statement,
  Value,
  WordIndex,
  WordScope,
} from "./read/reader.ts";
export { createView } from "./read/read_view.ts";
export { judgeContent } from "./scan/content_check.ts";
export { lookAt, REPOSITORY_REASON } from "./scan/file_stamp.ts";
export type { DiskEntry } from "./scan/file_stamp.ts";
export { FileList } from "./scan/file_list.ts";
export type { ListFiles, ListReadOptions } from "./scan/file_list.ts";
export type { FileRule, FileRuleInput, FileRules } from "./scan/file_rules.ts";
export { createFileRules, RULE_REASONS } from "./scan/file_rules.ts";
export type { FileRead, ReadAtRestOptions } from "./scan/file_reader.ts";
export { hashContent, hashOfContent, readFileAtRest } from "./scan/file_reader.ts";
export type {
  CompareOptions,
  Comparison,
  FinishOptions,
  MeaningIndex,
  MeaningProgress,
  StartOptions,
} from "./vectors/meaning_api.ts";
export { findExtension } from "./vectors/sqlite_vec.ts";
export type { Extension } from "./vectors/sqlite_vec.ts";
export type { HeldVector, Layer, NearSpan, SpanScore } from "./vectors/vector_table.ts";
