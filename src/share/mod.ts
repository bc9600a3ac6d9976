/**
 * Analyses that are made once for a whole team: packs of records in a ref of a remote, which git carries.
 *
 * @module
 */
export type { PullReport, SharePlace } from "./pull.ts";
export type { PushReport } from "./push.ts";
export type { OtherPacks, Share, ShareDeps, ShareOptions, ShareStatus } from "./share.ts";
export type { ShareFault, ShareSettings } from "./share_place.ts";
export { createShare } from "./lazy.ts";
export { ShareFolder } from "./share_folder.ts";
export type { ShareState } from "./share_state.ts";
export type { PackKey } from "./pack.ts";
export type { TreeFile, TreePack } from "./share_tree.ts";
export type { PackList, RecordPlace, SharedPacksOptions } from "./shared_packs.ts";
export { SharedPacks } from "./shared_packs.ts";
