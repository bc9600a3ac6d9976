/** A line of `decisions.jsonl`: how a request was understood, made from the state of its session. Pure. */
import * as z from "zod";
import { clipLine } from "../base/text/clip.ts";
import type { Checkpoint } from "../session/mod.ts";

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

/** Reads a parsed line; undefined for what is none. Fields of later versions are kept. */
export function parseDecision(value: unknown): DecisionLine | undefined {
  return LINE.safeParse(value).data;
}

/** The name of the decision of a session; there is one. */
export function toDecisionId(sessionId: string): string {
  return `decision_${sessionId}`;
}

/**
 * The decision that a state makes due, or null: it is made when the frame is accepted, and at once in a
 * flow that has no such step.
 *
 * @param at ISO time of the line.
 */
export function toDecision(
  { state, isFramed }: { readonly state: LearnedState; readonly isFramed: boolean },
  at: string,
): DecisionLine | null {
  const { frame, flags } = state;
  if (frame === null && isFramed) return null;
  const slots: Slots = frame?.slots ?? {};
  return {
    recordId: toDecisionId(state.sessionId),
    sessionId: state.sessionId,
    at,
    query: clipLine(state.query, 500),
    intent: state.intent,
    gateLevel: state.gateLevel,
    flags: Object.entries(flags).filter(([, isOn]) => isOn === true).map(([name]) => name),
    actionType: frame?.actionType ?? null,
    slots: Object.fromEntries(
      Object.entries(slots).map(([name, slot]) => [name, slot === null ? null : toSlot(slot)]),
    ),
    missingSlots: Object.entries(slots).filter(([, slot]) => slot === null).map(([name]) => name),
    targetSymbols: (frame?.targetSymbols ?? []).slice(0, MAX_SYMBOLS),
    scope: frame?.scope ?? null,
    risk: state.risk ?? null,
  };
}

function toSlot(slot: Slot) {
  const { value, quote, source } = slot;
  return { value: clipLine(value, 200), quote: clipLine(quote, 200), source };
}
