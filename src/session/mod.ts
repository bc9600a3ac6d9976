/**
 * What is remembered about one piece of work: checkpoints, records, the brief.
 *
 * @module
 */
export { GITIGNORE, SESSION_GITIGNORE } from "./code_intel_folder.ts";
export { toBrief } from "./brief.ts";
export type { Brief, BriefOptions, BriefTask, CutList } from "./brief.ts";
export { createSessionId, isSessionId, SYSTEM_RANDOM } from "./session.ts";
export type { Checkpoint, RandomBytes } from "./session.ts";
export { toArgsHash } from "./args_hash.ts";
export {
  REPORT_NOTES,
  toAskedCalls,
  toCallsOfVisit,
  toExploredFiles,
  toExploringCalls,
  toWholeFolders,
  WHOLE_FOLDER,
} from "./records.ts";
export type {
  AskedCall,
  CallEntry,
  CallRecord,
  ExploredEntry,
  HookEntry,
  NamesByFile,
  NoteEntry,
  SessionRecord,
} from "./records.ts";
export { createSessionStore } from "./lazy.ts";
export type { SessionStoreOptions } from "./store.ts";
export type {
  ArchivedOutcome,
  CheckpointBody,
  LoadedSession,
  LoadOutcome,
  Operation,
  RecordsResult,
  SaveResult,
  SessionStore,
  StoreNotice,
} from "./store_api.ts";
export type { TamperedReason } from "./store_problems.ts";
export type { CameRecords, RevisionMark, RevisionMarks } from "./revision_marks.ts";
export { createRevisionMarks } from "./revision_marks.ts";
