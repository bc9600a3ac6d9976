/**
 * A line of `outcomes.jsonl`: what became of a session, made from its state and its records. The file is
 * only ever appended to: a later line of the same session says what is thought of it now. Pure.
 */
import * as z from "zod";
import { clipLine } from "../../base/text/clip.ts";
import type { SessionRecord } from "../../session/records.ts";
import type { LearnedState } from "./decision_log.ts";

const TEXT = z.string();
const TEXTS = z.array(TEXT);
const COUNT = z.number().int().min(0);

const LINE = z.looseObject({
  recordId: TEXT,
  sessionId: TEXT.nullable(),
  at: TEXT,
  /** How the session ended, or what was said of it. */
  outcome: z.enum([
    "merged",
    "completed",
    "failed",
    "escalated",
    "abandoned",
    "amended",
    "reported",
  ]),
  result: z.enum(["success", "partial", "failure"]),
  /** Who says so: the server by itself, or a person (also relayed by the agent). */
  by: z.enum(["server", "person"]),
  query: TEXT,
  intent: TEXT.nullable(),
  risk: TEXT.nullable(),
  confidence: TEXT.nullable(),
  flags: TEXTS,
  /** What size the request was judged to have, and whether the work outgrew it; absent where it was not judged. */
  size: z.looseObject({ level: TEXT, outgrew: z.boolean() }).optional(),
  /** The last stage with work in it. */
  phase: TEXT.nullable(),
  reverts: COUNT,
  backs: COUNT,
  interventions: COUNT,
  qualityReverts: COUNT,
  verification: z.looseObject({ passed: z.boolean(), source: TEXT }).nullable(),
  overrides: TEXTS,
  /** Recorded calls by tool. */
  tools: z.record(TEXT, z.looseObject({ calls: COUNT, failed: COUNT })),
  symbols: TEXTS,
  files: TEXTS,
  rootCause: TEXT.nullable(),
});

/** What became of one session. */
export type OutcomeLine = Readonly<z.infer<typeof LINE>>;

/** Success, failure, or done with something left open. */
export type OutcomeResult = OutcomeLine["result"];

const MAX_NAMES = 50;
const MAX_CAUSE_CHARS = 500;

/** Reads a parsed line; undefined for what is none. Fields of later versions are kept. */
export function parseOutcome(value: unknown): OutcomeLine | undefined {
  return LINE.safeParse(value).data;
}

/** What a line of an outcome is made of. */
export interface OutcomeInput {
  readonly state: LearnedState;
  readonly records: readonly SessionRecord[];
  /** Files that the session changed, relative to the project. */
  readonly files: readonly string[];
  /** ISO time of the line. */
  readonly at: string;
}

/** The name of the line that a state makes due, or null: an end, or a question to the user. */
export function findDueOutcomeId(state: LearnedState): string | null {
  if (state.status === "ended") return `outcome_${state.sessionId}_end`;
  if (state.escalation === null) return null;
  return `outcome_${state.sessionId}_escalated_${state.visit}_${state.decisions.length}`;
}

/** The line that {@link findDueOutcomeId} names. */
export function buildOutcome(recordId: string, input: OutcomeInput): OutcomeLine {
  const { state, records, files, at } = input;
  const outcome = state.status === "ended" ? state.end ?? "abandoned" : "escalated";
  return {
    recordId,
    sessionId: state.sessionId,
    at,
    outcome,
    result: judgeResult(state, outcome),
    by: "server",
    ...buildRequest(state),
    phase: findLastPhase(state),
    reverts: countReverts(state),
    backs: state.counters.backs,
    interventions: state.counters.interventions,
    qualityReverts: state.counters.qualityReverts,
    verification: state.verification === null
      ? null
      : { passed: state.verification.passed, source: state.verification.source },
    overrides: state.decisions.map(({ decision, source }) => `${decision} (${source})`).slice(-20),
    tools: countTools(records),
    symbols: (state.frame?.targetSymbols ?? []).slice(0, MAX_NAMES),
    files: files.slice(0, MAX_NAMES),
    rootCause: findRootCause(state, outcome),
  };
}

/**
 * The last work that came to an end, as it is seen now. A start that was given up is none, unless nothing else is on
 * record and it changed files.
 */
export function findLastWork(lines: readonly OutcomeLine[]): OutcomeLine | undefined {
  const finals = keepFinalOutcomes(lines);
  return finals.findLast(({ outcome }) => outcome !== "abandoned" && outcome !== "escalated") ??
    finals.findLast(({ files }) => files.length > 0);
}

/** What a line says of the request itself. */
function buildRequest(state: LearnedState) {
  return {
    query: clipLine(state.query, 500),
    intent: state.intent,
    risk: state.risk ?? null,
    confidence: state.evaluation?.confidence ?? null,
    flags: Object.entries(state.flags).filter(([, isOn]) => isOn === true).map(([name]) => name),
    ...buildSize(state),
  };
}

function buildSize({ size }: LearnedState): Pick<OutcomeLine, "size"> {
  if (size === undefined) return {};
  const outgrew = size.outgrew === true;
  return { size: { level: outgrew ? "small" : size.level, outgrew } };
}

/** Whether a request was judged small, and its work turned out not to be. */
export function wentWrongAsSmall({ size, result, reverts }: OutcomeLine): boolean {
  return size?.level === "small" && (size.outgrew || result === "failure" || reverts > 0);
}

/** Work that a person let pass, or that was merged with open issues, is only half a success. */
function judgeResult(state: LearnedState, outcome: OutcomeLine["outcome"]): OutcomeResult {
  if (outcome === "merged" || outcome === "completed") {
    const isOverridden = isRed(state) ||
      (state.quality?.issues.length ?? 0) > 0;
    return isOverridden ? "partial" : "success";
  }
  return outcome === "abandoned" && !hasFailed(state) ? "partial" : "failure";
}

/** Whether the last verification failed; one that only proves nothing has not. */
function isRed({ verification }: LearnedState): boolean {
  return verification?.passed === false && verification.source !== "unproven";
}

function hasFailed(state: LearnedState): boolean {
  return isRed(state) || state.counters.interventions > 0 ||
    state.tasks.some(({ failureCount }) => failureCount > 0);
}

function findLastPhase(state: LearnedState): string | null {
  return state.path.findLast(({ stage }) => stage !== "SESSION_COMPLETE")?.stage ?? null;
}

/** How often the work went back to the plan after it had been there. */
function countReverts(state: LearnedState): number {
  const plans = state.path.filter(({ stage }) => stage === "READY_PLAN").length;
  return Math.max(0, plans - 1 - state.counters.backs);
}

function countTools(records: readonly SessionRecord[]): OutcomeLine["tools"] {
  const tools = new Map<string, { calls: number; failed: number }>();
  for (const record of records) {
    if (record.kind !== "call" || record.via === "server") continue;
    const row = tools.get(record.tool) ?? { calls: 0, failed: 0 };
    row.calls++;
    if (!record.ok) row.failed++;
    tools.set(record.tool, row);
  }
  return Object.fromEntries([...tools].sort(([a], [b]) => a < b ? -1 : 1));
}

/** The nearest reason that is on record; null for a success without one. */
function findRootCause(state: LearnedState, outcome: OutcomeLine["outcome"]): string | null {
  const { verification, revertReason } = state;
  const red = isRed(state) ? verification?.details ?? null : null;
  const word = state.decisions.findLast(({ decision }) => decision === "abandon")?.reason ?? null;
  const issues = state.quality?.issues.join("; ") ?? "";
  const causes: Readonly<Record<string, readonly (string | null)[]>> = {
    merged: [red, issues],
    completed: [red, issues],
    failed: [red, revertReason],
    escalated: [red, revertReason, state.escalation?.message ?? null],
    abandoned: [word, red, revertReason],
  };
  const cause = causes[outcome]?.find((text) => text !== null && text.trim() !== "") ?? null;
  return cause === null ? null : clipLine(cause, MAX_CAUSE_CHARS);
}

/** What is said of a session later, or by hand. */
export interface ReportedOutcome {
  readonly recordId: string;
  readonly at: string;
  readonly result: OutcomeResult;
  readonly rootCause: string | null;
  readonly phase?: string | null;
  readonly symbols?: readonly string[];
  readonly files?: readonly string[];
}

/** A line that amends an earlier one of the same session: what is not said again stays as it was. */
export function buildAmendment(earlier: OutcomeLine, said: ReportedOutcome): OutcomeLine {
  const { recordId, at, result, rootCause } = said;
  return {
    ...earlier,
    recordId,
    at,
    outcome: "amended",
    result,
    by: "person",
    rootCause: rootCause ?? earlier.rootCause,
    phase: said.phase ?? earlier.phase,
    symbols: joinNames(earlier.symbols, said.symbols),
    files: joinNames(earlier.files, said.files),
  };
}

/** A line by hand about a session that is not over, or about work without one. */
export function buildReported(state: LearnedState | null, said: ReportedOutcome): OutcomeLine {
  const { recordId, at, result, rootCause } = said;
  const request = state === null
    ? { query: "", intent: null, risk: null, confidence: null, flags: [] }
    : buildRequest(state);
  return {
    recordId,
    sessionId: state?.sessionId ?? null,
    at,
    outcome: "reported",
    result,
    by: "person",
    ...request,
    phase: said.phase ?? (state === null ? null : findLastPhase(state)),
    reverts: state === null ? 0 : countReverts(state),
    backs: state?.counters.backs ?? 0,
    interventions: state?.counters.interventions ?? 0,
    qualityReverts: state?.counters.qualityReverts ?? 0,
    verification: null,
    overrides: [],
    tools: {},
    symbols: joinNames([], said.symbols),
    files: joinNames([], said.files),
    rootCause,
  };
}

function joinNames(known: readonly string[], added: readonly string[] = []): string[] {
  return [...new Set([...known, ...added])].slice(0, MAX_NAMES);
}

/** The last word about each session, and the lines that belong to none, in the order of the log. */
export function keepFinalOutcomes(lines: readonly OutcomeLine[]): readonly OutcomeLine[] {
  const last = new Map<string, OutcomeLine>();
  for (const line of lines) {
    const key = line.sessionId ?? line.recordId;
    // Deleted first, so that the order is that of the last word.
    last.delete(key);
    last.set(key, line);
  }
  return [...last.values()];
}
