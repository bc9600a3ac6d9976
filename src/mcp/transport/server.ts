/** The server process over stdio. No other file writes to standard output while the server runs. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Logger } from "../../base/logger.ts";
import type { ServeOptions } from "../../services/extension.ts";
import { createParts, createProtocolServer } from "../protocol.ts";
import type { StdioStreams } from "./stdio_transport.ts";
import { StdioTransport } from "./stdio_transport.ts";

/**
 * How often the parent process is checked: half of the second within which the server has to end.
 */
const PARENT_CHECK_MS = 500;

/** Serves until the client closes the input, the parent process is gone, or `signal` ends it. */
export async function serveOverStdio(options: ServeOptions): Promise<void> {
  keepOutputClean(options.logger);
  const gone = new AbortController();
  const parentCheck = watchParent(() => gone.abort());
  const signals = [gone.signal, ...(options.signal === undefined ? [] : [options.signal])];
  const streams = { input: readInput(), write: (bytes: Uint8Array) => Deno.stdout.write(bytes) };
  try {
    await serveOverStreams({ ...options, streams, signal: AbortSignal.any(signals) });
  } finally {
    clearInterval(parentCheck);
  }
}

/** Serves one client until it closes the input, or `signal` ends it. */
export async function serveOverStreams(
  options: ServeOptions & { readonly streams: StdioStreams },
): Promise<void> {
  const transport = new StdioTransport(options.streams);
  const parts = createParts({ ...options, env: (name) => Deno.env.get(name) });
  options.signal?.addEventListener("abort", () => void transport.close(), { once: true });
  serveStdio(({ era }) => createProtocolServer(era, parts), {
    transport,
    onerror: (error) => options.logger.note(`protocol: ${error.message.slice(0, 300)}`),
  });
  await transport.closed;
}

const INPUT_BYTES = 64 * 1024;

/** What comes on standard input. Read without its stream, whose queue would take longer than a small message. */
async function* readInput(): AsyncIterable<Uint8Array> {
  const buffer = new Uint8Array(INPUT_BYTES);
  for (;;) {
    const sizeBytes = await Deno.stdin.read(buffer);
    if (sizeBytes === null) return;
    yield buffer.slice(0, sizeBytes);
  }
}

/**
 * Ends the server when the parent process changes: when a client is killed, another process may
 * still hold our input open, so that its end is never seen.
 */
function watchParent(onGone: () => void): ReturnType<typeof setInterval> {
  const parent = Deno.ppid;
  return setInterval(() => {
    if (Deno.ppid !== parent) onGone();
  }, PARENT_CHECK_MS);
}

/**
 * Sends what dependencies print to standard error, because it would break the messages on standard
 * output.
 */
function keepOutputClean(logger: Logger): void {
  const note = (...parts: unknown[]) => logger.note(parts.map(String).join(" "));
  Object.assign(globalThis.console, { log: note, info: note, debug: note });
}
