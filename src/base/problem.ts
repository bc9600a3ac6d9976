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
