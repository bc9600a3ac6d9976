/** What the logs tell when they are counted: outcomes by what, where work fails, one session whole. Pure. */
import { clipLine } from "../../base/text/clip.ts";
import type { FailurePoint, ResultCount } from "../../workflow/context/learning.ts";
import type { DecisionLine } from "./decision_log.ts";
import type { OutcomeLine, OutcomeResult } from "./outcome_log.ts";
import { keepFinalOutcomes } from "./outcome_log.ts";

/** What `code-intel stats` shows: JSON-ready, snake_case keys. Each session counts by its last outcome. */
export interface Stats {
  readonly sessions: number;
  readonly with_decision: number;
  readonly all: ResultCount;
  readonly by_outcome: Readonly<Record<string, number>>;
  readonly by_intent: Readonly<Record<string, ResultCount>>;
  readonly by_phase: Readonly<Record<string, ResultCount>>;
  /** Sessions in which a tool was called. */
  readonly by_tool: Readonly<Record<string, ResultCount>>;
  readonly by_risk: Readonly<Record<string, ResultCount>>;
  readonly by_confidence: Readonly<Record<string, ResultCount>>;
  readonly common_failure_points: readonly FailurePoint[];
  readonly reverts: number;
  readonly interventions: number;
}

/** One session as the logs know it. */
export interface SessionStory {
  readonly session_id: string;
  readonly decision: DecisionLine | null;
  /** Oldest first. */
  readonly outcomes: readonly OutcomeLine[];
  readonly final_result: OutcomeResult | null;
  readonly failure_point: string | null;
  readonly root_cause: string | null;
}

const MAX_POINTS = 10;
const MAX_CAUSES = 3;
const UNKNOWN = "unknown";

/** Counts both logs. */
export function computeStats(
  decisions: readonly DecisionLine[],
  outcomes: readonly OutcomeLine[],
): Stats {
  const finals = keepFinalOutcomes(outcomes);
  const decided = new Set(decisions.map(({ sessionId }) => sessionId));
  const one = (key: (line: OutcomeLine) => string | null) =>
    countBy(finals, (line) => [key(line) ?? UNKNOWN]);
  return {
    sessions: finals.length,
    with_decision: finals.filter(({ sessionId }) => sessionId !== null && decided.has(sessionId))
      .length,
    all: countResults(finals),
    by_outcome: countByKey(finals.map(({ outcome }) => outcome)),
    by_intent: one(({ intent }) => intent),
    by_phase: one(({ phase }) => phase),
    by_tool: countBy(finals, ({ tools }) => Object.keys(tools)),
    by_risk: one(({ risk }) => risk),
    by_confidence: one(({ confidence }) => confidence),
    common_failure_points: countFailurePoints(finals),
    reverts: sum(finals, ({ reverts }) => reverts),
    interventions: sum(finals, ({ interventions }) => interventions),
  };
}

/** The decision of a session beside its outcomes. */
export function tellSession(
  sessionId: string,
  decisions: readonly DecisionLine[],
  outcomes: readonly OutcomeLine[],
): SessionStory {
  const own = outcomes.filter((line) => line.sessionId === sessionId);
  const last = own.at(-1);
  const isBad = last !== undefined && last.result !== "success";
  return {
    session_id: sessionId,
    decision: decisions.find((line) => line.sessionId === sessionId) ?? null,
    outcomes: own,
    final_result: last?.result ?? null,
    failure_point: isBad ? last.phase : null,
    root_cause: isBad ? last.rootCause : null,
  };
}

function countBy(
  lines: readonly OutcomeLine[],
  toKeys: (line: OutcomeLine) => readonly string[],
): Readonly<Record<string, ResultCount>> {
  const groups = new Map<string, OutcomeLine[]>();
  for (const line of lines) {
    for (const key of toKeys(line)) groups.set(key, [...groups.get(key) ?? [], line]);
  }
  return Object.fromEntries(
    [...groups].map(([key, group]) => [key, countResults(group)] as const)
      .sort(([a, left], [b, right]) => right.total - left.total || (a < b ? -1 : 1)),
  );
}

function countResults(lines: readonly OutcomeLine[]): ResultCount {
  const count = (wanted: OutcomeResult) => lines.filter(({ result }) => result === wanted).length;
  return {
    total: lines.length,
    success: count("success"),
    partial: count("partial"),
    failure: count("failure"),
  };
}

function countByKey(keys: readonly string[]): Readonly<Record<string, number>> {
  const totals = new Map<string, number>();
  for (const key of keys) totals.set(key, (totals.get(key) ?? 0) + 1);
  return Object.fromEntries([...totals].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
}

function countFailurePoints(lines: readonly OutcomeLine[]): readonly FailurePoint[] {
  const failed = lines.filter(({ result }) => result === "failure");
  const phases = countByKey(failed.map(({ phase }) => phase ?? UNKNOWN));
  return Object.entries(phases).slice(0, MAX_POINTS).map(([phase, failures]) => {
    const causes = failed.filter((line) => (line.phase ?? UNKNOWN) === phase)
      .flatMap(({ rootCause }) => rootCause === null ? [] : [clipLine(rootCause, 200)]);
    return { phase, failures, root_causes: [...new Set(causes.reverse())].slice(0, MAX_CAUSES) };
  });
}

function sum(lines: readonly OutcomeLine[], value: (line: OutcomeLine) => number): number {
  return lines.reduce((total, line) => total + value(line), 0);
}
