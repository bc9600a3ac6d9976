/** Tells whether some program waits on a pipe for what nobody will write. */
import { closeSync, constants, openSync } from "node:fs";

/** A pipe that a program waits on. It goes on waiting until `close`, and takes the pipe for empty afterwards. */
export interface WaitedPipe {
  readonly path: string;
  close(): void;
}

/**
 * Opens a pipe for writing without waiting, which the system allows only where somebody is about to read it. Nothing
 * is written. Null where nobody reads, and for everything that is no pipe.
 */
export function openWaitedPipe(path: string): WaitedPipe | null {
  try {
    if (Deno.statSync(path).isFifo !== true) return null;
    const pipe = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    return { path, close: () => closeSync(pipe) };
  } catch {
    return null;
  }
}
