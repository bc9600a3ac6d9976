/**
 * The types of verification: what a run is asked for, what it leaves behind, and its present state.
 */
import type { CheckFindings } from "../../phase/check_findings.ts";
import type { MoreWanted } from "../checkout/ways.ts";
import type { Checkout } from "../checkout/with_checkout.ts";
import type { CommandResult, CoveredResult, RunCover } from "./run_command.ts";
import type { TestReport } from "../../runners/report.ts";
import type { VerifyCommand } from "./verify_commands.ts";

/** What a run is for: the untouched tree after the start, or the work at step 15. */
export type RunKind = "baseline" | "verify";

/** A command's result with the state of the disk that it belongs to. */
export interface VerificationResultRow extends CoveredResult {
  /** The tree of the worktree when the run began. */
  readonly treeAtStart: string;
}

/** Why a finished run proves nothing: something that it depends on changed while it ran. */
export interface RunVoid {
  /** What changed, relative to the project. */
  readonly path: string;
  /** The command that ran meanwhile; null for a change between two commands. */
  readonly command: string | null;
}

/** A file that a command wrote, as its `writes` declare. */
export interface WrittenFile {
  /** Relative to the worktree. */
  readonly path: string;
  readonly command: string;
}

/** The disk after the last command. */
export interface RunEnd {
  /** The tree after the run; null where nobody keeps trees. */
  readonly tree: string | null;
  /** Files that differ from the start and that a command of the run declares in its `writes`. */
  readonly wrote: readonly WrittenFile[];
  readonly voided: RunVoid | null;
}

/** Watches what a run depends on, from its start to its end. */
export interface RunWatch {
  /** Called before the first command. */
  begin(): Promise<void>;
  /**
   * Called before each command and after the last one, with the name of the command that ran just
   * before; null before the first.
   */
  look(after: string | null): Promise<RunVoid | null>;
  /** Called after the last command, also where the run was ended early. */
  end(ran: readonly string[]): Promise<RunEnd>;
}

/** Where the commands of a run ran whose results count. */
export type RunLocation =
  | {
    readonly kind: "checkout";
    /** The tree that was checked out, with nothing beside it but what was lent. */
    readonly tree: string;
    /** Ignored folders and files of the worktree that were lent, relative to it. */
    readonly lent: readonly string[];
    /** What it has beside its tree and its dependencies, as the end of a sentence; absent for nothing. */
    readonly more?: string;
  }
  | {
    readonly kind: "worktree";
    /** Why no clean checkout was taken, in a sentence. */
    readonly why: string;
    /** True where the commands did better in the worktree than in a clean checkout. */
    readonly differs: boolean;
    /** True where the clean checkout fails by the change: one of the tree of before does not. */
    readonly isByChange?: boolean;
  };

/** A clean checkout for a run. */
export interface RunCheckout {
  readonly tree: string;
  /** Runs `action` with the checkout, or with the reason why there is none, as the end of a sentence. */
  readonly use: <T>(
    action: (checkout: Checkout | string) => Promise<T>,
    more?: MoreWanted,
  ) => Promise<T>;
  /** True where clean checkouts are known to work here: then a red result needs no second opinion. */
  readonly isSure: boolean;
  /** True where the tree has no change yet, so that no change can need what its checkout lacks. */
  readonly isUntouched?: boolean;
}

/** A finished run. */
export interface VerificationRun extends CheckFindings {
  readonly id: string;
  readonly kind: RunKind;
  readonly sessionId: string;
  /** The entry of step 15 that asked for the run; 0 for a baseline. */
  readonly visit: number;
  readonly treeAtStart: string;
  readonly treeAtEnd: string | null;
  readonly wrote: readonly WrittenFile[];
  /** Why the run proves nothing; null where nothing that it depends on changed. */
  readonly voided: RunVoid | null;
  readonly commandsHash: string;
  /** ISO times. */
  readonly startedAt: string;
  readonly finishedAt: string;
  /** True when the run was ended before all its commands were; it proves nothing then. */
  readonly wasCancelled: boolean;
  /** Absent in runs of older versions, which ran in the worktree. */
  readonly place?: RunLocation;
  /** True where a nearest test fails by the change: then no other test ran, and none is lost. */
  readonly isNearest?: true;
  /** The commands on the untouched tree, run after this red run; absent where that was known, or not asked. */
  readonly untouched?: readonly VerificationResultRow[];
  readonly results: readonly VerificationResultRow[];
}

/** What the checks of a run came to. */
export type CheckedResults = LocatedResults & Pick<VerificationRun, "isNearest"> & CheckFindings;

/** What was kept of the run behind a commit. */
export interface CommitRun {
  /** ISO time of the verification result that came of it. */
  readonly at: string;
  /** Null where the server ran nothing. */
  readonly commands:
    | readonly (Pick<CommandResult, "name" | "exitCode" | "failure" | "durationMs"> & {
      readonly tests: TestReport | null;
    })[]
    | null;
}

/** The present state of a run. */
export type VerificationState =
  | {
    readonly kind: "running";
    readonly id: string;
    readonly elapsedMs: number;
    /** Name of the running command. */
    readonly command: string;
    /** Its last line of output; empty when another process runs it. */
    readonly lastLine: string;
    /** Id of the process that runs it. */
    readonly pid: number;
  }
  | { readonly kind: "done"; readonly run: VerificationRun }
  /** No process runs it, and no trustworthy result is left: it has to be started (again). */
  | { readonly kind: "lost"; readonly id: string };

/** Progress of a run, reported at most four times a second. */
export interface VerificationProgress {
  readonly command: string;
  /** Position of the command, from 1, and the number of commands. */
  readonly position: number;
  readonly total: number;
  /** Time since the start of the whole run. */
  readonly elapsedMs: number;
  readonly lastLine: string;
}

/** What to run. */
export interface VerificationRequest {
  readonly sessionId: string;
  readonly kind: RunKind;
  /**
   * The present tree of the worktree; without git any text that identifies the state of the disk.
   */
  readonly tree: string;
  /** The selected commands, in order; at least one. */
  readonly commands: readonly VerifyCommand[];
  /** Hash of the commands and the texts behind them, as the trust store knows it. */
  readonly commandsHash: string;
  /** The entry of step 15; a failed run counts only in its own entry. */
  readonly visit?: number;
  /** Watches what the run depends on; without it no change makes the run void. */
  readonly watch?: RunWatch;
  /** Where a clean checkout comes from, or why there is none, in a sentence; absent without git. */
  readonly checkout?: RunCheckout | string;
  /** Results on the untouched tree: what failed there alike is not run once more. */
  readonly before?: readonly VerificationResultRow[];
  /** A clean checkout of the untouched tree, for a red run where `before` is absent. */
  readonly untouched?: RunCheckout["use"];
  /** What is done in the place of one run of the commands. */
  readonly check?: (runs: CommandRuns) => Promise<CheckedResults>;
  /** Reads which lines the commands ran; nobody by default. */
  readonly coverage?: RunCover;
  readonly onProgress?: (progress: VerificationProgress) => void;
  /** Called once by the process that ran the commands, after the results are on disk. */
  readonly onFinished?: (run: VerificationRun) => void | Promise<void>;
}

/** The results that count, where they are from, and those of the untouched tree where it ran too. */
export type LocatedResults = Pick<VerificationRun, "results" | "place" | "untouched">;

/** What a run is for beside the verdict, as a person reads it who sees it going on. */
export type RunPurpose =
  | "on the untouched tree"
  | "once more"
  | "without the change"
  | "with a wrong version of it"
  | "in another order";

/** Commands, and where they run. */
export type RunRequest = Pick<
  VerificationRequest,
  "commands" | "checkout" | "before" | "untouched" | "coverage"
>;

/** Runs commands, as often as it is asked, within one run. */
export interface CommandRuns {
  /** True once the run was cancelled or is void: then nothing more is started. */
  isEnded(): boolean;
  /** Runs what is to be committed, or the worktree. */
  run(request: RunRequest): Promise<LocatedResults>;
  /** Runs what says nothing of the work itself, in a checkout that is there. */
  runBeside(
    checkout: Checkout,
    commands: readonly VerifyCommand[],
    purpose: RunPurpose,
    env?: Readonly<Record<string, string>>,
  ): Promise<readonly VerificationResultRow[]>;
}

/** A run that some process has begun. */
export interface RunMark {
  readonly id: string;
  readonly kind: RunKind;
  readonly treeAtStart: string;
  readonly commandsHash: string;
  /** Id of the process that runs it. */
  readonly pid: number;
  /** ISO time of the start. */
  readonly startedAt: string;
  /** Name of the running command. */
  readonly command: string;
  /** Process id of the running command; null before it is started. */
  readonly commandPid: number | null;
  /** What the commands declare that they write. */
  readonly writes: readonly { readonly command: string; readonly globs: readonly string[] }[];
  /** True once some process wants the run ended: its later results prove nothing. */
  readonly isCancelled: boolean;
}
