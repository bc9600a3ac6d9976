/** Rows of input and expected output for `src/phase/rules/required_tools.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { BUILT_IN_CONTRACT } from "../../../src/phase/contract/contract.ts";
import type { Facts, RecordedCall } from "../../../src/phase/facts.ts";
import type { Stage } from "../../../src/phase/table/phases.ts";
import { listWaivedTools, parseToolName } from "../../../src/phase/rules/required_tools.ts";
import { accept, PAYLOAD, submit, toRefusal, toState } from "../samples.ts";

const NAMES: readonly (readonly [sent: string, name: string])[] = [
  ["search_text", "search_text"],
  ["mcp__code-intel__search_text", "search_text"],
  ["mcp__code_intel__search_text", "search_text"],
  [" search_text ", "search_text"],
  ["mcp__plugin_code-intel_code-intel__search_text", "search_text"],
  ["mcp__plugin_team_tools_code_intel__search_text", "search_text"],
  ["mcp__plugin_code-intel_search_text", "search_text"],
  ["code-intel__search_text", "search_text"],
  ["code-intel.search_text", "search_text"],
  ["code-intel text", "search_text"],
  ["code-intel def AuthService --json", "find_definitions"],
  ["code-intel doctor", "code-intel doctor"],
  ["mcp__code-intel-helper__search_text", "mcp__code-intel-helper__search_text"],
  ["mcp__plugin_other_server__search_text", "mcp__plugin_other_server__search_text"],
  ["mcp__other__search_text", "mcp__other__search_text"],
  ["Read", "Read"],
];

for (const [sent, name] of NAMES) {
  Deno.test(`parseToolName() reads "${sent}" as ${name}`, () =>
    deepEqual(parseToolName(sent), name));
}

const call = (tool: string): RecordedCall => ({ tool, subject: "", total: 1 });
const OFFERED = ["search_text", "find_definitions", "semantic_search", "start_session"];

const CASES: readonly (readonly [
  name: string,
  stage: Stage,
  facts: Partial<Facts>,
  used: readonly string[],
  problems: readonly string[],
])[] = [
  [
    "R16: two different recorded tools are enough",
    "EXPLORATION",
    { calls: [call("search_text"), call("find_definitions")] },
    [],
    [],
  ],
  [
    "R16: one tool called twice is one tool",
    "EXPLORATION",
    { calls: [call("search_text"), call("search_text")] },
    [],
    ["too_few_tools data.tools_used"],
  ],
  [
    "tools that showed code one step earlier",
    "EXPLORATION",
    { calls: [call("search_text")], earlier: [call("find_definitions")] },
    [],
    [],
  ],
  [
    "tools of an earlier step where a search of this one is needed",
    "SEMANTIC",
    { offered: OFFERED, calls: [], earlier: [call("semantic_search")] },
    [],
    ["required_tool_missing data.tools_used"],
  ],
  [
    "a name in other letters of a tool that was called",
    "Q1",
    { offered: OFFERED, calledTools: ["search_text"] },
    ["SearchText", "search_text (twice)"],
    [],
  ],
  [
    "a name in other letters of a tool that was never called",
    "Q1",
    { offered: OFFERED, calledTools: [] },
    ["Semantic Search"],
    ["tool_not_recorded data.tools_used"],
  ],
  [
    "what the server looked at is no call that an agent can claim",
    "SEMANTIC",
    { offered: OFFERED, calls: [], looks: ["semantic_search"] },
    ["semantic_search"],
    ["tool_not_recorded data.tools_used"],
  ],
  [
    "what the server looked at gives what the step needs",
    "PRE_COMMIT",
    { calls: [], looks: ["review_changes"], offered: ["review_changes"] },
    [],
    [],
  ],
  [
    "R35: no recorded call at all",
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
    "R16: a claimed tool of the server that was never called",
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
  [
    "R16: a plugin's name for a tool that was never called",
    "Q1",
    { offered: OFFERED, calls: [], calledTools: ["search_text"] },
    ["mcp__plugin_code-intel_code-intel__find_definitions"],
    ["tool_not_recorded data.tools_used"],
  ],
  [
    "R16: a command of the shell that was never run",
    "Q1",
    { offered: OFFERED, calls: [], calledTools: ["search_text"] },
    ["code-intel def", "code-intel text"],
    ["tool_not_recorded data.tools_used"],
  ],
  ["tools of the session itself", "Q1", { offered: OFFERED }, ["start_session"], []],
];

for (const [name, stage, facts, used, problems] of CASES) {
  Deno.test(`checkTools() ${problems.length > 0 ? "refuses" : "passes"} ${name}`, () => {
    const decision = submit(toState(stage), { ...PAYLOAD[stage], tools_used: used }, { facts });
    deepEqual(toRefusal(decision), problems);
  });
}

Deno.test("listWaivedTools() are the required tools that the server cannot offer now", () => {
  deepEqual(listWaivedTools(BUILT_IN_CONTRACT.IMPACT_ANALYSIS, ["search_text"]), [
    "analyze_impact",
  ]);
  deepEqual(listWaivedTools(BUILT_IN_CONTRACT.IMPACT_ANALYSIS, ["analyze_impact"]), []);
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

for (const stage of Object.keys(PAYLOAD) as Stage[]) {
  if (stage === "SESSION_COMPLETE") continue;
  Deno.test(`checkTools() refuses at ${stage} a tool of the server that was never called`, () => {
    const data = { ...PAYLOAD[stage], tools_used: ["mcp__code-intel__semantic_search"] };
    const decision = submit(toState(stage), data, {
      facts: { offered: [...OFFERED, "check_write_target"] },
    });
    deepEqual(toRefusal(decision).includes("tool_not_recorded data.tools_used"), true);
  });
}

const MARKUP = { ...PAYLOAD.EXPLORATION, explored_files: ["site/a.css"] };
const ONE_CALL = {
  offered: OFFERED,
  calls: [call("search_text")],
  paths: { "site/a.css": "file" },
} as const;

Deno.test("checkTools() is content with one tool for pure markup, unless the project wants more", () => {
  deepEqual(toRefusal(submit(toState("EXPLORATION"), MARKUP, { facts: ONE_CALL })), []);
  const row = { ...BUILT_IN_CONTRACT.EXPLORATION, minDistinctTools: 3 };
  const contract = { ...BUILT_IN_CONTRACT, EXPLORATION: row };
  deepEqual(toRefusal(submit(toState("EXPLORATION"), MARKUP, { facts: ONE_CALL, contract })), [
    "too_few_tools data.tools_used",
  ]);
  const none = { ...ONE_CALL, calls: [] };
  deepEqual(toRefusal(submit(toState("EXPLORATION"), MARKUP, { facts: none })), [
    "too_few_tools data.tools_used",
  ]);
  const mixed = { ...MARKUP, explored_files: ["site/a.css", "src/auth.ts"] };
  const paths = { "site/a.css": "file", "src/auth.ts": "file" } as const;
  deepEqual(toRefusal(submit(toState("EXPLORATION"), mixed, { facts: { ...ONE_CALL, paths } })), [
    "too_few_tools data.tools_used",
  ]);
});

Deno.test("decide() accepts names that are no tools of the server, and says nothing of them", () => {
  const used = ["Read", "mcp__code-intel__serch_text", "edit", "go test", "submit_phase", " "];
  const facts = { offered: ["search_text"], calledTools: [] };
  const { reply, state } = accept(
    submit(toState("Q1"), { ...PAYLOAD.Q1, tools_used: used }, { facts }),
  );
  equal(/serch|go test/.test(JSON.stringify([reply, state])), false);
});

Deno.test("checkTools() takes no search without a hit for exploration, save that nothing uses a known name", () => {
  const judge = (calls: readonly RecordedCall[], defines: Readonly<Record<string, string[]>>) => {
    const explored = [{
      tool: "get_symbols",
      subject: "a.ts",
      files: ["a.ts"],
      defines,
      refers: {},
    }];
    const facts = { offered: OFFERED, calls, explored };
    return submit(toState("EXPLORATION"), PAYLOAD.EXPLORATION, { facts });
  };
  const vain = { tool: "find_references", subject: "login", total: 0 };
  const decision = judge([call("search_text"), vain], {});
  deepEqual(toRefusal(decision), ["too_few_tools data.tools_used"]);
  const [problem] = decision.kind === "refused" ? decision.problems : [];
  deepEqual(String(problem?.hint).startsWith("Without a hit: find_references."), true);
  deepEqual(toRefusal(judge([call("search_text"), vain], { "a.ts": ["login"] })), []);
});
