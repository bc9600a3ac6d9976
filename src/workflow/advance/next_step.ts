/**
 * One pass of a payload under the operation lock: the session is opened, files and HEAD are looked at once, and what
 * follows is decided: an answer (then the state is saved), or something that has to be done before the next look.
 */
import type { Question } from "../../base/asker.ts";
import type { Reply } from "../../base/reply.ts";
import { asRecord } from "../../base/text/json_record.ts";
import type { WorktreeSnapshot } from "../../ledger/trees.ts";
import type { Decision } from "../../phase/decide.ts";
import type { ParsedSubmission } from "../../phase/payload/payloads.ts";
import type { SessionState } from "../../phase/state.ts";
import { leavesFiles } from "../../phase/table/effects.ts";
import { hashArguments } from "../../session/records.ts";
import type { OpenContext, Sessions } from "../context/sessions.ts";
import { refuseWithoutSession } from "../context/sessions.ts";
import { keepSnapshot, writePresentTree } from "../context/present_tree.ts";
import { noteExpected } from "../effects/effects.ts";
import { noteBase } from "../look/notices.ts";
import { gatherFacts } from "../look/gather.ts";
import { readPayload } from "../look/disk_facts.ts";
import { recordSeen, type SeenInput } from "../look/seen_files.ts";
import type { SettledFindings } from "../resolve/resolve_findings.ts";
import { settleFindings } from "../resolve/resolve_findings.ts";
import { isRunDue, isRunOf } from "../verify/verify_step.ts";
import type { AdvanceOptions, PreviousObservation, Progress } from "./progress.ts";
import { decideWithUserAnswer } from "./ask_decision.ts";
import { buildReply, finish } from "./complete.ts";

/** What follows from a look. */
export type NextStep =
  | { readonly kind: "answer"; readonly reply: Reply; readonly look?: PreviousObservation }
  | { readonly kind: "ask"; readonly question: Question }
  /** The project's commands have to run on this tree first. */
  | {
    readonly kind: "run";
    readonly context: OpenContext;
    readonly tree: string | null;
  }
  /** Findings were resolved, or files or HEAD changed after they were judged; no effect was begun. */
  | { readonly kind: "look_again"; readonly change: Partial<Progress> }
  /** The checkpoint names effects. */
  | {
    readonly kind: "effects";
    readonly id: string;
    readonly isOwn: boolean;
    /** True for a payload that is sent again after its sender was told that its effects failed. */
    readonly isRepeated: boolean;
    /** The working tree as this call saw it, where the effects leave it as it is. */
    readonly seen?: string | null;
  };

/** Opens the session, looks, and decides. Call it under the lock. */
export async function decideNextStep(
  sessions: Sessions,
  progress: Progress,
  options: AdvanceOptions,
): Promise<NextStep> {
  const opened = await sessions.enter(options.sessionId);
  if (opened.kind === "none") return { kind: "answer", reply: refuseWithoutSession() };
  if (opened.kind === "refused") return { kind: "answer", reply: opened.reply };
  const { id, state } = opened.session;
  if (state.pending !== null) {
    const { isTold, sentHash } = state.pending;
    const isRepeated = isTold === true && sentHash === hashPayload(progress.sent);
    return { kind: "effects", id, isOwn: false, isRepeated };
  }
  const settled = await settleFindings(opened, {
    ...progress,
    looked: reuseObservation(progress.lookBefore, state),
  });
  if (settled.kind !== "clear") return settled;
  const context = { ...opened, session: settled.session };
  const tree = settled.looked?.tree ?? null;
  const parsed = await readPayload(context, progress.data);
  if (isRunDue(context.session.state, parsed)) {
    const { run } = progress;
    if (run === null || !await isRunOf(context, run, tree)) {
      return { kind: "run", context, tree: tree ?? await writePresentTree(context) };
    }
  }
  return await decidePayload({ context, settled, parsed, progress, options });
}

/**
 * The look that the payloads of one call share while they are accepted one after the other and do nothing to the files:
 * no call of an agent comes between the two. Whoever changes a file meanwhile is found at the next
 * look. A new one begins for effects that write files or run hooks, for runs of commands, and for
 * what follows an answer of the user.
 */
export function reuseObservation(
  before: PreviousObservation | null,
  { sessionId, stage, ledger }: SessionState,
): WorktreeSnapshot | null {
  const isSame = before?.state.sessionId === sessionId &&
    before.state.ledger?.tree === ledger?.tree;
  return isSame && stage !== "POST_IMPL_VERIFY" ? before.looked : null;
}

interface Judged {
  readonly context: OpenContext;
  readonly parsed: ParsedSubmission;
  readonly settled: Extract<SettledFindings, { readonly kind: "clear" }>;
  readonly progress: Progress;
  readonly options: AdvanceOptions;
}

async function decidePayload(input: Judged): Promise<NextStep> {
  const { context, settled, parsed, progress } = input;
  const { session } = context;
  const tree = settled.looked?.tree ?? null;
  const { word, data } = progress;
  const { isAside = false, said } = input.options.caller ?? {};
  const records = await context.sessions.records(session.id);
  const [gathered, base] = await Promise.all([
    gatherFacts({ ...context, records, tree }, parsed),
    noteBase(context, session.state),
  ]);
  const own = said === undefined ? {} : { word: { source: said, included: [] } };
  const { draft } = input.options;
  const made = draft === undefined ? {} : { draft };
  const facts = { ...gathered, serverRun: progress.run?.run ?? null, ...own, ...made };
  const asked = decideWithUserAnswer(base.state, {
    event: {
      type: "submitted",
      parsed,
      data: asRecord(data),
      facts,
      isAside: isAside || draft !== undefined,
    },
    contract: context.contract.contract,
    tree,
    word,
  });
  if (asked.kind === "ask") return asked;
  const { decision } = asked;
  const seen = { session, parsed, facts };
  const fields = { ...settled.fields, ...base.fields };
  if (decision.kind === "perform") {
    return await keepIntent({ ...input, decision, seen, fields });
  }
  const saved = await finish(context, { session, decision, seen: tree });
  const isAccepted = decision.kind === "accepted";
  if (isAccepted) await recordSeen(context, { ...seen, session: saved });
  const reply = { ...await buildReply(context, saved, decision), ...fields };
  const look = { looked: settled.looked, state: saved.state };
  return { kind: "answer", reply, ...(isAccepted ? { look } : {}) };
}

/** What tells a payload that is sent again; the count of compactions may have grown meanwhile. */
function hashPayload(data: unknown): string {
  const { compaction_count: _, ...payload } = asRecord(data);
  return hashArguments(payload);
}

/** Writes the intended effects into the checkpoint, if files and HEAD are still as they were judged. */
async function keepIntent(
  input: Judged & {
    readonly decision: Extract<Decision, { readonly kind: "perform" }>;
    readonly seen: SeenInput;
    readonly fields: Readonly<Record<string, unknown>>;
  },
): Promise<NextStep> {
  const { context, settled, progress, decision, fields } = input;
  const { session } = context;
  const judgedTree = settled.looked?.tree ?? null;
  // What writes files, or lets hooks write some, begins and ends with a new look at them.
  const isHarmless = leavesFiles(decision.state.pending?.effects ?? []);
  const tree = await keepSnapshot(context, session.state, {
    label: `before ${session.state.stage}`,
    written: isHarmless ? judgedTree : null,
  });
  // Effects use files and HEAD as they are now, so nothing may have changed since they were judged.
  // Leaving uses only the snapshot and is possible whatever was found.
  const expected = await noteExpected(context, {
    tree,
    head: progress.isLeaving ? null : settled.head,
  });
  const isChanged = judgedTree !== null && tree !== judgedTree && !progress.isLeaving;
  if (expected === null || isChanged) {
    return { kind: "look_again", change: { races: progress.races + 1 } };
  }
  const { pending } = decision.state;
  await context.sessions.save(session, {
    ...decision.state,
    pending: pending === null ? null : {
      ...pending,
      expected,
      reply: { ...pending.reply, ...progress.fields, ...fields },
      sentHash: hashPayload(progress.sent),
    },
  });
  await recordSeen(context, input.seen);
  const seen = isHarmless ? tree : null;
  return { kind: "effects", id: session.id, isOwn: true, isRepeated: false, seen };
}
