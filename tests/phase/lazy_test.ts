/** Which step a payload is for, and where files may be written before the plan. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { findMeant, isEarly, isLazy, markWalked, takesWrites } from "../../src/phase/lazy.ts";
import type { Stage } from "../../src/phase/table/phases.ts";
import { toState } from "./samples.ts";

const WHOLE = { kind: "whole" };
const PRESENT = { kind: "present" };
const BY_HAND = { summaries: { step_04_QUERY_FRAME: "by hand" } };

Deno.test("findMeant() tells the present step, a later one, and the one payload", () => {
  const rows: readonly (readonly [Stage, Record<string, unknown>, unknown])[] = [
    ["DOCUMENT_RESEARCH", { documents_reviewed: [] }, PRESENT],
    ["DOCUMENT_RESEARCH", { tasks: [] }, { kind: "later", stage: "READY_PLAN" }],
    ["DOCUMENT_RESEARCH", { done: {} }, WHOLE],
    ["DOCUMENT_RESEARCH", { observed: "it runs" }, WHOLE],
    ["EXPLORATION", { commit_message: "Add it" }, WHOLE],
    ["EXPLORATION", { explored_files: [], done: {} }, WHOLE],
    ["EXPLORATION", { park: true, done: {} }, PRESENT],
    ["READY_COMPLETE", { observed: "it runs" }, PRESENT],
    ["PRE_COMMIT", { reviewed_files: [], commit_message: "Add it" }, PRESENT],
    ["PRE_COMMIT", { findings: [] }, WHOLE],
    ["MERGE", {}, PRESENT],
    ["PRE_COMMIT", { tasks: [] }, PRESENT],
  ];
  for (const [stage, data, meant] of rows) {
    deepEqual(findMeant(toState(stage), data), meant, `${stage} ${JSON.stringify(data)}`);
  }
});

Deno.test("by hand a payload of a later step is none of the present one, and done begins the default way", () => {
  const state = toState("PRE_COMMIT", BY_HAND);
  deepEqual(findMeant(state, { on_conflict: "park" }), PRESENT);
  deepEqual(findMeant(state, { commit_message: "Add it" }), PRESENT);
  deepEqual(findMeant(state, { done: {} }), WHOLE);
});

Deno.test("findMeant() leaves everything to the present step by hand, in investigations, and where a person is due", () => {
  const states = [
    toState("EXPLORATION", { gateLevel: "full" }),
    toState("EXPLORATION", { intent: "INVESTIGATE" }),
    toState("EXPLORATION", { status: "parked" }),
    toState("EXPLORATION", { escalation: { cause: "back_limit", message: "?" } }),
  ];
  for (const state of states) deepEqual(findMeant(state, { done: {} }), PRESENT);
});

Deno.test("files may be written before the plan until a step is sent by hand, and again once the server walks", () => {
  deepEqual(isEarly(toState("EXPLORATION")), true);
  deepEqual(isEarly(toState("EXPLORATION", BY_HAND)), false);
  const walked = toState("READY_PLAN", BY_HAND);
  const state = { ...walked, path: markWalked(walked.path) };
  deepEqual([isLazy(state), isEarly(state), takesWrites(state)], [true, true, true]);
  for (const stage of ["BRANCH_INTERVENTION", "READY_COMPLETE", "PRE_COMMIT"] as const) {
    deepEqual(takesWrites(toState(stage)), false, stage);
  }
  deepEqual(takesWrites(toState("READY_IMPL", BY_HAND)), true);
});
