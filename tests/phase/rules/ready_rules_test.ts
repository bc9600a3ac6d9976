/** Rows of input and expected output for `src/phase/rules/ready_rules.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Task } from "../../../src/phase/tasks.ts";
import { buildProgress, hasNothingToCommit } from "../../../src/phase/rules/ready_rules.ts";
import {
  accept,
  PAYLOAD,
  settle,
  submit,
  toDoneTask,
  toRefusal,
  toState,
  toTask,
} from "../samples.ts";

Deno.test("readyPlan() creates the branch once, and none without a branch flow", () => {
  const first = submit(toState("READY_PLAN"), PAYLOAD.READY_PLAN);
  deepEqual(first.kind === "perform" ? first.effects : [], [{ kind: "create_branch" }]);
  const workspace = toState("READY_IMPL").workspace;
  equal(submit(toState("READY_PLAN", { workspace }), PAYLOAD.READY_PLAN).kind, "accepted");
  const quick = toState("READY_PLAN", { begin: { flags: { quick: true } } });
  equal(submit(quick, PAYLOAD.READY_PLAN).kind, "accepted");
});

Deno.test("readyPlan() forgets clearances and the reason of the revert, and keeps the tree", () => {
  const before = toState("READY_PLAN", {
    revertReason: "red",
    summaries: { step_04_QUERY_FRAME: "by hand" },
    clearances: [{ path: "a.ts", visit: 1, taskId: null }],
  });
  const { state, reply } = accept(submit(before, PAYLOAD.READY_PLAN, { facts: { tree: "t7" } }));
  deepEqual([state.revertReason, state.clearances, state.workspace.planTree], [null, [], "t7"]);
  equal(reply.tasks_registered, 1);
  deepEqual(reply.next_task, {
    id: "task_1",
    description: "Add the login",
    checklist: ["Add login() to src/auth.ts"],
  });
});

Deno.test("R16: a report of work needs the write guard, one of skipped items does not", () => {
  const facts = { offered: ["check_write_target"] };
  const state = toState("READY_IMPL");
  deepEqual(toRefusal(submit(state, PAYLOAD.READY_IMPL, { facts })), [
    "required_tool_missing data.tools_used",
  ]);
  const calls = [{ tool: "check_write_target", subject: "src/auth.ts", total: null }];
  equal(submit(state, PAYLOAD.READY_IMPL, { facts: { ...facts, calls } }).kind, "accepted");
  const checklist = [{
    item: "Add login() to src/auth.ts",
    status: "skipped",
    reason: "exists already",
  }];
  const skipped = submit(state, { ...PAYLOAD.READY_IMPL, checklist }, { facts });
  equal(accept(skipped).state.stage, "READY_COMPLETE");
});

Deno.test("readyImplement() refuses what the disk says against the evidence, with all else", () => {
  const evidence = [{
    code: "checklist_evidence_empty_impl",
    message: "m",
    at: "data.checklist[0]",
  }];
  const decision = submit(
    toState("READY_IMPL"),
    { ...PAYLOAD.READY_IMPL, task_id: "none" },
    { facts: { evidence } },
  );
  deepEqual(toRefusal(decision), [
    "unknown_task data.task_id",
    "checklist_evidence_empty_impl data.checklist[0]",
  ]);
});

Deno.test("readyComplete() reopens tasks whose evidence is gone", () => {
  const { state, reply } = accept(submit(toState("READY_COMPLETE"), PAYLOAD.READY_COMPLETE, {
    facts: { stale: [{ taskId: "task_1", items: [0] }] },
  }));
  equal(state.stage, "READY_IMPL");
  deepEqual(reply.evidence_stale, ["task_1"]);
  deepEqual([state.tasks[0]?.status, state.tasks[0]?.checklist[0]?.status], ["pending", "pending"]);
});

Deno.test("readyComplete() keeps evidence at its present place, and shows what still stands of a task", () => {
  const items = [{ index: 0, evidence: "src/auth.ts:50" }];
  const carried = [{ taskId: "task_1", tree: "tree_2", items }];
  const done = accept(submit(toState("READY_COMPLETE"), PAYLOAD.READY_COMPLETE, {
    facts: { carried },
  }));
  const [task] = done.state.tasks;
  deepEqual([task?.checklist[0]?.evidence, task?.evidenceTree], ["src/auth.ts:50", "tree_2"]);
  const first = toDoneTask("task_1");
  const checklist = [...first.checklist, {
    item: "Add logout()",
    status: "done" as const,
    evidence: "src/auth.ts:60",
  }];
  const tasks = [{ ...first, checklist }];
  const { reply } = accept(submit(toState("READY_COMPLETE", { tasks }), PAYLOAD.READY_COMPLETE, {
    facts: { carried, stale: [{ taskId: "task_1", items: [1] }] },
  }));
  const next = reply.next_task as Readonly<Record<string, unknown>>;
  deepEqual(next.still_standing, [
    { item: "Add login() to src/auth.ts", evidence: "src/auth.ts:50" },
  ]);
});

Deno.test("readyComplete() names the clauses of the request for which nothing was observed", () => {
  const slot = (quote: string) => ({ value: "v", quote, source: "FACT" }) as const;
  const frame = {
    actionType: null,
    slots: {
      target_feature: slot("login form"),
      trigger_condition: null,
      observed_issue: null,
      desired_action: slot("refuse an empty name"),
    },
    targetSymbols: [],
    scope: null,
    constraints: [],
  };
  const first = toState("READY_COMPLETE", { frame });
  const observed = { "login form": "login(''): an error", "refuse an empty name": "…" };
  const { state, reply } = accept(submit(first, { ...PAYLOAD.READY_COMPLETE, observed }));
  deepEqual(reply.open_clauses, ["refuse an empty name"]);
  deepEqual(state.observed, { "login form": "login(''): an error" });
  const done = accept(submit({ ...first, observed: { "login form": "seen" } }, {
    ...PAYLOAD.READY_COMPLETE,
    observed: { "refuse an empty name": "an error" },
  }));
  equal(done.reply.open_clauses, undefined);
});

Deno.test("what was observed names lines that are there; what is no file of the project is output", () => {
  const facts = {
    paths: { "src/a.ts": "file" as const, "b.py": "missing" as const },
    lines: { "src/a.ts": 9 },
  };
  const at = (observed: string) => ({ ...PAYLOAD.READY_COMPLETE, observed });
  const refused = submit(toState("READY_COMPLETE"), at("seen in src/a.ts:8-12, b.py:99: no"), {
    facts,
  });
  deepEqual(toRefusal(refused), ["line_out_of_range data.observed"]);
  for (const text of ["src/a.ts:8-9 and b.py:99", "src/a.ts:1:77: error", "port localhost:8080"]) {
    accept(submit(toState("READY_COMPLETE"), at(text), { facts }));
  }
});

Deno.test("readyImplement() asks for the markers of a conflict with its own task and with the last one, not before", () => {
  const conflict = ["a.ts" as never];
  const rows: readonly (readonly [own: Partial<Task>, other: Partial<Task>, isRefused: boolean])[] =
    [
      [{}, { conflict }, false],
      [{ conflict }, {}, true],
      [{}, { ...toDoneTask("task_2"), conflict }, true],
    ];
  for (const [own, other, isRefused] of rows) {
    const tasks = [toTask("task_1", own), toTask("task_2", other)];
    const state = toState("READY_IMPL", { tasks });
    const decision = submit(state, PAYLOAD.READY_IMPL, { facts: { markers: ["a.ts"] } });
    deepEqual(toRefusal(decision), isRefused ? ["conflict_markers"] : []);
  }
});

Deno.test("readyComplete() refuses while conflict markers are in the files", () => {
  const decision = submit(toState("READY_COMPLETE"), PAYLOAD.READY_COMPLETE, {
    facts: { markers: ["a.ts", "b.ts"] },
  });
  deepEqual(toRefusal(decision), ["conflict_markers", "conflict_markers"]);
});

Deno.test("readyComplete() ends without a commit and removes the branch when nothing changed", () => {
  const first = submit(toState("READY_COMPLETE"), PAYLOAD.READY_COMPLETE, {
    facts: { changes: [], ownCommits: 0 },
  });
  deepEqual(first.kind === "perform" ? first.effects : [], [{ kind: "remove_branch" }]);
  const { state, reply } = accept(settle(first));
  deepEqual([state.stage, state.status, state.end], ["SESSION_COMPLETE", "ended", "completed"]);
  equal(reply.committed, false);
});

const NOTHING: readonly (readonly [
  name: string,
  facts: { readonly changes?: readonly unknown[]; readonly ownCommits?: number },
  mergeParent: string | null,
  expected: boolean,
])[] = [
  ["no changes", { changes: [] }, null, true],
  ["changes", { changes: [1] }, null, false],
  ["own commits", { changes: [], ownCommits: 1 }, null, false],
  ["a merged base", { changes: [], ownCommits: 0 }, "c9", false],
  ["no git, so that nothing is known", {}, null, false],
];

for (const [name, facts, mergeParent, expected] of NOTHING) {
  Deno.test(`hasNothingToCommit() is ${expected} with ${name}`, () => {
    const state = toState("READY_COMPLETE");
    const workspace = { ...state.workspace, mergeParent };
    equal(hasNothingToCommit({ ...state, workspace }, facts), expected);
  });
}

Deno.test("buildProgress() counts and names the next task with the reason why it came back", () => {
  deepEqual(buildProgress([toDoneTask("a"), toTask("b", { revertReason: "red" }), toTask("c")]), {
    progress: { completed: 1, pending: 2 },
    next_task: {
      id: "b",
      description: "Add the login",
      checklist: ["Add login() to src/auth.ts"],
      revert_reason: "red",
    },
  });
  deepEqual(buildProgress([toDoneTask("a")]), { progress: { completed: 1, pending: 0 } });
});

Deno.test("readyPlan() without a tree keeps the tree of the plan before, for the way back", () => {
  const workspace = { ...toState("READY_PLAN").workspace, planTree: "t3", mergeParent: "c3" };
  const { state } = accept(
    submit(toState("READY_PLAN", { workspace }), PAYLOAD.READY_PLAN, { facts: { tree: null } }),
  );
  equal(state.workspace.planTree, "t3");
});
