/** The task list of steps 12–14, and its rules. Pure. */
import type { TreePath } from "../base/paths.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import type { PayloadOf } from "./payload/payloads.ts";

/** Whether an item of a checklist is done. */
export type ItemStatus = "pending" | "done" | "skipped";

/** One concrete part of a task. */
export interface ChecklistItem {
  readonly item: string;
  readonly status: ItemStatus;
  /**
   * Where the item was done, as `path:line`, `path:start-end`, `path:deleted` and the like, in the
   * task's `evidenceTree`.
   */
  readonly evidence?: string;
  /**
   * The evidence as it was reported and the tree in which it was accepted; set once its place has
   * moved.
   */
  readonly accepted?: { readonly evidence: string; readonly tree: string };
  /** Why the item was skipped, or what its evidence needs to be understood. */
  readonly reason?: string;
  /** How much of the evidence ran in the last verification; absent where nothing is known of it. */
  readonly ran?: "all" | "some" | "none";
}

/** A piece of work with its checklist. */
export interface Task {
  readonly id: string;
  readonly description: string;
  readonly status: "pending" | "completed";
  readonly checklist: readonly ChecklistItem[];
  /** Failed verifications since the last intervention, counted by the server. */
  readonly failureCount: number;
  /** Why the last verification or review sent the session back, noted by the server. */
  readonly revertReason: string | null;
  /**
   * Tree in which the evidence is right: first that of the report, later the one to which the
   * evidence was followed. Null while the task is pending.
   */
  readonly evidenceTree: string | null;
  /** The files whose merge conflicts this task resolves; absent for every other task. */
  readonly conflict?: readonly TreePath[];
}

/** Evidence that no longer holds. */
export interface StaleEvidence {
  readonly taskId: string;
  /** Positions in the checklist, from 0. */
  readonly items: readonly number[];
}

/** Evidence of a completed task, as it is in a later tree. */
export interface CarriedEvidence {
  readonly taskId: string;
  /** The tree in which the texts are right. */
  readonly tree: string;
  /** Present texts by position in the checklist, from 0. */
  readonly items: readonly { readonly index: number; readonly evidence: string }[];
}

/** A new task list, or why the plan was refused. */
export type PlanRegistration =
  | { readonly kind: "planned"; readonly tasks: readonly Task[] }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

/** Merges a submitted plan into the existing tasks: completed tasks stay as they were reported, sent again or not. */
export function registerPlan(
  existing: readonly Task[],
  sent: PayloadOf<"READY_PLAN">["tasks"],
): PlanRegistration {
  const known = new Map(existing.map((task) => [task.id, task]));
  const problems = [...checkPlanShape(sent), ...checkPlanAgainst(known, sent)];
  const named = new Set(sent.map(({ id }) => id));
  const kept = existing.filter((task) => isCompleted(task) && !named.has(task.id));
  const planned = sent.map((task): Task => {
    const before = known.get(task.id);
    if (before?.status === "completed") return before;
    return {
      id: task.id,
      description: task.description,
      status: "pending",
      checklist: task.checklist.map(({ item }) => ({ item, status: "pending" })),
      failureCount: before?.failureCount ?? 0,
      revertReason: before?.revertReason ?? null,
      evidenceTree: null,
      ...(before?.conflict === undefined ? {} : { conflict: before.conflict }),
    };
  });
  if (sent.length > 0 && problems.length === 0 && planned.every(isCompleted)) {
    problems.push(makeProblem("no_pending_tasks", "Every task of the plan is completed", {
      at: "data.tasks",
      hint: "Add a pending task for what is left to do.",
    }));
  }
  return problems.length > 0
    ? { kind: "refused", problems }
    : { kind: "planned", tasks: [...kept, ...planned] };
}

function checkPlanShape(sent: PayloadOf<"READY_PLAN">["tasks"]): Problem[] {
  if (sent.length === 0) {
    return [makeProblem("empty_tasks", "The plan has no task", {
      at: "data.tasks",
      hint: "Send at least one task with a checklist.",
    })];
  }
  const problems: Problem[] = [];
  const ids = new Set<string>();
  sent.forEach((task, index) => {
    if (ids.has(task.id)) {
      problems.push(makeProblem("duplicate_task_ids", `Two tasks are called "${task.id}"`, {
        at: `data.tasks[${index}].id`,
        hint: "Give every task an id of its own.",
      }));
    }
    ids.add(task.id);
    const items = task.checklist.map(({ item }) => item);
    if (new Set(items).size < items.length) {
      problems.push(makeProblem("duplicate_items", `"${task.id}" names one item twice`, {
        at: `data.tasks[${index}].checklist`,
        hint: "Word each checklist item differently.",
      }));
    }
  });
  return problems;
}

function checkPlanAgainst(
  known: ReadonlyMap<string, Task>,
  sent: PayloadOf<"READY_PLAN">["tasks"],
): Problem[] {
  const problems: Problem[] = [];
  sent.forEach((task, index) => {
    const before = known.get(task.id);
    const isDone = before?.status === "completed";
    if (isDone && task.status === "pending" && !hasSameItems(before, task)) {
      problems.push(
        makeProblem("completed_task_reopened", `"${task.id}" is completed and cannot be reopened`, {
          at: `data.tasks[${index}].status`,
          hint: "Leave it out, and add a new task for what is left: what is completed stays.",
        }),
      );
    }
    if (!isDone && task.status === "completed") {
      problems.push(
        makeProblem("completed_without_report", `"${task.id}" was never reported as done`, {
          at: `data.tasks[${index}].status`,
          hint: "Plan it as pending and report it with evidence.",
        }),
      );
    }
  });
  return problems;
}

/** A completed task that is sent again as it was planned. */
function hasSameItems(
  before: Task,
  { checklist }: { readonly checklist: readonly { readonly item: string }[] },
): boolean {
  const known = new Set(before.checklist.map(({ item }) => item));
  return checklist.length === known.size && checklist.every(({ item }) => known.has(item));
}

/** The first task that is still to be done. */
export function findNextTask(tasks: readonly Task[]): Task | null {
  return tasks.find((task) => task.status === "pending") ?? null;
}

function isCompleted(task: Task): boolean {
  return task.status === "completed";
}

/** All problems of a task report, except those of its evidence, which need the disk. */
export function checkReport(
  tasks: readonly Task[],
  report: PayloadOf<"READY_IMPL">,
): readonly Problem[] {
  const task = tasks.find(({ id }) => id === report.task_id);
  const at = "data.task_id";
  const next = findNextTask(tasks);
  if (task === undefined) {
    const ids = tasks.map(({ id }) => id).join(", ");
    return [makeProblem("unknown_task", `No task is called "${report.task_id}"`, {
      at,
      hint: `Registered tasks: ${ids}.`,
    })];
  }
  if (isCompleted(task)) {
    return [makeProblem("already_completed", `"${task.id}" is completed already`, {
      at,
      hint: next === null ? "Every task is completed." : `Report "${next.id}" next.`,
    })];
  }
  const problems: Problem[] = [];
  if (next !== null && next.id !== task.id) {
    problems.push(makeProblem("wrong_order", `"${next.id}" comes before "${task.id}"`, {
      at,
      hint: `Report "${next.id}" first, or plan again in another order.`,
    }));
  }
  return [...problems, ...checkItems(task, report.checklist)];
}

/** How a report names an item by its place in the plan. */
const NUMBER = /^\d+$/;

function checkItems(task: Task, sent: PayloadOf<"READY_IMPL">["checklist"]): Problem[] {
  const wanted = new Set(task.checklist.map(({ item }) => item));
  const given = new Set(sent.map(({ item }) => item));
  const missing = [...wanted].filter((item) => !given.has(item));
  const extra = [...given].filter((item) => !wanted.has(item));
  const problems: Problem[] = [];
  // An item beyond the plan is work beyond it; beside a missing one it is that one in other words.
  const isUnknown = extra.some((item) => NUMBER.test(item));
  if (missing.length > 0 || isUnknown || sent.length > given.size) {
    const parts = [
      ...missing.map((item) => `missing "${item}"`),
      ...extra.map((item) => `not in the plan "${item}"`),
      ...(sent.length > given.size ? ["an item is reported twice"] : []),
    ];
    problems.push(makeProblem("checklist_items_mismatch", parts.join("; "), {
      at: "data.checklist",
      hint:
        "Report every item of the plan with its text unchanged; further items are added to the task.",
    }));
  }
  sent.forEach((item, index) => problems.push(...checkItem(item, `data.checklist[${index}]`)));
  return problems;
}

function checkItem(
  item: PayloadOf<"READY_IMPL">["checklist"][number],
  at: string,
): readonly Problem[] {
  if (item.status === "pending") {
    return [makeProblem("checklist_item_pending", `"${item.item}" is still pending`, {
      at: `${at}.status`,
      hint: "Do it and send its evidence, or send it as skipped with a reason.",
    })];
  }
  if (item.status === "done" && (item.evidence ?? "").trim() === "") {
    return [makeProblem("checklist_evidence_required", `"${item.item}" has no evidence`, {
      at: `${at}.evidence`,
      hint: "Add the lines you changed, such as src/auth.ts:42-58.",
    })];
  }
  const limit = LIMITS.reasonMinChars.value;
  if (item.status === "skipped" && (item.reason ?? "").trim().length < limit) {
    return [makeProblem("checklist_reason_required", `"${item.item}" is skipped without a reason`, {
      at: `${at}.reason`,
      hint: `Say why in at least ${limit} characters.`,
    })];
  }
  return [];
}

/** The task list after a report was accepted. */
export function completeTask(
  tasks: readonly Task[],
  report: PayloadOf<"READY_IMPL">,
  evidenceTree: string | null,
): readonly Task[] {
  const sent = new Map(report.checklist.map((item) => [item.item, item]));
  return tasks.map((task): Task =>
    task.id !== report.task_id ? task : {
      ...task,
      status: "completed",
      evidenceTree,
      checklist: mergeItems(task, sent.keys()).map((item): ChecklistItem => {
        const given = sent.get(item);
        const reason = (given?.reason ?? "").trim();
        if (given?.status !== "done") return { item, status: "skipped", reason };
        const evidence = (given.evidence ?? "").trim();
        return { item, status: "done", evidence, ...(reason === "" ? {} : { reason }) };
      }),
    }
  );
}

/** The items of the plan in its order, then those that the report adds. */
function mergeItems({ checklist }: Task, sent: Iterable<string>): readonly string[] {
  return [...new Set([...checklist.map(({ item }) => item), ...sent])];
}

/** The tasks with their evidence as it is in a later tree. */
export function carryTasks(
  tasks: readonly Task[],
  carried: readonly CarriedEvidence[],
): readonly Task[] {
  if (carried.length === 0) return tasks;
  const byId = new Map(carried.map((entry) => [entry.taskId, entry]));
  return tasks.map((task): Task => {
    const entry = byId.get(task.id);
    if (entry === undefined || task.evidenceTree === null) return task;
    const { evidenceTree } = task;
    const texts = new Map(entry.items.map(({ index, evidence }) => [index, evidence]));
    return {
      ...task,
      evidenceTree: entry.tree,
      checklist: task.checklist.map((item, index): ChecklistItem => {
        const evidence = texts.get(index);
        if (evidence === undefined || evidence === item.evidence) return item;
        const first = { evidence: item.evidence ?? "", tree: evidenceTree };
        return { ...item, evidence, accepted: item.accepted ?? first };
      }),
    };
  });
}

/** Reopens tasks whose evidence no longer holds; the items concerned are pending again. */
export function reopenTasks(
  tasks: readonly Task[],
  stale: readonly { readonly taskId: string; readonly items: readonly number[] }[],
): readonly Task[] {
  const byId = new Map(stale.map((entry) => [entry.taskId, new Set(entry.items)]));
  return tasks.map((task): Task => {
    const items = byId.get(task.id);
    if (items === undefined) return task;
    const gone = task.checklist.flatMap(({ evidence, accepted }, index) =>
      items.has(index) ? [accepted?.evidence ?? evidence ?? ""] : []
    );
    return {
      ...task,
      status: "pending",
      evidenceTree: null,
      revertReason: `What was given as evidence is gone: ${gone.join(", ")}`.slice(0, 500),
      checklist: task.checklist.map((item, index): ChecklistItem =>
        items.has(index) ? { item: item.item, status: "pending" } : item
      ),
    };
  });
}
