/** What the system says of a running process. Linux only; elsewhere there is nothing to read. */

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

/** True where {@link readProcess} can read anything. */
export function canReadProcesses(): boolean {
  return Deno.build.os === "linux";
}

/** Looks at a process; throws `Deno.errors.NotFound` when it has ended. */
export async function readProcess(pid: number): Promise<ProcessFacts> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? "0";
  const handles = await Array.fromAsync(Deno.readDir(`/proc/${pid}/fd`));
  const children: number[] = [];
  for await (const task of Deno.readDir(`/proc/${pid}/task`)) {
    children.push(...await readChildren(`/proc/${pid}/task/${task.name}/children`));
  }
  return { memoryBytes: Number(resident) * KIB, handles: handles.length, children };
}

/** True while a process runs; one that ended and was not yet waited for does not. */
export async function isRunning(pid: number): Promise<boolean> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`).catch(() => null);
  return stat !== null && !/\) [ZX] /.test(stat);
}

/** A thread that ended between the listing and the reading has no children. */
async function readChildren(path: string): Promise<readonly number[]> {
  const text = await Deno.readTextFile(path).catch(() => "");
  return text.split(" ").filter((word) => word.trim() !== "").map(Number);
}
