/**
 * A project's health and tidiness: what `doctor` finds, `clean` removes and `restore` brings back.
 *
 * @module
 */
export { applyClean, planClean } from "./clean.ts";
export type {
  CleanDeps,
  CleanItem,
  CleanOptions,
  CleanResult,
  OldSnapshots,
  StaleBranch,
} from "./clean.ts";
export { applyCopies, listCopies, listOldCopies, planCopies, pruneCopies } from "./copies.ts";
export type {
  CopyDeps,
  CopyInput,
  CopyPlan,
  CopyPlanResult,
  CopySet,
  OldCopies,
} from "./copies.ts";
export { findNeededSessions } from "./needed_sessions.ts";
export { applyRestore, planRestore } from "./restore.ts";
export type {
  RestoreDeps,
  RestoreInput,
  RestorePlan,
  RestorePlanResult,
  RestoreReport,
} from "./restore.ts";
export { hasBroken, runDoctor } from "./doctor.ts";
export type { DoctorFacts, DoctorRow, DoctorStatus } from "./doctor.ts";
