/** Which steps can be answered together, by state. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { toFollowing } from "../../src/phase/following.ts";
import type { SessionState } from "../../src/phase/mod.ts";
import { STAGES } from "../../src/phase/phases.ts";
import { toDoneTask, toState, toTask } from "./samples.ts";

const FLAGS = toState("EXPLORATION").flags;

const ROWS:
  readonly (readonly [what: string, state: SessionState, following: readonly string[]])[] = [
    ["an exploration with its questions", toState("EXPLORATION"), ["Q1", "Q2", "Q3"]],
    ["every optional step", toState("EXPLORATION", { gateLevel: "full" }), ["Q1"]],
    ["an open request", toState("EXPLORATION", { risk: "HIGH" }), []],
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
      "a task before the last",
      toState("READY_IMPL", { tasks: [toTask("task_1"), toTask("task_2")] }),
      [],
    ],
    ["the review with its end", toState("PRE_COMMIT"), ["QUALITY_REVIEW", "MERGE"]],
    ["a fast one", toState("PRE_COMMIT", { flags: { ...FLAGS, fast: true } }), ["MERGE"]],
  ];

for (const [what, state, following] of ROWS) {
  Deno.test(`toFollowing() joins ${what}`, () => {
    deepEqual(toFollowing(state), following);
  });
}

Deno.test("toFollowing() joins nothing where a reply has to be read first", () => {
  const others = STAGES.filter((stage) =>
    !["EXPLORATION", "READY_IMPL", "PRE_COMMIT"].includes(stage)
  );
  deepEqual(others.filter((stage) => toFollowing(toState(stage)).length > 0), []);
});
