/** Rows of input and expected output for `src/phase/contract/contract.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { LineCounter, parseDocument } from "yaml";
import {
  BUILT_IN_CONTRACT,
  checkAddedFields,
  mergeContract,
} from "../../../src/phase/contract/contract.ts";
import { PAYLOAD, submit, toLines, toRefusal, toState } from "../samples.ts";

/** Parses YAML and knows where each path stands in it, as the shell does. */
function merge(text: string) {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  return mergeContract(document.toJS(), (path) => {
    const node = document.getIn(path, true) as { readonly range?: readonly number[] } | undefined;
    const { line, col } = counter.linePos(node?.range?.[0] ?? 0);
    return `line ${line}, column ${col}`;
  });
}

const REFERENCE = `
version: "1.16"
description: an older contract
phases:
  EXPLORATION:
    instruction: Explore the code with the exploration tools.
    expected_payload:
      explored_files: "list of paths"
      findings: "list of text"
      tools_used: "list"
      summary: "text"
  READY_PLAN:
    instruction: Register the tasks.
    expected_payload: { tasks: "list", summary: "text", tools_used: "list" }
  READY_IMPL:
    instruction: Implement.
  READY_COMPLETE:
    instruction: Complete.
    expected_payload: { summary: "text" }
  MERGE:
    instruction: Merge.
common_failures: { no_active_session: { error: no_active_session, message: m } }
failures: { EXPLORATION: { empty: { error: payload_mismatch, message: "{x}" } } }
success: { merged: { message: m } }
tool_errors: { check_write_target: { blocked: { message: m } } }
session_messages: {}
hints: {}
query_frame_hints: {}
warnings: {}
`;

Deno.test("R18: mergeContract() loads an older contract file with one notice about its messages", () => {
  const { contract, problems, notices } = merge(REFERENCE);
  deepEqual(problems, []);
  equal(notices.length, 1);
  equal(/common_failures.*warnings/.test(notices[0] ?? ""), true);
  equal(contract.READY_IMPL.instruction, "Implement.");
  deepEqual(contract.READY_IMPL.requiredTools, ["check_write_target"]);
  equal(contract.EXPLORATION.minDistinctTools, 2);
  equal(contract.Q1, BUILT_IN_CONTRACT.Q1);
});

const FAULTS: readonly (readonly [name: string, text: string, at: string, place: string])[] = [
  ["an unknown phase", "phases:\n  EXPLORE: {}\n", "phases.EXPLORE", "line 2, column 12"],
  ["the end as a phase", "phases:\n  SESSION_COMPLETE: {}\n", "phases.SESSION_COMPLETE", "line 2"],
  ["an unknown key of the file", "phase: {}\n", "phase", "line 1, column 8"],
  [
    "an unknown key of a phase",
    "phases:\n  Q1:\n    instructions: x\n",
    "phases.Q1.instructions",
    "line 3",
  ],
  [
    "an instruction that is a number",
    "phases:\n  Q1:\n    instruction: 3\n",
    "phases.Q1.instruction",
    "line 3, column 18",
  ],
  [
    "tools that are no list",
    "phases:\n  Q1:\n    required_tools: search_text\n",
    "phases.Q1.required_tools",
    "line 3, column 21",
  ],
  [
    "a negative number of tools",
    "phases:\n  Q1: { min_distinct_tools: -1 }\n",
    "phases.Q1.min_distinct_tools",
    "line 2, column 29",
  ],
  ["phases that are a list", "phases: [Q1]\n", "phases", "line 1, column 9"],
  ["a row that is text", "phases:\n  Q1: ask\n", "phases.Q1", "line 2, column 7"],
  ["a file that is a list", "- phases\n", "", "line 1, column 1"],
];

for (const [name, text, at, place] of FAULTS) {
  Deno.test(`mergeContract() refuses ${name} with its place and uses the built-in contract`, () => {
    const { contract, problems } = merge(text);
    equal(contract, BUILT_IN_CONTRACT);
    deepEqual(toLines(problems), [`contract_invalid ${at}`]);
    equal(String(problems[0]?.message ?? "").includes(place), true, String(problems[0]?.message));
    equal((problems[0]?.hint ?? "") === "", false);
  });
}

Deno.test("mergeContract() names every fault at once, and one fault turns the whole file off", () => {
  const { contract, problems } = merge(
    "phases:\n  Q1: { instruction: ok }\n  X: {}\n  Q2: { a: 1 }\nfoo: 1\n",
  );
  equal(problems.length, 3);
  equal(contract.Q1.instruction, BUILT_IN_CONTRACT.Q1.instruction);
});

Deno.test("mergeContract() lets a project ask for more", () => {
  const { contract, problems } = merge(`
phases:
  EXPLORATION: { min_distinct_tools: 3, required_tools: [find_references] }
  PRE_COMMIT: { required_tools: [search_text], expected_payload: { ticket: "string, required" } }
`);
  deepEqual(problems, []);
  equal(contract.EXPLORATION.minDistinctTools, 3);
  deepEqual(contract.EXPLORATION.requiredTools, ["find_references"]);
  deepEqual(contract.PRE_COMMIT.requiredTools, ["review_changes", "search_text"]);
  deepEqual(toLines(checkAddedFields(contract.PRE_COMMIT, {})), ["missing_field data.ticket"]);

  const facts = { offered: [] };
  const withTicket = { ...PAYLOAD.PRE_COMMIT, ticket: "A-1" };
  // A payload that the server drafts is judged like one that was sent.
  const whole = { offered: [], draft: { sent: {} } };
  for (const gateLevel of ["auto", "full"] as const) {
    const state = toState("PRE_COMMIT", { gateLevel });
    for (const given of gateLevel === "auto" ? [facts, whole] : [facts]) {
      deepEqual(toRefusal(submit(state, PAYLOAD.PRE_COMMIT, { contract, facts: given })), [
        "missing_field data.ticket",
      ]);
    }
    const taken = submit(state, withTicket, { contract, facts });
    equal(taken.kind, "accepted");
    equal("reply" in taken && "ignored_fields" in taken.reply, false);
  }
  const few = { calls: [{ tool: "search_text", subject: "x", total: 1 }], draft: { sent: {} } };
  deepEqual(
    toRefusal(submit(toState("EXPLORATION"), PAYLOAD.EXPLORATION, { contract, facts: few })),
    ["too_few_tools data.tools_used"],
  );
});

Deno.test("mergeContract() cannot weaken what the program asks for", () => {
  const { contract, problems } = merge(`
phases:
  EXPLORATION: { min_distinct_tools: 0, required_tools: [], expected_payload: {} }
  SEMANTIC: { required_tools: [] }
  READY_IMPL: { expected_payload: { summary: "text" } }
`);
  deepEqual(problems, []);
  equal(contract.EXPLORATION.minDistinctTools, 2);
  deepEqual(contract.SEMANTIC.requiredTools, ["semantic_search"]);
  for (const stage of ["EXPLORATION", "READY_IMPL"] as const) {
    deepEqual(
      Object.keys(contract[stage].expectedPayload),
      Object.keys(BUILT_IN_CONTRACT[stage].expectedPayload),
    );
  }
  const facts = { calls: [{ tool: "search_text", subject: "x", total: 1 }] };
  for (const gateLevel of ["auto", "full"] as const) {
    const state = toState("EXPLORATION", { gateLevel });
    const decision = submit(state, PAYLOAD.EXPLORATION, { contract, facts });
    deepEqual(toRefusal(decision), ["too_few_tools data.tools_used"]);
  }
});

for (const text of ["{}", "phases:\n", "version: 1\nphases: {}\n", "phases:\n  Q1:\n"]) {
  Deno.test(`mergeContract() changes nothing for ${JSON.stringify(text)}`, () => {
    const { contract, problems, notices } = merge(text);
    deepEqual(problems, []);
    deepEqual(notices, []);
    deepEqual(contract, BUILT_IN_CONTRACT);
  });
}
