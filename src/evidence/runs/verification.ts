/** The words of verification: what a run is asked for, what it leaves behind, how it stands now. */
import type { CommandResult } from "./run_command.ts";
import type { RunMark } from "./verification_file.ts";
import type { VerifyCommand } from "./verify_commands.ts";

/** What a run is for: the untouched tree after the start, or the work at step 15. */
export type RunKind = "baseline" | "verify";

/** A command's result with the state of the disk that it belongs to. */
export interface VerificationResultRow extends CommandResult {
  /** The tree of the worktree when the run began. */
  readonly treeAtStart: string;
}

/** Why a run proves nothing although it ended: what it rests on changed while it lasted. */
export interface RunVoid {
  /** What changed, relative to the project. */
  readonly path: string;
  /** Command that ran meanwhile; null between two. */
  readonly command: string | null;
}

/** A file that a command wrote, as its `writes` announce. */
export interface WrittenFile {
  /** Relative to the worktree. */
  readonly path: string;
  readonly command: string;
}

/** The disk after the last command. */
export interface RunEnd {
  /** Null where nobody keeps states. */
  readonly tree: string | null;
  /** Files that differ from the start and that a command of the run is known to write. */
  readonly wrote: readonly WrittenFile[];
  readonly voided: RunVoid | null;
}

/** Looks at what a run rests on, from its start to its end. */
export interface RunWatch {
  /** Before the first command. */
  begin(): Promise<void>;
  /** Before each command and after the last one, with the name of the one that ran just before. */
  look(after: string | null): Promise<RunVoid | null>;
  /** After the last command that ran, also where the run was ended before its time. */
  end(ran: readonly string[]): Promise<RunEnd>;
}

/** A run that ended. */
export interface VerificationRun {
  readonly id: string;
  readonly kind: RunKind;
  readonly sessionId: string;
  /** Visit of step 15 that asked for it; 0 for a baseline. */
  readonly visit: number;
  readonly treeAtStart: string;
  readonly treeAtEnd: string | null;
  readonly wrote: readonly WrittenFile[];
  /** Null where nothing that it rests on changed; otherwise it proves nothing. */
  readonly voided: RunVoid | null;
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
  /** Visit of step 15; a run that failed counts in its own visit alone. */
  readonly visit?: number;
  /** Without one nothing voids the run while it lasts. */
  readonly watch?: RunWatch;
  readonly onProgress?: (progress: VerificationProgress) => void;
  /** Called once, after the results are on disk, by the process that ran them. */
  readonly onFinished?: (run: VerificationRun) => void | Promise<void>;
}

/** Runs verification commands in the background and remembers what they gave. */
export interface VerificationRunner {
  /**
   * Starts a run, or gives the running or finished run of the same session, kind, tree, visit and
   * commands, whichever process has it. A cancelled or void run is started again. Before a start all
   * other runs of the session are ended, in every process: two at once would disturb each other.
   */
  start(request: VerificationRequest): Promise<VerificationState>;
  /** Waits until the run is done, at most `waitMs`. */
  wait(id: string, waitMs: number): Promise<VerificationState>;
  /** Ends a run of this process and waits until its programs are gone; false when there is none. */
  cancel(id: string): Promise<boolean>;
  /**
   * Ends the runs of a session, of one kind or all, in every process: its own at once, those of others
   * as soon as they see the mark; what they still give counts as cancelled. A baseline that ended
   * already stays.
   */
  cancelSession(sessionId: string, kind?: RunKind): Promise<void>;
  /** Ends the commands that a killed process left running. */
  sweep(sessionId: string): Promise<void>;
  /** Marks a finished run void, for good. */
  discard(run: VerificationRun, voided: RunVoid): Promise<void>;
  /** Runs of a session that go on now, in whichever process; what killed processes left is ended. */
  readRunning(sessionId: string): Promise<readonly RunMark[]>;
  /** Finished runs of a session that can be believed, oldest first. */
  read(sessionId: string): Promise<readonly VerificationRun[]>;
  /** Cancels all runs of this process. */
  close(): Promise<void>;
}
