/**
 * Ends verification runs of other processes: a run of a living process by a mark in the file, the
 * command of a dead one by a signal.
 */
import type { Clock } from "../../base/clock.ts";
import { runProcess, signalGroup } from "../../base/processes/process.ts";
import type { RunMark, VerificationState } from "./verification.ts";
import type { VerificationFile } from "./verification_file.ts";
import { release } from "./verification_file.ts";

/** The environment variable by which a command that outlived its server is recognised. */
export const RUN_VARIABLE = "CODE_INTEL_VERIFICATION";
const SHOW_TIMEOUT_MS = 2_000;

/** Which runs to end. */
export interface AskOptions {
  readonly isWanted: (mark: RunMark) => boolean;
  /** Tells the runs of this process, which are left alone. */
  readonly isOwn: (id: string) => boolean;
}

/**
 * Marks the wanted runs of living processes as cancelled, and removes those of dead ones; call it
 * only under the file's lock. Returns how many have still to end.
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
 * Ends the command that a killed server left running, because two commands at once would disturb
 * each other. The process id may belong to another program by now, so nothing is ended unless the
 * process has the variable of this run in its environment.
 */
export async function endOrphan({ id, commandPid }: RunMark): Promise<void> {
  if (commandPid === null) return;
  const variables = await listVariables(commandPid);
  if (variables.includes(`${RUN_VARIABLE}=${id}`)) signalGroup(commandPid, "SIGKILL");
}

/**
 * The environment variables of a process as `NAME=value`, with other words of its command line
 * where `ps` prints them. Small Linux systems have no `ps`, and the runtime may read files of
 * `/proc` only through a program.
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

/**
 * The state of a run by its mark; the last line of output is known only to the process that runs
 * it.
 */
export function toRunning(
  { id, startedAt, command, pid }: Pick<RunMark, "id" | "startedAt" | "command" | "pid">,
  clock: Clock,
): Running {
  const elapsedMs = Math.max(0, clock.now().getTime() - Date.parse(startedAt));
  return { kind: "running", id, elapsedMs, command, lastLine: "", pid };
}

/**
 * The state of a run that some process holds but whose mark was removed by hand; it is waited for
 * all the same.
 */
export function toUnmarked(id: string): Running {
  return { kind: "running", id, elapsedMs: 0, command: "", lastLine: "", pid: 0 };
}

/** The marks of all other runs. */
export function withoutId(marks: readonly RunMark[], id: string): readonly RunMark[] {
  return marks.filter((mark) => mark.id !== id);
}
