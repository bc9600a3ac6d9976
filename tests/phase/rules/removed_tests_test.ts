/** Test files that are gone: an item of their own, and a reason at the review. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { RemovedTest } from "../../../src/phase/facts.ts";
import { buildRemovalTask, findUncoveredTests } from "../../../src/phase/rules/removed_tests.ts";
import { accept, PAYLOAD, settle, submit, toDoneTask, toRefusal, toState } from "../samples.ts";

const GONE: RemovedTest = { path: "a.test.ts", changedPath: "a.test.ts", how: "deleted" };
const HIDDEN: RemovedTest = { path: "b.test.ts", changedPath: "b.ts", how: "renamed" };

const COVERED: readonly (readonly [
  evidence: string,
  status: "done" | "skipped",
  uncovered: readonly string[],
])[] = [
  ["a.test.ts:deleted", "done", ["b.test.ts"]],
  ["./a.test.ts:deleted", "done", ["b.test.ts"]],
  ["a.test.ts:1-4", "done", ["b.test.ts"]],
  ["b.test.ts:deleted", "done", ["a.test.ts"]],
  ["b.ts:renamed", "done", ["a.test.ts"]],
  ["src/a.test.ts:deleted", "done", ["a.test.ts", "b.test.ts"]],
  ["a.test.ts:deleted", "skipped", ["a.test.ts", "b.test.ts"]],
];

for (const [evidence, status, uncovered] of COVERED) {
  Deno.test(`findUncoveredTests() with ${status} ${evidence} misses ${uncovered.join(", ")}`, () => {
    const task = toDoneTask("task_1", { checklist: [{ item: "x", status, evidence }] });
    deepEqual(findUncoveredTests([task], [GONE, HIDDEN]), uncovered);
  });
}

Deno.test("readyComplete() opens a task with an item for each removed test, in the same visit", () => {
  const facts = { removedTests: [GONE, HIDDEN] };
  const before = toState("READY_COMPLETE");
  const { state, reply } = accept(submit(before, PAYLOAD.READY_COMPLETE, { facts }));
  deepEqual([state.stage, state.visit], ["READY_IMPL", before.visit]);
  deepEqual(reply.tests_removed, ["a.test.ts", "b.test.ts"]);
  deepEqual(state.tasks.at(-1), buildRemovalTask([], ["a.test.ts", "b.test.ts"]));
  equal(buildRemovalTask(state.tasks, ["c.test.ts"]).id, "removed_tests_2");
});

Deno.test("readyComplete() goes on where each removed test has its item", () => {
  const items = ["a.test.ts:deleted", "b.test.ts:deleted"];
  const checklist = items.map((evidence) => ({
    item: evidence,
    status: "done" as const,
    evidence,
  }));
  const tasks = [toDoneTask("task_1", { checklist })];
  const { state } = accept(
    submit(toState("READY_COMPLETE", { tasks }), PAYLOAD.READY_COMPLETE, {
      facts: { removedTests: [GONE, HIDDEN] },
    }),
  );
  equal(state.stage, "POST_IMPL_VERIFY");
});

const REASON = "The class that it tested is gone";

Deno.test("preCommit() wants a reason for each removed test that stays removed", () => {
  const changes = ["a.test.ts", "b.ts"].map((path) => ({
    path,
    kind: "deleted" as const,
    isShared: false,
  }));
  const facts = { changes, removedTests: [GONE, HIDDEN] };
  const send = (files: readonly unknown[]) =>
    submit(
      toState("PRE_COMMIT"),
      { ...PAYLOAD.PRE_COMMIT, reviewed_files: files, rest: "keep" },
      { facts },
    );
  const silent = send(["a.test.ts"]);
  deepEqual(toRefusal(silent), [
    "tests_removed data.reviewed_files",
    "tests_removed data.reviewed_files",
  ]);
  if (silent.kind === "refused") match(String(silent.problems[1]?.hint ?? ""), /"path": "b\.ts"/);
  const keep = (path: string, reason: string) => ({ path, decision: "keep", reason });
  deepEqual(toRefusal(send([keep("a.test.ts", REASON), keep("b.ts", "too short")])), [
    "tests_removed data.reviewed_files",
  ]);
  const discard = { path: "b.ts", decision: "discard", reason: "It is a test" };
  equal(send([keep("a.test.ts", REASON), discard]).kind, "perform");
  const kept = send([keep("a.test.ts", REASON), keep("b.ts", REASON)]);
  const { state } = accept(kept.kind === "perform" ? settle(kept) : kept);
  equal(state.review[0]?.reason, REASON);
});
