/**
 * An organisation's hub: many repositories in one store, brought up to date by jobs from mirrors of git, and asked with the
 * questions of a project.
 *
 * @module
 */
export type { AnalysisState } from "./analysis_state.ts";
export { toAnalysisState } from "./analysis_state.ts";
export { HubCode } from "./hub_code.ts";
export type { RepositoryCode } from "./hub_code.ts";
export { findFailure, HubStore } from "./hub_store.ts";
export type { HubJob, HubRepository, HubStoreOptions, Lease } from "./hub_store.ts";
export { doJobs } from "./indexer.ts";
export type { DoneJob, IndexerDeps } from "./indexer.ts";
export { toNeededWords } from "./needed_words.ts";
export { OtherUsers } from "./other_users.ts";
export type { UsersAnswer, UsingRepository } from "./other_users.ts";
export type { BranchFailure, RefreshReport } from "./refresh_origin.ts";
export { HUB_BOUNDS, SearchBudget } from "./search_budget.ts";
export type { SearchBounds } from "./search_budget.ts";
export { SourceReader } from "./source_reader.ts";
export type { ListedTexts, SourceOwner } from "./source_reader.ts";
export { StoredIndex } from "./stored_index.ts";
