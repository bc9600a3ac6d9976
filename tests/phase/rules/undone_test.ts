/** Effects that fail, put aside and taken up again. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Effect, PendingDecision } from "../../../src/phase/state.ts";
import { giveUp, setPendingAside, takeUpDeferred } from "../../../src/phase/rules/undone.ts";
import { sampleState } from "../../session/sample_state.ts";

const FAILURE = { at: "2026-01-31T15:00:00.000Z", code: "git_failed", message: "a lock" };
const COMMIT: Effect = { kind: "commit", verified: "yes" };

function toPending(...effects: readonly Effect[]): PendingDecision {
  return {
    accepted: { kind: "changes", outcome: "done", patch: {} },
    effects,
    expected: {},
    reply: {},
  };
}

Deno.test("setPendingAside() keeps what may be half done for the resume, and gives up the rest", () => {
  const rows: readonly (readonly [readonly Effect[], boolean, boolean, number])[] = [
    [[COMMIT], true, true, 0],
    [[{ kind: "discard", paths: ["a"] }, COMMIT], true, true, 0],
    [[COMMIT], false, false, 1],
    [[{ kind: "create_branch" }], true, false, 1],
    [[{ kind: "leave_branch", restore: false }], true, false, 0],
  ];
  for (const [effects, isParking, isDeferred, undone] of rows) {
    const state = sampleState({ pending: toPending(...effects) });
    const aside = setPendingAside(state, FAILURE, { isParking });
    deepEqual(
      [aside.pending, aside.deferred !== undefined, aside.undone?.length],
      [null, isDeferred, undone],
      JSON.stringify(effects),
    );
  }
  const idle = sampleState();
  equal(setPendingAside(idle, FAILURE, { isParking: true }), idle);
});

Deno.test("takeUpDeferred() makes a decision pending again, or drops one about other files", () => {
  const deferred = toPending(COMMIT);
  const state = sampleState({ deferred });
  const again = takeUpDeferred(state, { isUnchanged: true });
  deepEqual([again.pending, again.deferred], [deferred, undefined]);
  const dropped = takeUpDeferred(state, { isUnchanged: false });
  deepEqual([dropped.pending, dropped.deferred], [null, undefined]);
});

Deno.test("giveUp() adds to what was given up before", () => {
  const once = giveUp(sampleState(), ["commit"], FAILURE);
  const twice = giveUp(once, ["leave_branch"], FAILURE);
  deepEqual(twice.undone, [{ ...FAILURE, effects: ["commit"] }, {
    ...FAILURE,
    effects: ["leave_branch"],
  }]);
});
