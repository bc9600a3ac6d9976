/** Runs a program to its end for a task, and looks at processes that run. */

/**
 * Runs a program to its end.
 *
 * @returns its standard output.
 * @throws {Error} with its words when it fails or is not there.
 */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1", ...env },
  }).output();
  const decoder = new TextDecoder();
  if (success) return decoder.decode(stdout);
  throw new Error(`${command} ${args[0] ?? ""} failed: ${decoder.decode(stderr).trim()}`);
}

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

/** True where {@link readProcess} can read anything: on Linux. */
export function canReadProcesses(): boolean {
  return Deno.build.os === "linux";
}

/** Looks at a process that runs. A shell reads it, because the runtime gives a program with narrow permissions no `/proc`. */
export async function readProcess(pid: number): Promise<ProcessFacts> {
  const text = await run("sh", ["-c", LOOK, "look", String(pid)], { cwd: "/" });
  const [memory = "", handles = "", ...children] = text.split("\n");
  return {
    memoryBytes: Number(/\d+/.exec(memory)?.[0] ?? 0) * KIB,
    handles: Number(handles),
    children: toIds(children.join(" ")),
  };
}

/** Those of the processes that still run. */
export async function findRunning(pids: readonly number[]): Promise<readonly number[]> {
  const words = ["-c", RUNNING, "running", ...pids.map(String)];
  return toIds(await run("sh", words, { cwd: "/" }));
}

function toIds(text: string): readonly number[] {
  return text.split(/\s+/).filter((word) => word !== "").map(Number);
}
