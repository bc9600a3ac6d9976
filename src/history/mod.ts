/**
 * The repository's past as facts: which files changed together, and for which requests.
 *
 * @module
 */
export { HISTORY_FILE, HISTORY_LOCK } from "./history_file.ts";
export type { NearDeed, ToTerms, Voted } from "./near_messages.ts";
export { MessageIndex, toVotes } from "./near_messages.ts";
export type { Deed, Past, PastSource } from "./past.ts";
export type {
  AskOptions,
  FileHistory,
  HotSpot,
  HotSpots,
  NoPast,
  PastChange,
  PastReader,
  PastReaderOptions,
} from "./past_reader.ts";
export { createPastReader } from "./lazy.ts";
export type { PastWork } from "./past_fields.ts";
export { toDay, toPastFields, toShortId, toThen } from "./past_fields.ts";
export { countSequels, findSimilarWork } from "./similar_work.ts";
export type { Sequel, SimilarDeed } from "./similar_work.ts";
export type { FilePast, QuestionPast } from "./question_past.ts";
export { askPast } from "./question_past.ts";
export { toPast, YOUNG_COMMITS } from "./past.ts";
export type {
  HistoryOptions,
  HistoryReport,
  KnownPast,
  RepositoryHistory,
} from "./repository_history.ts";
export { createHistory } from "./repository_history.ts";
export type { Together, TogetherOptions } from "./together.ts";
export { findTogether, HALF_LIFE, toWeight } from "./together.ts";
