/** Rows of input and expected output for `src/phase/payload/complete.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Effect, PendingDecision } from "../../../src/phase/state.ts";
import {
  completeEffects,
  giveUp,
  setPendingAside,
  takeUpDeferred,
} from "../../../src/phase/payload/complete.ts";
import { sampleState } from "../../session/sample_state.ts";
import { accept, PAYLOAD, settle, submit, toDoneTask, toFacts, toState } from "../samples.ts";

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

const PREPARED = { message: "m", paths: ["a.ts"], includePerson: [], hooksReviewed: false };

Deno.test("a merge conflict becomes a task with one item for each file, and a new visit of READY", () => {
  const before = toState("MERGE", {
    prepared: PREPARED,
    clearances: [{ path: "a.ts", visit: 1, taskId: null }],
  });
  const { state, reply } = accept(settle(submit(before, PAYLOAD.MERGE), [{
    kind: "merge",
    outcome: "conflict",
    paths: ["a.ts", "b.ts"],
    workspace: { mergeParent: "c9", conflictTreePaths: ["app/a.ts", "app/b.ts"] },
  }]));
  deepEqual([state.stage, state.visit, state.prepared, state.clearances], [
    "READY_IMPL",
    before.visit + 1,
    null,
    [],
  ]);
  equal(state.workspace.mergeParent, "c9");
  deepEqual(state.tasks.at(-1), {
    id: "resolve_conflicts_1",
    description: "Resolve the merge conflicts with main",
    status: "pending",
    checklist: [
      { item: "Resolve the conflict in a.ts", status: "pending" },
      { item: "Resolve the conflict in b.ts", status: "pending" },
    ],
    failureCount: 0,
    revertReason: null,
    evidenceTree: null,
    conflict: ["app/a.ts", "app/b.ts"],
  });
  deepEqual(reply.conflicts, ["a.ts", "b.ts"]);
});

Deno.test("a second conflict is a task of its own", () => {
  const tasks = [toDoneTask("resolve_conflicts_1")];
  const { state } = accept(settle(submit(toState("MERGE", { tasks }), PAYLOAD.MERGE), [
    { kind: "merge", outcome: "conflict", paths: ["a.ts"] },
  ]));
  equal(state.tasks.at(-1)?.id, "resolve_conflicts_2");
});

Deno.test("a conflict that the person wants parked leaves the session at MERGE", () => {
  const { state, reply } = accept(settle(submit(toState("MERGE"), PAYLOAD.MERGE), [
    { kind: "merge", outcome: "parked" },
  ]));
  deepEqual([state.stage, state.status, reply.parked], ["MERGE", "parked", true]);
});

for (const stage of ["PRE_COMMIT", "QUALITY_REVIEW"] as const) {
  const flags = stage === "PRE_COMMIT" ? { no_quality: true } : {};
  const rest = { begin: { flags }, prepared: PREPARED };

  Deno.test(`files that git hooks changed at ${stage} are reviewed again, once`, () => {
    const { state, reply } = accept(settle(submit(toState(stage, rest), PAYLOAD[stage]), [
      { kind: "commit", outcome: "hooks_changed", paths: ["a.ts"] },
    ]));
    deepEqual([state.stage, state.prepared?.hooksReviewed], ["PRE_COMMIT", true]);
    deepEqual(reply.hooks_changed, ["a.ts"]);
    const again = submit(state, PAYLOAD.PRE_COMMIT);
    equal(accept(again).state.prepared?.hooksReviewed, true);
  });

  Deno.test(`a git hook that fails at ${stage} sends the work back with its output`, () => {
    const { state, reply } = accept(settle(submit(toState(stage, rest), PAYLOAD[stage]), [
      { kind: "commit", outcome: "hook_failed", reply: { output: "lint: 3 errors" } },
    ]));
    deepEqual([state.stage, state.prepared, state.counters.verificationFailures], [
      "READY_PLAN",
      null,
      1,
    ]);
    equal(/lint: 3 errors/.test(state.revertReason ?? ""), true);
    deepEqual(state.lastProblems.map(({ code }) => code), ["git_hook_failed"]);
    deepEqual([reply.sent_back, reply.git_hook_failed], [true, true]);
  });

  Deno.test(`a git hook that fails at ${stage} to the limit asks the person`, () => {
    const counters = { verificationFailures: 2, interventions: 0, qualityReverts: 0, backs: 0 };
    const before = toState(stage, { ...rest, counters });
    const { state, reply } = accept(settle(submit(before, PAYLOAD[stage]), [
      { kind: "commit", outcome: "hook_failed", reply: { output: "lint: 3 errors" } },
    ]));
    deepEqual([state.stage, state.escalation?.cause, reply.sent_back], [
      stage,
      "hook_limit",
      false,
    ]);
  });
}

Deno.test("a discard that takes evidence away reopens its task at once", () => {
  const files = [{ path: "src/auth.ts", decision: "discard", reason: "debug output" }];
  const first = submit(toState("PRE_COMMIT"), { ...PAYLOAD.PRE_COMMIT, reviewed_files: files });
  const { state } = accept(settle(first, [
    { kind: "discard", stale: [{ taskId: "task_1", items: [0] }] },
  ]));
  deepEqual([state.stage, state.tasks[0]?.status], ["READY_IMPL", "pending"]);
});

Deno.test("a discard moves evidence that still stands", () => {
  const items = [{ index: 0, evidence: "src/auth.ts:40" }];
  const { state } = completeEffects(toState("PRE_COMMIT"), "discarded", {
    results: [{ kind: "discard", carried: [{ taskId: "task_1", tree: "tree_2", items }] }],
    facts: toFacts(),
  });
  deepEqual([state.tasks[0]?.status, state.tasks[0]?.checklist[0]?.evidence], [
    "completed",
    "src/auth.ts:40",
  ]);
});

Deno.test("files that an intervention took back reopen their tasks", () => {
  const payload = { ...PAYLOAD.VERIFY_INTERVENTION, restore_to: "plan" };
  const { state } = accept(settle(submit(toState("VERIFY_INTERVENTION"), payload), [
    { kind: "restore_tree", stale: [{ taskId: "task_1", items: [0] }] },
  ]));
  deepEqual([state.stage, state.tasks[0]?.status], ["READY_PLAN", "pending"]);
});

Deno.test("completeEffects() lays the workspaces of all results over each other", () => {
  const { state, outcome } = completeEffects(toState("PRE_COMMIT"), "reviewed", {
    results: [
      { kind: "discard", workspace: { baselineTree: "t8" } },
      { kind: "commit", workspace: { commits: ["c1"] } },
    ],
    facts: toFacts(),
  });
  deepEqual([state.workspace.baselineTree, state.workspace.commits, outcome], [
    "t8",
    ["c1"],
    "reviewed",
  ]);
});
