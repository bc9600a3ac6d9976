/**
 * Several payloads of one call, one step after the other. Each is checked like a call of its own, with its own facts,
 * records and checkpoint, on one look at the files. Processing stops at the first that is refused, or whose answer has to
 * be read first. What was accepted before stays accepted.
 */
import { CodeIntelError } from "../../base/errors.ts";
import type { Reply } from "../../base/reply.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { JsonRecord } from "../../base/text/json_record.ts";
import { asRecord, isRecord } from "../../base/text/json_record.ts";
import { makeProblem } from "../../base/problem.ts";
import type { Stage } from "../../phase/table/phases.ts";
import { PHASES } from "../../phase/table/phases.ts";
import type { Sessions } from "../context/sessions.ts";
import { buildPlainRefusal, keepReported } from "../context/replies.ts";
import type { Advanced } from "./advance.ts";
import { advance, advanceInRow } from "./advance.ts";
import type { AdvanceOptions, PreviousObservation } from "./progress.ts";

/** The payload of the present step, and those of the steps that are expected to follow. */
export interface Sent {
  readonly data: unknown;
  readonly then?: readonly unknown[];
}

/** Submits the payloads in order, and answers with the last reply and how far the sequence came. */
export async function advanceAll(
  sessions: Sessions,
  sent: Sent,
  options: AdvanceOptions = {},
): Promise<Reply> {
  const row = listPayloads(sent);
  if (row.length > LIMITS.joinedPayloads.value) return refuseTooMany(row.length);
  const [only] = row;
  if (row.length < 2) return await advance(sessions, only, options);
  let lookBefore: PreviousObservation | null = null;
  let before = await readPosition(sessions);
  const taken: string[] = [];
  const earlier: Readonly<Record<string, unknown>>[] = [];
  for (const [at, data] of row.entries()) {
    const { reply, look }: Advanced = await advanceInRow(sessions, data, { ...options, lookBefore })
      .catch((cause) => throwWith(cause, taken));
    lookBefore = look;
    const phase = formatPosition(before);
    if (reply.ok) taken.push(phase);
    const after = parsePosition(reply) ?? before;
    const isLast = at === row.length - 1;
    const stopped = isLast ? null : findStopReason(reply, { before, after, options });
    if (isLast || stopped !== null) {
      return {
        ...reply,
        ...(taken.length === 0 ? {} : { taken }),
        ...(earlier.length === 0 ? {} : { earlier }),
        ...(stopped === null ? {} : { not_taken: row.length - at - (reply.ok ? 1 : 0), stopped }),
      };
    }
    const told = keepReported(reply);
    if (Object.keys(told).length > 0) earlier.push({ phase, ...told });
    before = after;
  }
  throw new Error("the last payload of a row ends it");
}

/** The payloads in order: reports of several tasks are one each. */
function listPayloads({ data, then = [] }: Sent): readonly unknown[] {
  const [first, ...others] = [data, ...then].flatMap(splitTaskReports);
  return [first, ...others.map((payload) => fillRepeatedFields(payload, asRecord(first)))];
}

/**
 * A payload behind the first one. It may leave out what it would only repeat: the count of the
 * conversation, and tools (no call comes between the two). A missing summary is its reason, or else
 * the summary of the first.
 */
function fillRepeatedFields(payload: unknown, first: JsonRecord): unknown {
  if (!isRecord(payload)) return payload;
  const { compaction_count: count, summary } = first;
  return {
    ...(count === undefined ? {} : { compaction_count: count }),
    tools_used: [],
    summary: payload.reason ?? summary,
    ...payload,
  };
}

/** A payload with the reports of several tasks (`tasks` with a `task_id` each) as one payload a task. */
function splitTaskReports(data: unknown): readonly unknown[] {
  if (!isRecord(data) || !Array.isArray(data.tasks) || data.tasks.length === 0) return [data];
  const { tasks, ...rest } = data;
  const reports = tasks as readonly unknown[];
  const isReport = reports.every((task) => isRecord(task) && typeof task.task_id === "string");
  return isReport ? reports.map((task) => ({ ...rest, ...task as object })) : [data];
}

function refuseTooMany(count: number): Reply {
  const most = LIMITS.joinedPayloads.value;
  return buildPlainRefusal([
    makeProblem("too_long", `${count} payloads are more than ${most}`, {
      at: "then",
      hint: `Send at most ${most} payloads in one call; nothing of this one was taken.`,
    }),
  ], "submit_phase");
}

/** Where a session is: its phase, and its step, which grows on the way to the merge. */
interface SessionPosition {
  readonly phase: string;
  readonly substep?: string;
  readonly step: number;
}

async function readPosition(sessions: Sessions): Promise<SessionPosition | null> {
  const found = await sessions.deps.store.findActive();
  if (found?.kind !== "loaded") return null;
  const stage: Stage = found.checkpoint.state.stage;
  return PHASES[stage];
}

function parsePosition(reply: Reply): SessionPosition | null {
  const { phase, step, substep } = reply;
  if (typeof phase !== "string" || typeof step !== "number") return null;
  return { phase, step, ...(typeof substep === "string" ? { substep } : {}) };
}

function formatPosition(place: SessionPosition | null): string {
  if (place === null) return "";
  return place.substep === undefined ? place.phase : `${place.phase} (${place.substep})`;
}

/** Why the rest of a sequence is not submitted; null where it may go on. */
function findStopReason(
  reply: Reply,
  { before, after, options }: {
    readonly before: SessionPosition | null;
    readonly after: SessionPosition | null;
    readonly options: AdvanceOptions;
  },
): string | null {
  if (options.caller?.signal.aborted === true) return "The call was cancelled.";
  if (!reply.ok) return "This payload was refused; correct it, and send it with those behind it.";
  if (reply.session_complete === true) return "The session is over.";
  if (reply.status === "parked") return "The session is parked.";
  if (reply.user_escalation === true || reply.ask_the_person !== undefined) {
    return "The person has to be asked first.";
  }
  if (reply.phase_summaries !== undefined) {
    return "The conversation was lost: read phase_summaries first.";
  }
  // Advice alone stops nothing; here the answer to it decides where the session goes.
  if (reply.risk === "HIGH" && asRecord(reply.evaluation).confidence === "low") {
    return "The risk is HIGH and the records of the exploration show little: read the server's advice first.";
  }
  if (before === null || after === null) return "The place of the session is not known.";
  if (before.step === PHASES.POST_IMPL_VERIFY.step) {
    return "Read what the verification showed first.";
  }
  if (after.step === PHASES.PRE_COMMIT.step) return "Read the review of the changes first.";
  const isNextTask = after.step === before.step && after.step === PHASES.READY_IMPL.step;
  if (after.step > before.step || isNextTask) return null;
  return `The session did not go forward: it is at ${formatPosition(after)}.`;
}

/** A failure in the middle of a sequence says what was accepted before it. */
function throwWith(cause: unknown, taken: readonly string[]): never {
  if (!(cause instanceof CodeIntelError) || taken.length === 0) throw cause;
  const { code, message, hint, details } = cause;
  throw new CodeIntelError(code, `${message} (accepted before that: ${taken.join(", ")})`, {
    hint,
    details,
    cause,
  });
}
