/** What a rule of a stage is, and the checks that several rules share. Pure. */
import type { Problem } from "../../base/problem.ts";
import { formatStoredProblem, makeProblem } from "../../base/problem.ts";
import { say, tool } from "../../base/text/words.ts";
import type { Facts } from "../facts.ts";
import type { PayloadOf } from "../payload/payloads.ts";
import type { Outcome, Stage } from "../table/phases.ts";
import type { EffectInput } from "../table/effects.ts";
import type { SessionState } from "../state.ts";
import type { LineLocation } from "../../base/text/places.ts";
import { parseReadLine } from "../../base/text/places.ts";

/** What a rule may read. */
export interface RuleContext {
  readonly state: SessionState;
  readonly facts: Facts;
}

/**
 * The consequences of an accepted payload: the outcome, the changes of the state, and what its
 * transition's effects need to know.
 */
export interface Verdict {
  readonly outcome: Outcome;
  readonly patch?: Partial<SessionState>;
  readonly asked?: EffectInput;
  /** Fields for the reply, beside those of every reply. */
  readonly reply?: Readonly<Record<string, unknown>>;
}

/** A verdict, or all problems. */
export type RuleResult = Verdict | { readonly problems: readonly Problem[] };

/** The rule of one stage. */
export type Rule<S extends Stage> = (payload: PayloadOf<S>, context: RuleContext) => RuleResult;

/** Rows of a list as they were judged. */
export interface JudgedRows<T> {
  /** The rows that are right. */
  readonly kept: readonly T[];
  /** What is wrong with the others, where none is right: then the list is refused. */
  readonly problems: readonly Problem[];
  /** What is wrong with rows that are left out, because others are right. */
  readonly left: readonly Problem[];
}

/** Judges rows each on its own: a wrong one among right ones is left out and named. */
export function judgeRows<T>(
  rows: readonly T[],
  check: (row: T, index: number) => readonly Problem[],
): JudgedRows<T> {
  const judged = rows.map((row, index) => ({ row, found: check(row, index) }));
  const kept = judged.filter(({ found }) => found.length === 0).map(({ row }) => row);
  const wrong = judged.flatMap(({ found }) => found);
  return kept.length > 0
    ? { kept, problems: [], left: wrong }
    : { kept, problems: wrong, left: [] };
}

const MOST_LEFT = 8;

/** The rows that were left out, each with what would be right; empty where there are none. */
export function buildLeftOut(left: readonly Problem[]): Readonly<Record<string, unknown>> {
  const rows = left.slice(0, MOST_LEFT).map(formatStoredProblem).map(({ message, hint }) =>
    hint === undefined ? message : `${message}. ${hint}`
  );
  const more = left.length - rows.length;
  return rows.length === 0 ? {} : { left_out: more === 0 ? rows : [...rows, `and ${more} more`] };
}

/** Problems of paths that must exist inside the project. */
export function checkPaths(paths: readonly string[], at: string, facts: Facts): Problem[] {
  return paths.flatMap((path, index): readonly Problem[] => {
    const fact = facts.paths?.[path] ?? "missing";
    if (fact === "file" || fact === "folder") return [];
    const where = paths.length > 1 || at.endsWith("s") ? `${at}[${index}]` : at;
    return fact === "outside"
      ? [makeProblem("path_outside", `"${path}" lies outside the project`, {
        at: where,
        hint: "Name a file inside the project, relative to its root.",
        path,
      })]
      : [makeProblem("path_not_found", `"${path}" does not exist`, {
        at: where,
        hint: /^\S+: /.test(path)
          ? "Send a path alone, or a line that you read as it stands there: path:line: text."
          : say`Name files that exist; ${tool("search_files")} finds them.`,
        path,
      })];
  });
}

/** A file that evidence names must exist, and so must the named lines. */
export function checkLines(place: LineLocation, at: string, facts: Facts): readonly Problem[] {
  const { path, start, end } = place;
  const missing = checkPaths([path], at, facts);
  if (missing.length > 0) return missing;
  const lines = facts.lines?.[path];
  if (lines === undefined || (start >= 1 && start <= end && end <= lines)) return [];
  return [makeProblem("line_out_of_range", `${path} has lines 1–${lines}`, {
    at,
    path,
    hint: "Give lines that exist, counted from 1.",
  })];
}

/** The refusal of a line that does not stand in the file so. */
export function refuseReadLine(entry: string, at: string, says = ""): Problem {
  const { path, line } = parseReadLine(entry) ?? { path: entry, line: 0 };
  return makeProblem(
    "line_differs",
    `Line ${line} of ${path} does not begin so, or says too little`,
    {
      at,
      path,
      hint: says === ""
        ? "Read the file, and send a telling line as it stands there: path:line: text."
        : `It says "${says}". Send a telling line as it stands there.`,
    },
  );
}
