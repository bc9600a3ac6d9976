/** Makes the overview of all sessions from the log of outcomes and the sessions that are open. It depends on its arguments alone. */
import { PROGRAM_NAME, VERSION } from "../../base/version.ts";
import type { SessionState } from "../../phase/state.ts";
import type { CheckPrice, FinalOutcome, LoggedOutcomes } from "../../workflow/context/learning.ts";
import type { OverviewReport } from "./report_schema.ts";
import { REPORT_FORMAT } from "./report_schema.ts";

/** What an overview is made of. */
export interface OverviewFacts extends Omit<LoggedOutcomes, "damaged"> {
  /** Sessions that are not archived. */
  readonly states: readonly SessionState[];
  /** Ids of archived sessions. */
  readonly archived: readonly string[];
  readonly notices: readonly string[];
  /** What each check of proofs cost, and what came of it. */
  readonly prices: readonly CheckPrice[];
}

const MOST_SESSIONS = 200;
const MOST_MONTHS = 24;

/** Puts the overview together; each session counts by the last word about it. */
export function buildOverview(
  { states, archived, finals, counts, notices, prices }: OverviewFacts,
): OverviewReport {
  const logged = new Set(finals.map(({ sessionId }) => sessionId));
  const open = states.filter(({ sessionId }) => !logged.has(sessionId)).map((state) => ({
    id: state.sessionId,
    at: state.startedAt,
    request: state.query,
    outcome: state.end ?? state.status,
    result: null,
    phase: state.stage,
    cause: null,
  }));
  // A session without an outcome in the log ended before there was one, or its line was lost.
  const unlogged = archived.filter((id) => !logged.has(id)).map((id) => ({
    id,
    at: parseStartTime(id),
    request: "",
    outcome: "no outcome on record",
    result: null,
    phase: null,
    cause: null,
  }));
  const ended = finals.map((line) => ({
    id: line.sessionId ?? "",
    at: line.at,
    request: line.query,
    outcome: line.outcome,
    result: line.result,
    phase: line.phase,
    cause: line.rootCause,
  }));
  return {
    format: REPORT_FORMAT,
    kind: "overview",
    program: { name: PROGRAM_NAME, version: VERSION },
    notices: [...notices],
    all: counts.all,
    sessions: [...open, ...unlogged, ...ended]
      .toSorted((a, b) => a.at < b.at ? 1 : -1).slice(0, MOST_SESSIONS),
    by_month: countMonths(finals),
    by_phase: Object.entries(counts.by_phase).map(([phase, counts]) => ({ phase, ...counts })),
    failures: counts.common_failure_points.map(({ phase, failures, root_causes: causes }) => ({
      phase,
      failures,
      causes: [...causes],
    })),
    prices: prices.map(({ name, runs, seconds, paid, overridden, isRare }) => ({
      ...{ name, runs, seconds, paid, overridden, once_in_ten: isRare },
    })),
  };
}

function countMonths(lines: readonly FinalOutcome[]): OverviewReport["by_month"] {
  const months = Map.groupBy(lines, ({ at }) => at.slice(0, 7));
  return [...months].toSorted(([a], [b]) => a < b ? -1 : 1).slice(-MOST_MONTHS)
    .map(([month, own]) => {
      const count = (wanted: FinalOutcome["result"]) =>
        own.filter(({ result }) => result === wanted).length;
      return {
        month,
        total: own.length,
        success: count("success"),
        partial: count("partial"),
        failure: count("failure"),
      };
    });
}

/** The time in a session's id. */
function parseStartTime(id: string): string {
  const [, year, month, day, hour, minute, second] =
    /^session_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)/.exec(id) ?? [];
  return year === undefined ? "" : `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
}
