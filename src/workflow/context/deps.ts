/** What the workflow is built from; everything outside of this process is reached through it. */
import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/logger.ts";
import type { DocumentList, DocumentSummaries } from "../../context/doc_research.ts";
import type { ContextUpdate } from "../../context/update_context.ts";
import type { GuidingText } from "../../evidence/runs/trust.ts";
import type { ProjectVerification } from "../../evidence/runs/project_verification.ts";
import type { PrivateRepository } from "../../git/private_repository.ts";
import type { Repository } from "../../git/repository.ts";
import type { LineChanges } from "../../git/trees/changed_lines.ts";
import type { OwnCommand } from "../../impact/test_command.ts";
import type { SeenTest } from "../../index/seen_runs.ts";
import type { ScaleFacts, ValveLimits } from "../../phase/facts.ts";
import type { FixedVerify, SessionState } from "../../phase/state.ts";
import type { Stage } from "../../phase/table/phases.ts";
import type { VerifiedTrailer } from "../../phase/verification_state.ts";
import type { MeasureInput, SymbolRelevance } from "../../request/measure_symbols.ts";
import type { SessionStore } from "../../session/store_api.ts";
import type { ChangedSymbol, DecisionPlan, Learning } from "./learning.ts";
import type { FindSeenTests } from "./seen_code.ts";
import type { PromptSettings } from "./prompts.ts";
import type { MutantSettings, RunAdditions } from "./run_additions.ts";

/** The part of the project's configuration that the workflow reads. */
export interface WorkflowSettings {
  readonly limits: ValveLimits;
  /** Untracked files above this size are recorded by hash only, in MiB. */
  readonly maxSnapshotMb: number;
  readonly documentsEnabled: boolean;
  /** False where step 16 is switched off for the project. */
  readonly interventionsEnabled: boolean;
  readonly prompts: PromptSettings;
  readonly mutants: MutantSettings;
  /** Whether the run of the untouched tree records which test runs which function. */
  readonly recordsRuns: boolean;
  /** Stages whose payload should carry a suggestion. */
  readonly suggestionStages: readonly Stage[];
  /** Warnings about the configuration for replies. */
  readonly warnings: readonly string[];
  /** Environment variables that override keys, as `VARIABLE (key)`. */
  readonly overrides: readonly string[];
}

/**
 * The settings for one session. The size limit for files in trees is that of the session's start,
 * because with another limit other files would show.
 */
export interface SessionSettings extends Omit<WorkflowSettings, "maxSnapshotMb"> {
  /** Untracked files above this size are recorded by hash only, in MiB. */
  readonly maxFileMb: number;
}

/** The settings that hold for a session. */
export async function loadSessionSettings(
  { loadSettings }: Pick<WorkflowDeps, "loadSettings">,
  state: Pick<SessionState, "maxSnapshotMb">,
): Promise<SessionSettings> {
  const { maxSnapshotMb, ...settings } = await loadSettings();
  return { ...settings, maxFileMb: state.maxSnapshotMb ?? maxSnapshotMb };
}

/** The summary of the project's rules. */
export interface RulesContext {
  readonly source: string | null;
  readonly summary: string | null;
  /** Notes of the user beside the summary. */
  readonly notes: string | null;
  /** True when the source changed after it was summarised. */
  readonly updateNeeded: boolean;
  /** How many texts of it nobody allowed here, so that they are null. */
  readonly leftOut: number;
}

/** The summaries of documents that a person allowed. */
export interface SummariesContext extends DocumentSummaries {
  /** How many texts nobody allowed here. */
  readonly leftOut: number;
}

/** A commit that a session just made. */
export interface MadeCommit {
  readonly repo: Repository;
  readonly commit: string;
  readonly parents: readonly string[];
  /** What is said of its verification, with what hooks did. */
  readonly verified: VerifiedTrailer;
  /** The session when the commit was made. */
  readonly state: SessionState;
}

/** Everything that the workflow needs. */
export interface WorkflowDeps {
  /** Absolute path of the project. */
  readonly projectRoot: string;
  /** Absolute path of the project's `.code-intel`. */
  readonly codeIntelDir: string;
  /** Where the index lies without git. */
  readonly plainIndexDir: string;
  /**
   * The repository of the project, opened once; null where it lies in none.
   *
   * @throws {CodeIntelError} `git_missing`, `git_too_old`.
   */
  readonly openRepo: () => Promise<Repository | null>;
  readonly store: SessionStore;
  /** What was learned from finished sessions, and what records more. */
  readonly openLearning: () => Promise<Learning>;
  /**
   * Fields of a start reply about past commits like a request; never fails. The past is loaded beside other work of the
   * start, after which it is waited for a moment longer.
   */
  readonly recallPast: (
    query: string,
    beside: Promise<unknown>,
  ) => Promise<Readonly<Record<string, unknown>>>;
  /** What the router and the past say of an understood request, for the log of decisions. */
  readonly planRequest: (
    state: SessionState,
  ) => Promise<Pick<DecisionPlan, "toolsPlanned" | "pastCommits">>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Tools that the server offers now. */
  readonly offered: readonly string[];
  /** The project's own verification commands, and who allowed them. */
  readonly verification: Pick<
    ProjectVerification,
    | "loadCommands"
    | "readSettings"
    | "runner"
    | "stateDir"
    | "askToAllow"
    | "useCheckout"
    | "compareWithTrust"
    | "takeWords"
    | "listUnrunChecks"
    | "trust"
    | "readRepositoryKey"
  >;
  /** Says of a commit what others can check, beside its trailers; gives fields of the reply. It stops nothing. */
  readonly attest: (made: MadeCommit) => Promise<Readonly<Record<string, unknown>>>;
  /** What a feature adds to the run of step 15, by the name of the slot; undefined where none does. */
  readonly addition: <K extends keyof RunAdditions>(name: K) => RunAdditions[K] | undefined;
  readonly loadSettings: () => Promise<WorkflowSettings>;
  /** How findings are treated in a session that begins; another mode than `strict` only when a person said so for it. */
  readonly takeEnforcement: () => Promise<"strict" | "warn" | "off">;
  /**
   * Hashes, by project path, of the files that must stay the same during a session even where git
   * ignores them.
   */
  readonly hashProtectedTexts: (
    /**
     * The commands fixed at the session's start, whose texts count whatever the configuration says
     * now.
     */
    fixed?: FixedVerify,
  ) => Promise<Readonly<Record<string, string>>>;
  readonly loadRules: () => Promise<RulesContext>;
  readonly saveContext: (
    input: ContextUpdate,
  ) => Promise<Readonly<Record<string, unknown>>>;
  /** Summaries of documents, compared with the present documents. */
  readonly loadSummaries: () => Promise<SummariesContext>;
  /** Every text of `context.yml` that guides agents, allowed or not. */
  readonly listContextTexts: () => Promise<readonly GuidingText[]>;
  /** Documents below the configured folders, relative to the project. */
  readonly listDocuments: () => Promise<DocumentList>;
  /** One sentence for each key of `context.yml` that has no effect, such as a path to nothing. */
  readonly listUnmetSettings: () => Promise<readonly string[]>;
  /** Files of the project that are not ignored, relative to the project. */
  readonly listFiles: () => Promise<readonly string[]>;
  /** The states of the files of sessions without git. */
  readonly states: PrivateRepository;
  /** True for files of a language that the program knows as source. */
  readonly isSourceFile: (path: string) => boolean;
  /**
   * How closely the target symbols of a frame are related to the request; symbols of which nothing
   * is known are left out.
   */
  readonly measureSymbols: (input: MeasureInput) => Promise<readonly SymbolRelevance[]>;
  /** What target symbols touch; null where that is not known in time. */
  readonly measureScale: (symbols: readonly string[]) => Promise<ScaleFacts | null>;
  /** Symbols that a file of the project defines, the first 50, as `name :line`; empty where that is not known. */
  readonly listSymbols: (path: string) => Promise<readonly string[]>;
  /** The definitions of a text that its changed lines are in; the path is one of the project. */
  readonly listTouched: (
    changed: { readonly path: string; readonly text: string; readonly lines: LineChanges },
  ) => Promise<readonly Pick<ChangedSymbol, "name" | "holders">[]>;
  /** Test files nearest to changed files, those first that were seen to run them; none where that is not known in time. */
  readonly findNearTests: (files: readonly string[]) => Promise<readonly string[]>;
  readonly findSeenTests: FindSeenTests;
  /** Definitions that a text means, by name and by meaning, the best first; empty where that is not known in time. */
  readonly findByMeaning: (
    text: string,
  ) => Promise<readonly { readonly path: string; readonly line: number; readonly name: string }[]>;
  /**
   * What the index says of the session's changed files as they stand: code that stands elsewhere too, what uses them
   * outside of the diff, tests that reach them; empty where that is not known in time.
   */
  readonly describeDiff: (
    files: readonly string[],
    tree: string,
  ) => Promise<Readonly<Record<string, readonly string[]>>>;
  /** The command that runs tests alone: by those given where they run them, else a guess; null where there is none. */
  readonly planTests: (
    tests: readonly Pick<SeenTest, "name" | "file" | "unit">[],
    own: readonly OwnCommand[],
  ) => Promise<string | null>;
}
