/**
 * A client that answers every step, and a git that answers every effect, both without a disk: they
 * walk the engine along every branch of a story and hand back the path of each.
 */
import { ok } from "node:assert/strict";
import { beginSession } from "../../src/phase/begin.ts";
import { BUILT_IN_CONTRACT } from "../../src/phase/contract/contract.ts";
import type { Decision } from "../../src/phase/decide.ts";
import { decide } from "../../src/phase/decide.ts";
import type { ParsedSubmission } from "../../src/phase/payload/payloads.ts";
import { parseSubmission } from "../../src/phase/payload/payloads.ts";
import type { Stage } from "../../src/phase/table/phases.ts";
import type { Effect, EffectResult, SessionState } from "../../src/phase/state.ts";
import { PAYLOAD, WORKSPACE } from "../phase/samples.ts";
import type { Start, Story } from "./matrix.ts";
import { toGrowths, toRisks, toSizes } from "./story_sizes.ts";
import { toFactsAt } from "./story_facts.ts";

/** The number that replies show for a stage; literals, so that a wrong table is seen. */
export const STEP: Readonly<Record<Stage, string>> = {
  BRANCH_INTERVENTION: "2",
  DOCUMENT_RESEARCH: "3",
  QUERY_FRAME: "4",
  EXPLORATION: "5",
  Q1: "6",
  SEMANTIC: "7",
  Q2: "8",
  VERIFICATION: "9",
  Q3: "10",
  IMPACT_ANALYSIS: "11",
  READY_PLAN: "12",
  READY_IMPL: "13",
  READY_COMPLETE: "14",
  POST_IMPL_VERIFY: "15",
  VERIFY_INTERVENTION: "16",
  PRE_COMMIT: "17",
  QUALITY_REVIEW: "18",
  MERGE: "19",
  SESSION_COMPLETE: "end",
};

/** What one walk came to. */
export interface Walk {
  readonly story: Story;
  readonly path: string;
}

/** A place on a walk. */
interface Place {
  readonly state: SessionState;
  readonly story: Story;
  readonly path: string;
  readonly failuresLeft: number;
  readonly issuesLeft: number;
  readonly clock: number;
}

/** Walks every story that a session started so can have, or those alone that `wanted` is part of. */
export function walkAll(
  start: Start,
  visit: (walk: Walk) => void,
  wanted: (story: Story) => boolean = () => true,
): void {
  for (const stale of ["none", "delete", "merge", "continue"] as const) {
    const state = toFirstState(start, stale !== "none");
    const first = {
      state,
      story: { stale },
      path: STEP[state.stage],
      failuresLeft: 0,
      issuesLeft: 0,
      clock: 1,
    };
    walk(first, visit, wanted);
  }
}

/** The state of a session that was started so. */
export function toFirstState(start: Start, hasStaleBranches: boolean): SessionState {
  return beginSession({
    sessionId: "session_20261121_101500_3fa9",
    query: "add a login form",
    intent: start.intent,
    gateLevel: start.gate,
    flags: Object.fromEntries(start.flags.map((flag) => [flag, true])),
    docResearchPrompts: [],
    now: toTime(0),
    workspace: WORKSPACE,
    hasStaleBranches,
  });
}

function walk(
  from: Place,
  visit: (walk: Walk) => void,
  wanted: (story: Story) => boolean,
): void {
  for (const place of toChoices(from)) {
    if (!wanted(place.story)) continue;
    const next = takeStep(place);
    if (next.state.status === "active") walk(next, visit, wanted);
    else visit({ story: next.story, path: next.path });
  }
}

/** The place once for each thing that can happen here for the first time. */
function toChoices(place: Place): readonly Place[] {
  const { state, story } = place;
  const each = <Key extends keyof Story>(key: Key, values: readonly Story[Key][]) =>
    story[key] === undefined
      ? values.map((value): Place => ({ ...place, story: { ...story, [key]: value } }))
      : [place];
  if (state.escalation !== null) return each("answer", ["continue", "accept", "park", "abandon"]);
  switch (state.stage) {
    case "QUERY_FRAME":
      return explores(state)
        ? each("risk", toRisks(state, story)).flatMap((risky) =>
          toSizes(state, risky.story).map((size): Place => ({
            ...risky,
            story: { ...risky.story, ...size },
          }))
        )
        : [place];
    case "EXPLORATION":
      return each("isThin", isPlainStart(place) ? [true, false] : [false]);
    case "Q1":
      return each("q1", [true, false]);
    case "Q2":
      return each("q2", [true, false]);
    case "Q3":
      return each("q3", [true, false]);
    case "READY_COMPLETE":
      return each("hasDiff", [true, false]).flatMap((known) =>
        toGrowths(known.story).map((grown): Place => ({ ...known, story: grown }))
      );
    case "POST_IMPL_VERIFY":
      return story.failures === undefined ? toFailureChoices(place) : [place];
    case "VERIFY_INTERVENTION":
      return each("restore", ["none", "plan"]);
    case "QUALITY_REVIEW":
      return story.issues === undefined
        ? ([0, 1, 2, 3] as const).map((issues) => ({
          ...place,
          story: { ...story, issues },
          issuesLeft: issues,
        }))
        : [place];
    case "MERGE":
      return each("hasConflict", [false, true]);
    default:
      return [place];
  }
}

function explores({ flags }: SessionState): boolean {
  return flags.fast !== true && flags.quick !== true;
}

/**
 * Step 2 and the evaluation know nothing of each other: their product would be four times the walks. So
 * every risk and every exploration is walked with all that follows, after a start without old branches.
 */
function isPlainStart({ story }: Place): boolean {
  return story.stale === "none";
}

function toFailureChoices(place: Place): readonly Place[] {
  return ([0, 1, 2, 3, 4, 6] as const).flatMap((failures) =>
    (failures === 0 || place.state.tasks.length === 0 ? [false] : [true, false])
      .map((namesTask): Place => ({
        ...place,
        story: { ...place.story, failures, namesTask },
        failuresLeft: failures,
      }))
  );
}

function takeStep(place: Place): Place {
  const { state } = place;
  const now = toTime(place.clock);
  const facts = toFactsAt(now, state, place.story);
  const data = toAnswer(place);
  let decision = decide(
    state,
    { type: "submitted", parsed: parse(state.stage, data), data, facts },
    BUILT_IN_CONTRACT,
  );
  const effects = decision.kind === "perform" ? decision.effects : [];
  if (decision.kind === "perform") {
    const results = effects.map((effect) => answer(effect, place));
    decision = decide(decision.state, { type: "completed", results, facts }, BUILT_IN_CONTRACT);
  }
  const next = toAccepted(decision, place);
  const isAsked = next.escalation !== null && state.escalation === null;
  const words = [
    ...effects.map(toWord),
    ...(isAsked ? ["?"] : []),
    ...(next.status === "parked" ? ["parked"] : []),
    ...(next.status === "ended" ? [`end:${next.end}`] : []),
    ...(next.status === "active" && next.stage !== state.stage ? [STEP[next.stage]] : []),
  ];
  return {
    ...place,
    state: next,
    path: words.length === 0 ? place.path : `${place.path} ${words.join(" ")}`,
    failuresLeft: toFailuresLeft(place),
    issuesLeft: state.stage === "QUALITY_REVIEW" ? place.issuesLeft - 1 : place.issuesLeft,
    clock: place.clock + 1,
  };
}

function toAccepted(decision: Decision, place: Place): SessionState {
  ok(
    decision.kind === "accepted",
    `${place.path}: ${decision.kind === "refused" ? JSON.stringify(decision.problems) : "effects"}`,
  );
  return decision.state;
}

function toFailuresLeft(place: Place): number {
  const { state, story, failuresLeft } = place;
  if (state.escalation !== null) return story.answer === "accept" ? 0 : failuresLeft;
  return state.stage === "POST_IMPL_VERIFY" ? failuresLeft - 1 : failuresLeft;
}

/** What the client sends at a place. */
function toAnswer(place: Place): Readonly<Record<string, unknown>> {
  const { state, story } = place;
  if (state.escalation !== null) {
    const isFirst = place.path.indexOf("?") === place.path.lastIndexOf("?");
    return WORDS[isFirst ? story.answer ?? "continue" : "continue"];
  }
  switch (state.stage) {
    case "BRANCH_INTERVENTION":
      return CHOICES[story.stale ?? "none"];
    case "Q1":
      return story.q1 === true ? YES.Q1 : PAYLOAD.Q1;
    case "Q2":
      return story.q2 === true ? YES.Q2 : PAYLOAD.Q2;
    case "Q3":
      return story.q3 === true ? YES.Q3 : PAYLOAD.Q3;
    case "IMPACT_ANALYSIS":
      return state.size?.outgrew === true && story.outgrows === "settled"
        ? NO_MORE
        : PAYLOAD.IMPACT_ANALYSIS;
    case "READY_PLAN":
      return toPlan(state);
    case "READY_IMPL":
      return toReport(state);
    case "POST_IMPL_VERIFY":
      if (place.failuresLeft <= 0) return PAYLOAD.POST_IMPL_VERIFY;
      return story.namesTask === true ? FAILED.named : FAILED.unnamed;
    case "VERIFY_INTERVENTION":
      return story.restore === "plan" ? RESTORES : PAYLOAD.VERIFY_INTERVENTION;
    case "QUALITY_REVIEW":
      return place.issuesLeft > 0 ? HAS_ISSUES : PAYLOAD.QUALITY_REVIEW;
    default:
      return PAYLOAD[state.stage];
  }
}

const COMMON = { summary: "what was done", tools_used: [] };
const WORDS = {
  continue: { user_decision: "continue", user_reason: "the person said so" },
  accept: { user_decision: "accept", user_reason: "the person said so" },
  park: { user_decision: "park", user_reason: "the person said so" },
  abandon: { user_decision: "abandon", user_reason: "the person said so" },
};
const CHOICES = {
  none: { ...COMMON, choice: "continue" },
  delete: { ...COMMON, choice: "delete" },
  merge: { ...COMMON, choice: "merge" },
  continue: { ...COMMON, choice: "continue" },
};
const YES = {
  Q1: { ...COMMON, needs_more_information: true, reason: "several candidates" },
  Q2: {
    ...COMMON,
    has_unverified_hypotheses: true,
    reason: "one was not read",
    hypotheses: ["tokens expire"],
  },
  Q3: { ...COMMON, needs_impact_analysis: true, reason: "callers are unknown" },
};
const NO_MORE = { ...COMMON, impact_summary: { decisions: [] } };
const FAILED = {
  named: { ...PAYLOAD.POST_IMPL_VERIFY, passed: false, failed_tasks: ["task_1"] },
  unnamed: { ...PAYLOAD.POST_IMPL_VERIFY, passed: false },
};
const RESTORES = { ...PAYLOAD.VERIFY_INTERVENTION, restore_to: "plan" };
const HAS_ISSUES = { ...PAYLOAD.QUALITY_REVIEW, issues: ["a secret in the log"] };

/** The completed tasks again, and a new one: two at first, one for each round after it. */
export function toPlan(state: SessionState): Readonly<Record<string, unknown>> {
  const old = state.tasks.map(({ id, status }) => `${id}:${status}`);
  const fresh = old.length === 0 ? ["task_1", "task_2"] : [`task_${old.length + 1}`];
  return remember(`plan ${[...old, "+", ...fresh].join(" ")}`, () => ({
    ...COMMON,
    tasks: state.tasks.map(({ id, description, status, checklist }) => ({
      id,
      description,
      status,
      checklist,
    })).concat(fresh.map((id) => ({
      id,
      description: "more work",
      status: "pending",
      checklist: [{ item: `do ${id}`, status: "pending" }],
    }))),
  }));
}

/** A report of the task that is due. */
export function toReport(state: SessionState): Readonly<Record<string, unknown>> {
  const task = state.tasks.find(({ status }) => status === "pending");
  ok(task !== undefined, "a report is due and no task is pending");
  return remember(`report ${task.id}`, () => ({
    ...COMMON,
    task_id: task.id,
    checklist: task.checklist.map(({ item }) => ({ item, status: "done", evidence: "a.ts:1" })),
  }));
}

const payloads = new Map<string, Readonly<Record<string, unknown>>>();

function remember(
  key: string,
  make: () => Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const known = payloads.get(key);
  if (known !== undefined) return known;
  const made = make();
  payloads.set(key, made);
  return made;
}

const parsed = new WeakMap<object, Map<Stage, ParsedSubmission>>();

/** Reads a payload once for each stage: the schemas are the slow part of a walk. */
export function parse(stage: Stage, data: Readonly<Record<string, unknown>>): ParsedSubmission {
  let byStage = parsed.get(data);
  if (byStage === undefined) parsed.set(data, byStage = new Map());
  const known = byStage.get(stage);
  if (known !== undefined) return known;
  const made = parseSubmission(stage, data);
  byStage.set(stage, made);
  return made;
}

const times = Array.from(
  { length: 200 },
  (_, second) => new Date(Date.UTC(2026, 10, 21, 10, 15, second)).toISOString(),
);

function toTime(clock: number): string {
  return times[clock] ?? "2026-11-22T00:00:00.000Z";
}

/** What git comes to for an effect; the first merge conflicts where the story says so. */
function answer(effect: Effect, place: Place): EffectResult {
  const { workspace } = place.state;
  switch (effect.kind) {
    case "create_branch":
      return { kind: effect.kind, workspace: { taskBranch: "llm_task_x_from_main" } };
    case "remove_branch":
      return { kind: effect.kind, workspace: { taskBranch: null } };
    case "commit": {
      const commits = [...workspace.commits, `c${workspace.commits.length + 1}`];
      return { kind: effect.kind, workspace: { commits, mergeParent: null } };
    }
    case "merge":
      return place.story.hasConflict === true && workspace.commits.length === 1
        ? {
          kind: effect.kind,
          outcome: "conflict",
          paths: ["a.ts"],
          workspace: { mergeParent: "c9" },
        }
        : { kind: effect.kind };
    default:
      return { kind: effect.kind };
  }
}

function toWord(effect: Effect): string {
  switch (effect.kind) {
    case "resolve_stale":
      return `+resolve_stale(${effect.choice})`;
    case "restore_tree":
      return `+restore_tree(${effect.to})`;
    case "commit":
      return `+commit(${effect.verified})`;
    default:
      return `+${effect.kind}`;
  }
}
