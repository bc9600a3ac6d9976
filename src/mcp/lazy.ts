/**
 * Loads the halves of this folder when they are needed: the command line must not pay for the
 * protocol, and the handshake must not pay for the tools.
 */
import type { Reply } from "../base/reply.ts";
import type { CallOptions } from "../tools/call.ts";
import type { JsonSchema } from "../tools/input_schema.ts";
import type { ServeHttpOptions } from "./transport/http.ts";
import type { ServeOptions } from "./transport/server.ts";
import type { ToolRow } from "../tools/tool.ts";

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
  const { serveOverHttp } = await import("./transport/http.ts");
  await serveOverHttp(options);
}

/** Runs a tool through the same pipeline as the protocol does; never throws. */
export async function callTool(name: string, raw: unknown, options: CallOptions): Promise<Reply> {
  return await (await import("../tools/call.ts")).callTool(name, raw, options);
}

/** Every tool in its fixed order, with the JSON Schema of its parameters. */
export async function loadTools(): Promise<
  readonly { readonly row: ToolRow; readonly schema: JsonSchema }[]
> {
  const { TOOLS } = await import("../tools/tools.ts");
  const { toInputSchema } = await import("../tools/input_schema.ts");
  return TOOLS.map((row) => ({ row, schema: toInputSchema(row) }));
}

/** The names of all tools that work. */
export async function loadToolNames(): Promise<readonly string[]> {
  return (await import("../tools/tools.ts")).TOOLS.map(({ name }) => name);
}
