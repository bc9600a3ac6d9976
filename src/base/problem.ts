/** One unmet rule as a value: what every refusal of the program is made of. */
import type { ProjectPath } from "./paths.ts";
import type { Words } from "./text/words.ts";
import { markCalls } from "./text/words.ts";

/** One unmet rule. Pure code returns lists of these and never throws for them. */
export interface Problem {
  /** Stable lower_snake_case code of the rule. */
  readonly code: string;
  /** What is wrong, with the value found and the value wanted. */
  readonly message: Words;
  /** JSON path of the offending input, such as `data.findings`. */
  readonly at?: string;
  /** The next step in one sentence; a call in it is data, so that each reader gets words of its own. */
  readonly hint?: Words;
  /** Path of the file concerned, relative to the project. */
  readonly path?: ProjectPath;
}

/** Makes a problem; the optional parts are left out when they are not given. */
export function makeProblem(
  code: string,
  message: Words,
  rest: Omit<Problem, "code" | "message"> = {},
): Problem {
  return { code, message, ...rest };
}

/** A problem as it is stored: calls in its texts are names in backticks, which `readWords` finds again. */
export interface StoredProblem extends Problem {
  readonly message: string;
  readonly hint?: string;
}

/** The problem as plain texts. */
export function formatStoredProblem(problem: Problem): StoredProblem {
  const { message, hint, ...rest } = problem;
  const words = hint === undefined ? {} : { hint: markCalls(hint) };
  return { ...rest, message: markCalls(message), ...words };
}

/** So many problems of one cause are told as one. */
const LEAST_ALIKE = 3;
const MOST_FILES = 8;

/**
 * Problems of files with those of one cause (the same code and the same next step) told once, with their count and files.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { joinAlike, makeProblem } from "./problem.ts";
 * const rows = ["a", "b", "c"].map((path) => makeProblem("missing", `${path} is missing`, { path }));
 * equal(joinAlike(rows)[0]?.message, "a is missing; 2 more like it: b, c");
 * ```
 */
export function joinAlike(problems: readonly Problem[]): readonly Problem[] {
  const toCause = ({ code, hint = "", path }: Problem) =>
    path === undefined ? Symbol(code) : `${code} ${markCalls(hint)}`;
  return [...Map.groupBy(problems, toCause).values()].flatMap((alike) => {
    const [first, ...others] = alike;
    if (first === undefined || alike.length < LEAST_ALIKE) return alike;
    const files = others.map(({ path }) => path).slice(0, MOST_FILES).join(", ");
    const message = `${markCalls(first.message)}; ${others.length} more like it: ${files}`;
    return [{ ...first, message }];
  });
}
