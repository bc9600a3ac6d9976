/**
 * The engine's rules: pure, no disk, no clock, no git.
 *
 * @module
 */
export { applyPending } from "./accepted.ts";
export type { Applied } from "./accepted.ts";
export { beginSession } from "./begin.ts";
export type { BeginInput } from "./begin.ts";
export { isOnRecord, toClauses } from "./contract/clauses.ts";
export { CONDITIONS } from "./table/conditions.ts";
export type { Condition, ConditionFacts, ConditionRow } from "./table/conditions.ts";
export { BUILT_IN_CONTRACT, mergeContract, toStricterContract } from "./contract/contract.ts";
export type { Contract, ContractResult, Locate } from "./contract/contract.ts";
export type { ContractRow } from "./contract/contract_texts.ts";
export { decide, toSubmittedStage } from "./decide.ts";
export type { Decision, EngineEvent, ReplyFields } from "./decide.ts";
export { EFFECTS, isLeavingOnly, leavesFiles } from "./table/effects.ts";
export type { Asked, EffectKind, EffectRow } from "./table/effects.ts";
export { countDefined, EXPLORATION_NEEDS, isMarkupFile } from "./contract/evaluation.ts";
export type { ExplorationKind, ExplorationNeed } from "./contract/evaluation.ts";
export type {
  ChangedFile,
  CommandRun,
  ExploringCall,
  Facts,
  ImpactFinding,
  ImpactGroup,
  LeftoverFinding,
  LineCoverage,
  MeasuredSymbol,
  PathFact,
  RanItem,
  RecordedCall,
  RemovedTest,
  ScaleFacts,
  Seen,
  ServerRun,
  ServerRunMutants,
  ServerRunPlace,
  ServerRunProof,
  Size,
  Survivor,
  TestFinding,
} from "./facts.ts";
export { findUnmodified } from "./rules/impact_rules.ts";
export { toMutantFields, toSurvivorLine } from "./rules/mutant_words.ts";
export { countShared, toDoubtfulFields } from "./rules/cited_lines.ts";
export { toCoverageLine } from "./rules/ran_lines.ts";
export { DEPENDENCIES_CHANGED, IGNORED_CHANGED } from "./rules/test_findings.ts";
export {
  checkMode,
  FLAG_NAMES,
  FLAGS,
  hasBranchFlow,
  INTENTS,
  isInvestigation,
  writesFiles,
} from "./table/flags.ts";
export type { Flag, Flags, GateLevel, Intent, Mode } from "./table/flags.ts";
export { parseResolutions, parseSubmission, PAYLOADS } from "./payload/payloads.ts";
export type {
  ChangeResolution,
  CommonPart,
  ParsedSubmission,
  PayloadOf,
  Submission,
} from "./payload/payloads.ts";
export { isStage, LAST_STEP, PHASES, STAGES } from "./table/phases.ts";
export type { Capability, PhaseName, PhaseRow, Stage } from "./table/phases.ts";
export { toToolName } from "./rules/required_tools.ts";
export type { Observed } from "./rules/observed_places.ts";
export type { CitedRule } from "./rules/cited_lines.ts";
export { listObservedPlaces } from "./rules/observed_places.ts";
export { globToRegExp, parsePlace, parseReadLine, refuseReadLine } from "./rules/rule.ts";
export type { Place, ReadLine } from "./rules/rule.ts";
export { toBinding, toStageBlock, toStageContext, toTaskList } from "./stage_block.ts";
export type { BlockOptions } from "./stage_block.ts";
export type {
  AcceptedChanges,
  AcceptedSubmission,
  Clearance,
  Counters,
  Effect,
  EffectResult,
  Escalation,
  EscalationCause,
  Evaluation,
  FixedCoverage,
  FixedVerify,
  LedgerState,
  MandatoryRule,
  PendingDecision,
  PersonDecision,
  PersonOverlap,
  PreparedCommit,
  QueryFrame,
  ReviewedFile,
  Risk,
  SessionEnd,
  SessionState,
  SessionStatus,
  UndoneEffects,
  Workspace,
} from "./state.ts";
export type {
  FailedRun,
  Statement,
  VerificationResult,
  VerifiedTrailer,
} from "./verification_state.ts";
export type { AnswerSource, FrameSlot } from "./facts.ts";
export type { CarriedEvidence, StaleEvidence } from "./tasks.ts";
export { toNamedItems, toNextTask } from "./tasks.ts";
export type { ChecklistItem, ItemStatus, Task } from "./tasks.ts";
export {
  framesRequest,
  toNextStage,
  toRequiredPhases,
  TRANSITIONS,
  verifiesWork,
} from "./table/transitions.ts";
export type { Loop, Transition } from "./table/transitions.ts";
export type { Outcome } from "./table/phases.ts";
export { giveUp, setPendingAside, takeUpDeferred, toKinds } from "./rules/undone.ts";
export type { EffectFailure } from "./rules/undone.ts";
export { DEFAULT_VALVE_LIMITS, ESCALATIONS } from "./valves.ts";
export type { ValveLimits } from "./facts.ts";
export { isRed, toForcedFields, toForcedLines, toRunLines, toSaid, toTrailer } from "./trailer.ts";
export { listTestFindings } from "./rules/test_findings.ts";
