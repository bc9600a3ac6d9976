/** The server process over stdio. The only file that touches standard output while serving. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Logger } from "../../base/logger.ts";
import type { Services } from "../../services/mod.ts";
import { createParts, createProtocolServer } from "../protocol.ts";
import { StdioTransport } from "./stdio_transport.ts";

/** What the server runs with. */
export interface ServeOptions {
  /** Gives the services; called with the first tool call, and again only after a failure. */
  readonly loadServices: () => Promise<Services>;
  readonly logger: Logger;
  /** Ends the server from outside. */
  readonly signal?: AbortSignal;
}

/** How often the parent process is looked at; half the second in which the server has to end. */
const PARENT_CHECK_MS = 500;

/** Serves until the client closes the input, the parent process is gone, or `signal` ends it. */
export async function serveOverStdio(options: ServeOptions): Promise<void> {
  keepOutputClean(options.logger);
  const transport = new StdioTransport({
    input: Deno.stdin.readable,
    write: (bytes) => Deno.stdout.write(bytes),
  });
  const parts = createParts(options);
  const close = () => void transport.close();
  options.signal?.addEventListener("abort", close, { once: true });
  const parentCheck = watchParent(close);
  serveStdio(({ era }) => createProtocolServer(era, parts), {
    transport,
    onerror: (error) => options.logger.note(`protocol: ${error.message.slice(0, 300)}`),
  });
  try {
    await transport.closed;
  } finally {
    clearInterval(parentCheck);
  }
}

/** A client that is killed may leave our input open in another process; its death changes our parent. */
function watchParent(onGone: () => void): ReturnType<typeof setInterval> {
  const parent = Deno.ppid;
  return setInterval(() => {
    if (Deno.ppid !== parent) onGone();
  }, PARENT_CHECK_MS);
}

/** What a dependency prints must not get between the messages: it goes to standard error. */
function keepOutputClean(logger: Logger): void {
  const note = (...parts: unknown[]) => logger.note(parts.map(String).join(" "));
  Object.assign(globalThis.console, { log: note, info: note, debug: note });
}
