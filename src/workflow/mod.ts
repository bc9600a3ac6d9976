/**
 * The imperative shell around the phase engine: reads, decides, writes, and performs effects.
 *
 * @module
 */
export { createSymbolMeasure } from "./advance/symbol_measure.ts";
export type { SymbolMeasureOptions } from "./advance/symbol_measure.ts";
export { createContextDeps } from "./context_deps.ts";
export { ContractFile } from "./contract_file.ts";
export type { LoadedContract } from "./contract_file.ts";
export type {
  ChangedSymbol,
  DecisionPlan,
  FailurePoint,
  FinalOutcome,
  FindDefined,
  LearnedTerms,
  Learning,
  LoggedOutcomes,
  Noted,
  ResultCount,
  SavedState,
  Suggestion,
} from "./learning.ts";
export { NO_LEARNING } from "./learning.ts";
export type { InterventionPattern, PromptSettings } from "./prompts.ts";
export type {
  MadeCommit,
  RulesContext,
  SummariesContext,
  WorkflowDeps,
  WorkflowSettings,
} from "./deps.ts";
export type { ProjectPaths, ResolvedPath } from "./project_paths.ts";
export type { TextDeps } from "./guiding_texts.ts";
export type { Conversation, HookDoor, Standing } from "./hook_door.ts";
export type {
  CoveragePlanInput,
  CoveredProject,
  MutantPlanInput,
  MutantSettings,
  RanLinesInput,
  RunAdditions,
} from "./run_additions.ts";
export type { Progress } from "./verify/run_wait.ts";
export { createWorkflow } from "./lazy.ts";
export type { Admission, StartInput, SubmitOptions, Workflow } from "./workflow_api.ts";
export type { CallRecord } from "../session/mod.ts";
