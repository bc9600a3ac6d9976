/** Holds `src/phase/transitions.ts` to the specification, row by row. */
import { deepStrictEqual as deepEqual, strictEqual as equal, throws } from "node:assert/strict";
import { toNextStage, TRANSITIONS } from "../../src/phase/transitions.ts";
import type { Effect, EffectResult, Outcome, Stage } from "../../src/phase/mod.ts";
import { STAGES } from "../../src/phase/phases.ts";
import { toState } from "./samples.ts";

Deno.test("every row of TRANSITIONS can be taken: none hides behind a row without a condition", () => {
  const hidden = TRANSITIONS.filter((row, index) =>
    TRANSITIONS.slice(0, index).some((before) =>
      before.from === row.from && before.on === row.on &&
      (before.when === undefined || before.when === row.when)
    )
  );
  deepEqual(hidden, []);
});

Deno.test("every pair of stage and outcome with conditions ends in a row without one", () => {
  const pairs = new Set(TRANSITIONS.map(({ from, on }) => `${from} ${on}`));
  const open = [...pairs].filter((pair) =>
    !TRANSITIONS.some(({ from, on, when }) => `${from} ${on}` === pair && when === undefined)
  );
  deepEqual(open, []);
});

Deno.test("every stage but the end has a way on, and nothing leaves the end", () => {
  const from = new Set(TRANSITIONS.map((row) => row.from));
  deepEqual(STAGES.filter((stage) => !from.has(stage)), ["SESSION_COMPLETE"]);
});

/** What git may answer to the effects of a stage: each has its row. */
const ANSWERS: readonly (readonly [Stage, Effect["kind"], EffectResult["outcome"]])[] = [
  ["PRE_COMMIT", "commit", "hooks_changed"],
  ["PRE_COMMIT", "commit", "hook_failed"],
  ["PRE_COMMIT", "commit", "no_changes"],
  ["PRE_COMMIT", "discard", "evidence_stale"],
  ["QUALITY_REVIEW", "commit", "hooks_changed"],
  ["QUALITY_REVIEW", "commit", "hook_failed"],
  ["MERGE", "merge", "conflict"],
  ["MERGE", "merge", "no_changes"],
];

for (const [stage, effect, outcome] of ANSWERS) {
  Deno.test(`TRANSITIONS has a row for ${outcome} after ${effect} at ${stage}`, () => {
    equal(TRANSITIONS.some(({ from, on }) => from === stage && on === outcome), true);
  });
}

Deno.test("toNextStage() stops at a move that the table does not have", () => {
  throws(() => toNextStage(toState("Q1"), "merged" as Outcome), /no transition from Q1 on merged/);
});
