/**
 * Everything that is done with git; no other folder runs it: repositories, branches, snapshots,
 * changes, commits, merges.
 *
 * @module
 */
export { listOldSnapshots, pruneSnapshots, takeSnapshot } from "./lazy.ts";
export type { KeptBranch } from "./branches/branches.ts";
export type {
  CreateBranchResult,
  DeleteBranchResult,
  LeaveBranchResult,
  TaskBranch,
} from "./branches/branches.ts";
export {
  createTaskBranch,
  deleteBranch,
  keepBranch,
  leaveTaskBranch,
  listTaskBranches,
  restoreTip,
} from "./branches/branches.ts";
export type { TaskBranchParts } from "./branches/branch_name.ts";
export {
  parseTaskBranchName,
  TASK_BRANCH_PREFIX,
  toTaskBranchName,
} from "./branches/branch_name.ts";
export type { LineChanges, LineHunk, LineRange } from "./trees/changed_lines.ts";
export { changedLines } from "./trees/changed_lines.ts";
export type {
  Change,
  ChangeKind,
  DiffOptions,
  DiffTextOptions,
  TreeEntry,
} from "./trees/changes.ts";
export {
  diffText,
  diffTrees,
  listTree,
  readBlob,
  readBlobById,
  readBlobText,
} from "./trees/changes.ts";
export { createDiffReader } from "./trees/diff_reader.ts";
export type { GitOptions } from "./git.ts";
export { Git, splitNul } from "./git.ts";
export type { StartRules } from "./git_settings.ts";
export type { CheckoutOptions } from "./trees/checkout.ts";
export type { AddedFiles } from "./trees/odd_files.ts";
export { writeCheckout } from "./trees/checkout.ts";
export { listIgnored, listIgnoredFolders, toFolders } from "./trees/ignored_folders.ts";
export type { LargeFile, NestedRepository } from "./index/index_notes.ts";
export type { KeptTip, RestoreBranchResult } from "./branches/kept_branches.ts";
export { listKeptBranches, restoreBranch } from "./branches/kept_branches.ts";
export type { OwnRef } from "./branches/own_refs.ts";
export {
  deleteRefs,
  listOwnRefs,
  listShareRefs,
  removeEmptyRefFolders,
} from "./branches/own_refs.ts";
export type { WorktreeTree, WorktreeTreeOptions } from "./index/private_index.ts";
export { writeWorktreeTree } from "./index/private_index.ts";
export type { NoteEntry, NoteList } from "./notes/notes.ts";
export { listNotes, NOTES_REF } from "./notes/notes.ts";
export type { BlamedLines, BlameOptions } from "./past/blame.ts";
export { blameLines } from "./past/blame.ts";
export { traceLines } from "./past/line_log.ts";
export type { CommitFacts } from "./past/commit_facts.ts";
export { findLastCommit, readCommitFacts } from "./past/commit_facts.ts";
export type { PastBounds, PastCommit, PastFile } from "./past/log_output.ts";
export { parsePast } from "./past/log_output.ts";
export type { ListPastOptions, PastReach, ReadPastOptions } from "./past/read_past.ts";
export { listPast, readPast, readReach, readShallow } from "./past/read_past.ts";
export type { RemotePlace } from "./remote/remote_place.ts";
export { findRemote, toUnusable } from "./remote/remote_place.ts";
export type { RemoteOptions, StoredFile } from "./remote/remote_store.ts";
export { isRemoteFailure, REMOTE_PROTOCOLS, RemoteStore } from "./remote/remote_store.ts";
export type { MirrorFile } from "./remote/mirror.ts";
export { Mirror } from "./remote/mirror.ts";
export type { OpenRepo } from "./repository_opener.ts";
export { checkFolders } from "./steering_files.ts";
export { checkIdentity } from "./identity.ts";
export type { RefPlace } from "./ref_file.ts";
export { readHeadFile } from "./ref_file.ts";
export type { GitOperation } from "./operation.ts";
export { findOperation, toWaysText } from "./operation.ts";
export { listUncommitted } from "./trees/uncommitted.ts";
export { createRepositoryOpener, toUsable } from "./repository_opener.ts";
export type { Head, ListFilesOptions, Repository } from "./repository.ts";
export {
  findCheckout,
  isAncestor,
  listProjectFiles,
  listWorktrees,
  openRepository,
  readHead,
  readProjectFiles,
  readTip,
  readTree,
  toShownPath,
} from "./repository.ts";
export type { RestoreOptions, RestoreResult } from "./snapshots/restore.ts";
export { restorePaths } from "./snapshots/restore.ts";
export type { CompareSessionOptions, SessionComparison } from "./trees/session_changes.ts";
export { compareSession, findStandingOverlaps } from "./trees/session_changes.ts";
export type { SnapshotSession } from "./snapshots/snapshot_list.ts";
export { countChangedFiles, listSnapshotSessions } from "./snapshots/snapshot_list.ts";
export type { SessionTrees } from "./trees/kept_trees.ts";
export { keepSessionTrees } from "./trees/kept_trees.ts";
export type {
  PruneOptions,
  Snapshot,
  SnapshotOptions,
  TakenSnapshot,
} from "./snapshots/snapshots.ts";
export { keepTree, listSnapshots, SHARE_REFS } from "./snapshots/snapshots.ts";
export type { CommitDeeds, MakeCommitOptions, MakeCommitResult } from "./branches/commit.ts";
export { makeCommit } from "./branches/commit.ts";
export type { CommitTree, CommitTreeOptions } from "./trees/commit_tree.ts";
export { buildCommitTree } from "./trees/commit_tree.ts";
export type { Merged, MergeResult } from "./branches/finish_merge.ts";
export type { MergeTaskOptions } from "./branches/merge.ts";
export { mergeStaleBranch, mergeTaskBranch, readMergedBase } from "./branches/merge.ts";
export type { MergeBaseOptions, MergeBaseResult } from "./branches/merge_base.ts";
export { mergeBaseIntoTask } from "./branches/merge_base.ts";
export type { CommitContent, Refused } from "./branches/new_commit.ts";
export { toCommitMessage } from "./branches/new_commit.ts";
export { listStagedFiles } from "./index/real_index.ts";
export type { SyncIndexOptions, SyncIndexResult } from "./index/real_index.ts";
export type { SwitchBranchResult } from "./branches/switch_branch.ts";
export { resetSoft, switchBranch, takeBranch } from "./branches/switch_branch.ts";
export type {
  CarriedTree,
  CarryOptions,
  CommittedOptions,
  Overlap,
} from "./trees/carry_changes.ts";
export { adoptCommitted, adoptPaths, carryAndTell, carryChanges } from "./trees/carry_changes.ts";
export { hashGuardedFiles } from "./snapshots/guarded_files.ts";
export type { HookDeeds } from "./branches/after_hooks.ts";
export { hasCommitHooks, HOOK_CODES, toHookCode } from "./branches/hooks.ts";
export { listIgnoredInTheWay } from "./trees/untracked.ts";
