/**
 * Waits for a run of verification commands: reports how far it is, and cancels it with the waiting
 * call.
 */
import { CodeIntelError } from "../../base/errors.ts";
import { SAME_CALL, say } from "../../base/text/words.ts";
import type { ProjectVerification } from "../../evidence/runs/project_verification.ts";
import type { VerificationState } from "../../evidence/runs/verification.ts";

/**
 * Receives how far a call is: done, of how much (null where that is not known), and words for the
 * user.
 */
export type Progress = (done: number, total: number | null, message: string) => void;

/** How a caller waits. */
export interface Waiting {
  readonly signal: AbortSignal;
  readonly progress?: Progress;
}

/**
 * Longest wait of one call for a run that goes on, in milliseconds: below the 60 seconds after
 * which some clients give up a call.
 */
const WAIT_MS = 45_000;
const LOOK_MS = 1_000;
const LINE_CHARS = 120;

/**
 * The state of a run when it is done, or after {@link WAIT_MS}.
 *
 * @throws {CodeIntelError} `cancelled`: the call was, and with it the run of this process.
 */
export async function waitForRun(
  runner: ProjectVerification["runner"],
  id: string,
  { signal, progress = () => {} }: Waiting,
): Promise<VerificationState> {
  const endsAtMs = performance.now() + WAIT_MS;
  const onAbort = () => void runner.cancel(id);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    for (;;) {
      if (signal.aborted) await runner.cancel(id);
      throwIfCancelled(signal);
      const leftMs = endsAtMs - performance.now();
      const state = await runner.wait(id, Math.max(0, Math.min(LOOK_MS, leftMs)));
      // The run has to be over before the caller hears that it was cancelled.
      if (signal.aborted) continue;
      if (state.kind !== "running" || leftMs <= 0) return state;
      const elapsedS = Math.round(state.elapsedMs / 1000);
      const line = state.lastLine === "" ? "" : `: ${state.lastLine.slice(0, LINE_CHARS)}`;
      progress(elapsedS, null, `${state.command}, ${elapsedS} s${line}`);
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** @throws {CodeIntelError} `cancelled`: nothing may change any more for a call that nobody waits for. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new CodeIntelError("cancelled", "The call was cancelled", {
    hint: say`Nothing was changed; ${SAME_CALL} again when its answer is wanted.`,
  });
}
