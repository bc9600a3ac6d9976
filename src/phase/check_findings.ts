/** What the checks of a proof find beside the results of the commands. */

/** Something that makes tests say less, or fewer of them run; step 17 wants a reason for each. */
export interface TestFinding {
  /** Kind and place, such as `switched_off tests/a.test.ts`. */
  readonly id: string;
  /** What was found, with the first lines or names. */
  readonly what: string;
}

/** What the checks of a proof found beside the run of the commands. */
export interface CheckFindings {
  /** What the new and changed tests prove; absent where none changed, or nothing was asked of them. */
  readonly tests?: ServerRunProof;
  /** Forms that prove nothing, changed test data, calls of names that are gone; absent where nothing was found. */
  readonly forms?: readonly TestFinding[];
  /** What small wrong versions of the changed lines showed; absent where nobody asked for them. */
  readonly mutants?: ServerRunMutants;
  /** What the checks of a proof say; absent in flows that commit nothing. */
  readonly said?: ProofWords;
}

/** What the checks of a proof say of the work, in their words. */
export interface ProofWords {
  readonly isProven: boolean;
  /** The verdict and why, at most 300 characters. */
  readonly line: string;
  /** What it rests on beside failures, the worst first, each with its place. */
  readonly findings: readonly string[];
  readonly checks: readonly CheckCost[];
}

/** What became of a check, and the seconds that it took. */
export interface CheckCost {
  readonly name: string;
  readonly state: string;
  readonly seconds: number;
}

/** Which of the new and changed tests fail on the sources of before the change. */
export interface ServerRunProof {
  /** Tests that pass there too, or with functions that do nothing, as `path: name`. */
  readonly nothing: readonly string[];
  /** Number of tests that fail there, and not only since a name is missing. */
  readonly proving: number;
  /** All of them whose names are known, as `path: name`. */
  readonly tests: readonly string[];
  /** Why some or all of the tests could not be distinguished, in a sentence; null where they could. */
  readonly unknown: string | null;
}

/** A small wrong version of the session's lines with which no test failed. */
export interface Survivor {
  /** Relative to the project, with its line from 1. */
  readonly path: string;
  readonly line: number;
  /** What stands there in the place of what, such as "`>` for `>=`". */
  readonly change: string;
  /** Whether a test meets the values by which both versions differ: where one does, they may be equal. */
  readonly isMet?: boolean;
  /** True where a whole part counts for nothing, such as a branch. */
  readonly isPart?: true;
}

/** What small wrong versions of the session's changed lines (mutants) showed. */
export interface ServerRunMutants {
  /** Number that could be made. */
  readonly total: number;
  /** Number with which a test failed, or the run took far too long. */
  readonly killed: number;
  /** Number that did not build or load, so that they say nothing of the tests. */
  readonly broken: number;
  /** Those with which all tests passed, by file and line. */
  readonly survivors: readonly Survivor[];
  /** Test files that ran with each; empty where the commands ran whole. */
  readonly tests: readonly string[];
  /** Why none or not all of them were tried, in a sentence; null where all were. */
  readonly unknown: string | null;
  /** True where step 17 asks for a reason for each survivor; absent where they are only reported. */
  readonly isGate?: true;
}
