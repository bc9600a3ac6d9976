/** Writes session and base branch into the name of a task branch, and reads them back. Pure. */

/** What the name of a task branch says. */
export interface TaskBranchParts {
  /** Session that the branch belongs to. */
  readonly sessionId: string;
  /** Branch that the work is merged into. */
  readonly base: string;
}

/** What the names of all task branches begin with. */
export const TASK_BRANCH_PREFIX = "llm_task_";

const TASK_BRANCH = /^llm_task_(session_\d{8}_\d{6}(?:_[0-9a-f]{4})?)_from_(.+)$/s;

/**
 * Name of the task branch of a session. A `/` of the base is written `__`; an underscore stays as it
 * is unless it would then be misread (before `_`, `/` or `=`), where it is written `_=`.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { toTaskBranchName } from "./branch_name.ts";
 * const name = toTaskBranchName("session_20261121_101500_3fa9", "feature/log_in");
 * equal(name, "llm_task_session_20261121_101500_3fa9_from_feature__log_in");
 * ```
 */
export function toTaskBranchName(sessionId: string, base: string): string {
  const encoded = base.replaceAll(/_(?=[_/=])/g, "_=").replaceAll("/", "__");
  return `${TASK_BRANCH_PREFIX}${sessionId}_from_${encoded}`;
}

/**
 * Session and base of a task branch; null for a name that this program did not make.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { parseTaskBranchName } from "./branch_name.ts";
 * deepEqual(
 *   parseTaskBranchName("llm_task_session_20260120_114303_from_feature__login"),
 *   { sessionId: "session_20260120_114303", base: "feature/login" },
 * );
 * ```
 */
export function parseTaskBranchName(name: string): TaskBranchParts | null {
  const found = TASK_BRANCH.exec(name);
  const [, sessionId, encoded] = found ?? [];
  if (sessionId === undefined || encoded === undefined) return null;
  const base = encoded.replaceAll(/__|_=/g, (token) => token === "__" ? "/" : "_");
  return { sessionId, base };
}
