/** What the agent of the demo's session makes of the request: its frame, and its tasks. */
import type { Reply } from "./journal.ts";

/** The request in parts, as step 4 takes it. */
export const FRAME = {
  action_type: "implement",
  slots: {
    target_feature: { value: "renewal", quote: "renew a loan" },
    trigger_condition: null,
    observed_issue: null,
    desired_action: { value: "add", quote: "add a renew function" },
  },
  target_symbols: ["Loan", "renderReport"],
  scope: "src",
  constraints: [],
};

/** The first task: the rule itself; its last item turns out to be needless. */
export const RENEWAL_TASK = {
  id: "task_1",
  description: "Let a loan be renewed",
  checklist: [
    "Count the renewals of a Loan in src/loans.ts",
    "Add renew() to src/loans.ts",
    "Adapt toFeeCents() in src/fees.ts",
  ],
};

/** The second task. */
export const REPORT_TASK = {
  id: "task_2",
  description: "Show renewals in the report",
  checklist: ["Print the number of renewals in renderLine() of src/report.ts"],
};

/** The task that the failed verification adds. */
export const FIX_TASK = {
  id: "task_3",
  description: "Refuse the third renewal",
  checklist: ["Correct the bound in renew() of src/loans.ts"],
};

/** A task as step 12 takes it. */
export function toPending(
  task: {
    readonly id: string;
    readonly description: string;
    readonly checklist: readonly string[];
  },
): unknown {
  const checklist = task.checklist.map((item) => ({ item, status: "pending" }));
  return { ...task, status: "pending", checklist };
}

/** The tasks as the server keeps them, to be sent again unchanged. */
export function readTasks(reply: Reply): readonly unknown[] {
  const tasks = reply.existing_tasks;
  if (!Array.isArray(tasks)) throw new Error("the reply after the revert names no tasks");
  return tasks;
}
