/**
 * A client of the real server process over stdio, written by hand: it knows only JSON-RPC, so that the
 * tests see what any client would see. It also holds every byte of standard output against the protocol.
 */
import { fileURLToPath } from "node:url";
import { killChild } from "./processes.ts";

/** Where and how the server is started. */
export interface StartClientOptions {
  readonly projectDir: string;
  /** The program and its arguments; default: the server from source. */
  readonly command?: readonly [program: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** False leaves the handshake to the test. Default true. */
  readonly handshake?: boolean;
}

/** A message as it came from the server. */
export interface WireMessage {
  readonly jsonrpc?: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  // deno-lint-ignore no-explicit-any -- tests read results freely
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A tool's reply, parsed, with what surrounded it. */
export interface CalledTool {
  // deno-lint-ignore no-explicit-any -- tests read replies freely
  readonly reply: any;
  readonly isError: boolean;
  /** The text as the client would show it to the model. */
  readonly text: string;
}

/** How the server ended. */
export interface ServerEnd {
  readonly code: number;
  readonly durationMs: number;
  readonly stderr: string;
}

/** A connection to one server process. */
export interface McpClient {
  readonly pid: number;
  /** The answer to `initialize`; undefined without the handshake. */
  // deno-lint-ignore no-explicit-any -- tests read results freely
  readonly server: any;
  /** Messages without an answer of their own: notifications, errors without an id. */
  readonly loose: readonly WireMessage[];
  request(method: string, params?: unknown): Promise<WireMessage>;
  notify(method: string, params?: unknown): Promise<void>;
  /** Sends a line as it is. */
  sendRaw(line: string): Promise<void>;
  /** Waits for the answer to an id that `sendRaw` sent. */
  waitFor(id: string | number): Promise<WireMessage>;
  // deno-lint-ignore no-explicit-any -- tests read results freely
  listTools(): Promise<any[]>;
  call(name: string, args?: unknown): Promise<CalledTool>;
  /** Closes the input and waits for the end; throws when standard output held anything else. */
  close(): Promise<ServerEnd>;
  /** Kills the process as a crash would. */
  kill(): Promise<ServerEnd>;
}

// A hang ends here; a busy machine takes seconds for an answer.
const ANSWER_TIMEOUT_MS = 120_000;
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** An executable that is tested instead of the source, from the outside as the source is. */
const EXECUTABLE = Deno.env.get("CODE_INTEL_PROGRAM") ?? "";

/** The bundle of the source that `deno task test` makes for its tests; empty where they start the source. */
const BUNDLE = Deno.env.get("TESTS_PROGRAM") ?? "";

type Command = readonly [program: string, ...args: string[]];

/** A command that runs a module, with the permissions of `deno.json`. */
function toCommand(module: string): Command {
  const run = ["run", "--quiet", "--no-check", `--config=${ROOT}deno.json`, "-P"];
  return [Deno.execPath(), ...run, module];
}

/** The program where its users have it, for what the place decides. */
export const PLACED_COMMAND: Command = EXECUTABLE !== ""
  ? [EXECUTABLE]
  : toCommand(`${ROOT}src/main.ts`);

/** The command that runs the program from source, which may be bundled. */
export const SOURCE_COMMAND: Command = BUNDLE === "" || EXECUTABLE !== ""
  ? PLACED_COMMAND
  : toCommand(BUNDLE);

/** Starts a server for `projectDir` and greets it. */
export async function startClient(options: StartClientOptions): Promise<McpClient> {
  return await connect(spawnServer(options), options);
}

/** Speaks to a server and greets it. */
export async function connect(
  server: RunningServer,
  options: Pick<StartClientOptions, "handshake"> = {},
): Promise<McpClient> {
  const client = new StdioClient(server);
  if (options.handshake !== false) await client.greet();
  return client;
}

/** A server as a client holds it. */
export interface RunningServer {
  readonly pid: number;
  readonly output: ReadableStream<Uint8Array>;
  readonly input: WritableStream<Uint8Array>;
  /** Resolves once it has ended. */
  readonly ended: Promise<Pick<ServerEnd, "code" | "stderr">>;
  /** Ends it as a crash would. */
  kill(): void;
}

function spawnServer({ projectDir, command, env = {} }: StartClientOptions): RunningServer {
  const [program, ...args] = command ??
    [...SOURCE_COMMAND, "serve", "--project", projectDir] as const;
  const child = new Deno.Command(program, {
    args,
    cwd: projectDir,
    // Most tests ask the index nothing: building one behind each of their servers costs more than they do.
    env: { CODE_INTEL_SYNC_ON_START: "false", ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stderr = new Response(child.stderr).text();
  return {
    pid: child.pid,
    output: child.stdout,
    input: child.stdin,
    ended: child.status.then(async ({ code }) => ({ code, stderr: await stderr })),
    kill: () => killChild(child),
  };
}

class StdioClient implements McpClient {
  server: unknown;
  readonly loose: WireMessage[] = [];

  readonly #server: RunningServer;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #waiting = new Map<string | number, (message: WireMessage) => void>();
  readonly #early = new Map<string | number, WireMessage>();
  readonly #impure: string[] = [];
  readonly #reading: Promise<void>;
  #lastId = 0;

  constructor(server: RunningServer) {
    this.#server = server;
    this.#writer = server.input.getWriter();
    this.#reading = this.#read();
  }

  get pid(): number {
    return this.#server.pid;
  }

  async greet(): Promise<void> {
    const { result, error } = await this.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1.0.0" },
    });
    if (error !== undefined) throw new Error(`initialize failed: ${error.message}`);
    this.server = result;
    await this.notify("notifications/initialized");
  }

  async request(method: string, params: unknown = {}): Promise<WireMessage> {
    const id = ++this.#lastId;
    await this.sendRaw(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return await this.waitFor(id);
  }

  async notify(method: string, params: unknown = {}): Promise<void> {
    await this.sendRaw(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  async sendRaw(line: string): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(`${line}\n`));
  }

  async waitFor(id: string | number): Promise<WireMessage> {
    const early = this.#early.get(id);
    if (early !== undefined) return early;
    const { promise, resolve, reject } = Promise.withResolvers<WireMessage>();
    const timer = setTimeout(
      () => reject(new Error(`no answer to ${id} within ${ANSWER_TIMEOUT_MS} ms`)),
      ANSWER_TIMEOUT_MS,
    );
    this.#waiting.set(id, resolve);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  async listTools() {
    const { result, error } = await this.request("tools/list");
    if (error !== undefined) throw new Error(`tools/list failed: ${error.message}`);
    return result.tools;
  }

  async call(name: string, args: unknown = {}): Promise<CalledTool> {
    const { result, error } = await this.request("tools/call", { name, arguments: args });
    if (error !== undefined) throw new Error(`${name} failed: ${error.code} ${error.message}`);
    const { text } = result.content[0];
    return { reply: JSON.parse(text), isError: result.isError === true, text };
  }

  async close(): Promise<ServerEnd> {
    const end = await this.#end(() => this.#writer.close().catch(() => {}));
    if (this.#impure.length > 0) {
      throw new Error(`standard output held more than JSON-RPC: ${this.#impure.join("\n")}`);
    }
    return end;
  }

  async kill(): Promise<ServerEnd> {
    return await this.#end(async () => {
      this.#server.kill();
      await this.#writer.abort().catch(() => {});
    });
  }

  async #end(action: () => Promise<void>): Promise<ServerEnd> {
    const startedAt = performance.now();
    await action();
    const { code, stderr } = await this.#server.ended;
    const durationMs = performance.now() - startedAt;
    await this.#reading;
    return { code, durationMs, stderr };
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of this.#server.output) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#receive(line);
    }
    if (rest !== "") this.#impure.push(rest);
  }

  #receive(line: string): void {
    let message: WireMessage;
    try {
      message = JSON.parse(line);
    } catch {
      this.#impure.push(line);
      return;
    }
    if (message.jsonrpc !== "2.0") this.#impure.push(line);
    const { id } = message;
    if (id === undefined || id === null || message.method !== undefined) {
      this.loose.push(message);
      return;
    }
    const resolve = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (resolve === undefined) this.#early.set(id, message);
    else resolve(message);
  }
}
