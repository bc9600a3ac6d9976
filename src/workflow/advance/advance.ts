/**
 * Takes a submission through the engine: facts, decision, effects, checkpoint, reply. Effects are
 * done outside the operation lock, after the checkpoint has their intent; the code that does them
 * also completes what a killed process left half-done.
 */
import { toRecord } from "../../base/text/json_record.ts";
import type { AskedAt, Asker, Question } from "../../base/asker.ts";
import { NO_ASKER } from "../../base/asker.ts";
import { CodeIntelError } from "../../base/errors.ts";
import { toHindrance } from "../context/hindrance.ts";
import type { Reply } from "../../base/reply.ts";
import { SAME_CALL, say } from "../../base/text/words.ts";
import type { Looked } from "../../ledger/trees.ts";
import { toArgsHash } from "../../session/args_hash.ts";
import type { SessionState } from "../../phase/state.ts";
import type { Decision } from "../../phase/decide.ts";
import { parseSubmission } from "../../phase/payload/payloads.ts";
import { leavesFiles } from "../../phase/table/effects.ts";
import { toNamedItems } from "../../phase/tasks.ts";
import { decideWithWord } from "./ask_decision.ts";
import type { PersonWord } from "../resolve/ask_resolutions.ts";
import { askPerson } from "../resolve/ask_resolutions.ts";
import type { BaseNotice } from "../look/base_notice.ts";
import { noteBase } from "../look/base_notice.ts";
import type { Bench, Desk, OpenVisit } from "../context/desk.ts";
import { toNoSession } from "../context/desk.ts";
import { noteExpected } from "../effects/effects.ts";
import { gatherFacts } from "../look/gather.ts";
import { leaveWithout, putPendingAside, toFailureWithWaysOut } from "./leave.ts";
import type { Seen } from "./complete.ts";
import { completePending, finish, snapshot, toReply } from "./complete.ts";
import { recordSeen, type SeenInput } from "../look/seen_files.ts";
import type { ResolvedFindings } from "../resolve/resolve_findings.ts";
import { isLeaving, resolveFindings } from "../resolve/resolve_findings.ts";
import type { Waiting } from "../verify/run_wait.ts";
import { throwIfCancelled } from "../verify/run_wait.ts";
import type { VerifyStep } from "../verify/verify_step.ts";
import { isRunOf, NO_RUN, runVerification } from "../verify/verify_step.ts";

/** What was seen of the files, and the state that was saved afterwards. */
export interface SeenInRow {
  readonly looked: Looked | null;
  readonly state: SessionState;
}

/**
 * The look that the payloads of one call share while they are accepted one after the other and do nothing to the files.
 * Whoever changes a file meanwhile is found at the next look. Effects that write files or run hooks, runs of commands,
 * and what follows an answer of the person all begin with a new one.
 */
export class RowLook {
  #seen: SeenInRow | null = null;

  /** The look of the payload before, once; null where there is none, or where the ledger was changed since. */
  take({ sessionId, stage, ledger }: SessionState): Looked | null {
    const seen = this.#seen;
    this.#seen = null;
    const isSame = seen?.state.sessionId === sessionId && seen.state.ledger?.tree === ledger?.tree;
    return isSame && stage !== "POST_IMPL_VERIFY" ? seen.looked : null;
  }

  /** Keeps the look of a payload that was accepted. */
  keep(seen: SeenInRow): void {
    this.#seen = seen;
  }
}

/** Who submits: how long they can wait, and how the person is asked. */
export interface Caller extends Waiting {
  readonly asker: Asker;
  /** True for a caller outside the agent's conversation, such as a command line. */
  readonly isAside?: boolean;
  /** Where the person themself said this; absent where the agent says it. */
  readonly said?: AskedAt;
}

/** The session that a submission is for (the active one, or one by id), and who submits. */
export interface AdvanceOptions {
  readonly sessionId?: string;
  readonly caller?: Caller;
  /** What the payloads of one call share; absent for a payload alone. */
  readonly row?: RowLook;
}

type Fields = Readonly<Record<string, unknown>>;

/** The result of the first half of an advance. */
type Step =
  | { readonly kind: "reply"; readonly reply: Reply; readonly seen?: SeenInRow }
  | { readonly kind: "ask"; readonly question: Question; readonly data?: unknown }
  /** Files or HEAD changed after they were judged and before the effects; nothing was done. */
  | { readonly kind: "again"; readonly data: unknown; readonly fields: Fields }
  | {
    readonly kind: "pending";
    readonly id: string;
    readonly isOwn: boolean;
    /** True for a payload that is sent again after its sender was told that its effects failed. */
    readonly isRepeated: boolean;
  } & Seen;

/**
 * Submits a payload to a session and answers with the next step. Where git or the disk fails,
 * parking and abandoning are done without the part that fails.
 */
export async function advance(
  desk: Desk,
  data: unknown,
  options: AdvanceOptions = {},
): Promise<Reply> {
  try {
    return await tryAdvance(desk, data, options);
  } catch (cause) {
    const failure = toHindrance(cause);
    if (failure === null) throw cause;
    if (!isLeaving(data)) throw toFailureWithWaysOut(failure);
    return await leaveWithout(desk, data, { ...options, failure });
  }
}

async function tryAdvance(desk: Desk, data: unknown, options: AdvanceOptions): Promise<Reply> {
  const { caller } = options;
  let word: PersonWord | null = null;
  let isCompleted = false;
  let sent = data;
  let races = 0;
  // Fields about resolved findings, which every later reply has to carry.
  let fields: Fields = {};
  for (;;) {
    const visit = await desk.enter(options.sessionId);
    if (visit.kind === "none") return { ...toNoSession(), ...fields };
    if (visit.kind === "refused") return { ...visit.reply, ...fields };
    const { bench } = visit;
    const looked = options.row?.take(visit.session.state) ?? null;
    const verified = await verify(desk, visit, { data: sent, ...options });
    throwIfCancelled(caller?.signal);
    if (verified.kind === "reply") return { ...verified.reply, ...fields };
    const input: SubmitInput = { data: sent, asSent: data, word, verified, looked, ...options };
    const step: Step = await desk.underLock(() => submit(desk, visit, input));
    if (step.kind === "reply") {
      if (step.seen !== undefined) options.row?.keep(step.seen);
      return { ...step.reply, ...fields };
    }
    if (step.kind === "ask") {
      const { asker = NO_ASKER, signal = new AbortController().signal } = caller ?? {};
      word = await askPerson(step.question, asker, signal);
      if ("data" in step) sent = step.data;
      continue;
    }
    if (step.kind === "again") {
      sent = step.data;
      fields = { ...fields, ...step.fields };
      if (++races > MOST_RACES) throw toRestless();
      continue;
    }
    const { reply, failure } = await completePending(desk, bench, step.id, step);
    if (failure !== null && isLeaving(data)) {
      if (step.isOwn) throw failure;
      await putPendingAside(desk, step.id, { failure, data });
      continue;
    }
    // An earlier call left these effects: they are completed now, and the submission follows, unless it is that call again.
    const isAnswered = step.isOwn || (reply.ok && step.isRepeated);
    if (isAnswered || isCompleted || failure !== null) return { ...reply, ...fields };
    isCompleted = true;
  }
}

/** How often files may change between judgement and effects before the call gives up (guessed). */
const MOST_RACES = 3;

function toRestless(): CodeIntelError {
  return new CodeIntelError("busy", "Cannot go on: files keep changing while they are judged", {
    hint: say`Stop what writes to the worktree (a watcher, a build), then ${SAME_CALL} again.`,
  });
}

/** Runs the project's commands where they are due, before any lock is taken. */
async function verify(
  desk: Desk,
  { bench, session, settings }: OpenVisit,
  input: AdvanceOptions & { readonly data: unknown },
): Promise<VerifyStep> {
  if (session.state.stage !== "POST_IMPL_VERIFY") return NO_RUN;
  return await runVerification(desk, bench, { ...input, session, settings });
}

interface SubmitInput extends AdvanceOptions {
  readonly data: unknown;
  /** The payload before answers of the person went into it. */
  readonly asSent: unknown;
  readonly word: PersonWord | null;
  readonly looked: Looked | null;
  readonly verified: Exclude<VerifyStep, { readonly kind: "reply" }>;
}

/** Opens the session again for its payload; else what is to be done first. */
async function openForPayload(
  desk: Desk,
  found: OpenVisit["session"],
  input: SubmitInput,
): Promise<Step | { readonly kind: "open"; readonly session: OpenVisit["session"] }> {
  const opened = input.sessionId === undefined
    ? await desk.openActive()
    : await desk.open(input.sessionId);
  if (opened.kind === "none") return { kind: "reply", reply: toNoSession() };
  if (opened.kind === "refused") return { kind: "reply", reply: opened.reply };
  const { pending } = opened.session.state;
  if (pending !== null) {
    const isRepeated = pending.isTold === true && pending.sentHash === toSentHash(input.asSent);
    return { kind: "pending", id: opened.session.id, isOwn: false, isRepeated };
  }
  // Another process ended the session that was found and started another one.
  if (opened.session.id !== found.id) {
    return { kind: "again", data: input.data, fields: {} };
  }
  return opened;
}

async function submit(
  desk: Desk,
  { bench, session: found, settings }: OpenVisit,
  input: SubmitInput,
): Promise<Step> {
  const opened = await openForPayload(desk, found, input);
  if (opened.kind !== "open") return opened;
  const records = await desk.records(opened.session.id);
  const resolved = await resolveFindings(desk, bench, {
    session: opened.session,
    settings,
    data: input.data,
    word: input.word,
    looked: input.looked,
  });
  if (resolved.kind !== "clear") return resolved;
  const { verified } = input;
  const tree = resolved.looked?.tree ?? null;
  // The findings that had kept the commands from running are resolved, or the work changed since the run: now they run.
  const isRun = verified.kind === "run" &&
    await isRunOf(bench, resolved.session.state, { run: verified.run, tree });
  if (verified.kind === "blocked" || !isRun) {
    return { kind: "again", data: resolved.data, fields: resolved.fields };
  }
  const { session } = resolved;
  const { stage, tasks } = session.state;
  const parsed = toNamedItems(parseSubmission(stage, resolved.data), tasks);
  const [gathered, base] = await Promise.all([
    gatherFacts({ bench, session, settings, records, tree }, parsed),
    noteBase(bench, session.state),
  ]);
  const { word, caller: { isAside = false, said } = {} } = input;
  const own = said === undefined ? {} : { word: { source: said, included: [] } };
  const facts = { ...gathered, serverRun: verified.run, ...own };
  const judged = { parsed, facts };
  const asked = decideWithWord(base.state, {
    event: { type: "submitted", parsed, data: toRecord(resolved.data), facts, isAside },
    contract: bench.contract.contract,
    tree,
    word,
  });
  // Findings that were resolved together with the question are resolved already.
  if (asked.kind === "ask") return { ...asked, data: resolved.data };
  const { decision } = asked;
  if (decision.kind === "perform") {
    return await keepIntent(desk, bench, {
      ...{ decision, resolved, judged, base },
      sent: input.asSent,
    });
  }
  const saved = await finish(desk, bench, { session, decision, seen: tree });
  if (decision.kind === "accepted") await recordSeen(desk, bench, { session: saved, ...judged });
  const reply = await toReply(bench, saved, decision);
  return {
    kind: "reply",
    reply: { ...reply, ...resolved.fields, ...base.fields },
    ...(decision.kind === "accepted"
      ? { seen: { looked: resolved.looked, state: saved.state } }
      : {}),
  };
}

/** What tells a payload that is sent again; the count of compactions may have grown meanwhile. */
function toSentHash(data: unknown): string {
  const { compaction_count: _, ...payload } = toRecord(data);
  return toArgsHash(payload);
}

/** Writes the intended effects into the checkpoint, if files and HEAD are still as they were judged. */
async function keepIntent(
  desk: Desk,
  bench: Bench,
  input: {
    readonly decision: Extract<Decision, { readonly kind: "perform" }>;
    readonly resolved: Extract<ResolvedFindings, { readonly kind: "clear" }>;
    readonly judged: Pick<SeenInput, "parsed" | "facts">;
    readonly base: BaseNotice;
    readonly sent: unknown;
  },
): Promise<Step> {
  const { decision, resolved, judged, base, sent } = input;
  const { session } = resolved;
  const judgedTree = resolved.looked?.tree ?? null;
  // What writes files, or lets hooks write some, begins and ends with a new look at them.
  const isHarmless = leavesFiles(decision.state.pending?.effects ?? []);
  const tree = await snapshot(desk, bench, {
    session,
    label: `before ${session.state.stage}`,
    seen: isHarmless ? judgedTree : null,
  });
  // Effects use files and HEAD as they are now, so nothing may have changed since they were judged.
  // Leaving uses only the snapshot and is possible whatever was found.
  const isLeft = isLeaving(sent);
  const expected = await noteExpected(bench, { tree, head: isLeft ? null : resolved.head });
  const isChanged = judgedTree !== null && tree !== judgedTree && !isLeft;
  if (expected === null || isChanged) {
    return { kind: "again", data: resolved.data, fields: resolved.fields };
  }
  const { pending } = decision.state;
  await desk.save(session, {
    ...decision.state,
    pending: pending === null ? null : {
      ...pending,
      expected,
      reply: { ...pending.reply, ...resolved.fields, ...base.fields },
      sentHash: toSentHash(sent),
    },
  });
  await recordSeen(desk, bench, { session, ...judged });
  const seen = isHarmless ? tree : null;
  return { kind: "pending", id: session.id, isOwn: true, isRepeated: false, seen };
}
