/**
 * An organisation's hub: many repositories in one store, brought up to date by jobs from mirrors of git, and asked with the
 * questions of a project.
 *
 * @module
 */
export { HubCode } from "./hub_code.ts";
export type { RepositoryCode } from "./hub_code.ts";
export { HubStore } from "./hub_store.ts";
export type { HubJob, HubRepository, Lease } from "./hub_store.ts";
export { doJobs } from "./indexer.ts";
export type { DoneJob, IndexerDeps } from "./indexer.ts";
export type { RefreshReport } from "./refresh_origin.ts";
export { StoredIndex } from "./stored_index.ts";
