/** Makes the report of one session from what is on record of it. It depends on its arguments alone. */
import type { SessionState } from "../../phase/state.ts";
import type { Stage } from "../../phase/table/phases.ts";
import { PHASES } from "../../phase/table/phases.ts";
import type { SessionRecord } from "../../session/records.ts";
import { REPORT_NOTES } from "../../session/records.ts";
import type { IdleLines } from "./idle_lines.ts";
import type {
  ReportDependent,
  ReportFile,
  ReportVerification,
  ReportVisit,
  SessionReport,
} from "./report_schema.ts";
import { REPORT_FORMAT } from "./report_schema.ts";
import { PROGRAM_NAME, VERSION } from "../../base/version.ts";
import type { CommitRun } from "../../evidence/runs/verification.ts";
import { formatCounts } from "../../evidence/runs/run_formats.ts";
import type { VerificationResult } from "../../phase/verification_state.ts";
import { isOnRecord, listClauses } from "../../phase/contract/clauses.ts";
import { formatSurvivor } from "../../phase/rules/mutant_reports.ts";
import { findTrailerValue } from "../../phase/trailer.ts";
import type { LearnedTerms } from "../../workflow/context/learning.ts";

type Event = ReportVisit["events"][number];

/** What a timeline is made of. */
export interface TimelineInput {
  readonly state: SessionState;
  readonly records: readonly SessionRecord[];
}

/** Every stage entry in the order of the session; each event stands in the entry during which it happened. */
export function toTimeline({ state, records }: TimelineInput): ReportVisit[] {
  const { path, decisions } = state;
  const placed: readonly (readonly [at: number, event: Event])[] = [
    ...records.flatMap(toEvent).map((event) =>
      [
        findVisit(path, event.at, event.kind === "failure" ? "POST_IMPL_VERIFY" : null),
        event,
      ] as const
    ),
    ...decisions.map(({ at, stage, decision, reason, source }) => {
      const text = reason === "" ? decision : `${decision}: ${reason}`;
      return [findVisit(path, at, stage), { kind: "answer", at, text, source }] as const;
    }),
  ];
  const events = placed.toSorted(([, a], [, b]) => toMs(a.at) - toMs(b.at));
  const calls = Map.groupBy(records, ({ at }) => findVisit(path, at, null));
  const summaries = toSummaries(state);
  return path.map(({ stage, at }, index) => {
    const next = path[index + 1]?.at ?? null;
    const rest = state.status === "ended" ? 0 : null;
    return {
      step: PHASES[stage].step,
      stage,
      at,
      seconds: next === null ? rest : (toMs(next) - toMs(at)) / 1_000,
      summaries: [...summaries.get(index) ?? []],
      tools: countTools(calls.get(index) ?? []),
      events: events.flatMap(([visit, event]) => visit === index ? [event] : []),
    };
  });
}

/**
 * The place of the last stage entry that had begun by then; of an event that ended its entry, which has the time of the next one,
 * the last entry of its stage.
 */
function findVisit(path: SessionState["path"], at: string, stage: Stage | null): number {
  const begun = path.findLastIndex((visit) => toMs(visit.at) <= toMs(at));
  const own = path.findLastIndex((visit, index) => index <= begun && visit.stage === stage);
  return Math.max(0, own < 0 ? begun : own);
}

function toMs(at: string): number {
  return Date.parse(at);
}

const EVENTS: Readonly<Record<string, Event["kind"]>> = {
  [REPORT_NOTES.refused]: "refusal",
  [REPORT_NOTES.asked]: "question",
  [REPORT_NOTES.failed]: "failure",
};

function toEvent(record: SessionRecord): readonly Event[] {
  const { at, kind } = record;
  if (kind === "call" && !record.ok) {
    return [{ kind: "call_refused", at, text: `${record.tool} ${record.subject}`.trim() }];
  }
  if (kind !== "note" || record.told === false) return [];
  const event = EVENTS[record.code] ?? "note";
  return [{ kind: event, at, text: record.text }];
}

function countTools(records: readonly SessionRecord[]): ReportVisit["tools"] {
  const counts = new Map<string, number>();
  for (const record of records) {
    if (record.kind !== "call") continue;
    const tool = record.via === "server" ? `${record.tool} (by the server)` : record.tool;
    counts.set(tool, (counts.get(tool) ?? 0) + 1);
  }
  return [...counts].map(([tool, calls]) => ({ tool, calls }));
}

/**
 * The summaries of each stage entry, by its place. Neither names the other, but both are in the order of the session: a summary
 * belongs to the first entry of its stage that is not before the one of the summary before it.
 */
function toSummaries({ path, summaries }: SessionState): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  let last = 0;
  for (const [key, text] of Object.entries(summaries)) {
    const isOwn = ({ stage }: SessionState["path"][number]) => {
      const { summaryKey } = PHASES[stage];
      // Behind the key stand the task of step 13 and the number of a further entry.
      return key.startsWith(summaryKey) && /^(?:$|[.#])/.test(key.slice(summaryKey.length));
    };
    const next = path.findIndex((visit, index) => index >= last && isOwn(visit));
    const at = next >= 0 ? next : path.findLastIndex(isOwn);
    if (at < 0) continue;
    last = at;
    found.set(at, [...found.get(at) ?? [], text]);
  }
  return found;
}

/** A changed file with its text, before the review is looked at. */
export type ChangedFileText = Omit<ReportFile, "discarded" | "not_run">;

/** A file that depends on changed ones, before the decisions are looked at. */
export interface FoundDependent {
  readonly path: string;
  readonly on: readonly string[];
  readonly isProven: boolean;
}

/** What is on record of a session. */
export interface ReportFacts {
  readonly state: SessionState;
  /** ISO time of the last save. */
  readonly savedAt: string;
  readonly records: readonly SessionRecord[];
  /** What is missing or not vouched for, in sentences. */
  readonly notices: readonly string[];
  /** The runs behind its commits. */
  readonly runs: readonly CommitRun[];
  /** Null where the texts are not kept any more, or there is no git. */
  readonly files: readonly ChangedFileText[] | null;
  /** What the records of runs say of them; null or absent where no run was recorded. */
  readonly idle?: IdleLines | null;
  /** Null where the index cannot tell. */
  readonly dependents: readonly FoundDependent[] | null;
  readonly together: SessionReport["together"];
  readonly learned: readonly LearnedTerms[];
}

const MOST_FAILURES = 10;

/** Puts a report together. */
export function buildSessionReport(facts: ReportFacts): SessionReport {
  const { state, runs } = facts;
  const { testFindings = [], observed = {}, verification } = state;
  return {
    format: REPORT_FORMAT,
    kind: "session",
    program: { name: PROGRAM_NAME, version: VERSION },
    notices: [...facts.notices],
    session: buildSession(facts),
    reproduced: state.reproduced ?? null,
    // Behind the clauses stands what else the agent ran, such as a linter.
    clauses: [...new Set([...listClauses(state), ...Object.keys(observed)])].map((clause) => {
      const showed = observed[clause] ?? null;
      return { clause, showed, on_record: showed !== null && isOnRecord(showed, state) };
    }),
    overrides: state.decisions.map(({ at, stage, decision, reason, source }) => ({
      at,
      stage,
      decision,
      reason,
      source,
    })),
    timeline: toTimeline(facts),
    tasks: state.tasks.map(({ id, description, status, failureCount, checklist }) => ({
      id,
      description,
      status,
      failures: failureCount,
      items: checklist.map((item) => ({
        item: item.item,
        status: item.status,
        evidence: item.evidence ?? null,
        reason: item.reason ?? null,
        ran: item.ran ?? null,
      })),
    })),
    verification: verification === null ? null : buildVerification(verification, runs),
    findings: testFindings.map(({ what, reason }) => ({ what, reason })),
    files: facts.files === null ? null : facts.files.map((file) => {
      const lines = facts.idle?.files.get(file.path);
      const not_run = lines === undefined ? {} : { not_run: [...lines] };
      return { ...file, discarded: isDiscarded(state, file.path), ...not_run };
    }),
    ...(facts.idle === undefined || facts.idle === null ? {} : { recorded: facts.idle.recorded }),
    dependents: listDependents(facts),
    together: facts.together,
    quality: state.quality === null
      ? null
      : { score: state.quality.score, issues: [...state.quality.issues] },
    forced: [...state.forced ?? []],
    learned: facts.learned.map(({ name, terms, symbols }) => ({
      file: name,
      terms: [...terms],
      symbols: [...symbols],
    })),
  };
}

function buildSession({ state, savedAt }: ReportFacts): SessionReport["session"] {
  const { step, phase } = PHASES[state.stage];
  return {
    id: state.sessionId,
    request: state.query,
    intent: state.intent,
    gate_level: state.gateLevel,
    flags: Object.entries(state.flags).flatMap(([name, isOn]) => isOn === true ? [name] : []),
    status: state.status,
    end: state.end,
    started_at: state.startedAt,
    last_at: savedAt,
    step,
    phase,
    risk: state.risk ?? null,
    size: state.size === undefined
      ? null
      : { level: state.size.level, because: state.size.because },
    base_branch: state.workspace.baseBranch,
    task_branch: state.workspace.taskBranch,
    commits: [...state.workspace.commits],
    verified: state.verification === null ? null : findTrailerValue(state),
  };
}

function isDiscarded({ review }: SessionState, path: string): boolean {
  return review.some((file) => file.path === path && file.decision === "discard");
}

function buildVerification(
  result: VerificationResult,
  runs: readonly CommitRun[],
): ReportVerification {
  const { coverage, mutants, lost = [], inWorktree } = result;
  return {
    at: result.at,
    passed: result.passed,
    source: result.source,
    details: result.details,
    place: result.checkout !== undefined
      ? "in a clean checkout"
      : inWorktree !== undefined
      ? `in the worktree: ${inWorktree}`
      : result.source === "self-reported"
      ? "by the agent: the server ran nothing"
      : "in the worktree",
    commands: listCommands(result, runs),
    proving: result.proving ?? 0,
    proves_nothing: [...result.provesNothing ?? []],
    lost: lost.map(({ what }) => what),
    coverage: coverage === undefined ? null : {
      ran: coverage.ran,
      not_run: coverage.notRun,
      unknown: coverage.unknown,
      places: Object.entries(coverage.notRunLines).map(([path, lines]) => `${path}:${lines}`),
    },
    mutants: mutants === undefined ? null : {
      total: mutants.total,
      killed: mutants.killed,
      survivors: mutants.survivors.map(formatSurvivor),
    },
    differs_from_trust: [...result.differsFromTrust ?? []],
  };
}

/** The commands of the run behind a commit with this result; before one, the lines that the result kept of them. */
function listCommands(
  { at, ran = [] }: VerificationResult,
  runs: readonly CommitRun[],
): ReportVerification["commands"] {
  const commands = runs.findLast((run) => run.at === at)?.commands ?? null;
  if (commands === null) return ran.map((text) => ({ text, seconds: null, failures: [] }));
  return commands.map(({ name, tests, exitCode, failure, durationMs }) => ({
    text: `${name}: ${
      tests === null ? failure ?? `exit code ${exitCode ?? "unknown"}` : formatCounts(tests)
    }`,
    seconds: durationMs / 1_000,
    failures: (tests?.failures ?? []).slice(0, MOST_FAILURES)
      .map(({ name: test, line }) => line === "" ? test : `${test}: ${line}`),
  }));
}

function listDependents({ state, dependents }: ReportFacts): ReportDependent[] | null {
  const decided = new Map(state.impact.map((row) => [row.path, row]));
  return dependents?.map(({ path, on, isProven }) => ({
    path,
    on: [...on],
    is_proven: isProven,
    decision: decided.get(path)?.status ?? null,
    reason: decided.get(path)?.reason ?? null,
  })) ?? null;
}
