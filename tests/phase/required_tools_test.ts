/** Holds `src/phase/required_tools.ts` to the specification, row by row. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { BUILT_IN_CONTRACT } from "../../src/phase/contract.ts";
import type { Facts, RecordedCall, Stage } from "../../src/phase/mod.ts";
import { toToolName, toWaivedTools } from "../../src/phase/required_tools.ts";
import { PAYLOAD, submit, toRefusal, toState } from "./samples.ts";

const NAMES: readonly (readonly [sent: string, name: string])[] = [
  ["search_text", "search_text"],
  ["mcp__code-intel__search_text", "search_text"],
  ["mcp__code_intel__search_text", "search_text"],
  [" search_text ", "search_text"],
  ["mcp__other__search_text", "mcp__other__search_text"],
  ["Read", "Read"],
];

for (const [sent, name] of NAMES) {
  Deno.test(`toToolName() reads "${sent}" as ${name}`, () => deepEqual(toToolName(sent), name));
}

const call = (tool: string): RecordedCall => ({ tool, subject: "", total: 0 });
const OFFERED = ["search_text", "find_definitions", "semantic_search", "start_session"];

const CASES: readonly (readonly [
  name: string,
  stage: Stage,
  facts: Partial<Facts>,
  used: readonly string[],
  problems: readonly string[],
])[] = [
  [
    "L2.16: two different recorded tools are enough",
    "EXPLORATION",
    { calls: [call("search_text"), call("find_definitions")] },
    [],
    [],
  ],
  [
    "L2.16: one tool called twice is one tool",
    "EXPLORATION",
    { calls: [call("search_text"), call("search_text")] },
    [],
    ["too_few_tools data.tools_used"],
  ],
  [
    "L3.6: no recorded call at all",
    "EXPLORATION",
    { calls: [] },
    ["Read", "Grep"],
    ["too_few_tools data.tools_used"],
  ],
  [
    "a required tool that was not called",
    "SEMANTIC",
    { offered: OFFERED },
    [],
    ["required_tool_missing data.tools_used"],
  ],
  [
    "a required tool with an empty result",
    "SEMANTIC",
    { offered: OFFERED, calls: [call("semantic_search")] },
    [],
    [],
  ],
  [
    "a required tool that the server cannot offer",
    "SEMANTIC",
    { offered: ["search_text"] },
    [],
    [],
  ],
  [
    "L2.16: a claimed tool of the server that was never called",
    "Q1",
    { offered: OFFERED, calls: [], calledTools: ["search_text"] },
    ["find_definitions", "mcp__code-intel__find_definitions"],
    ["tool_not_recorded data.tools_used"],
  ],
  [
    "a claimed tool that was called in an earlier step",
    "Q1",
    { offered: OFFERED, calledTools: ["search_text"] },
    ["mcp__code-intel__search_text"],
    [],
  ],
  [
    "tools of the client, which the server cannot see",
    "Q1",
    { offered: OFFERED },
    ["Read", "Bash"],
    [],
  ],
  ["tools of the session itself", "Q1", { offered: OFFERED }, ["start_session"], []],
];

for (const [name, stage, facts, used, problems] of CASES) {
  Deno.test(`checkTools() ${problems.length > 0 ? "refuses" : "passes"} ${name}`, () => {
    const decision = submit(toState(stage), { ...PAYLOAD[stage], tools_used: used }, { facts });
    deepEqual(toRefusal(decision), problems);
  });
}

Deno.test("toWaivedTools() are the required tools that the server cannot offer now", () => {
  deepEqual(toWaivedTools(BUILT_IN_CONTRACT.IMPACT_ANALYSIS, ["search_text"]), ["analyze_impact"]);
  deepEqual(toWaivedTools(BUILT_IN_CONTRACT.IMPACT_ANALYSIS, ["analyze_impact"]), []);
});

Deno.test("checkTools() names the tools together with every other problem of the payload", () => {
  const decision = submit(
    toState("EXPLORATION"),
    { ...PAYLOAD.EXPLORATION, explored_files: ["none.ts"], tools_used: ["find_definitions"] },
    { facts: { offered: OFFERED, calls: [], calledTools: [] } },
  );
  deepEqual(toRefusal(decision), [
    "too_few_tools data.tools_used",
    "tool_not_recorded data.tools_used",
    "path_not_found data.explored_files[0]",
  ]);
});
