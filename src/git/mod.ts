/**
 * The only folder that runs git: repositories, branches, snapshots, changes, commits, merges.
 *
 * @module
 */
export type { KeptBranch } from "./branches.ts";
export type {
  CreateBranchResult,
  DeleteBranchResult,
  LeaveBranchResult,
  TaskBranch,
} from "./branches.ts";
export {
  createTaskBranch,
  deleteBranch,
  keepBranch,
  leaveTaskBranch,
  listTaskBranches,
  restoreTip,
} from "./branches.ts";
export type { TaskBranchParts } from "./branch_name.ts";
export { parseTaskBranchName, TASK_BRANCH_PREFIX, toTaskBranchName } from "./branch_name.ts";
export type { LineChanges, LineHunk, LineRange } from "./changed_lines.ts";
export { changedLines } from "./changed_lines.ts";
export type { Change, ChangeKind, DiffOptions, TreeEntry } from "./changes.ts";
export { diffText, diffTrees, listTree, readBlob, readBlobById, readBlobText } from "./changes.ts";
export type { GitOptions } from "./git.ts";
export { Git } from "./git.ts";
export type { StartRules } from "./git_settings.ts";
export { listIgnoredFolders } from "./ignored_folders.ts";
export type { LargeFile, NestedRepository } from "./index_notes.ts";
export type { KeptTip, RestoreBranchResult } from "./kept_branches.ts";
export { listKeptBranches, restoreBranch } from "./kept_branches.ts";
export type { OwnRef } from "./own_refs.ts";
export { deleteRefs, listOwnRefs, removeEmptyRefFolders } from "./own_refs.ts";
export type { WorktreeTree, WorktreeTreeOptions } from "./private_index.ts";
export { writeWorktreeTree } from "./private_index.ts";
export type { OpenRepo } from "./repository_opener.ts";
export { createRepositoryOpener, toUsable } from "./repository_opener.ts";
export type { Head, ListFilesOptions, Repository } from "./repository.ts";
export {
  checkIdentity,
  findCheckout,
  isAncestor,
  listProjectFiles,
  listWorktrees,
  openRepository,
  readHead,
  readTip,
  readTree,
  toShownPath,
} from "./repository.ts";
export type { RestoreOptions, RestoreResult } from "./restore.ts";
export { restorePaths } from "./restore.ts";
export type { CompareSessionOptions, SessionComparison } from "./session_changes.ts";
export { compareSession } from "./session_changes.ts";
export type { SnapshotSession } from "./snapshot_list.ts";
export { countChangedFiles, listSnapshotSessions } from "./snapshot_list.ts";
export type { SessionTrees } from "./kept_trees.ts";
export { keepSessionTrees } from "./kept_trees.ts";
export type { PruneOptions, Snapshot, SnapshotOptions } from "./snapshots.ts";
export {
  keepTree,
  listOldSnapshots,
  listSnapshots,
  pruneSnapshots,
  takeSnapshot,
} from "./snapshots.ts";
export type { MakeCommitOptions, MakeCommitResult } from "./commit.ts";
export { makeCommit } from "./commit.ts";
export type { CommitTree, CommitTreeOptions } from "./commit_tree.ts";
export { buildCommitTree } from "./commit_tree.ts";
export type { MergeResult, MergeTaskOptions } from "./merge.ts";
export { mergeStaleBranch, mergeTaskBranch, readMergedBase } from "./merge.ts";
export type { MergeBaseOptions, MergeBaseResult } from "./merge_base.ts";
export { mergeBaseIntoTask } from "./merge_base.ts";
export type { CommitContent, Refused } from "./new_commit.ts";
export { toCommitMessage } from "./new_commit.ts";
export type { SyncIndexOptions, SyncIndexResult } from "./real_index.ts";
export type { SwitchBranchResult } from "./switch_branch.ts";
export { resetSoft, switchBranch, takeBranch } from "./switch_branch.ts";
export type { CarryOptions, CommittedOptions } from "./carry_changes.ts";
export { adoptCommitted, adoptPaths, carryChanges } from "./carry_changes.ts";
export { hashGuardedFiles } from "./guarded_files.ts";
export { hasCommitHooks } from "./hooks.ts";
export { listIgnoredInTheWay } from "./untracked.ts";
