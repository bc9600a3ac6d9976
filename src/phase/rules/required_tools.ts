/** Checks the recorded calls that a payload needs or claims. Pure. */
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { findSameName } from "../../base/text/near_key.ts";
import { call, say, tool } from "../../base/text/words.ts";
import type { ContractRow } from "../table/stage.ts";
import type { Stage } from "../table/phases.ts";
import { PHASES } from "../table/phases.ts";
import { isMarkupWork, isShowing } from "../contract/evaluation.ts";
import type { Facts } from "../facts.ts";
import type { PayloadOf, Submission } from "../payload/payloads.ts";
import { findToolOfCommand, SESSION_TOOLS } from "../table/tools.ts";
import { parseReadLine } from "../../base/text/places.ts";

/**
 * Matches `mcp__code-intel__`, `mcp__plugin_NAME_code-intel__`, `mcp__plugin_code-intel_`,
 * `code-intel.` and the like.
 */
const PREFIX =
  /^(?:mcp__(?:[A-Za-z0-9-]+_)*?code[-_]intel(?:_[A-Za-z0-9-]+)*?__|mcp__plugin_code[-_]intel_+|code[-_]intel(?:__|[.:/]))/;

/**
 * The tool's own name: clients put the server's name before it, with `-` or `_`, and a shell uses
 * the command's name.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { parseToolName } from "./required_tools.ts";
 * equal(parseToolName("mcp__code_intel__search_text"), "search_text");
 * equal(parseToolName("code-intel text"), "search_text");
 * ```
 */
export function parseToolName(name: string): string {
  const command = /^code-intel\s+([a-z-]+)/.exec(name.trim())?.[1];
  const known = command === undefined ? undefined : findToolOfCommand(command);
  return known ?? name.trim().replace(PREFIX, "").replace(/\s*\(.*\)$|\(.*$/s, "");
}

/**
 * Tools that the contract requires and that the server cannot offer now, so that they are not
 * required.
 */
export function listWaivedTools(row: ContractRow, offered: readonly string[]): readonly string[] {
  return row.requiredTools.filter((tool) => !offered.includes(tool));
}

/** Problems of a payload that claims or needs calls which the server did not record. */
export function checkTools(
  row: ContractRow,
  submission: Extract<Submission, { readonly kind: "payload" }>,
  facts: Facts,
): readonly Problem[] {
  const { earlier = [] } = facts;
  const counted = submission.stage === "EXPLORATION" ? [...earlier, ...facts.calls] : facts.calls;
  const seen = new Set(counted.map(toolOf));
  const usual = PHASES[submission.stage].asks;
  const problems = checkRequired(row, submission.stage, facts);
  const isSourceFree = facts.hasSourceFiles === false;
  const isDrafted = facts.draft !== undefined && row.minDistinctTools <= usual.minDistinctTools;
  const minDistinctTools = isDrafted ? 0 : computeMinTools(row, submission);
  const telling = submission.stage === "EXPLORATION"
    ? new Set(counted.filter((call) => isShowing(call, facts.explored ?? [])).map(toolOf))
    : seen;
  if (telling.size < minDistinctTools && !isSourceFree) {
    const vain = [...seen].filter((name) => !telling.has(name));
    problems.push(makeProblem(
      "too_few_tools",
      `${telling.size} different tools found something of the code, ${minDistinctTools} are needed`,
      {
        at: "data.tools_used",
        hint: vain.length === 0
          ? "Call another exploration tool, then send this payload again."
          : `Without a hit: ${
            vain.join(", ")
          }. Look for what is there, then send this payload again.`,
      },
    ));
  }
  const known = new Set(facts.offered);
  const named = submission.common.toolsUsed.map(parseToolName);
  for (const name of new Set(named.map((one) => findSameName(one, facts.offered) ?? one))) {
    if (!known.has(name) || SESSION_TOOLS.includes(name)) continue;
    if (facts.calledTools.includes(name) || seen.has(name)) continue;
    problems.push(
      makeProblem("tool_not_recorded", say`The server recorded no call of ${tool(name)}`, {
        at: "data.tools_used",
        hint: facts.looks?.includes(name) === true
          ? `The server looked for its own reply: leave it out of tools_used.`
          : say`${call(name)}, or leave it out of tools_used.`,
      }),
    );
  }
  return problems;
}

/** One problem for each tool that the contract requires and that was not called. */
function checkRequired(row: ContractRow, stage: Stage, facts: Facts): Problem[] {
  // What an analysis one step earlier found still holds; a search for what is missing is made anew.
  const counted = stage === "IMPACT_ANALYSIS"
    ? [...facts.earlier ?? [], ...facts.calls]
    : facts.calls;
  // What the server saw by itself needs no call; what the project's contract adds is asked of the agent.
  const waived = facts.draft === undefined ? [] : PHASES[stage].asks.requiredTools;
  const called = [...counted.map(toolOf), ...facts.looks ?? [], ...waived];
  return row.requiredTools
    .filter((name) => facts.offered.includes(name) && !called.includes(name))
    // The rule of the report requires the write guard itself, and only where something was done.
    .filter((name) => stage !== "READY_IMPL" || name !== "check_write_target")
    .map((name) =>
      makeProblem("required_tool_missing", say`${tool(name)} was not called in this step`, {
        at: "data.tools_used",
        hint: say`${call(name)}, then send this payload again.`,
      })
    );
}

function toolOf({ tool }: { readonly tool: string }): string {
  return tool;
}

/**
 * In pure markup one tool is enough, because there is only text to search; what the project's
 * contract adds still holds.
 */
function computeMinTools(
  row: ContractRow,
  submission: Extract<Submission, { readonly kind: "payload" }>,
): number {
  const { stage } = submission;
  if (stage !== "EXPLORATION" || row.minDistinctTools > PHASES[stage].asks.minDistinctTools) {
    return row.minDistinctTools;
  }
  // The schema of this stage accepted the data.
  const { explored_files: files } = submission.data as PayloadOf<"EXPLORATION">;
  return isMarkupWork(files.map((file) => parseReadLine(file)?.path ?? file))
    ? Math.min(1, row.minDistinctTools)
    : row.minDistinctTools;
}
