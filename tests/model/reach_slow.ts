/**
 * The whole graph of the engine, breadth-first with every kind of event: no state is a dead end, and
 * every stage is reached.
 */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { BUILT_IN_CONTRACT } from "../../src/phase/contract/contract.ts";
import type { Decision } from "../../src/phase/decide.ts";
import { decide } from "../../src/phase/decide.ts";
import type { Facts } from "../../src/phase/facts.ts";
import type { Effect, EffectResult, SessionState } from "../../src/phase/state.ts";
import { PAYLOAD, toDoneTask, toFacts, toTask } from "../phase/samples.ts";
import type { Start } from "./matrix.ts";
import { isLegal, toAllStarts } from "./matrix.ts";
import { parse, STEP, toFirstState, toPlan, toReport } from "./walk.ts";

/** Low limits keep the graph small; the loops are the same. */
const FACTS: Facts = toFacts({
  limits: { verificationFailures: 2, interventions: 2, qualityReverts: 2, backs: 1 },
});
const NO_CHANGES: Facts = { ...FACTS, changes: [], ownCommits: 0 };
const STALE: Facts = { ...FACTS, stale: [{ taskId: "task_1", items: [0] }] };

type Data = Readonly<Record<string, unknown>>;
const SUMMARY = { summary: "s", tools_used: [] };
const FAILED = { ...PAYLOAD.POST_IMPL_VERIFY, passed: false };
const REFUSED = {};

/** What can be sent at any state, beside what the stage itself takes. */
const ANYWHERE: readonly Data[] = [
  REFUSED,
  { park: true, reason: "later" },
  { abandon: true, reason: "not needed" },
  { abandon: true, reason: "not needed", restore: true },
  { back_to: "EXPLORATION", reason: "looked in the wrong place" },
  { user_decision: "continue", user_reason: "go on" },
  { user_decision: "accept", user_reason: "good enough" },
  { user_decision: "park", user_reason: "tomorrow" },
];

const VARIANTS: Readonly<Partial<Record<SessionState["stage"], readonly Data[]>>> = {
  Q1: [{ ...SUMMARY, needs_more_information: true, reason: "several candidates" }],
  Q2: [{
    ...SUMMARY,
    has_unverified_hypotheses: true,
    reason: "one was not read",
    hypotheses: ["tokens expire"],
  }],
  Q3: [{ ...SUMMARY, needs_impact_analysis: true, reason: "callers are unknown" }],
  POST_IMPL_VERIFY: [FAILED, { ...FAILED, failed_tasks: ["task_1"] }],
  VERIFY_INTERVENTION: [{ ...PAYLOAD.VERIFY_INTERVENTION, restore_to: "plan" }],
  PRE_COMMIT: [{
    ...PAYLOAD.PRE_COMMIT,
    reviewed_files: [{ path: "src/auth.ts", decision: "discard", reason: "debug output" }],
  }],
  QUALITY_REVIEW: [{ ...PAYLOAD.QUALITY_REVIEW, issues: ["a secret in the log"] }],
};

/** What can become of the effects of a decision. */
function toResults(effects: readonly Effect[]): readonly (readonly EffectResult[] | null)[] {
  const plain = effects.map((effect): EffectResult => ({
    kind: effect.kind,
    ...(effect.kind === "create_branch" ? { workspace: { taskBranch: "llm_task_x" } } : {}),
    ...(effect.kind === "remove_branch" ? { workspace: { taskBranch: null } } : {}),
  }));
  const special = (outcome: NonNullable<EffectResult["outcome"]>) =>
    plain.map((result, index) =>
      index === plain.length - 1 ? { ...result, outcome, paths: ["a.ts"] } : result
    );
  const stale = [{ taskId: "task_1", items: [0] }];
  switch (effects.at(-1)?.kind) {
    case "commit":
      return [
        plain,
        null,
        special("hooks_changed"),
        special("hook_failed"),
        special("message_refused"),
        special("hook_broken"),
      ];
    case "merge":
      return [plain, null, special("conflict"), special("parked")];
    case "discard":
    case "restore_tree":
      return [plain, null, plain.map((result) => ({ ...result, stale }))];
    default:
      return [plain, null];
  }
}

const EFFECT_REFUSED = {
  type: "effect_refused",
  problem: { code: "branch_exists", message: "it exists", hint: "Remove it." },
} as const;

interface Edge {
  readonly to: SessionState;
  readonly isAbandon: boolean;
}

function toEdges(state: SessionState): readonly Edge[] {
  const own = state.stage === "READY_PLAN"
    ? [toPlan(state)]
    : state.stage === "READY_IMPL"
    ? [toReport(state), toPlan(state)]
    : [PAYLOAD[state.stage], ...VARIANTS[state.stage] ?? []];
  const facts = state.stage === "READY_COMPLETE"
    ? [FACTS, NO_CHANGES, STALE]
    : state.stage === "PRE_COMMIT"
    ? [FACTS, NO_CHANGES]
    : [FACTS];
  return [
    ...own.flatMap((data) => facts.flatMap((each) => toEnds(state, data, each))),
    ...ANYWHERE.flatMap((data) => toEnds(state, data, FACTS)),
  ];
}

function toEnds(state: SessionState, data: Data, facts: Facts): readonly Edge[] {
  const first = decide(
    state,
    { type: "submitted", parsed: parse(state.stage, data), data, facts },
    BUILT_IN_CONTRACT,
  );
  const isAbandon = data.abandon === true;
  const decisions: readonly Decision[] = first.kind !== "perform"
    ? [first]
    : toResults(first.effects).map((results) =>
      decide(
        first.state,
        results === null ? EFFECT_REFUSED : { type: "completed", results, facts },
        BUILT_IN_CONTRACT,
      )
    );
  // Resuming a parked session is no event of the engine: the shell sets it active again, as it was.
  return decisions.map(({ state: to }) => ({
    to: to.status === "parked" ? { ...to, status: "active" } : to,
    isAbandon,
  }));
}

/** What tells two states apart as far as the flow goes: a state and its {@link toLean} have the same key. */
function toKey(state: SessionState): string {
  const { counters, tasks } = state;
  const { verificationFailures, interventions, qualityReverts, backs } = toCapped(counters);
  const isPending = tasks.some(({ status }) => status === "pending");
  return `${state.stage} ${state.status} ${state.end} ${state.escalation?.cause} ` +
    `${verificationFailures} ${interventions} ${qualityReverts} ${backs} ${
      toFailureCount(tasks)
    } ` +
    `${isPending} ${state.workspace.taskBranch !== null} ${state.prepared !== null}`;
}

function toCapped(counters: SessionState["counters"]): SessionState["counters"] {
  return {
    verificationFailures: Math.min(2, counters.verificationFailures),
    interventions: Math.min(2, counters.interventions),
    qualityReverts: Math.min(2, counters.qualityReverts),
    backs: counters.backs,
  };
}

function toFailureCount(tasks: SessionState["tasks"]): number {
  return tasks.reduce((most, { failureCount }) => Math.max(most, Math.min(2, failureCount)), 0);
}

/**
 * Without what only grows: two states that differ in it behave alike. One completed task stands for
 * all of them, and one pending task; counters beyond their limit are as good as at it.
 */
function toLean(state: SessionState): SessionState {
  const { counters, tasks } = state;
  const failureCount = toFailureCount(tasks);
  const hasDone = tasks.some(({ status }) => status === "completed");
  const done = hasDone ? [toDoneTask("task_1", { failureCount })] : [];
  const id = hasDone ? "task_2" : "task_1";
  const item = { item: `do ${id}`, status: "pending" } as const;
  const pending = tasks.some(({ status }) => status === "pending")
    ? [toTask(id, { checklist: [item], failureCount: hasDone ? 0 : failureCount })]
    : [];
  return {
    ...state,
    path: [],
    summaries: {},
    decisions: [],
    findings: [],
    lastProblems: [],
    tasks: [...done, ...pending],
    counters: toCapped(counters),
  };
}

type Predecessors = ReadonlyMap<string, ReadonlySet<string>>;

interface Graph {
  readonly states: ReadonlyMap<string, SessionState>;
  /** Predecessors by any event, and by events other than abandon. */
  readonly back: Predecessors;
  readonly backWithoutAbandon: Predecessors;
}

const graphs = new Map<string, Graph>();

/** The graph of a start, explored once: the tests below share them. */
function toGraph(start: Start): Graph {
  const name = JSON.stringify(start);
  const graph = graphs.get(name) ?? explore(start);
  graphs.set(name, graph);
  return graph;
}

function explore(start: Start): Graph {
  const states = new Map<string, SessionState>();
  const back = new Map<string, Set<string>>();
  const backWithoutAbandon = new Map<string, Set<string>>();
  const queue = [true, false].map((stale) => toFirstState(start, stale));
  for (const state of queue) states.set(toKey(state), state);
  for (let index = 0; index < queue.length; index++) {
    const state = queue[index];
    if (state === undefined || state.status === "ended") continue;
    const key = toKey(state);
    for (const { to, isAbandon } of toEdges(state)) {
      const next = toKey(to);
      add(back, next, key);
      if (!isAbandon) add(backWithoutAbandon, next, key);
      if (states.has(next)) continue;
      const lean = toLean(to);
      states.set(next, lean);
      queue.push(lean);
    }
  }
  return { states, back, backWithoutAbandon };
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set([value]));
  else known.add(value);
}

/** Keys from which one of `goals` can be reached. */
function toSources(
  back: Predecessors,
  goals: readonly string[],
): ReadonlySet<string> {
  const seen = new Set(goals);
  const queue = [...goals];
  for (let index = 0; index < queue.length; index++) {
    for (const before of back.get(queue[index] ?? "") ?? []) {
      if (seen.has(before)) continue;
      seen.add(before);
      queue.push(before);
    }
  }
  return seen;
}

/** Starts that differ in the graph; `no_doc`, the twin intents and most of gate full do not. */
const MODES = toAllStarts().filter((start) =>
  isLegal(start) && !start.flags.includes("no_doc") &&
  (start.intent === "IMPLEMENT" || start.intent === "QUESTION") &&
  (start.gate === "auto" || start.flags.length === 0)
);

Deno.test("R5: from every reachable state an end can be reached, without abandoning the work", () => {
  let count = 0;
  for (const start of MODES) {
    const { states, back, backWithoutAbandon } = toGraph(start);
    count += states.size;
    const name = `${start.intent} ${start.gate} ${start.flags.join("+")}`;
    const ends = [...states].filter(([, { status }]) => status === "ended");
    const good = ends.filter(([, { end }]) => end === "merged" || end === "completed");
    ok(good.length > 0, `${name} has no good end`);
    const anyEnd = toSources(back, ends.map(([key]) => key));
    const goodEnd = toSources(backWithoutAbandon, good.map(([key]) => key));
    const open = [...states].filter(([, { status }]) => status !== "ended").map(([key]) => key);
    deepEqual(open.filter((key) => !anyEnd.has(key)), [], `${name}: dead ends`);
    deepEqual(open.filter((key) => !goodEnd.has(key)), [], `${name}: only abandon is left`);
  }
  ok(count > 3_000, `only ${count} states were reached`);
});

Deno.test("every stage is reached, and every cause of an escalation", () => {
  const stages = new Set<string>();
  const causes = new Set<string>();
  for (const flags of [[], ["no_intervention"]] as const) {
    const graph = toGraph({ intent: "IMPLEMENT", gate: "auto", flags });
    for (const state of graph.states.values()) {
      stages.add(state.stage);
      if (state.escalation !== null) causes.add(state.escalation.cause);
    }
  }
  deepEqual([...stages].sort(), Object.keys(STEP).sort());
  deepEqual([...causes].sort(), [
    "back_limit",
    "hook_broken",
    "hook_limit",
    "intervention_limit",
    "message_limit",
    "verification_limit",
  ]);
});

Deno.test("R14: no session that investigates reaches READY, whatever happens in it", () => {
  for (const start of toAllStarts().filter(isLegal)) {
    const explores = start.intent === "QUESTION" || start.intent === "INVESTIGATE" ||
      start.flags.includes("only_explore");
    if (!explores) continue;
    for (const { stage } of toGraph(start).states.values()) {
      const isAllowed = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "end"]
        .includes(STEP[stage]);
      equal(isAllowed, true, `${start.intent} ${start.flags.join("+")} reached ${stage}`);
    }
  }
});
