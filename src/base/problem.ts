/** One unmet rule as a value: what every refusal of the program is made of. */
import type { ProjectPath } from "./paths.ts";

/** One unmet rule. Pure code returns lists of these and never throws for them. */
export interface Problem {
  /** Stable lower_snake_case code of the rule. */
  readonly code: string;
  /** What is wrong, with the value found and the value wanted. */
  readonly message: string;
  /** JSON path of the offending input, such as `data.findings`. */
  readonly at?: string;
  /** The next step in one sentence; the agent reads it. */
  readonly hint?: string;
  /** Path of the file concerned, relative to the project. */
  readonly path?: ProjectPath;
}

/** Makes a problem; the optional parts are left out when they are not given. */
export function toProblem(
  code: string,
  message: string,
  rest: Omit<Problem, "code" | "message"> = {},
): Problem {
  return { code, message, ...rest };
}
