/** What the workflow is built from; everything that touches the world comes through here. */
import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/logger.ts";
import type { ContextUpdate, DocumentSummaries } from "../context/mod.ts";
import type { VerificationDesk } from "../evidence/mod.ts";
import type { Repository } from "../git/mod.ts";
import type { FixedVerify, SessionState, Stage, ValveLimits } from "../phase/mod.ts";
import type { Learning } from "../learning/mod.ts";
import type { MeasureInput, SymbolRelevance } from "../query_frame/mod.ts";
import type { SessionStore } from "../session/mod.ts";
import type { PromptSettings } from "./prompts.ts";

/** What the project's configuration says, as far as the workflow reads it. */
export interface WorkflowSettings {
  readonly limits: ValveLimits;
  /** Untracked files above this size are recorded by hash only, in MiB. */
  readonly maxSnapshotMb: number;
  readonly documentsEnabled: boolean;
  /** False where step 16 is switched off for the project. */
  readonly interventionsEnabled: boolean;
  readonly prompts: PromptSettings;
  /** Stages whose payload is asked for a suggestion. */
  readonly suggestionStages: readonly Stage[];
  /** Notes about the configuration that a reply should carry. */
  readonly warnings: readonly string[];
  /** Variables of the environment that stand in for keys, as `VARIABLE (key)`. */
  readonly overrides: readonly string[];
}

/**
 * The same for one session: with the limit of files in trees as it was at its start, because another one would show
 * other files.
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

/** The project's rules, summed up. */
export interface RulesContext {
  readonly source: string | null;
  readonly summary: string | null;
  /** Notes of the person beside the summary. */
  readonly notes: string | null;
  /** True when the source changed since it was summed up. */
  readonly updateNeeded: boolean;
}

/** Everything the workflow needs. */
export interface WorkflowDeps {
  /** Absolute path of the project. */
  readonly projectRoot: string;
  /** Absolute path of the project's `.code-intel`. */
  readonly codeIntelDir: string;
  /**
   * The repository of the project, opened once; null where it lies in none.
   *
   * @throws {CodeIntelError} `git_missing`, `git_too_old`.
   */
  readonly openRepo: () => Promise<Repository | null>;
  readonly store: SessionStore;
  /** What was learned from finished work, and what is to be. */
  readonly learning: Learning;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Tools that the server offers now. */
  readonly offered: readonly string[];
  /** The project's own verification commands, and who allowed them. */
  readonly verification: Pick<
    VerificationDesk,
    "loadCommands" | "readSettings" | "runner" | "trustCommands"
  >;
  readonly loadSettings: () => Promise<WorkflowSettings>;
  /** How findings are dealt with; other than `strict` only when a person confirmed it. */
  readonly loadEnforcement: () => Promise<"strict" | "warn" | "off">;
  /** Hashes of what the session must not change although the tree may allow it, by project path. */
  readonly hashProtectedTexts: (
    /** The commands of the session, whose texts count whatever the configuration says now. */
    fixed?: FixedVerify,
  ) => Promise<Readonly<Record<string, string>>>;
  readonly loadRules: () => Promise<RulesContext>;
  readonly saveContext: (
    input: ContextUpdate,
  ) => Promise<Readonly<Record<string, unknown>>>;
  /** What was noted of documents, compared with the documents as they are. */
  readonly loadSummaries: () => Promise<DocumentSummaries>;
  /** Documents below the configured folders, relative to the project. */
  readonly listDocuments: () => Promise<readonly string[]>;
  /** Files of the project that are not ignored, relative to the project. */
  readonly listFiles: () => Promise<readonly string[]>;
  /**
   * The same with links and the rules of `.code-intel`, found without git: what the ledger watches where
   * there is none. It may stop soon after `maxFiles`.
   */
  readonly listWithoutGit: (maxFiles: number) => Promise<readonly string[]>;
  /** True for files of a language that the program knows as source. */
  readonly isSourceFile: (path: string) => boolean;
  /** How much the target symbols of a frame have to do with the request; those of which nothing is known are left out. */
  readonly measureSymbols: (input: MeasureInput) => Promise<readonly SymbolRelevance[]>;
  /** How many symbols a file of the project defines; 0 where they cannot be told. */
  readonly countSymbols: (path: string) => Promise<number>;
}
