/**
 * Checks claims: evidence is compared with what the session changed on the disk, and the server
 * runs the project's own verification commands after a person allowed them.
 *
 * @module
 */
export type { Checkout, CheckoutInput } from "./checkout/with_checkout.ts";
export type { ChangedDependencies, DependencyPlaces } from "./checkout/changed_dependencies.ts";
export { findChangedDependencies } from "./checkout/changed_dependencies.ts";
export { pickLent } from "./checkout/lend_folders.ts";
export { carryEvidence } from "./carry.ts";
export type { CarriedTasks, CarryInput } from "./carry.ts";
export { checkEvidence } from "./check.ts";
export type { EvidenceInput, ReportedItem, ReportInput } from "./check.ts";
export type { ComparedStates } from "./file_facts.ts";
export { isPassed, judgeRun } from "./runs/judge_run.ts";
export type { CommandJudgement, JudgedResult, JudgeInput, RunVerdict } from "./runs/judge_run.ts";
export type { Failure, FileCount, TestReport } from "./runs/report/report.ts";
export {
  toBaselineSentence,
  toChangedTests,
  toCommandLine,
  toCounts,
  toFailureLine,
  toRestWords,
  toSummary,
} from "./runs/run_words.ts";
export type { ChangedTestFile, TestProof } from "./runs/proven_tests.ts";
export { judgeProof } from "./runs/proven_tests.ts";
export type { FailureChange, LostTests } from "./runs/compare_reports.ts";
export { parseLocation, parseLocations } from "./location.ts";
export type { Location, WholeFile } from "./location.ts";
export { findRemovedTests } from "./removed_tests.ts";
export type { RemovedTestFile } from "./removed_tests.ts";
export type { RunAskedOptions } from "./asked/run_asked.ts";
export { runAsked } from "./asked/run_asked.ts";
export type { RunFolderPlace } from "./asked/run_folder.ts";
export { runCommand } from "./runs/run_command.ts";
export type { CommandProgress, CommandResult, RunCommandOptions } from "./runs/run_command.ts";
export { findWeakenedTests, mayWeakenTests } from "./weakened_tests.ts";
export { toDiffedFiles } from "./weakened/diffed_file.ts";
export type { DiffedFile } from "./weakened/diffed_file.ts";
export type { ReplaceableFiles } from "./weakened/replaced_sources.ts";
export { mayReplaceSources } from "./weakened/replaced_sources.ts";
export type { WeakenedTest } from "./weakened_tests.ts";
export type { AddedText, Leftover, LeftoverLine } from "./leftovers/find_leftovers.ts";
export { findLeftoverLines, findLeftovers } from "./leftovers/find_leftovers.ts";
export { findConflictMarkers } from "./conflict_markers.ts";
export type { SealedJson, SealedWriteOptions } from "./runs/sealed_json.ts";
export { readSealedJson, writeSealedJson } from "./runs/sealed_json.ts";
export { toRepositoryKey } from "./runs/trust.ts";
export type { TrustStore, TrustStoreOptions } from "./runs/trust.ts";
export type {
  ConfirmedMode,
  EnforcementMode,
  TrustedText,
  TrustEntry,
  TrustList,
  TrustSource,
  UntoldWord,
} from "./runs/trust_list.ts";
export type { GuidingText } from "./runs/guiding_text.ts";
export type { Surroundings } from "./runs/surroundings.ts";
export { toTrustText } from "./runs/trust_text.ts";
export type { TrustTextOptions } from "./runs/trust_text.ts";
export type { BehindText, CommandsUnderTrust } from "./runs/trusted_commands.ts";
export type {
  CommitRun,
  RunCheckout,
  RunEnd,
  RunKind,
  RunPlace,
  RunProof,
  RunVoid,
  RunWatch,
  VerificationProgress,
  VerificationRequest,
  VerificationResultRow,
  VerificationRun,
  VerificationRunner,
  VerificationState,
  WrittenFile,
} from "./runs/verification.ts";
export type {
  CoveredResult,
  CoverInput,
  MutantContext,
  RunCover,
  RunCoverage,
  TryMutants,
} from "./runs/run_additions.ts";
export type { RunMark } from "./runs/verification.ts";
export { toUntrusted } from "./runs/project_verification.ts";
export type {
  FoundCheck,
  ProjectCommands,
  ProjectVerification,
  ProjectVerificationOptions,
  VerifySettings,
} from "./runs/project_verification.ts";
export type { UnrunCheck } from "./runs/unrun_checks.ts";
export type { RuleText, UnrunRule } from "./runs/unrun_rules.ts";
export { listUnrunRules } from "./runs/unrun_rules.ts";
export { isRunOutput } from "./runs/run_outputs.ts";
export { createProjectVerification, createTrustStore, createVerificationRunner } from "./lazy.ts";
export type { VerificationRunnerOptions } from "./runs/verification_runner.ts";
export { isWrittenBy, selectCommands, toVerifyCommands } from "./runs/verify_commands.ts";
export type { CheckedCommands, VerifyCommand, VerifyRow } from "./runs/verify_commands.ts";
