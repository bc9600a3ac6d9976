/** What the workflow saw, ran or read before a decision; `decide` knows nothing else. */
import type { CheckFindings, TestFinding } from "./check_findings.ts";
import type { ProjectPath } from "../base/paths.ts";
import type { Problem } from "../base/problem.ts";
import type { CarriedEvidence, StaleEvidence } from "./tasks.ts";

/** How the user's answer came: by a form, at a terminal, or through the agent. */
export type AnswerSource = "asked" | "terminal" | "relayed";

/** A slot of the query frame. */
export interface FrameSlot {
  readonly value: string;
  readonly quote: string;
  readonly source: "FACT" | "HYPOTHESIS";
}

/** How often a loop may repeat before the flow leaves it. */
export interface ValveLimits {
  /** Failed verifications of one task, or of the session when no task is named. */
  readonly verificationFailures: number;
  readonly interventions: number;
  readonly qualityReverts: number;
  readonly backs: number;
}

/** A tool call of this stage entry that was allowed and answered `ok`, as the server recorded it. */
export interface RecordedCall {
  readonly tool: string;
  /** The main argument of the call. */
  readonly subject: string;
  readonly total: number | null;
}

/** A recorded call of the exploring steps (4 to 11), with what it showed. */
export interface ExploringCall extends Omit<RecordedCall, "total"> {
  readonly files: readonly string[];
  /** Symbols whose definition was shown, by file. */
  readonly defines: Readonly<Record<string, readonly string[]>>;
  /** Symbols of which a use was shown, by file. */
  readonly refers: Readonly<Record<string, readonly string[]>>;
  /** Symbols of which a use was shown that is proven to lead to their definition, by file of the use. */
  readonly proven?: Readonly<Record<string, readonly string[]>>;
}

/** What one analysis of impact found. */
export interface ImpactFinding {
  /** Files that were to change. */
  readonly targets: readonly string[];
  /** Files that certainly depend on them. */
  readonly mustVerify: readonly string[];
  /** Files that may depend on them. */
  readonly shouldVerify: readonly string[];
  /** Users of the same kind that need one decision together. */
  readonly groups?: readonly ImpactGroup[];
}

/** Files that are decided about together. */
export interface ImpactGroup {
  /** What a decision names in the place of a path. */
  readonly name: string;
  readonly files: readonly string[];
}

/** What the disk has at a path of the payload. */
export type PathFact = "file" | "folder" | "missing" | "outside";

/** One file that the session changed. */
export interface ChangedFile {
  readonly path: ProjectPath;
  readonly kind: "added" | "modified" | "deleted" | "renamed" | "type";
  /** True when the user had changed the file before the session. */
  readonly isShared: boolean;
  /** Id of the user's version of a shared file: its blob in the baseline. */
  readonly personOid?: string;
  /** Lines added and removed; set where the size of the work is judged. */
  readonly lines?: number;
  /** True for a test by its name; set where the size of the work is judged. */
  readonly isTest?: boolean;
}

/** A test file that the session deleted, emptied or renamed away. */
export interface RemovedTest {
  /** The path under which it was a test. */
  readonly path: ProjectPath;
  /** Its path among the changes: for a renamed file, the present one. */
  readonly changedPath: ProjectPath;
  readonly how: "deleted" | "emptied" | "renamed";
}

/** Something that the session seems to have left behind: debug output, a secret, a stray file; step 17 wants a word for each. */
export interface LeftoverFinding extends TestFinding {
  /** The file, by the agent's path; empty where it stands for several. */
  readonly path: ProjectPath;
  /** Its lines. */
  readonly hunk: string;
}

/** The result of the server's own run of the verification commands. */
export interface ServerRun extends CheckFindings {
  /**
   * `still_red`: all that fails, by name, failed before the work. `unproven`: nothing shows whether
   * the work is right, because no test ran or nothing says what fails.
   */
  readonly verdict: "passed" | "failed" | "still_red" | "unproven" | "incomplete";
  /** Commands that fail by the work. */
  readonly failed: readonly string[];
  /** Commands that failed before the work already. */
  readonly stillRed: readonly string[];
  /** True where nothing fails that did not fail before the work. */
  readonly isNothingNew?: boolean;
  /** Hash of what failed, without what differs from run to run; null or absent where nothing did. */
  readonly failureHash?: string | null;
  /** Tests that ran on the untouched tree and no longer run. */
  readonly lost?: readonly TestFinding[];
  /** Tree of the worktree at the start of the run; absent without git. */
  readonly tree?: string | null;
  /** Files that the commands wrote as they declare, relative to the worktree. */
  readonly wrote?: readonly string[];
  /** Where the commands ran; absent without git, and in flows that commit nothing. */
  readonly place?: ServerRunLocation;
  /** Which changed lines ran; absent where no code changed, or nothing is known and nothing was asked. */
  readonly coverage?: LineCoverage;
  /** Of each item of a checklist whose evidence is known to have run, or not to have: how much of it did. */
  readonly ranItems?: readonly RanItem[];
  /** What differs in programs and variables from when a person allowed the commands, a sentence each. */
  readonly differsFromTrust?: readonly string[];
  /** What rules of documents ask to be run and no configured command runs, such as `CONTRIBUTING.md:12 asks for -race`. */
  readonly unrunRules?: readonly string[];
  readonly results: readonly CommandRun[];
}

/** A clean checkout of a tree, with ignored folders that were lent to it, or the worktree. */
export type ServerRunLocation =
  | { readonly kind: "checkout"; readonly tree: string; readonly lent: readonly string[] }
  | {
    readonly kind: "worktree";
    /** Why no clean checkout was taken, in a sentence. */
    readonly why: string;
    /** True where the commands did better in the worktree than in a clean checkout. */
    readonly differs: boolean;
  };

/** Which of the session's changed lines of code the commands ran, tests themselves left out. */
export interface LineCoverage {
  /** What it was read from, such as `coverage/lcov.info (LCOV)`. */
  readonly read: readonly string[];
  /** Numbers of changed lines; of `unknown` ones nothing can be said. */
  readonly ran: number;
  readonly notRun: number;
  readonly unknown: number;
  /** The lines by file of the project, as `1-3 7`. */
  readonly ranLines: Readonly<Record<string, string>>;
  readonly notRunLines: Readonly<Record<string, string>>;
  /** Files with unknown lines. */
  readonly unknownFiles: readonly string[];
  /** Why lines are unknown, a sentence each. */
  readonly why: readonly string[];
  /** Least share of the known lines that has to run, as the project sets it; null where it sets none. */
  readonly bound: number | null;
}

/** An item of a checklist, by its task and its position from 0. */
export interface RanItem {
  readonly task: string;
  readonly index: number;
  readonly ran: "all" | "some" | "none";
}

/** What one command of a run did. */
export interface CommandRun {
  readonly name: string;
  /** The command as it ran: the variables that the server set, the file that was started, arguments. */
  readonly line?: string;
  readonly exitCode: number | null;
  /** Why there is no exit status, in words; null or absent where there is one. */
  readonly failure?: string | null;
  readonly durationMs: number;
  /** Counts of tests and how it compares with the untouched tree, in one line. */
  readonly summary?: string;
  /** What failed, new failures first, each with the first line of its message; the first few. */
  readonly failures?: readonly string[];
  readonly failureCount?: number;
  /** How many failures, from the first on, were not there before the work. */
  readonly freshCount?: number;
  /** What to do about tests that did not run because the run ended in the middle; absent where it did not. */
  readonly rest?: string;
  /** Whether the changed test files ran, where the output says it. */
  readonly changedTests?: readonly string[];
  readonly outputTail: string;
  readonly outputHash: string;
}

/** How closely a target symbol is related to the request. */
export interface MeasuredSymbol {
  readonly symbol: string;
  /** Null where nothing can be said. */
  readonly source: "FACT" | "HYPOTHESIS" | "REJECTED" | null;
  /** 0 to 1; null where earlier work confirmed the symbol. */
  readonly score: number | null;
  /** Names of the project that fit better. */
  readonly suggestions: readonly string[];
  /** Where the symbol is defined; absent while the index does not know all files. */
  readonly defined?: {
    /** As `path:line`, the first few. */
    readonly places: readonly string[];
    /** Defined names with the same words, where it is defined nowhere. */
    readonly near: readonly string[];
  };
}

/** What the target symbols of a request touch, by the index, the past and the outcomes of earlier sessions. */
export interface ScaleFacts {
  /** Definitions of the target symbols. */
  readonly places: number;
  /** Target symbols without one. */
  readonly missing: number;
  /** Files that have these definitions. */
  readonly files: readonly string[];
  /** Other files that name the symbols, without tests. */
  readonly users: number;
  /** Places in the files of the definitions that use them; absent where there are none. */
  readonly ownUses?: number;
  /** Files of tests that name them. */
  readonly tests: number;
  /** How many of the last commits to these files were taken back, or fixed within days. */
  readonly reverted: number;
  /** Earlier sessions there that were judged small and went wrong. */
  readonly troubled: number;
}

/** How large a request is judged to be. */
export interface Size {
  /** `small`: few places, known users, tests near. `large`: every step runs. */
  readonly level: "small" | "usual" | "large";
  /** The facts that say so. */
  readonly because: string;
  /** True where the work turned out to be more than the small request it was judged to be. */
  readonly outgrew?: boolean;
}

/** What the session has seen of a named file: it was shown, a line of it was sent that stands there or `says` otherwise, or nothing. */
export interface FileObservation {
  readonly by: "shown" | "line" | "differs" | "nothing";
  readonly says?: string;
}

/** Facts for one submission; a stage gets only those that it needs. */
export interface Facts {
  /** The present time, ISO 8601. */
  readonly now: string;
  /** Set where the server made the payload by itself; with the agent's one payload, where there is one. */
  readonly draft?: { readonly sent: Readonly<Record<string, unknown>> | null };
  readonly limits: ValveLimits;
  /** Tools that the server can offer now; required tools that it cannot offer are waived. */
  readonly offered: readonly string[];
  /** The recorded calls of this stage entry. */
  readonly calls: readonly RecordedCall[];
  /** Recorded calls of earlier steps that showed code and still count. */
  readonly earlier?: readonly RecordedCall[];
  /** Tools by which the server itself looked for a reply of this stage entry: they give what a step needs, and nobody called them. */
  readonly looks?: readonly string[];
  /** Names of all tools that answered `ok` in this session. */
  readonly calledTools: readonly string[];
  /** What the disk has at the paths that the payload names, by the text that was sent. */
  readonly paths?: Readonly<Record<string, PathFact>>;
  /** What was seen of the files that the payload names, by the text that was sent. */
  readonly seen?: Readonly<Record<string, FileObservation>>;
  /** Number of lines of the files that the payload names with a line, by the text that was sent. */
  readonly lines?: Readonly<Record<string, number>>;
  /** The text of the lines that rules cite, by the source that was sent. */
  readonly cited?: Readonly<Record<string, string>>;
  /**
   * By the source that was sent: a line of the same file that has more words of the rule than the
   * cited lines.
   */
  readonly better?: Readonly<Record<string, { readonly source: string; readonly text: string }>>;
  /** The lines of the section below a cited heading, with it, by the source that was sent. */
  readonly sections?: Readonly<Record<string, readonly string[]>>;
  /** The lines with a text beside those cited lines that are blank, the nearest first, by the source that was sent. */
  readonly nearby?: Readonly<
    Record<string, readonly { readonly source: string; readonly text: string }[]>
  >;
  readonly documents?: { readonly enabled: boolean; readonly total: number };
  readonly hasSourceFiles?: boolean;
  /** Calls of all exploring steps of the session so far. */
  readonly explored?: readonly ExploringCall[];
  /** Number of source files that are more than markup. */
  readonly codeFiles?: number;
  /**
   * Number of symbols that a small project defines; absent where there are plenty, or too many
   * files to count.
   */
  readonly definable?: number;
  /** The slots whose quote was found in the request, and the problems of the others. */
  readonly frame?: {
    readonly slots: Readonly<Record<string, FrameSlot | null>>;
    readonly problems: readonly Problem[];
    /** The target symbols whose relation to the request was measured. */
    readonly symbols?: readonly MeasuredSymbol[];
  };
  /** What the target symbols touch; null or absent where that is not known. */
  readonly scale?: ScaleFacts | null;
  /** What the analyses of this stage entry found. */
  readonly impact?: readonly ImpactFinding[];
  /** Problems of a report's evidence that the disk shows. */
  readonly evidence?: readonly Problem[];
  /** Evidence of completed tasks that no longer holds. */
  readonly stale?: readonly StaleEvidence[];
  /** Evidence of completed tasks, as it is in the tree of this submission. */
  readonly carried?: readonly CarriedEvidence[];
  /** Tree of the snapshot that was taken for this submission. */
  readonly tree?: string | null;
  /** Files that the session changed since the baseline; absent without git. */
  readonly changes?: readonly ChangedFile[];
  /** Test files that the session deleted, emptied, or renamed so that they are no longer tests. */
  readonly removedTests?: readonly RemovedTest[];
  /** What of the session's diff weakens tests. */
  readonly weakened?: readonly TestFinding[];
  /** What of it seems left behind. */
  readonly leftovers?: readonly LeftoverFinding[];
  /**
   * Files of the session that changed since the verification, so that its result no longer counts.
   */
  readonly changedSinceVerified?: readonly string[];
  /**
   * Files that others changed since, outside of the session's lines: these changes are not
   * committed.
   */
  readonly othersChanged?: readonly string[];
  /**
   * Files in which the session's and the user's changes overlap, so that only the user can
   * decide.
   */
  readonly inseparable?: readonly string[];
  /** The server's own verification; null or absent where no command applies. */
  readonly serverRun?: ServerRun | null;
  /** Files of the session that still have conflict markers. */
  readonly markers?: readonly string[];
  /** The user's own answer to this submission; absent where the agent only relays it. */
  readonly word?: {
    readonly source: AnswerSource;
    /** Files for which the user adds their changes to the commit. */
    readonly included: readonly string[];
  };
  /** Commits that the task branch has beyond its base. */
  readonly ownCommits?: number;
}
