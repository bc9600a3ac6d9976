/** A mutant: a text with one small change that makes it wrong. Pure. */
import { clipLine } from "../../base/text/clip.ts";

/** What is changed, the more telling kinds first. */
export const MUTANT_KINDS = [
  "bound",
  "logical",
  "equality",
  "condition",
  "arithmetic",
  "return",
  "call",
  "constant",
] as const;

/** What is changed: a bound moved, a condition turned, a call left out. */
export type MutantKind = typeof MUTANT_KINDS[number];

/** A change of one place of a file. */
export interface Mutant {
  /** The file, relative to the worktree. */
  readonly path: string;
  /** Line of the place, counted from 1. */
  readonly line: number;
  readonly kind: MutantKind;
  /** Where the place begins and ends in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** What stands there. */
  readonly before: string;
  /** What the mutant has instead. */
  readonly after: string;
}

const MOST_CHARS = 60;

/** The text with the change. */
export function applyMutant(text: string, { start, end, after }: Mutant): string {
  return text.slice(0, start) + after + text.slice(end);
}

/**
 * The change in words.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { toChange } from "./mutant.ts";
 * const place = { path: "a.ts", line: 1, start: 0, end: 2 };
 * equal(toChange({ ...place, kind: "bound", before: ">=", after: ">" }), "`>` for `>=`");
 * equal(toChange({ ...place, kind: "call", before: "go();", after: ";" }), "nothing for `go();`");
 * ```
 */
export function toChange({ kind, before, after }: Mutant): string {
  const there = `\`${clipLine(before, MOST_CHARS)}\``;
  return kind === "call"
    ? `nothing for ${there}`
    : `\`${clipLine(after, MOST_CHARS)}\` for ${there}`;
}
