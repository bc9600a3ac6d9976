/** What a feature may add to the run of step 15: each member is asked for by its name, and nothing is added where none has it. */
import type { Logger } from "../../base/logger.ts";
import type { WrongVersionInput } from "../../prove/check_input.ts";
import type { TreePath } from "../../base/paths.ts";
import type {
  ProjectCommands,
  ProjectVerification,
} from "../../evidence/runs/project_verification.ts";
import type { RunCover, TryMutants } from "../../evidence/runs/run_command.ts";
import type { VerificationRun } from "../../evidence/runs/verification.ts";
import type { VerifyCommand } from "../../evidence/runs/verify_commands.ts";
import type { Repository } from "../../git/repository.ts";
import type { Trees } from "../../ledger/trees.ts";
import type { ServerRun } from "../../phase/facts.ts";
import type { SessionState } from "../../phase/state.ts";
import type { ProjectPaths } from "./project_paths.ts";
import type { FindSeenTests } from "./seen_code.ts";

/** When small wrong versions of the changed lines are tried, and what survivors mean. */
export interface MutantSettings {
  readonly when: "high" | "always" | "never";
  readonly seconds: number;
  readonly gate: boolean;
}

/** What wrong versions are planned from, with the records of runs. */
export interface MutantPlanInput extends WrongVersionInput {
  readonly findSeenTests: FindSeenTests;
}

/** The project of a session, as far as its lines are looked at. */
export interface CoveredProject {
  readonly deps: {
    readonly projectRoot: string;
    readonly isSourceFile: (path: string) => boolean;
    readonly plainIndexDir: string;
    readonly logger: Logger;
    readonly verification: Pick<ProjectVerification, "stateDir">;
    readonly loadSettings: () => Promise<{ readonly recordsRuns: boolean }>;
  };
  readonly repo: Repository;
  readonly trees: Trees;
  readonly paths: ProjectPaths;
}

/** What a run is about whose lines are looked at. */
export interface CoveragePlanInput {
  readonly project: CoveredProject;
  readonly found: ProjectCommands;
  readonly commands: readonly VerifyCommand[];
  /** Files that the session changed, relative to the worktree; none for the untouched tree. */
  readonly changed: readonly TreePath[];
}

/** A finished run whose lines are looked at. */
export interface RanLinesInput extends Omit<CoveragePlanInput, "commands"> {
  readonly run: VerificationRun;
  readonly state: SessionState;
}

/** The members. */
export interface RunAdditions {
  /** What is tried after a run that passes; nothing where nobody asks for it. */
  readonly planMutants?: (input: MutantPlanInput) => Promise<{ readonly mutants?: TryMutants }>;
  /** How the lines are read that a run executes; the untouched tree is asked the same. */
  readonly planCoverage?: (input: CoveragePlanInput) => Promise<{ readonly coverage?: RunCover }>;
  /** Which of the changed lines ran, and how much of the evidence of the tasks. */
  readonly readRanLines?: (
    input: RanLinesInput,
  ) => Promise<Pick<ServerRun, "coverage" | "ranItems">>;
}
