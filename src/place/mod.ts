/**
 * Which folder is the project: the one rule for every command, server and hook. Nothing but names and owners of files is
 * read, and neither git nor the rest of the program is loaded, because each hook asks.
 *
 * @module
 */
export type { GitFolder } from "./git_folder.ts";
export { findGitFolder } from "./git_folder.ts";
export type { GitStore } from "./git_store.ts";
export { findGitStore, isGitStore, toStoreError } from "./git_store.ts";
export type { PlaceOptions } from "./project_place.ts";
export { isTwin, listTwinFolders } from "./worktrees.ts";
export { checkSetupPlace, findProjectRoot, hasSettings } from "./project_place.ts";
