/**
 * What the system says of a running process. Linux only; elsewhere there is nothing to read. A shell reads
 * it, because the runtime gives a program with narrow permissions no `/proc`.
 */
import { runProgram } from "./measure.ts";

/** One look at a process. */
export interface ProcessFacts {
  /** Resident memory. */
  readonly memoryBytes: number;
  /** Open files, sockets and pipes. */
  readonly handles: number;
  /** Process ids of its children. */
  readonly children: readonly number[];
}

const KIB = 1024;

const LOOK =
  `cd "/proc/$1" && grep VmRSS status && ls fd | wc -l && cat task/*/children 2>/dev/null; :`;
/** The ids of those that still run; one that ended and was not yet waited for does not. */
const RUNNING =
  `for id; do grep -qs '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$id/status" && echo "$id"; done; :`;

/** True where {@link readProcess} can read anything. */
export function canReadProcesses(): boolean {
  return Deno.build.os === "linux";
}

/** Looks at a process that runs. */
export async function readProcess(pid: number): Promise<ProcessFacts> {
  const text = await runProgram("sh", ["-c", LOOK, "look", String(pid)], "/");
  const [memory = "", handles = "", ...children] = text.split("\n");
  return {
    memoryBytes: Number(/\d+/.exec(memory)?.[0] ?? 0) * KIB,
    handles: Number(handles),
    children: toIds(children.join(" ")),
  };
}

/** Those of the processes that still run. */
export async function findRunning(pids: readonly number[]): Promise<readonly number[]> {
  return toIds(await runProgram("sh", ["-c", RUNNING, "running", ...pids.map(String)], "/"));
}

function toIds(text: string): readonly number[] {
  return text.split(/\s+/).filter((word) => word !== "").map(Number);
}
