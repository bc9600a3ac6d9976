/** What the record of calls must show before a payload counts. Pure. */
import type { Problem } from "../base/problem.ts";
import { toProblem } from "../base/problem.ts";
import type { ContractRow } from "./contract.ts";
import type { Facts } from "./facts.ts";
import type { Submission } from "./payloads.ts";

/** Tools that steer the session itself: never recorded, never evidence. */
const SESSION_TOOLS = ["start_session", "submit_phase", "get_session_status"];

/**
 * One name for one tool: clients put the server's name before it, with `-` or `_`.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { toToolName } from "./required_tools.ts";
 * equal(toToolName("mcp__code_intel__search_text"), "search_text");
 * ```
 */
export function toToolName(name: string): string {
  return name.trim().replace(/^mcp__code[-_]intel__/, "");
}

/** Tools of the contract that the server cannot offer now and therefore does not ask for. */
export function toWaivedTools(row: ContractRow, offered: readonly string[]): readonly string[] {
  return row.requiredTools.filter((tool) => !offered.includes(tool));
}

/** Problems of a payload that claims, or needs, calls that the server did not see. */
export function checkTools(
  row: ContractRow,
  submission: Extract<Submission, { readonly kind: "payload" }>,
  facts: Facts,
): readonly Problem[] {
  const seen = new Set(facts.calls.map(({ tool }) => tool));
  const problems: Problem[] = [];
  for (const tool of row.requiredTools) {
    // The report of a task asks for the write guard by itself, and only when something was done.
    if (submission.stage === "READY_IMPL" && tool === "check_write_target") continue;
    if (!facts.offered.includes(tool) || seen.has(tool)) continue;
    problems.push(toProblem("required_tool_missing", `${tool} was not called in this step`, {
      at: "data.tools_used",
      hint: `Call ${tool}, then send this payload again.`,
    }));
  }
  const isSourceFree = facts.hasSourceFiles === false;
  if (seen.size < row.minDistinctTools && !isSourceFree) {
    problems.push(toProblem(
      "too_few_tools",
      `${seen.size} different tools answered in this step, ${row.minDistinctTools} are needed`,
      {
        at: "data.tools_used",
        hint: "Call another exploration tool, then send this payload again.",
      },
    ));
  }
  const known = new Set(facts.offered);
  for (const name of new Set(submission.common.toolsUsed.map(toToolName))) {
    if (!known.has(name) || SESSION_TOOLS.includes(name)) continue;
    if (facts.calledTools.includes(name) || seen.has(name)) continue;
    problems.push(toProblem("tool_not_recorded", `The server recorded no call of ${name}`, {
      at: "data.tools_used",
      hint: `Call ${name}, or leave it out of tools_used.`,
    }));
  }
  return problems;
}
