/**
 * JSON-RPC over standard input and output, one message a line. The SDK's transport is not used. It
 * drops broken messages without an answer, and closes the connection when a message is too large.
 */
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import { parseJSONRPCMessage } from "@modelcontextprotocol/server";
import { LIMITS } from "../../base/settings/limits.ts";
import type { MessageRefusal } from "./message_gate.ts";
import { checkMessage, INVALID_REQUEST, PARSE_ERROR } from "./message_gate.ts";

/** Cuts a stream of bytes into lines, in time linear in their length and in bounded memory. Pure. */

const NEWLINE = 10;

/** Collects chunks until a line is complete. A line over the bound is dropped and reported. */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder();
  #parts: Uint8Array[] = [];
  #sizeBytes = 0;
  #isTooLong = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that `chunk` completes; `"too_long"` stands for one over the bound. */
  push(chunk: Uint8Array): readonly (string | "too_long")[] {
    const lines: string[] = [];
    let start = 0;
    for (
      let end = chunk.indexOf(NEWLINE);
      end >= 0;
      end = chunk.indexOf(NEWLINE, start)
    ) {
      this.#add(chunk.subarray(start, end));
      lines.push(this.#take());
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
    return lines;
  }

  #add(part: Uint8Array): void {
    if (part.length === 0 || this.#isTooLong) return;
    this.#sizeBytes += part.length;
    this.#parts.push(part);
    if (this.#sizeBytes <= this.#maxBytes) return;
    this.#isTooLong = true;
    this.#parts = [];
  }

  #take(): string {
    const line = this.#isTooLong ? "too_long" : this.#decoder.decode(this.#join());
    this.#parts = [];
    this.#sizeBytes = 0;
    this.#isTooLong = false;
    return line;
  }

  #join(): Uint8Array {
    if (this.#parts.length === 1) return this.#parts[0] ?? new Uint8Array();
    const all = new Uint8Array(this.#sizeBytes);
    let offset = 0;
    for (const part of this.#parts) {
      all.set(part, offset);
      offset += part.length;
    }
    return all;
  }
}

/** Where messages come from and go to. */
export interface StdioStreams {
  readonly input: AsyncIterable<Uint8Array>;
  readonly write: (bytes: Uint8Array) => Promise<number>;
}

const MAX_LINE_BYTES = LIMITS.messageBytes.value;
/** How long calls that are under way when the input ends may take to answer. */
const DRAIN_MS = 600;

/** The transport of one server process. */
export class StdioTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** Resolves once the connection is over. */
  readonly closed: Promise<void>;

  readonly #streams: StdioStreams;
  readonly #resolveClosed: () => void;
  readonly #pending = new Set<RequestId>();
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;
  #onIdle: (() => void) | undefined;

  constructor(streams: StdioStreams) {
    this.#streams = streams;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#resolveClosed = resolve;
  }

  start(): Promise<void> {
    void this.#read();
    return Promise.resolve();
  }

  /** Writes one message, in the order of the calls. A closed output ends the connection. */
  send(message: JSONRPCMessage): Promise<void> {
    if (!("method" in message) && message.id !== undefined) this.#complete(message.id);
    return this.#writeLine(JSON.stringify(message));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#writing.catch(() => {});
    this.onclose?.();
    this.#resolveClosed();
  }

  #writeLine(json: string): Promise<void> {
    const bytes = new TextEncoder().encode(`${json}\n`);
    this.#writing = this.#writing.then(async () => {
      for (let offset = 0; offset < bytes.length;) {
        offset += await this.#streams.write(bytes.subarray(offset));
      }
    }).catch(() => {
      // The write failed, so nobody reads any more: the client is gone.
      this.#isClosed ||= (this.onclose?.(), this.#resolveClosed(), true);
    });
    return this.#writing;
  }

  async #read(): Promise<void> {
    const lines = new LineSplitter(MAX_LINE_BYTES);
    try {
      for await (const chunk of this.#streams.input) {
        for (const line of lines.push(chunk)) this.#receive(line);
        if (this.#isClosed) return;
      }
    } catch (cause) {
      this.onerror?.(cause instanceof Error ? cause : new Error(String(cause)));
    }
    await this.#drain();
    await this.close();
  }

  #receive(line: string | "too_long"): void {
    if (line === "too_long") {
      const message = `Invalid Request: a message may have at most ${MAX_LINE_BYTES} bytes`;
      return this.#refuse({ id: null, code: INVALID_REQUEST, message });
    }
    if (line.trim() === "") return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      const message = "Parse error: the line is not JSON";
      return this.#refuse({ id: null, code: PARSE_ERROR, message });
    }
    const refusal = checkMessage(value);
    if (refusal !== null) return this.#refuse(refusal);
    const message = parseJSONRPCMessage(value);
    this.#track(message);
    this.onmessage?.(message);
  }

  #track(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if ("id" in message) this.#pending.add(message.id);
    else if (message.method === "notifications/cancelled") {
      const id = message.params?.["requestId"];
      if (typeof id === "string" || typeof id === "number") this.#complete(id);
    }
  }

  #complete(id: RequestId): void {
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#onIdle?.();
  }

  async #drain(): Promise<void> {
    if (this.#pending.size === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      timer = setTimeout(resolve, DRAIN_MS);
    });
    clearTimeout(timer);
  }

  #refuse({ id, code, message, isUnanswered }: MessageRefusal): void {
    if (isUnanswered === true) {
      this.onerror?.(new Error(`A message of the client was dropped: ${message}`));
      return;
    }
    void this.#writeLine(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } }));
  }
}
