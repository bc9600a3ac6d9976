/**
 * What one text holds: its definitions, names, imports and chunks. It knows neither the project nor the disk.
 *
 * @module
 */
export { analyseText } from "./analyse.ts";
export type { AnalyseOptions, Analyser, AnalysisJob, AnalysisResult } from "./analyser.ts";
export type {
  Analysis,
  AnalysisOptions,
  Chunk,
  CodeSymbol,
  ImportEntry,
  Occurrence,
  Parser,
  TypeFact,
  TypeFactKind,
} from "./analysis.ts";
export { AnalysisPool } from "./analysis_pool.ts";
export type { RecordedContent, RecordedText } from "./record/content_record.ts";
export { decodeContent, encodeContent, isRepeatable } from "./record/content_record.ts";
export { expectFit, RecordReader, RecordWriter, UnfitRecord } from "./record/record_bytes.ts";
export type {
  ChunkWords,
  StoredChunk,
  StoredContent,
  StoredOccurrences,
} from "./record/content.ts";
export { DIGEST_TOKENS, toDigests } from "./record/digest.ts";
export type { DigestInput, DigestName, EmbeddingText } from "./record/digest.ts";
export type { ReferenceKind } from "./occurrence_kinds.ts";
export { OWN_THREAD } from "./own_thread.ts";
export { packRising, unpackPlaces, unpackRising, unpackTypes } from "./record/pack.ts";
export type { Place } from "./record/pack.ts";
export { hasAllCounts, packCounts, unpackCounts } from "./record/word_counts.ts";
export { toApartScope, toQualifiedName } from "./qualified_name.ts";
export type { NamedSymbol, ReadHolder } from "./qualified_name.ts";
export { findTagsByRegex } from "./regex_tags.ts";
export {
  foldName,
  splitIdentifier,
  toLastPart,
  toMatchAny,
  toNameForms,
  toParts,
  toPathParts,
  toWords,
} from "./tokens.ts";
