/**
 * Loads the code of the protocol only in a process that serves, so that no command of the command
 * line pays for it.
 */
import type { ServeOptions } from "../services/transport.ts";

/** Serves MCP over stdio until the client is gone. */
export async function serve(options: ServeOptions): Promise<void> {
  const { serveOverStdio } = await import("./transport/server.ts");
  await serveOverStdio(options);
}
