/**
 * The work on a project outside of sessions: what `init` sets up and `uninstall` takes out, what
 * `doctor` finds, `clean` removes and `restore` brings back.
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
export { applyCopies, listCopies, planCopies } from "./copies.ts";
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
export type { DoctorRow, DoctorStatus, Finding } from "./finding.ts";
export type { ConfigFindings, DoctorFacts, IndexFacts, OtherCheck } from "./doctor.ts";
export type { MeaningFacts, ModelFacts, VectorFacts } from "./meaning_check.ts";
export {
  applyPurge,
  applyRemoval,
  applySetup,
  findServerless,
  listOldCopies,
  loadSkills,
  planPurge,
  planRemoval,
  planSetup,
  pruneCopies,
} from "./lazy.ts";
export type { PurgeReport } from "./setup/purge.ts";
export type { KeptItem, PurgeDeps, PurgeItem, PurgePlan } from "./setup/purge_plan.ts";
export type { InitInput, InitPlan } from "./setup/init.ts";
export type { ConfigChoices, ConfigFacts } from "./setup/config_text.ts";
export type { Places } from "./setup/places.ts";
export type { FileAction, Memory, PlannedFile } from "./setup/init_plan.ts";
export type { ProjectFacts, SetupPlace } from "./setup/project_facts.ts";
export type { EditRecord, PieceRecord, SetupManifest } from "./setup/setup_manifest.ts";
export type { LeftCommand } from "./setup/verify_choice.ts";
export type { VerifyProposal } from "./setup/verify_proposals.ts";
export type { UninstallInput, UninstallPlan } from "./setup/uninstall.ts";
export type { PlannedUndo, UndoAction } from "./setup/uninstall_plan.ts";
