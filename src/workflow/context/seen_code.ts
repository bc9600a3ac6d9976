/** How a session asks which tests were seen to run code of the project. */
import type { FunctionName, SeenExtent, SeenTests } from "../../index/seen_runs.ts";

/** The functions that one question is about: all that any member names. */
export interface SeenCode {
  /** Functions as people name them, and types with all of their functions. */
  readonly symbols?: readonly string[];
  readonly functions?: readonly FunctionName[];
  /** Files of the project with all of their functions. */
  readonly files?: readonly string[];
  /** A line with all functions that it lies in. */
  readonly place?: { readonly path: string; readonly line: number };
}

/** The tests that ran the functions of one question, nearest first, and what is known of each function. */
export interface SeenAnswer extends SeenTests {
  /** The functions that it names, in the order of what is known of them. */
  readonly names: readonly FunctionName[];
  readonly extent: SeenExtent;
}

/** Answers in the order of the questions; null where no run was recorded, or the index cannot tell in time. Never fails. */
export type FindSeenTests = (asked: readonly SeenCode[]) => Promise<readonly SeenAnswer[] | null>;
