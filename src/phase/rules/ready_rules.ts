/** The rules of steps 12–14: the plan, the report of each task, the completion. Pure. */
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { call, say, tool } from "../../base/text/words.ts";
import { buildRemovalTask, checkObservedPlaces, findUncoveredTests } from "./removed_tests.ts";
import type { Rule } from "./rule.ts";
import { addObserved, listOpenClauses } from "../contract/clauses.ts";
import { isEarly } from "../lazy.ts";
import { findGrowth } from "../size.ts";
import type { SessionState } from "../state.ts";
import {
  carryTasks,
  checkReport,
  completeTask,
  findNextTask,
  registerPlan,
  reopenTasks,
} from "../tasks.ts";

/** Step 12: the task list; the first accepted one leads to the task branch. */
export const readyPlan: Rule<"READY_PLAN"> = (payload, { state, facts }) => {
  const plan = registerPlan(state.tasks, payload.tasks);
  if (plan.kind === "refused") return { problems: plan.problems };
  const isRepeat = state.stage === "READY_IMPL" &&
    JSON.stringify(plan.tasks) === JSON.stringify(state.tasks);
  if (isRepeat) {
    // The same plan sent again, perhaps by another client, must not drop write grants.
    return { outcome: "task_done", reply: buildProgress(state.tasks) };
  }
  return {
    outcome: "planned",
    patch: {
      tasks: plan.tasks,
      revertReason: null,
      // Grants from before the plan go along; those of the work before another plan do not.
      clearances: isEarly(state)
        ? state.clearances.filter(({ visit }) => visit === state.visit)
        : [],
      workspace: { ...state.workspace, planTree: facts.tree ?? state.workspace.planTree },
    },
    reply: { tasks_registered: plan.tasks.length, ...buildProgress(plan.tasks) },
  };
};

/** Step 13: the report of one task, with evidence. */
export const readyImplement: Rule<"READY_IMPL"> = (payload, { state, facts }) => {
  const problems: Problem[] = [...checkReport(state.tasks, payload), ...facts.evidence ?? []];
  const hasDone = payload.checklist.some((item) => item.status === "done");
  const isCleared = facts.calls.some((call) => call.tool === "check_write_target") ||
    facts.looks?.includes("check_write_target") === true ||
    state.clearances.some(({ visit }) => visit === state.visit);
  if (hasDone && !isCleared && facts.offered.includes("check_write_target")) {
    problems.push(makeProblem(
      "required_tool_missing",
      say`${tool("check_write_target")} was not called since the last plan`,
      {
        at: "data.tools_used",
        hint: say`${
          call("check_write_target")
        } for the files you edit, then send the report again.`,
      },
    ));
  }
  const tasks = completeTask(state.tasks, payload, facts.tree ?? null);
  // Nothing may be written at step 14, so conflict markers are reported before: with the task of
  // the conflict, or with the last task where the agent planned another one in its place.
  const isLast = findNextTask(tasks) === null;
  const isOfConflict = tasks.some(({ id, conflict }) =>
    id === payload.task_id && conflict !== undefined
  );
  if (isLast || isOfConflict) {
    problems.push(...makeMarkerProblems(facts.markers ?? []));
  }
  if (problems.length > 0) return { problems };
  return {
    outcome: findNextTask(tasks) === null ? "all_done" : "task_done",
    patch: { tasks },
    reply: buildProgress(tasks),
  };
};

/** Step 14: whether all work is done and all evidence still holds. */
export const readyComplete: Rule<"READY_COMPLETE"> = (payload, { state, facts }) => {
  const markers = facts.markers ?? [];
  const misplaced = checkObservedPlaces(payload.observed, facts);
  if (markers.length + misplaced.length > 0) {
    return { problems: [...makeMarkerProblems(markers), ...misplaced] };
  }
  const carried = carryTasks(state.tasks, facts.carried ?? []);
  const stale = facts.stale ?? [];
  if (stale.length > 0) {
    const tasks = reopenTasks(carried, stale);
    return {
      outcome: "evidence_stale",
      patch: { tasks },
      reply: { evidence_stale: stale.map(({ taskId }) => taskId), ...buildProgress(tasks) },
    };
  }
  const removed = findUncoveredTests(carried, facts.removedTests ?? []);
  if (removed.length > 0) {
    const tasks = [...carried, buildRemovalTask(carried, removed)];
    return {
      outcome: "tests_removed",
      patch: { tasks },
      reply: { tests_removed: removed, ...buildProgress(tasks) },
    };
  }
  const grown = findGrowth(state.size, facts.changes);
  if (grown !== null) {
    return {
      outcome: "outgrown",
      patch: { tasks: carried, size: { level: "usual", because: grown, outgrew: true } },
      reply: { outgrown: `The request was judged small, and the work is not: ${grown}.` },
    };
  }
  const observed = addObserved(state, payload.observed);
  const open = listOpenClauses({ ...state, observed });
  const patch = { tasks: carried, observed };
  return hasNothingToCommit(state, facts)
    ? { outcome: "no_changes", patch, reply: { committed: false } }
    : { outcome: "done", patch, ...(open.length === 0 ? {} : { reply: { open_clauses: open } }) };
};

function makeMarkerProblems(paths: readonly string[]): readonly Problem[] {
  return paths.map((path) =>
    makeProblem("conflict_markers", `${path} still has conflict markers`, {
      path,
      hint: "Resolve the conflict in the file, then send the same payload again.",
    })
  );
}

/** True when neither the tree nor the task branch has work of this session. */
export function hasNothingToCommit(
  state: SessionState,
  facts: { readonly changes?: readonly unknown[]; readonly ownCommits?: number },
): boolean {
  return facts.changes !== undefined && facts.changes.length === 0 &&
    (facts.ownCommits ?? 0) === 0 && state.workspace.mergeParent === null;
}

/** Progress of a task list for a reply, with the next task and its open items. */
export function buildProgress(tasks: SessionState["tasks"]): Readonly<Record<string, unknown>> {
  const next = findNextTask(tasks);
  const completed = tasks.filter((task) => task.status === "completed").length;
  return {
    progress: { completed, pending: tasks.length - completed },
    ...(next === null ? {} : {
      next_task: {
        id: next.id,
        description: next.description,
        checklist: next.checklist.map(({ item }) => item),
        ...buildStanding(next),
        ...(next.revertReason === null ? {} : { revert_reason: next.revertReason }),
      },
    }),
  };
}

/** The items of a reopened task that still hold, which have to be sent again with the others. */
function buildStanding({ checklist }: SessionState["tasks"][number]) {
  const standing = checklist.flatMap(({ item, status, evidence }) =>
    status === "done" && evidence !== undefined ? [{ item, evidence }] : []
  );
  return standing.length === 0 ? {} : { still_standing: standing };
}
