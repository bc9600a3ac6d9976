/**
 * The line of a payload: open, look, decide; while something has to be done, do it and look again; save, answer.
 * A step of the line (`next_step.ts`) holds the operation lock. What takes time or talks to anybody is done between two
 * steps without it: questions to the user, the project's commands, effects on git and files.
 */
import { NO_ASKER } from "../../base/asker.ts";
import { CodeIntelError } from "../../base/errors.ts";
import type { Reply } from "../../base/reply.ts";
import { SAME_CALL, say } from "../../base/text/words.ts";
import type { Sessions } from "../context/sessions.ts";
import { findHindrance } from "../context/hindrance.ts";
import { askPerson } from "../resolve/ask_resolutions.ts";
import { isLeaving } from "../resolve/resolve_findings.ts";
import { throwIfCancelled } from "../verify/run_wait.ts";
import { runVerification } from "../verify/verify_step.ts";
import { completePending } from "./complete.ts";
import { addWaysToLeave, leaveWithout, putPendingAside } from "./leave.ts";
import type { NextStep } from "./next_step.ts";
import { decideNextStep } from "./next_step.ts";
import type { AdvanceOptions, PreviousObservation, Progress } from "./progress.ts";
import { beginProgress } from "./progress.ts";

/** The answer to a payload, and what it saw of the files where it was accepted without touching them. */
export interface Advanced {
  readonly reply: Reply;
  readonly look: PreviousObservation | null;
}

/** Submits a payload to a session and answers with the next step. */
export async function advance(
  sessions: Sessions,
  data: unknown,
  options: AdvanceOptions = {},
): Promise<Reply> {
  return (await advanceInRow(sessions, data, options)).reply;
}

/**
 * Submits a payload, and keeps its look for the one behind it. Where git or the disk fails, parking and abandoning are
 * done without the part that fails.
 */
export async function advanceInRow(
  sessions: Sessions,
  data: unknown,
  options: AdvanceOptions,
): Promise<Advanced> {
  try {
    return await advanceToAnswer(sessions, data, options);
  } catch (cause) {
    const failure = findHindrance(cause);
    if (failure === null) throw cause;
    if (!isLeaving(data)) throw addWaysToLeave(failure);
    return { reply: await leaveWithout(sessions, data, { ...options, failure }), look: null };
  }
}

async function advanceToAnswer(
  sessions: Sessions,
  data: unknown,
  options: AdvanceOptions,
): Promise<Advanced> {
  let progress = beginProgress(data, options);
  for (;;) {
    throwIfCancelled(options.caller?.signal);
    const step = await sessions.underLock(() => decideNextStep(sessions, progress, options));
    const done = step.kind === "answer"
      ? step
      : await perform(sessions, step, { progress, options });
    if (done.kind === "answer") {
      return { reply: { ...done.reply, ...progress.fields }, look: done.look ?? null };
    }
    progress = { ...progress, lookBefore: null, ...done.change };
    if (progress.races > MOST_RACES) throw makeRestlessError();
  }
}

/** How often files may change between judgement and effects before the call gives up. */
const MOST_RACES = 3;

function makeRestlessError(): CodeIntelError {
  return new CodeIntelError("busy", "Cannot go on: files keep changing while they are judged", {
    hint: say`Stop what writes to the worktree (a watcher, a build), then ${SAME_CALL} again.`,
  });
}

/** An answer that ends the call, or what the next look and decision have to know. */
type Performed =
  | { readonly kind: "answer"; readonly reply: Reply; readonly look?: PreviousObservation | null }
  | { readonly kind: "go_on"; readonly change: Partial<Progress> };

/** Does what a step asks for. No lock is held meanwhile, except that of the effects. */
async function perform(
  sessions: Sessions,
  step: Exclude<NextStep, { readonly kind: "answer" }>,
  { progress, options }: { readonly progress: Progress; readonly options: AdvanceOptions },
): Promise<Performed> {
  const caller = options.caller ?? { asker: NO_ASKER, signal: new AbortController().signal };
  switch (step.kind) {
    case "look_again":
      return { kind: "go_on", change: step.change };
    case "ask":
      return {
        kind: "go_on",
        change: { word: await askPerson(step.question, caller.asker, caller.signal) },
      };
    case "run": {
      const ran = await runVerification(sessions, { ...step, caller, trust: progress.trust });
      if (ran.kind === "answer") return ran;
      const races = progress.run === null ? progress.races : progress.races + 1;
      return ran.kind === "trusted"
        ? { kind: "go_on", change: { trust: ran.trust } }
        : { kind: "go_on", change: { run: ran, races } };
    }
    case "effects":
      return await performEffects(sessions, step, progress);
  }
}

/** Does the effects that the checkpoint names. Those of an earlier call come before the payload of this one. */
async function performEffects(
  sessions: Sessions,
  step: Extract<NextStep, { readonly kind: "effects" }>,
  progress: Progress,
): Promise<Performed> {
  const { reply, failure } = await completePending(sessions, step.id, step);
  if (failure !== null && progress.isLeaving) {
    if (step.isOwn) throw failure;
    await putPendingAside(sessions, step.id, { failure, data: progress.sent });
    return { kind: "go_on", change: {} };
  }
  // A payload that is sent again after its sender was told that its effects failed gets their reply.
  const isAnswered = step.isOwn || (reply.ok && step.isRepeated);
  return isAnswered || progress.hasCompleted || failure !== null
    ? { kind: "answer", reply }
    : { kind: "go_on", change: { hasCompleted: true } };
}
