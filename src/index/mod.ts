/**
 * The code index: what is known of each content, and which file of which worktree has it.
 *
 * @module
 */
export { analyseText } from "./analyse.ts";
export type { Analyser, AnalyseText, AnalysisJob, AnalysisResult } from "./analyser.ts";
export type {
  Analysis,
  AnalysisOptions,
  Chunk,
  CodeSymbol,
  ImportEntry,
  Occurrence,
  Parser,
} from "./analysis.ts";
export type { ChunkWords, StoredChunk, StoredContent, StoredOccurrences } from "./content.ts";
export { createCodeIndex } from "./code_index.ts";
export { FileList } from "./file_list.ts";
export type { FileListOptions, ListFiles } from "./file_list.ts";
export type {
  Builder,
  CodeIndex,
  CodeIndexOptions,
  Freshness,
  FreshOptions,
  IndexSettings,
  IndexStatus,
  SyncOptions,
  SyncProgress,
  SyncReport,
} from "./index_api.ts";
export { hashOfContent } from "./file_reader.ts";
export type { ReferenceKind } from "./occurrence_kinds.ts";
export type { Place } from "./pack.ts";
export { toApartScope, toQualifiedName } from "./qualified_name.ts";
export type { NamedSymbol, ReadHolder } from "./qualified_name.ts";
export { foldName, splitIdentifier, toMatchAny, toWords } from "./tokens.ts";
export type {
  ChunkHit,
  ChunkScore,
  ContentDefinition,
  FileInfo,
  Found,
  ImportHit,
  IndexCounts,
  IndexView,
  NameMatch,
  OccurrenceHit,
  PhraseOptions,
  RankedContent,
  RankingView,
  ScoreOptions,
  SkippedFile,
  SymbolHit,
  SymbolQuery,
  TextColumn,
  TextHit,
  TextSearch,
} from "./view.ts";
export type {
  CompareOptions,
  Comparison,
  FinishOptions,
  MeaningIndex,
  MeaningProgress,
  StartOptions,
} from "./vectors/meaning_api.ts";
export type { Extension } from "./vectors/sqlite_vec.ts";
export { findExtension } from "./vectors/sqlite_vec.ts";
export type { Layer, NearSpan, SpanScore } from "./vectors/vector_table.ts";
