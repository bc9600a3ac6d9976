/** The failure counters of a session as plain numbers, and how to raise them in a state. Pure. */
import type { Counters, SessionState } from "../phase/state.ts";

/** The counters by name; that of a task is named `task <id>`. */
export function toFailureCounts(state: SessionState): Readonly<Record<string, number>> {
  const tasks = state.tasks.filter(({ failureCount }) => failureCount > 0)
    .map(({ id, failureCount }) => [`task ${id}`, failureCount]);
  return { ...state.counters, ...Object.fromEntries(tasks) };
}

/** The state with each counter raised to at least the given number. */
export function raiseFailureCounts(
  state: SessionState,
  counts: Readonly<Record<string, number>>,
): SessionState {
  const rows = Object.entries(state.counters)
    .map(([name, count]) => [name, Math.max(count, counts[name] ?? 0)]);
  return {
    ...state,
    counters: Object.fromEntries(rows) as unknown as Counters,
    tasks: state.tasks.map((task) => ({
      ...task,
      failureCount: Math.max(task.failureCount, counts[`task ${task.id}`] ?? 0),
    })),
  };
}
