/** What one watched run of tests gives, whatever watched it, and what a way of watching is. */
import type { TestUnit } from "../../../index/seen_runs.ts";

/** A function as a tracer saw it, before the index says which one it is. */
export interface RanFunction {
  /** Relative to the folder of the run, with `/`. */
  readonly path: string;
  /** 1-based; any line of the function, best that of its name or of its first statement. */
  readonly line: number;
  /** As the tracer calls it, perhaps qualified; empty where it says none. */
  readonly name: string;
}

/** One test, or one part of the suite, with what it ran. */
export interface RecordedTest {
  /** As the runner names it. */
  readonly name: string;
  /** Its file, relative to the folder of the run; empty where nothing says it. */
  readonly file: string;
  readonly unit: TestUnit;
  readonly outcome: "passed" | "failed" | "skipped" | "unknown";
  /** Milliseconds; 0 where nothing measured it. */
  readonly ms: number;
  /** Positions in {@link Recording.functions}. */
  readonly ran: readonly number[];
}

/** A call from one file to another: positions of caller and callee in the functions, and the 1-based line of the call or 0. */
export type RecordedCall = readonly [caller: number, callee: number, line: number];

/** A watched run. */
export interface Recording {
  /** Name of the runner. */
  readonly runner: string;
  readonly functions: readonly RanFunction[];
  readonly tests: readonly RecordedTest[];
  /** Functions that ran outside of every test: while modules were loaded, or between tests. */
  readonly loaded: readonly number[];
  readonly calls: readonly RecordedCall[];
  /** False where a process ended without its last record, or a bound left something out. */
  readonly isWhole: boolean;
  /** Why it is not whole, or what was not watched, in sentences. */
  readonly notes: readonly string[];
}

/** What a way works with. */
export interface WatchContext {
  /** Absolute real path of the project, or of its checkout: what paths are relative to. */
  readonly root: string;
  /** Absolute folder in which the command runs: the root, or a folder in it. */
  readonly cwd: string;
  /** Absolute path of an empty folder of this record alone, outside of the project. */
  readonly folder: string;
  /** The command of the project. */
  readonly run: readonly string[];
  /** Whether a file of the project is code that is looked at; path relative to the root. */
  readonly isSource: (path: string) => boolean;
  /** The files of the project that are looked at. */
  readonly listSources: () => Iterable<string>;
  readonly signal: AbortSignal;
}

/** A way that watches from inside the processes of the project's own command. */
export interface InsideWay {
  readonly kind: "inside";
  /** Lays out what is loaded, and gives the variables of the command; those of the user are kept and added to. */
  prepare(context: WatchContext): Promise<Readonly<Record<string, string>>>;
  /** Reads what the processes wrote, once the command has ended. */
  read(context: WatchContext): Promise<Recording>;
}

/** A command of a way that needs runs of its own. */
export interface ApartCommand {
  readonly run: readonly string[];
  /** Absolute folder; default that of the command. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** How such a command ended. */
export interface ApartResult {
  /** Null where it could not be started, was killed or took too long. */
  readonly exitCode: number | null;
  /** The last MiB of its output. */
  readonly output: string;
  readonly ms: number;
}

/** What a way with runs of its own works with. */
export interface ApartContext extends WatchContext {
  /** Runs a command to its end; a failure is a result. */
  readonly execute: (command: ApartCommand) => Promise<ApartResult>;
  /** Tells how far it is. */
  readonly onProgress: (done: number, of: number) => void;
}

/** A way that runs the parts of the suite one by one. */
export interface ApartWay {
  readonly kind: "apart";
  /** Why it cannot be done here, as a sentence with the next step; null where it can. */
  findHindrance(context: ApartContext): Promise<string | null>;
  record(context: ApartContext): Promise<Recording>;
}

/** One way of watching; `WAYS` names them. */
export type Way = InsideWay | ApartWay;
