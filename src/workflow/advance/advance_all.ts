/**
 * Several payloads of one call, one step after the other. Each is checked like a call of its own, with its own facts,
 * records and checkpoint, on one look at the files. Processing stops at the first that is refused, or whose answer has to
 * be read first. What was accepted before stays accepted.
 */
import { CodeIntelError } from "../../base/errors.ts";
import type { Reply } from "../../base/reply.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { JsonRecord } from "../../base/text/json_record.ts";
import { asRecord } from "../../base/text/json_record.ts";
import { makeProblem } from "../../base/problem.ts";
import type { SessionState } from "../../phase/state.ts";
import { PHASES } from "../../phase/table/phases.ts";
import type { Sent } from "../../request/payload_row.ts";
import { listPayloads } from "../../request/payload_row.ts";
import type { Sessions } from "../context/sessions.ts";
import { buildPlainRefusal, keepReported } from "../context/replies.ts";
import type { Advanced } from "./advance.ts";
import { advanceInRow } from "./advance.ts";
import type { AdvanceOptions, PreviousObservation } from "./progress.ts";
import { dropForms, joinTaken, tellOnce } from "./told_once.ts";
import { authoriseNamed, chooseNext, chooseRest } from "./walk.ts";

/** How far the sequence came, and what its replies said so far. */
interface Line {
  readonly taken: string[];
  readonly earlier: JsonRecord[];
  /** What drafts of the server have to tell. */
  told: JsonRecord;
  lookBefore: PreviousObservation | null;
}

/** Submits the payloads in order, and answers with the last reply and how far the sequence came. */
export async function advanceAll(
  sessions: Sessions,
  sent: Sent,
  options: AdvanceOptions = {},
): Promise<Reply> {
  let queue = listPayloads(sent);
  if (queue.length > LIMITS.joinedPayloads.value) return refuseTooMany(queue.length);
  const isAlone = queue.length < 2;
  const line: Line = { taken: [], earlier: [], told: {}, lookBefore: null };
  let before = await readPosition(sessions);
  for (;;) {
    const [data, ...others] = queue;
    const next = await chooseNext(sessions, data, line.lookBefore);
    if (next.kind === "ask") return answer(line, dropForms(next.reply), others.length);
    const isDraft = next.kind === "draft";
    const { reply, look } = await submitNext(
      sessions,
      isDraft ? next : { data: next.data ?? data },
      {
        line,
        options,
      },
    );
    line.lookBefore = look;
    const phase = formatPosition(before);
    if (reply.ok) line.taken.push(isDraft ? `${phase} (server)` : phase);
    const after = parsePosition(reply) ?? before;
    const isWhole = isDraft && next.draft.sent !== null;
    const rest = isDraft ? queue : others;
    queue = rest.length > 0 || !reply.ok ? rest : await listRest(sessions, data);
    if (queue.length === 0) {
      return isAlone && line.taken.length < 2 ? reply : answer(line, reply, 0);
    }
    const stopped = findStopReason(reply, { before, after, options, isWhole });
    if (stopped !== null) {
      const left = isWhole || rest.length === 0 ? others.length : rest.length;
      const shown = isWhole ? dropForms(reply) : reply;
      return answer(line, shown, left + (reply.ok || isDraft ? 0 : 1), stopped);
    }
    // Who sends one payload sees no step, so that this is told here or nowhere.
    const { run_by: tests } = reply;
    const isWritten = after?.step === PHASES.READY_COMPLETE.step;
    if (isWhole && isWritten && tests !== undefined) line.told = { ...line.told, run_by: tests };
    const told = keepReported(reply);
    if (Object.keys(told).length > 0) line.earlier.push({ phase, ...told });
    before = after;
  }
}

/** The default way goes on after an answer to what it asked. */
async function listRest(sessions: Sessions, data: unknown): Promise<readonly unknown[]> {
  const rest = chooseRest(await readState(sessions), data);
  return rest === null ? [] : [rest];
}

/** Submits a payload or a draft; where the agent named the changed files as its work, they are authorised first. */
async function submitNext(
  sessions: Sessions,
  { data, draft, fields = {} }: {
    readonly data: unknown;
    readonly draft?: NonNullable<AdvanceOptions["draft"]>;
    readonly fields?: JsonRecord;
  },
  { line, options }: { readonly line: Line; readonly options: AdvanceOptions },
): Promise<Advanced> {
  const made = draft === undefined ? {} : { draft };
  line.told = { ...line.told, ...fields };
  const send = (payload: unknown) =>
    advanceInRow(sessions, payload, { ...options, ...made, lookBefore: line.lookBefore })
      .catch((cause) => throwWith(cause, line.taken));
  const done = await send(data);
  if (draft?.sent === undefined || draft.sent === null || done.reply.ok) return done;
  const rows = authoriseNamed(done.reply, await readState(sessions), {
    ...draft.sent,
    ...asRecord(data),
  });
  return rows === null ? done : await send({ ...asRecord(data), change_resolution: rows });
}

/** A reply with how far the sequence came: of `left` payloads nothing was taken. */
function answer(line: Line, reply: Reply, left: number, stopped: string | null = null): Reply {
  const { taken, told } = line;
  const whole = { ...reply, ...told };
  const earlier = tellOnce(line.earlier, whole);
  return {
    ...whole,
    ...(taken.length === 0 ? {} : { taken: joinTaken(taken) }),
    ...(earlier.length === 0 ? {} : { earlier }),
    ...(left === 0 ? {} : { not_taken: left }),
    ...(stopped === null || stopped === "" ? {} : { stopped }),
  };
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
  const state = await readState(sessions);
  return state === null ? null : PHASES[state.stage];
}

async function readState(sessions: Sessions): Promise<SessionState | null> {
  const found = await sessions.deps.store.findActive();
  return found?.kind === "loaded" ? found.checkpoint.state : null;
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

/** Why the rest of a sequence is not submitted, empty where the reply says it itself; null where it may go on. */
function findStopReason(
  reply: Reply,
  { before, after, options, isWhole }: {
    readonly before: SessionPosition | null;
    readonly after: SessionPosition | null;
    readonly options: AdvanceOptions;
    /** The one payload of the default way: it goes on to the end, and stops only where something is asked. */
    readonly isWhole: boolean;
  },
): string | null {
  if (options.caller?.signal.aborted === true) return "The call was cancelled.";
  if (!reply.ok) {
    return isWhole ? "" : "This payload was refused; correct it, and send it with those behind it.";
  }
  if (reply.session_complete === true) return isWhole ? "" : "The session is over.";
  if (reply.verification_running === true) return isWhole ? "" : "The verification still runs.";
  if (reply.status === "parked") return "The session is parked.";
  if (reply.user_escalation === true || reply.ask_the_person !== undefined) {
    return "The person has to be asked first.";
  }
  if (reply.phase_summaries !== undefined) {
    return "The conversation was lost: read phase_summaries first.";
  }
  // Advice alone stops nothing; here the answer to it decides where the session goes.
  if (!isWhole && reply.risk === "HIGH" && asRecord(reply.evaluation).confidence === "low") {
    return "The risk is HIGH and the records of the exploration show little: read the server's advice first.";
  }
  if (before === null || after === null) return "The place of the session is not known.";
  if (!isWhole && before.step === PHASES.POST_IMPL_VERIFY.step) {
    return "Read what the verification showed first.";
  }
  if (!isWhole && after.step === PHASES.PRE_COMMIT.step) {
    return "Read the review of the changes first.";
  }
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
