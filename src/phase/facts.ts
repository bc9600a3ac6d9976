/** What the shell saw, ran or read before a decision: the only knowledge that `decide` gets. */
import type { ProjectPath } from "../base/paths.ts";
import type { Problem } from "../base/problem.ts";
import type { AnswerSource, CarriedEvidence, FrameSlot, StaleEvidence } from "./state.ts";
import type { ValveLimits } from "./valves.ts";

/** A tool call that the server recorded in this visit of the stage, allowed and answered `ok`. */
export interface RecordedCall {
  readonly tool: string;
  /** The main argument, as the record keeps it. */
  readonly subject: string;
  readonly total: number | null;
}

/** A recorded call of the exploring steps (5, 7, 9, 11) with what it showed. */
export interface ExploringCall {
  readonly tool: string;
  /** The main argument, as the record keeps it. */
  readonly subject: string;
  readonly files: readonly string[];
  /** Symbols whose definition was shown, by file. */
  readonly defines: Readonly<Record<string, readonly string[]>>;
  /** Symbols of which a use was shown, by file. */
  readonly refers: Readonly<Record<string, readonly string[]>>;
}

/** What one analysis of impact found, as the server recorded it. */
export interface ImpactFinding {
  /** Files that were to change. */
  readonly targets: readonly string[];
  /** Files that certainly depend on them. */
  readonly mustVerify: readonly string[];
  /** Files that may. */
  readonly shouldVerify: readonly string[];
}

/** What a path of the payload is on the disk. */
export type PathFact = "file" | "folder" | "missing" | "outside";

/** One file that the session changed. */
export interface ChangedFile {
  readonly path: ProjectPath;
  readonly kind: "added" | "modified" | "deleted" | "renamed" | "type";
  /** True when the person had changed it too before the session. */
  readonly isShared: boolean;
  /** What the person's version of a shared file is known by: its blob in the baseline. */
  readonly personOid?: string;
}

/** A test file that the session took away. */
export interface RemovedTest {
  /** Its name as a test. */
  readonly path: ProjectPath;
  /** Its name among the changes: the present one of a file that was renamed. */
  readonly changedPath: ProjectPath;
  readonly how: "deleted" | "emptied" | "renamed";
}

/** What the server's own run of the verification commands gave. */
export interface ServerRun {
  readonly verdict: "passed" | "failed" | "still_red" | "incomplete";
  /** Commands that failed and were not red before the work. */
  readonly failed: readonly string[];
  /** Commands that failed before the work already. */
  readonly stillRed: readonly string[];
  /** Tree of the worktree when the run began; absent without git. */
  readonly tree?: string | null;
  /** Files that the commands wrote, as announced, relative to the worktree. */
  readonly wrote?: readonly string[];
  readonly results: readonly {
    readonly name: string;
    readonly exitCode: number | null;
    /** Why there is no exit status, in words; null or absent where there is one. */
    readonly failure?: string | null;
    readonly durationMs: number;
    readonly outputTail: string;
    readonly outputHash: string;
  }[];
}

/** A target symbol beside the request. */
export interface MeasuredSymbol {
  readonly symbol: string;
  readonly source: "FACT" | "HYPOTHESIS" | "REJECTED";
  /** 0 to 1; null where earlier work confirmed it. */
  readonly score: number | null;
  /** Names of the project that fit better. */
  readonly suggestions: readonly string[];
}

/** Facts for one submission. Parts that a stage does not need are left out. */
export interface Facts {
  /** The present time, ISO 8601. */
  readonly now: string;
  readonly limits: ValveLimits;
  /** Tools that the server can offer now; a required tool beyond them is waived. */
  readonly offered: readonly string[];
  /** Calls of this visit. */
  readonly calls: readonly RecordedCall[];
  /** Names of all tools that answered `ok` in this session. */
  readonly calledTools: readonly string[];
  /** Paths that the payload names, by the text that was sent. */
  readonly paths?: Readonly<Record<string, PathFact>>;
  /** Number of lines of files that the payload names with a line, by the text that was sent. */
  readonly lines?: Readonly<Record<string, number>>;
  readonly documents?: { readonly enabled: boolean; readonly total: number };
  readonly hasSourceFiles?: boolean;
  /** Calls of all exploring steps of the session so far. */
  readonly explored?: readonly ExploringCall[];
  /** Number of source files that are more than markup. */
  readonly codeFiles?: number;
  /** Symbols that a small project defines at all; absent where there are plenty, or too many files to ask. */
  readonly definable?: number;
  /** Slots whose quote was found in the request, and what is wrong with the others. */
  readonly frame?: {
    readonly slots: Readonly<Record<string, FrameSlot | null>>;
    readonly problems: readonly Problem[];
    /** Target symbols of which it is known how much they have to do with the request. */
    readonly symbols?: readonly MeasuredSymbol[];
  };
  /** What the analyses of this visit found. */
  readonly impact?: readonly ImpactFinding[];
  /** What the disk says against the evidence of a report. */
  readonly evidence?: readonly Problem[];
  /** Evidence of completed tasks that does not stand any more. */
  readonly stale?: readonly StaleEvidence[];
  /** Evidence of completed tasks as it is in the tree of this submission. */
  readonly carried?: readonly CarriedEvidence[];
  /** Tree of the snapshot that was taken for this submission. */
  readonly tree?: string | null;
  /** Files that the session changed since the baseline; absent without git. */
  readonly changes?: readonly ChangedFile[];
  /** Test files that the session deleted, emptied, or renamed so that they are no tests any more. */
  readonly removedTests?: readonly RemovedTest[];
  /** Files of the session that changed since the verification, so that its result is void. */
  readonly changedSinceVerified?: readonly string[];
  /** Files that only others changed since, beside the lines of the session: the commit leaves that out. */
  readonly othersChanged?: readonly string[];
  /** Files in which the changes of session and person overlap, so that only the person can decide. */
  readonly inseparable?: readonly string[];
  /** The server's own verification; null or absent where no command applies. */
  readonly serverRun?: ServerRun | null;
  /** Conflict markers that are still in files of the session. */
  readonly markers?: readonly string[];
  /** The person's own answer to this very submission; absent where the agent relays it. */
  readonly word?: {
    readonly source: AnswerSource;
    /** Files of which they give their changes to the commit. */
    readonly included: readonly string[];
  };
  /** Commits that the task branch has beyond its base. */
  readonly ownCommits?: number;
}
