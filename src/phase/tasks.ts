/** The task list of steps 12–14 and its rules. Pure. */
import type { Problem } from "../base/problem.ts";

/** Whether an item of a checklist is done. */
export type ItemStatus = "pending" | "done" | "skipped";

/** One concrete piece of a task. */
export interface ChecklistItem {
  readonly item: string;
  readonly status: ItemStatus;
  /** Where it was done, `path:line` or `path:start-end`, or `path:deleted` and the like. */
  readonly evidence?: string;
  /** Why it was skipped. */
  readonly reason?: string;
}

/** A piece of work with its checklist. */
export interface Task {
  readonly id: string;
  readonly description: string;
  readonly status: "pending" | "completed";
  readonly checklist: readonly ChecklistItem[];
  /** Failed verifications since the last intervention; the server's own count. */
  readonly failureCount: number;
  /** Why the last verification or review sent the session back; the server's own note. */
  readonly revertReason: string | null;
}

/** Placeholder kept until the rules land. */
export type TaskProblems = readonly Problem[];
