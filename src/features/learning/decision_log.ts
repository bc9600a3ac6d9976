/** A line of `decisions.jsonl`: how a request was understood, made from the state of its session. Pure. */
import * as z from "zod";
import { clipLine } from "../../base/text/clip.ts";
import type { Checkpoint } from "../../session/session.ts";
import type { DecisionPlan } from "../../workflow/context/learning.ts";

/** The state of a session, as the checkpoint keeps it. */
export type LearnedState = Checkpoint["state"];

const TEXT = z.string();
const TEXTS = z.array(TEXT);
const SLOT = z.looseObject({ value: TEXT, quote: TEXT, source: TEXT }).nullable();

const LINE = z.looseObject({
  recordId: TEXT,
  sessionId: TEXT,
  at: TEXT,
  query: TEXT,
  intent: TEXT,
  gateLevel: TEXT,
  flags: TEXTS,
  actionType: TEXT.nullable(),
  slots: z.record(TEXT, SLOT),
  missingSlots: TEXTS,
  targetSymbols: TEXTS,
  scope: TEXT.nullable(),
  risk: TEXT.nullable(),
  /** Phases that the flow of the session passes where nothing optional is asked for; absent from older lines. */
  requiredPhases: TEXTS.optional(),
  /** Tools of the searches that the understood request leads to. */
  toolsPlanned: TEXTS.optional(),
  /** Whether the code has to be looked at before anything can be said or done, and why. */
  needsBootstrap: z.boolean().optional(),
  bootstrapReason: TEXT.nullable().optional(),
  /** Past commits like the request, nearest first. */
  pastCommits: TEXTS.optional(),
});

/** How one request was understood. */
export type DecisionLine = Readonly<z.infer<typeof LINE>>;

const MAX_SYMBOLS = 50;

interface Slot {
  readonly value: string;
  readonly quote: string;
  readonly source: string;
}

type Slots = Readonly<Record<string, Slot | null>>;

/** Intents that change code, which has to be known first. */
const CHANGING: readonly string[] = ["IMPLEMENT", "MODIFY"];

/** Reads a parsed line; undefined for what is none. Fields of later versions are kept. */
export function parseDecision(value: unknown): DecisionLine | undefined {
  return LINE.safeParse(value).data;
}

/** The name of the decision of a session; there is one. */
export function buildDecisionId(sessionId: string): string {
  return `decision_${sessionId}`;
}

/**
 * Whether a state makes its decision due: it is made when the frame is accepted, and at once in a flow that has no such
 * step.
 */
export function isDecided(
  { state, isFramed }: { readonly state: LearnedState; readonly isFramed: boolean },
): boolean {
  return state.frame !== null || !isFramed;
}

/**
 * The line of a decision.
 *
 * @param at ISO time of the line.
 * @param isFirst Whether no decision of the project is on record.
 */
export function buildDecision(
  state: LearnedState,
  { at, isFirst, plan }: {
    readonly at: string;
    readonly isFirst: boolean;
    readonly plan: DecisionPlan;
  },
): DecisionLine {
  const { frame, flags } = state;
  const isChanging = CHANGING.includes(state.intent);
  const slots: Slots = frame?.slots ?? {};
  return {
    recordId: buildDecisionId(state.sessionId),
    sessionId: state.sessionId,
    at,
    query: clipLine(state.query, 500),
    intent: state.intent,
    gateLevel: state.gateLevel,
    flags: Object.entries(flags).filter(([, isOn]) => isOn === true).map(([name]) => name),
    actionType: frame?.actionType ?? null,
    slots: Object.fromEntries(
      Object.entries(slots).map(([name, slot]) => [name, slot === null ? null : buildSlot(slot)]),
    ),
    missingSlots: Object.entries(slots).filter(([, slot]) => slot === null).map(([name]) => name),
    targetSymbols: (frame?.targetSymbols ?? []).slice(0, MAX_SYMBOLS),
    scope: frame?.scope ?? null,
    risk: state.risk ?? null,
    ...plan,
    needsBootstrap: isChanging || isFirst,
    bootstrapReason: isChanging
      ? `intent_${state.intent.toLowerCase()}`
      : isFirst
      ? "first_query"
      : null,
  };
}

function buildSlot(slot: Slot) {
  const { value, quote, source } = slot;
  return { value: clipLine(value, 200), quote: clipLine(quote, 200), source };
}
