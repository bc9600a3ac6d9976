/**
 * Finds what is on disk of a run, and whether the run can be started: both depend on its mark of
 * life, a lock that the running process holds and that is tried only once. Call these functions
 * under the lock of the file.
 */
import type { Clock } from "../../base/clock.ts";
import { endOrphan, toRunning, toUnmarked } from "./end_runs.ts";
import type { VerificationState } from "./verification.ts";
import type { Hold, VerificationFile } from "./verification_file.ts";
import { release } from "./verification_file.ts";

/** The state of a run, and its mark of life where this process has just taken it. */
export interface LookAndHold {
  readonly state: VerificationState;
  readonly hold: Hold | null;
}

/** What other processes left of a run, or are running. */
export async function lookOnDisk(
  id: string,
  file: VerificationFile,
  clock: Clock,
): Promise<VerificationState> {
  const done = await findDone(id, file);
  if (done !== null) return done;
  const { state, hold } = await lookAndHold(id, file, clock);
  if (hold !== null) await release(hold);
  return state;
}

/**
 * Looks up a run for a caller that wants to start it: takes the mark of life where nobody has it,
 * also for a run that is void. Some runtimes may report a mark as taken although it has just become
 * free; then the run is answered as running.
 */
export async function lookAndHold(
  id: string,
  file: VerificationFile,
  clock: Clock,
): Promise<LookAndHold> {
  const done = await findDone(id, file);
  if (done !== null && !isVoidRun(done)) return { state: done, hold: null };
  const { running } = await file.read();
  const hold = await file.tryHold(id);
  const mark = running.find((candidate) => candidate.id === id);
  if (hold === null) {
    return { state: mark === undefined ? toUnmarked(id) : toRunning(mark, clock), hold };
  }
  if (mark !== undefined) await endOrphan(mark);
  return { state: { kind: "lost", id }, hold };
}

/** A finished run on disk, a void one too; null where there is none. */
async function findDone(id: string, file: VerificationFile): Promise<VerificationState | null> {
  const { runs } = await file.read();
  const run = runs.findLast((candidate) => candidate.id === id && !candidate.wasCancelled);
  return run === undefined ? null : { kind: "done", run };
}

/** True for a run whose result proves nothing. */
export function isVoidRun(state: VerificationState): boolean {
  return state.kind === "done" && state.run.voided !== null;
}

/** Waits for an end, at most for a while; without an end for that while. */
export async function raceTimer(end: Promise<void> | undefined, waitMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMs);
  });
  await Promise.race(end === undefined ? [pause] : [end, pause]);
  clearTimeout(timer);
}
