/**
 * The engine's rules: pure, no disk, no clock, no git.
 *
 * @module
 */
export { checkMode, FLAG_NAMES, FLAGS, hasBranchFlow, INTENTS, isInvestigation } from "./flags.ts";
export type { Flag, Flags, GateLevel, Intent, Mode } from "./flags.ts";
export { isStage, LAST_STEP, PHASES, STAGES } from "./phases.ts";
export type { Capability, PhaseName, PhaseRow, Stage } from "./phases.ts";
export type {
  AnswerSource,
  Clearance,
  Counters,
  Effect,
  EffectResult,
  Escalation,
  EscalationCause,
  FrameSlot,
  MandatoryRule,
  PendingDecision,
  PersonDecision,
  PreparedCommit,
  QueryFrame,
  ReviewedFile,
  SessionEnd,
  SessionState,
  SessionStatus,
  VerificationResult,
  VerifiedTrailer,
  Workspace,
} from "./state.ts";
export type { ChecklistItem, ItemStatus, Task } from "./tasks.ts";
