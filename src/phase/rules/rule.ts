/** What a rule of a stage is, and the checks that several rules share. Pure. */
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { say, tool } from "../../base/text/words.ts";
import type { Facts } from "../facts.ts";
import type { PayloadOf } from "../payload/payloads.ts";
import type { Outcome, Stage } from "../table/phases.ts";
import type { EffectInput } from "../table/effects.ts";
import type { SessionState } from "../state.ts";

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

/**
 * The pattern for a path or glob of the project; null for an invalid one. Its `test` works as that
 * of a RegExp, but takes time in proportion to path × glob. So an agent's glob cannot hang the
 * server.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { globToRegExp } from "./rule.ts";
 * equal(globToRegExp("src/**")?.test("src/a/b.ts"), true);
 * equal(globToRegExp("src/*.ts")?.test("src/a/b.ts"), false);
 * equal(globToRegExp("../x"), null);
 * ```
 */
export function globToRegExp(glob: string): Pick<RegExp, "test"> | null {
  if (glob.startsWith("/") || glob.includes("\0") || glob.split("/").includes("..")) return null;
  const parts = glob.replace(/^\.\//, "").match(/\*\*\/|\*\*|[^]/gu) ?? [];
  return { test: (path) => isMatch(parts, path) };
}

/** Follows all positions in the glob that the path can have reached, one character at a time. */
function isMatch(parts: readonly string[], path: string): boolean {
  let places = expandPositions(parts, [0], { isFolderStart: true });
  for (const char of path) {
    const next = places.flatMap((place) => stepPositions(parts[place], place, char));
    places = expandPositions(parts, next, { isFolderStart: char === "/" });
    if (places.length === 0) return false;
  }
  return places.includes(parts.length);
}

function stepPositions(part: string | undefined, place: number, char: string): readonly number[] {
  if (part === undefined) return [];
  if (part === "**" || part === "**/") return [place];
  if (part === "*") return char === "/" ? [] : [place];
  if (part === "?") return char === "/" ? [] : [place + 1];
  return part === char ? [place + 1] : [];
}

/** The positions, with those after a wildcard that may match nothing more; each once. */
function expandPositions(
  parts: readonly string[],
  places: readonly number[],
  options: { readonly isFolderStart: boolean },
): readonly number[] {
  const open = new Set<number>();
  for (const first of places) {
    for (let place = first;; place++) {
      open.add(place);
      const part = parts[place];
      const isSkippable = part === "*" || part === "**" ||
        (part === "**/" && options.isFolderStart);
      if (!isSkippable) break;
    }
  }
  return [...open];
}

/** A place in a file that evidence names. */
export interface LineLocation {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads `path:line` or `path:start-end`; null for anything else. It is not checked that the lines
 * exist.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { parseLines } from "./rule.ts";
 * deepEqual(parseLines("src/a.ts:3-9"), { path: "src/a.ts", start: 3, end: 9 });
 * deepEqual(parseLines("src/a.ts"), null);
 * ```
 */
export function parseLines(text: string): LineLocation | null {
  const [, path, start, end] = /^(.+?):(\d+)(?:-(\d+))?$/.exec(text.trim()) ?? [];
  return path === undefined ? null : { path, start: Number(start), end: Number(end ?? start) };
}

/** A line that the agent read, as `rg -n` prints it. */
export interface ReadLine {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** What stands there, without the blanks round it. */
  readonly text: string;
}

/**
 * Reads `path:line: text`; null for anything else.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { parseReadLine } from "./rule.ts";
 * deepEqual(parseReadLine("a.ts:3:  run();"), { path: "a.ts", line: 3, text: "run();" });
 * deepEqual(parseReadLine("a.ts:3"), null);
 * ```
 */
export function parseReadLine(entry: string): ReadLine | null {
  const [, path, line, text] = /^(.+?):(\d+):\s*(\S.*)$/.exec(entry.trim()) ?? [];
  return path === undefined || text === undefined ? null : { path, line: Number(line), text };
}

/** The refusal of a line that does not stand in the file so. */
export function refuseReadLine(entry: string, at: string): Problem {
  const { path, line } = parseReadLine(entry) ?? { path: entry, line: 0 };
  return makeProblem(
    "line_differs",
    `Line ${line} of ${path} does not begin so, or says too little`,
    {
      at,
      path,
      hint: "Read the file, and send a telling line as it stands there: path:line: text.",
    },
  );
}
