/** Looks at processes of the machine from a test. */

/** Whether a process runs; one that has ended and whose parent has not looked yet counts as ended. */
export async function isRunning(pid: string): Promise<boolean> {
  const state = await readState(pid.trim());
  return state !== "" && !state.startsWith("Z");
}

/** The state that begins with a letter, empty where the process is gone. Small Linux systems come without `ps`. */
async function readState(pid: string): Promise<string> {
  if (Deno.build.os === "linux") {
    const text = await Deno.readTextFile(`/proc/${pid}/stat`).catch(() => "");
    return text.slice(text.lastIndexOf(")") + 1).trim();
  }
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "stat=", "-p", pid] }).output();
  return new TextDecoder().decode(stdout).trim();
}

/**
 * Kills a child. `Deno.ChildProcess.kill()` throws where the child came to its end by itself in between, which on
 * a fast machine it may: that is no error of a test whose kill can come at any moment.
 */
export function killChild(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}
