/** What is remembered of step 15: its result, runs that failed in a row, and what a commit says of it. */
import type { TreePath } from "../base/paths.ts";
import type { CheckCost, ServerRunMutants, TestFinding } from "./check_findings.ts";
import type { AnswerSource, LineCoverage } from "./facts.ts";

/** The result of step 15. */
export interface VerificationResult {
  readonly at: string;
  readonly passed: boolean;
  readonly verifier: string;
  readonly details: string;
  readonly failedTasks: readonly string[];
  /**
   * Where the result is from: the server's own run; the client's report; `baseline-red` a run of
   * the server in which exactly what had failed before the work failed; `unproven` one that shows
   * nothing (no test ran, or nothing says what failed), which is never `passed`.
   */
  readonly source: "server" | "self-reported" | "baseline-red" | "unproven";
  /** What each command of the server's run said, a line each; absent without a run. */
  readonly ran?: readonly string[];
  /** Tests that ran on the untouched tree and not in this run; absent where there are none. */
  readonly lost?: readonly TestFinding[];
  /** Tree at the start of the server's run; absent without git or without a run. */
  readonly ranOn?: string | null;
  /** The tree of whose clean checkout the result is; absent for one of the worktree. */
  readonly checkout?: string;
  /** Why the result is of the worktree and not of a clean checkout, in a sentence; absent for one of a checkout. */
  readonly inWorktree?: string;
  /** What differed in programs and variables from when a person allowed the commands; absent where nothing did. */
  readonly differsFromTrust?: readonly string[];
  /** Tests that pass without the change too, as `path: name`; absent where there are none. */
  readonly provesNothing?: readonly string[];
  /** Number of tests that fail without the change; absent where none was found, and in older sessions. */
  readonly proving?: number;
  /** New and changed tests that the server ran, as `path: name`, and their files; absent where there are none. */
  readonly ranTests?: readonly string[];
  /** What small wrong versions of the changed lines showed; absent where nobody asked for them. */
  readonly mutants?: ServerRunMutants;
  /** What its checks cost; absent without a run, and in older sessions. */
  readonly checks?: readonly CheckCost[];
  /** Which changed lines ran; absent where no code changed, or nothing is known and nothing was asked. */
  readonly coverage?: LineCoverage;
  /** What rules ask to be run and no command runs, which was reported; absent where there is nothing. */
  readonly unrunRules?: readonly string[];
  /** Files that the commands wrote as they declare, relative to the worktree. */
  readonly wrote?: readonly TreePath[];
  /** Tree for which the result was accepted: its work is that of the tree of the run. */
  readonly tree?: string | null;
  /** The baseline at that time: what was added to it since is not the session's. */
  readonly baselineTree?: string | null;
}

/** A run of the server that failed. */
export interface FailedRun {
  readonly at: string;
  /** What failed, without what differs from run to run, as a hash. */
  readonly hash: string;
  /** Tasks that were done since the failed run before, each with its evidence. */
  readonly done: readonly string[];
}

/** What is said of the newest commit of a session, as its branch has it. */
export interface CommitStatement {
  readonly verified: VerifiedTrailer;
  /** Files that git hooks changed in it after they were reviewed and verified; absent for none. */
  readonly byHooks?: readonly TreePath[];
}

/** How certainly a committed change is verified: the value of the commit trailer. */
export type VerifiedTrailer =
  | "yes"
  /** Verified in the worktree: what the run found may be no part of the commit. */
  | "yes (worktree)"
  /** Verified; then others changed files beside the work, or a git hook changed the commit again. */
  | "yes, tree differs"
  | "self-reported"
  | "baseline-red"
  | "no"
  | `overridden (${AnswerSource})`;
