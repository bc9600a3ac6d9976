/** Ends runs of other processes: living ones by a mark in the file, commands of dead ones by a signal. */
import type { Clock } from "../../base/clock.ts";
import { runProcess, signalGroup } from "../../base/process.ts";
import type { VerificationState } from "./verification.ts";
import type { RunMark, VerificationFile } from "./verification_file.ts";
import { release } from "./verification_file.ts";

/** By this variable a command that outlived its server is known. */
export const RUN_VARIABLE = "CODE_INTEL_VERIFICATION";
const SHOW_TIMEOUT_MS = 2_000;

/** Which runs are ended. */
export interface AskOptions {
  readonly isWanted: (mark: RunMark) => boolean;
  /** Runs of this process; they are left alone. */
  readonly isOwn: (id: string) => boolean;
}

/**
 * Marks the wanted runs of living processes as cancelled, and clears away those of dead ones; only under
 * the file's lock. Gives how many are still to end.
 */
export async function askToEnd(
  file: VerificationFile,
  { isWanted, isOwn }: AskOptions,
): Promise<number> {
  const { running, runs } = await file.read();
  const kept: RunMark[] = [];
  let asked = 0;
  for (const mark of running) {
    const hold = isOwn(mark.id) ? null : await file.tryHold(mark.id);
    if (hold !== null) {
      await release(hold);
      await endOrphan(mark);
      continue;
    }
    if (isWanted(mark)) asked++;
    kept.push(isWanted(mark) ? { ...mark, isCancelled: true } : mark);
  }
  const isSame = kept.length === running.length &&
    kept.every((mark, at) => mark.isCancelled === running[at]?.isCancelled);
  if (!isSame) await file.write({ running: kept, runs });
  return asked;
}

/**
 * A killed server leaves its command running; two at once would disturb each other. Its process id can
 * belong to another program by now: only the variable of this run in its environment proves it, and
 * where the system does not show that, nothing is ended.
 */
export async function endOrphan({ id, commandPid }: RunMark): Promise<void> {
  if (commandPid === null) return;
  const variables = await listVariables(commandPid);
  if (variables.includes(`${RUN_VARIABLE}=${id}`)) signalGroup(commandPid, "SIGKILL");
}

/**
 * The variables of a process as `NAME=value`, with other words of its command line where `ps` tells them. Small Linux
 * systems come without `ps`, and the runtime may read the files of `/proc` only through a program.
 */
async function listVariables(pid: number): Promise<readonly string[]> {
  const isLinux = Deno.build.os === "linux";
  const [program, args] = isLinux
    ? ["cat", [`/proc/${pid}/environ`]] as const
    : ["ps", ["eww", "-o", "command=", "-p", `${pid}`]] as const;
  const shown = await runProcess(program, args, { timeoutMs: SHOW_TIMEOUT_MS }).catch(() => null);
  if (shown === null || shown.code !== 0) return [];
  return new TextDecoder().decode(shown.stdout).split(isLinux ? "\0" : /\s+/);
}

type Running = Extract<VerificationState, { readonly kind: "running" }>;

/** A mark as a state; the last line is known to the process that runs it alone. */
export function toRunning(
  { id, startedAt, command, pid }: Pick<RunMark, "id" | "startedAt" | "command" | "pid">,
  clock: Clock,
): Running {
  const elapsedMs = Math.max(0, clock.now().getTime() - Date.parse(startedAt));
  return { kind: "running", id, elapsedMs, command, lastLine: "", pid };
}

/** Somebody has the run, and its mark was changed by hand: it is waited for all the same. */
export function toUnmarked(id: string): Running {
  return { kind: "running", id, elapsedMs: 0, command: "", lastLine: "", pid: 0 };
}

/** The marks of all other runs. */
export function withoutId(marks: readonly RunMark[], id: string): readonly RunMark[] {
  return marks.filter((mark) => mark.id !== id);
}
