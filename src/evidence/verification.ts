/** The words of verification: what a run is asked for, what it leaves behind, how it stands now. */
import type { CommandResult } from "./run_command.ts";
import type { VerifyCommand } from "./verify_commands.ts";

/** What a run is for: the untouched tree after the start, or the work at step 15. */
export type RunKind = "baseline" | "verify";

/** A command's result with the state of the disk that it belongs to. */
export interface VerificationResultRow extends CommandResult {
  /** The tree of the worktree when the run began. */
  readonly treeAtStart: string;
}

/** A run that ended. */
export interface VerificationRun {
  readonly id: string;
  readonly kind: RunKind;
  readonly sessionId: string;
  readonly treeAtStart: string;
  readonly commandsHash: string;
  /** ISO times. */
  readonly startedAt: string;
  readonly finishedAt: string;
  /** True when it was ended before all its commands were; it proves nothing then. */
  readonly wasCancelled: boolean;
  readonly results: readonly VerificationResultRow[];
}

/** How a run stands now. */
export type VerificationState =
  | {
    readonly kind: "running";
    readonly id: string;
    readonly elapsedMs: number;
    /** Name of the command that runs now. */
    readonly command: string;
    /** Its last line of output, empty when another process runs it. */
    readonly lastLine: string;
    /** Process that runs it. */
    readonly pid: number;
  }
  | { readonly kind: "done"; readonly run: VerificationRun }
  /** Nobody runs it and nothing that can be believed is left of it: start it (again). */
  | { readonly kind: "lost"; readonly id: string };

/** Progress of a run, at most four times a second. */
export interface VerificationProgress {
  readonly command: string;
  /** Position of the command, from 1, and how many there are. */
  readonly position: number;
  readonly total: number;
  /** Since the start of the whole run. */
  readonly elapsedMs: number;
  readonly lastLine: string;
}

/** What is to be run. */
export interface VerificationRequest {
  readonly sessionId: string;
  readonly kind: RunKind;
  /** Tree of the worktree now, or any text that names the state of the disk where there is no git. */
  readonly tree: string;
  /** The selected commands, in order; at least one. */
  readonly commands: readonly VerifyCommand[];
  /** Hash of the commands and the texts behind them, as trust knows it. */
  readonly commandsHash: string;
  readonly onProgress?: (progress: VerificationProgress) => void;
  /** Called once, after the results are on disk, by the process that ran them. */
  readonly onFinished?: (run: VerificationRun) => void | Promise<void>;
}

/** Runs verification commands in the background and remembers what they gave. */
export interface VerificationRunner {
  /**
   * Starts a run, or gives the running or finished run of the same session, kind, tree and commands,
   * whichever process has it. A cancelled run is started again.
   */
  start(request: VerificationRequest): Promise<VerificationState>;
  /** Waits until the run is done, at most `waitMs`. */
  wait(id: string, waitMs: number): Promise<VerificationState>;
  /** Ends a run of this process and waits until its programs are gone; false when there is none. */
  cancel(id: string): Promise<boolean>;
  /** Finished runs of a session that can be believed, oldest first. */
  read(sessionId: string): Promise<readonly VerificationRun[]>;
  /** Cancels all runs of this process. */
  close(): Promise<void>;
}
