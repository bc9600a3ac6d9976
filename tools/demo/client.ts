/**
 * A client as small as the protocol allows: JSON-RPC, one message a line, over the standard streams of
 * a server that it starts. It knows nothing of the server's code.
 */

/** What a call came back with. */
export interface Answer {
  /** The reply of the tool, parsed from its text. */
  readonly reply: Readonly<Record<string, unknown>>;
  /** From the sending to the answer. */
  readonly durationMs: number;
  /** Length of the text that the client would show to the model. */
  readonly sizeBytes: number;
}

/** A form that the server shows to the person. */
export interface Form {
  readonly message: string;
  /** Names of the values that it asks for. */
  readonly fields: readonly string[];
}

/** The person at the client: gives the values of a form; null leaves it unanswered. */
export type Person = (form: Form) => Readonly<Record<string, unknown>> | null;

/** How a server is started. */
export interface StartOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Variables added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** True gives the server these variables alone. */
  readonly clearEnv?: boolean;
  /** Answers the forms of the server; without it the client declares that it shows none. */
  readonly person?: Person;
}

interface Message {
  readonly id?: number;
  /** Present in a request of the server. */
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

interface Waiting {
  readonly resolve: (message: Message) => void;
  readonly reject: (error: Error) => void;
}

/** One running server and the connection to it. */
export class Client {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #waiting = new Map<number, Waiting>();
  readonly #reading: Promise<void>;
  readonly #person: Person | null;
  #lastId = 0;

  private constructor(child: Deno.ChildProcess, person: Person | null) {
    this.#child = child;
    this.#person = person;
    this.#writer = child.stdin.getWriter();
    this.#reading = this.#read();
  }

  /** Starts a server and greets it; the answer to `initialize` comes with the client. */
  static async start(options: StartOptions): Promise<{
    readonly client: Client;
    readonly server: Readonly<Record<string, unknown>>;
    readonly durationMs: number;
  }> {
    const startedAt = performance.now();
    const child = new Deno.Command(options.command, {
      args: [...options.args],
      cwd: options.cwd,
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
      clearEnv: options.clearEnv === true,
      ...(options.env === undefined ? {} : { env: { ...options.env } }),
    }).spawn();
    const client = new Client(child, options.person ?? null);
    const server = await client.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: options.person === undefined ? {} : { elicitation: {} },
      clientInfo: { name: "demo", version: "1.0.0" },
    });
    const durationMs = performance.now() - startedAt;
    await client.#send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return { client, server, durationMs };
  }

  /** Process id of the server. */
  get pid(): number {
    return this.#child.pid;
  }

  /** Sends a request and waits for its result; an error of the protocol is thrown. */
  async request(method: string, params: unknown): Promise<Readonly<Record<string, unknown>>> {
    const id = ++this.#lastId;
    const answered = new Promise<Message>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
    await this.#send({ jsonrpc: "2.0", id, method, params });
    const { result, error } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }

  /** Calls a tool and parses the JSON of its text. */
  async callTool(name: string, args: unknown): Promise<Answer> {
    const startedAt = performance.now();
    const result = await this.request("tools/call", { name, arguments: args });
    const durationMs = performance.now() - startedAt;
    const content = result.content as readonly { readonly text?: string }[] | undefined;
    const text = content?.[0]?.text ?? "";
    const sizeBytes = new TextEncoder().encode(text).length;
    return { reply: JSON.parse(text), durationMs, sizeBytes };
  }

  /** Ends the server as a client does: closes its input and waits. */
  async close(): Promise<void> {
    await this.#writer.close();
    await this.#child.status;
    await this.#reading;
  }

  /** Ends the server as a power cut does: SIGKILL, nothing can be finished. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.status;
    await this.#reading;
    await this.#writer.abort().catch(() => {});
  }

  async #send(message: unknown): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  }

  async #read(): Promise<void> {
    let rest = "";
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.trim() !== "") await this.#dispatch(JSON.parse(line));
    }
    for (const { reject } of this.#waiting.values()) {
      reject(new Error("the server ended before it answered"));
    }
    this.#waiting.clear();
  }

  async #dispatch(message: Message): Promise<void> {
    if (message.id === undefined) return; // A notification, such as progress.
    if (message.method !== undefined) return await this.#answer(message.id, message);
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    waiting?.resolve(message);
  }

  /** Answers a request of the server; the only one that this client knows is a form. */
  async #answer(id: number, { method, params }: Message): Promise<void> {
    if (method !== "elicitation/create" || this.#person === null) {
      const error = { code: -32601, message: `unknown method ${method}` };
      return await this.#send({ jsonrpc: "2.0", id, error });
    }
    const { message, requestedSchema } = params as {
      readonly message: string;
      readonly requestedSchema: { readonly properties: Readonly<Record<string, unknown>> };
    };
    const content = this.#person({ message, fields: Object.keys(requestedSchema.properties) });
    const result = content === null ? { action: "cancel" } : { action: "accept", content };
    await this.#send({ jsonrpc: "2.0", id, result });
  }
}
