/** Which steps can be answered together, by state. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { toFollowing } from "../../../src/phase/payload/following.ts";
import type { SessionState } from "../../../src/phase/state.ts";
import { STAGES } from "../../../src/phase/table/phases.ts";
import { toDoneTask, toState, toTask } from "../samples.ts";

const FLAGS = toState("EXPLORATION").flags;

const ROWS:
  readonly (readonly [what: string, state: SessionState, following: readonly string[]])[] = [
    ["the documents with the frame", toState("DOCUMENT_RESEARCH"), ["QUERY_FRAME"]],
    ["an exploration with its questions and the plan", toState("EXPLORATION"), [
      "Q1",
      "Q2",
      "Q3",
      "READY_PLAN",
    ]],
    ["an investigation", toState("EXPLORATION", { intent: "INVESTIGATE" }), ["Q1", "Q2", "Q3"]],
    ["every optional step", toState("EXPLORATION", { gateLevel: "full" }), ["Q1"]],
    ["an open request", toState("EXPLORATION", { risk: "HIGH" }), []],
    ["the questions of an open request", toState("Q1", { risk: "HIGH" }), [
      "Q2",
      "Q3",
      "READY_PLAN",
    ]],
    ["a search by meaning with the questions behind it", toState("SEMANTIC"), [
      "Q2",
      "Q3",
      "READY_PLAN",
    ]],
    ["a checked hypothesis with the last question", toState("VERIFICATION"), ["Q3", "READY_PLAN"]],
    ["the review of an open request", toState("PRE_COMMIT", { risk: "HIGH" }), [
      "QUALITY_REVIEW",
      "MERGE",
    ]],
    [
      "the last task with completion and verification",
      toState("READY_IMPL", { tasks: [toDoneTask("task_1"), toTask("task_2")] }),
      ["READY_COMPLETE", "POST_IMPL_VERIFY"],
    ],
    [
      "the reports of all tasks",
      toState("READY_IMPL", { tasks: [toTask("task_1"), toTask("task_2")] }),
      ["READY_IMPL", "READY_COMPLETE", "POST_IMPL_VERIFY"],
    ],
    ["the review with its end", toState("PRE_COMMIT"), ["QUALITY_REVIEW", "MERGE"]],
    ["a fast one", toState("PRE_COMMIT", { flags: { ...FLAGS, fast: true } }), ["MERGE"]],
  ];

Deno.test("toFollowing() joins the check of what a frame leaves open, and names it", () => {
  const slot = { value: "kubernetes", quote: "login", source: "HYPOTHESIS" as const };
  const slots = {
    target_feature: null,
    trigger_condition: null,
    observed_issue: null,
    desired_action: slot,
  };
  const frame = { actionType: null, slots, targetSymbols: [], scope: null, constraints: [] };
  const following = toFollowing(toState("EXPLORATION", { frame }));
  deepEqual(following.map(({ stage }) => stage), [
    "Q1",
    "Q2",
    "VERIFICATION",
    "Q3",
    "READY_PLAN",
  ]);
  deepEqual(following[2]?.hypotheses, ['"login" means kubernetes (desired_action)']);
});

for (const [what, state, following] of ROWS) {
  Deno.test(`toFollowing() joins ${what}`, () => {
    deepEqual(toFollowing(state).map(({ stage }) => stage), following);
  });
}

Deno.test("toFollowing() joins nothing where a reply has to be read first, or an earlier row led", () => {
  const joining = STAGES.filter((stage) => toFollowing(toState(stage)).length > 0);
  deepEqual(joining, [
    "DOCUMENT_RESEARCH",
    "EXPLORATION",
    "SEMANTIC",
    "VERIFICATION",
    "READY_IMPL",
    "PRE_COMMIT",
  ]);
});
