/**
 * Loads the code of the protocol only in a process that serves, so that no command of the command
 * line pays for it.
 */
import type { ServeHttpOptions } from "../features/http/serve_http.ts";
import type { ServeOptions } from "./transport/server.ts";

/** Serves MCP over stdio until the client is gone. */
export async function serve(options: ServeOptions): Promise<void> {
  const { serveOverStdio } = await import("./transport/server.ts");
  await serveOverStdio(options);
}

/**
 * Serves MCP over HTTP on 127.0.0.1 until `signal` ends it.
 *
 * @throws {CodeIntelError} `port_taken`; `io_failed` when the token cannot be kept.
 */
export async function serveHttp(options: ServeHttpOptions): Promise<void> {
  const { serveOverHttp } = await import("../features/http/serve_http.ts");
  await serveOverHttp(options);
}
