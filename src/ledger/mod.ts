/**
 * What the disk should be, and who may change it.
 *
 * @module
 */
export { keepStateTrees } from "./keep_trees.ts";
export type { OpenTrees } from "./keep_trees.ts";
export { bookToPerson, carryOrigins, carryToOrigins, toOrigins } from "./book_person.ts";
export type { Origins, PersonBooking, PersonChange } from "./book_person.ts";
export { createGitTrees } from "./git_trees.ts";
export { isManifestId, ManifestTrees, toCopyName } from "./manifest_trees.ts";
export type { ManifestTreesOptions } from "./manifest_trees.ts";
export type { Looked, TreePaths, Trees, Unrestorable, WriteTreeOptions } from "./trees.ts";
export {
  AFTER_REVIEW,
  findMaybeLayout,
  isHeadMoved,
  judgeChanges,
  listCleared,
  toFindingProblems,
  toGitFileProblem,
  toHeadProblem,
  toTextProblem,
} from "./ledger.ts";
export type {
  BookedTo,
  Booking,
  Finding,
  JudgeOptions,
  ObservedChange,
  ObservedHead,
  Verdicts,
} from "./ledger.ts";
export { observe } from "./observe.ts";
export { compareHashes, readOdd, takeHashes } from "./odd.ts";
export type { Observation, ObserveOptions } from "./observe.ts";
export {
  checkWriteStage,
  guardWrite,
  holdsProject,
  isProtected,
  isWorkingFile,
} from "./write_guard.ts";
export type { GuardFacts, WriteTarget } from "./write_guard.ts";
