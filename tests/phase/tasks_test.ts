/** Rows of input and expected output for `src/phase/tasks.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { ChecklistItem, Task } from "../../src/phase/tasks.ts";
import {
  carryTasks,
  checkReport,
  completeTask,
  findNextTask,
  registerPlan,
  reopenTasks,
} from "../../src/phase/tasks.ts";
import { submit, toDoneTask, toLines, toState, toTask } from "./samples.ts";

type Sent = Parameters<typeof registerPlan>[1];

const ITEMS: Sent[number]["checklist"] = [{ item: "a", status: "pending" }];
const plan = (...rows: readonly (readonly [id: string, status?: "pending" | "completed"])[]) =>
  rows.map(([id, status]) => ({
    id,
    description: id,
    status: status ?? "pending",
    checklist: ITEMS,
  }));

const PLANS: readonly (readonly [
  name: string,
  existing: readonly Task[],
  sent: Sent,
  problems: readonly string[],
])[] = [
  ["accepts a first plan", [], plan(["a"], ["b"]), []],
  ["refuses an empty plan", [], [], ["empty_tasks data.tasks"]],
  ["refuses an id twice", [], plan(["a"], ["b"], ["a"]), ["duplicate_task_ids data.tasks[2].id"]],
  [
    "refuses an item twice",
    [],
    [{ id: "a", description: "d", status: "pending", checklist: [...ITEMS, ...ITEMS] }],
    ["duplicate_items data.tasks[0].checklist"],
  ],
  ["keeps a completed task that is left out", [toDoneTask("a")], plan(["b"]), []],
  [
    "refuses to reopen a completed task with other items",
    [toDoneTask("a")],
    plan(["a"], ["b"]),
    ["completed_task_reopened data.tasks[0].status"],
  ],
  [
    "refuses a task that is completed without a report",
    [],
    plan(["a", "completed"], ["b"]),
    ["completed_without_report data.tasks[0].status"],
  ],
  [
    "refuses a plan in which nothing is left to do",
    [toDoneTask("a")],
    plan(["a", "completed"]),
    ["no_pending_tasks data.tasks"],
  ],
  [
    "lets pending tasks be dropped",
    [toTask("a"), toDoneTask("b")],
    plan(["b", "completed"], ["c"]),
    [],
  ],
  [
    "names every problem at once",
    [toDoneTask("a"), toDoneTask("z")],
    plan(["a"], ["b", "completed"], ["b"]),
    [
      "duplicate_task_ids data.tasks[2].id",
      "completed_task_reopened data.tasks[0].status",
      "completed_without_report data.tasks[1].status",
    ],
  ],
];

for (const [name, existing, sent, problems] of PLANS) {
  Deno.test(`registerPlan() ${name}`, () => {
    const result = registerPlan(existing, sent);
    deepEqual(result.kind === "refused" ? toLines(result.problems) : [], problems);
  });
}

Deno.test("registerPlan() keeps what a completed task reported, whatever is sent for it", () => {
  const done = toDoneTask("a", { failureCount: 2, revertReason: "red" });
  const result = registerPlan([done], plan(["a", "completed"], ["b"]));
  deepEqual(result.kind === "planned" ? result.tasks[0] : null, done);
});

Deno.test("registerPlan() keeps completed tasks before the new ones, left out or sent as they were planned", () => {
  const [left, sent] = [toDoneTask("a"), toDoneTask("z")];
  const again = {
    id: "z",
    description: "z",
    status: "pending" as const,
    checklist: sent.checklist.map(({ item }) => ({ item, status: "pending" as const })),
  };
  const result = registerPlan([left, sent], [again, ...plan(["b"])]);
  deepEqual(result.kind === "planned" ? result.tasks.slice(0, 2) : result, [left, sent]);
});

Deno.test("R8: failure_count sent by the agent is ignored and the server's survives a new plan", () => {
  const existing = [toTask("a", { failureCount: 2, revertReason: "the test is red" })];
  const sent = plan(["a"]).map((task) => ({ ...task, failure_count: 0, revert_reason: "none" }));
  const result = registerPlan(existing, sent);
  const task = result.kind === "planned" ? result.tasks[0] : undefined;
  deepEqual([task?.failureCount, task?.revertReason], [2, "the test is red"]);

  const fresh = registerPlan([], plan(["b"]).map((each) => ({ ...each, failure_count: 9 })));
  equal(fresh.kind === "planned" ? fresh.tasks[0]?.failureCount : null, 0);
});

Deno.test("registerPlan() keeps no claim of an item: all begin pending and without evidence", () => {
  const result = registerPlan([], [{
    id: "a",
    description: "d",
    status: "pending",
    checklist: [{ item: "x", status: "done", evidence: "a.ts:1" }],
  }]);
  deepEqual(result.kind === "planned" ? result.tasks[0]?.checklist : [], [
    { item: "x", status: "pending" },
  ]);
});

Deno.test("completeTask() adds what a report has beyond the plan, behind the items of the plan", () => {
  const report = {
    task_id: "now",
    checklist: [
      { item: "c", status: "done", evidence: "b.ts:2" },
      { item: "a", status: "done", evidence: "a.ts:1" },
    ],
  } as const;
  const [task] = completeTask(
    [toTask("now", { checklist: [{ item: "a", status: "pending" }] })],
    { ...report, checklist: [...report.checklist] },
    "t1",
  );
  deepEqual(task?.checklist.map(({ item, status }) => `${item} ${status}`), ["a done", "c done"]);
});

type Item = Parameters<typeof checkReport>[1]["checklist"][number];
const TWO: readonly ChecklistItem[] = [
  { item: "a", status: "pending" },
  { item: "b", status: "pending" },
];
const TASKS = [toDoneTask("old"), toTask("now", { checklist: TWO }), toTask("later")];
const A: Item = { item: "a", status: "done", evidence: "a.ts:1" };
const B: Item = { item: "b", status: "skipped", reason: "exists already" };

const REPORTS: readonly (readonly [
  name: string,
  id: string,
  checklist: readonly Item[],
  problems: readonly string[],
])[] = [
  ["accepts done with evidence and skipped with a reason", "now", [B, A], []],
  ["refuses an unknown task", "none", [A], ["unknown_task data.task_id"]],
  ["refuses a completed task", "old", [A], ["already_completed data.task_id"]],
  [
    "refuses a task that is not due, with its other faults",
    "later",
    [A],
    ["wrong_order data.task_id", "checklist_items_mismatch data.checklist"],
  ],
  ["refuses a missing item", "now", [A], ["checklist_items_mismatch data.checklist"]],
  ["takes an item beyond the plan", "now", [A, B, { ...A, item: "c" }], []],
  [
    "refuses an item in other words",
    "now",
    [A, { ...B, item: "b, nearly" }],
    ["checklist_items_mismatch data.checklist"],
  ],
  ["refuses an item twice", "now", [A, B, A], ["checklist_items_mismatch data.checklist"]],
  ["refuses a number that the plan has not", "now", [A, B, { ...A, item: "3" }], [
    "checklist_items_mismatch data.checklist",
  ]],
  [
    "refuses pending items",
    "now",
    [A, { item: "b", status: "pending" }],
    ["checklist_item_pending data.checklist[1].status"],
  ],
  [
    "refuses done without evidence",
    "now",
    [{ item: "a", status: "done", evidence: " " }, B],
    ["checklist_evidence_required data.checklist[0].evidence"],
  ],
  [
    "refuses skipped with a reason that is too short once trimmed",
    "now",
    [A, { ...B, reason: "  123456789   " }],
    ["checklist_reason_required data.checklist[1].reason"],
  ],
  [
    "refuses skipped without a reason",
    "now",
    [{ item: "a", status: "skipped", evidence: "a.ts:1" }, { item: "b", status: "done" }],
    [
      "checklist_reason_required data.checklist[0].reason",
      "checklist_evidence_required data.checklist[1].evidence",
    ],
  ],
];

for (const [name, task_id, checklist, problems] of REPORTS) {
  Deno.test(`checkReport() ${name}`, () => {
    const report = { task_id, checklist: [...checklist] };
    deepEqual(toLines(checkReport(TASKS, report)), problems);
  });
}

Deno.test("checkReport() names the tasks that exist, and the one that is due", () => {
  const unknown = checkReport(TASKS, { task_id: "none", checklist: [A] });
  equal(unknown[0]?.hint, "Registered tasks: old, now, later.");
  equal(
    /"now"/.test(String(checkReport(TASKS, { task_id: "old", checklist: [A] })[0]?.hint ?? "")),
    true,
  );
});

Deno.test("R7: a report that leaves the checklist out is refused by the engine", () => {
  const decision = submit(toState("READY_IMPL"), {
    summary: "s",
    tools_used: [],
    task_id: "task_1",
  });
  equal(decision.kind, "refused");
  equal(findNextTask(decision.state.tasks)?.id, "task_1");
});

Deno.test("completeTask() keeps evidence and reasons in the order of the plan, trimmed", () => {
  const report = { task_id: "now", checklist: [B, { ...A, evidence: " a.ts:1 " }] };
  const tasks = completeTask(TASKS, report, "tree_2");
  deepEqual(tasks[1], {
    ...toTask("now"),
    status: "completed",
    evidenceTree: "tree_2",
    checklist: [
      { item: "a", status: "done", evidence: "a.ts:1" },
      { item: "b", status: "skipped", reason: "exists already" },
    ],
  });
  deepEqual([tasks[0], tasks[2]], [TASKS[0], TASKS[2]]);
});

Deno.test("carryTasks() gives evidence its present place and keeps the reported one", () => {
  const before = [toDoneTask("a"), toTask("b"), toDoneTask("c")];
  const first = carryTasks(before, [
    { taskId: "a", tree: "tree_2", items: [{ index: 0, evidence: "src/auth.ts:44" }] },
    { taskId: "b", tree: "tree_2", items: [{ index: 0, evidence: "never.ts:1" }] },
  ]);
  const item = { item: "Add login() to src/auth.ts", status: "done" };
  const accepted = { evidence: "src/auth.ts:42", tree: "tree_1" };
  deepEqual(first[0]?.checklist, [{ ...item, evidence: "src/auth.ts:44", accepted }]);
  deepEqual(first.map(({ evidenceTree }) => evidenceTree), ["tree_2", null, "tree_1"]);
  deepEqual(first.slice(1), before.slice(1));
  const second = carryTasks(first, [
    { taskId: "a", tree: "tree_3", items: [{ index: 0, evidence: "src/login.ts:44" }] },
  ]);
  deepEqual(second[0]?.checklist, [{ ...item, evidence: "src/login.ts:44", accepted }]);
  equal(carryTasks(second, []), second);
  // Evidence that stayed where it was has no other, first place.
  const still = carryTasks(before, [
    { taskId: "a", tree: "tree_2", items: [{ index: 0, evidence: "src/auth.ts:42" }] },
  ]);
  deepEqual(still[0]?.checklist, before[0]?.checklist);
  const [reopened] = reopenTasks(second, [{ taskId: "a", items: [0] }]);
  equal(reopened?.revertReason, "What was given as evidence is gone: src/auth.ts:42");
});

Deno.test("reopenTasks() takes back only the items whose evidence is gone", () => {
  const done = toDoneTask("a", {
    checklist: [
      { item: "x", status: "done", evidence: "a.ts:1" },
      { item: "y", status: "done", evidence: "b.ts:1" },
    ],
  });
  const [task, other] = reopenTasks([done, toDoneTask("b")], [{ taskId: "a", items: [1] }]);
  deepEqual(task?.checklist, [
    { item: "x", status: "done", evidence: "a.ts:1" },
    { item: "y", status: "pending" },
  ]);
  deepEqual([task?.status, task?.evidenceTree, other?.status], ["pending", null, "completed"]);
});

Deno.test("findNextTask() is the first pending task in the order of the plan", () => {
  equal(findNextTask(TASKS)?.id, "now");
  equal(findNextTask([toDoneTask("a")]), null);
  equal(findNextTask([]), null);
});

Deno.test("registerPlan() drops a pending task that is left out, and keeps each completed one once and as it was reported", () => {
  const done = toDoneTask("done");
  const again = { ...plan(["done", "completed"])[0], checklist: done.checklist } as Sent[number];
  const rows: readonly (readonly [existing: readonly Task[], sent: Sent, ids: string])[] = [
    [[toTask("old")], plan(["new"]), "new"],
    [[done, toTask("old")], plan(["new"]), "done new"],
    [[done, toTask("old")], [again, ...plan(["new"])], "done new"],
  ];
  for (const [existing, sent, ids] of rows) {
    const result = registerPlan(existing, sent);
    equal(result.kind === "planned" && result.tasks.map(({ id }) => id).join(" "), ids);
    if (result.kind === "planned" && ids.startsWith("done")) deepEqual(result.tasks[0], done);
  }
});

Deno.test("registerPlan() takes a completed task for the same only with exactly its items", () => {
  const [one, two] = [{ item: "a", status: "done" }, { item: "b", status: "done" }] as const;
  const done = toDoneTask("t", { checklist: [one, two] });
  const send = (...items: readonly string[]) => {
    const checklist = items.map((item) => ({ item, status: "pending" as const }));
    const task = { id: "t", description: "t", status: "pending" as const, checklist };
    const result = registerPlan([done], [task, ...plan(["new"])]);
    return result.kind === "refused" ? toLines(result.problems) : [];
  };
  const reopened = ["completed_task_reopened data.tasks[0].status"];
  deepEqual([send("a", "b"), send("b", "a")], [[], []]);
  deepEqual([send("a"), send("a", "b", "c"), send("a", "x")], [reopened, reopened, reopened]);
});

Deno.test("registerPlan() says of a plan with problems only these, not that nothing is left to do", () => {
  const done = toDoneTask("a");
  const sent = [{ ...plan(["a", "completed"])[0], checklist: done.checklist }] as Sent;
  const result = registerPlan([done], [...sent, ...sent]);
  deepEqual(result.kind === "refused" && toLines(result.problems), [
    "duplicate_task_ids data.tasks[1].id",
  ]);
});
