/**
 * A thousand and more hostile messages against the real server, from one seed: each request is answered, nothing
 * ends or hangs, memory stays bounded, and a normal call is answered at the end. `TEST_SEED=n` repeats a run.
 */
import { match, ok, strictEqual as equal } from "node:assert/strict";
import { startHttpServer } from "../support/server/http_server.ts";
import { SOURCE_COMMAND } from "../support/server/mcp_client.ts";
import { testNeeding } from "../support/needs.ts";
import { createRandom, readSeed } from "../support/random.ts";
import { createTempRepo } from "../support/temp_repo.ts";
import type { HostileMessage } from "./messages.ts";
import { createMessages, MODERN_META } from "./messages.ts";

const SEED = readSeed();
/** Messages over stdio in each way to begin, and over HTTP. */
const STDIO_MESSAGES = 350;
const HTTP_MESSAGES = 250;
/** Sent at once, so that they are worked on beside each other. */
const BURST = 10;
const MAX_RSS_MB = 900;
/** A hang ends here. */
const HANG_MS = 120_000;

const GREETING = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "hostile", version: "1.0.0" },
};

/** What the client says first, by the era that it is of; the last one says nothing before it attacks. */
const OPENINGS = [
  { name: "2025-11-25", opening: { method: "initialize", params: GREETING }, meta: {} },
  {
    name: "2026-07-28",
    opening: { method: "tools/list", params: { _meta: MODERN_META } },
    meta: { _meta: MODERN_META },
  },
  { name: "no greeting", opening: null, meta: {} },
] as const;

interface Answer {
  readonly id?: unknown;
  readonly method?: string;
  readonly error?: { readonly code: number; readonly message: string };
}

let sent = 0;
const peaks: string[] = [];

for (const [at, { name, opening, meta }] of OPENINGS.entries()) {
  Deno.test(`${name}: ${STDIO_MESSAGES} hostile messages over stdio, seed ${SEED}`, async () => {
    await using repo = await createTempRepo({ files: { "a.ts": "export const a = 1;\n" } });
    const connection = new Connection(repo.dir);
    if (opening !== null) await connection.ask({ ...opening, id: "opening" });
    const messages = createMessages(createRandom(SEED + at), STDIO_MESSAGES);
    for (let first = 0; first < messages.length; first += BURST) {
      await connection.attack(messages.slice(first, first + BURST), `${first}`);
    }
    sent += messages.length;
    // Two requests of one id are two requests.
    await connection.attack(
      Array.from({ length: 2 }, (): HostileMessage => ({
        kind: "a doubled id",
        text: JSON.stringify({ jsonrpc: "2.0", id: "twice", method: "tools/list", params: meta }),
        wants: "some",
      })),
      "twice",
    );
    const params = { name: "search_text", arguments: { pattern: "const a" }, ...meta };
    const { text } = await connection.ask({ method: "tools/call", id: "normal", params });
    match(text, /a\.ts/, "a normal call at the end");
    connection.checkCounts();
    const peakMb = await connection.peakMb();
    ok(peakMb < MAX_RSS_MB, `${peakMb} MB`);
    peaks.push(`${name}: ${Math.round(peakMb)} MB`);
    equal(await connection.close(), 0);
    for await (const entry of Deno.readDir(repo.dir)) ok(entry.name !== "owned");
  });
}

testNeeding(["http"], `${HTTP_MESSAGES} hostile messages over HTTP, seed ${SEED}`, async () => {
  await using repo = await createTempRepo({ files: { "a.ts": "export const a = 1;\n" } });
  await using server = await startHttpServer(repo.dir);
  const headers: Record<string, string> = {
    authorization: `Bearer ${server.token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const post = async (body: string) => {
    const signal = AbortSignal.timeout(HANG_MS);
    const response = await fetch(server.url, { method: "POST", headers, body, signal });
    return { response, text: await response.text() };
  };
  const toBody = (message: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, ...message });
  const greeted = await post(toBody({ method: "initialize", params: GREETING }));
  headers["mcp-session-id"] = greeted.response.headers.get("mcp-session-id") ?? "";
  for (const message of createMessages(createRandom(SEED + 9), HTTP_MESSAGES)) {
    if (message.kind === "the later era") headers["mcp-protocol-version"] = "2026-07-28";
    else headers["mcp-protocol-version"] = "2025-11-25";
    const { response, text } = await post(message.text);
    const shown = `${message.kind}: ${message.text.slice(0, 300)} → ${response.status} ${
      text.slice(0, 300)
    }`;
    ok(response.status < 500, shown);
    ok(message.wants !== "id" || text !== "", shown);
    for (const [, line = ""] of text.matchAll(/^(?:data: )?(\{.*)$/gm)) {
      checkError(JSON.parse(line), shown);
    }
  }
  sent += HTTP_MESSAGES;
  headers["mcp-protocol-version"] = "2025-11-25";
  const params = { name: "search_text", arguments: { pattern: "const a" } };
  match((await post(toBody({ method: "tools/call", params }))).text, /a\.ts/);
});

Deno.test("the count of hostile messages is a thousand and more", () => {
  ok(sent >= 1_000, `${sent}`);
  // deno-lint-ignore no-console -- what the gate shows of this suite
  console.log(`${sent} hostile messages, seed ${SEED}; most memory: ${peaks.join(", ")}`);
});

/** An error is one sentence of a well-known code, never a failure inside. */
function checkError({ error }: Answer, shown: string): void {
  if (error === undefined) return;
  ok(error.code !== -32603 && error.code <= -32_000 && error.code >= -32_768, shown);
  ok(error.message.length < 1_000 && !error.message.includes("\n"), shown);
}

/** A server process and all that it says, without any order that an honest client would rely on. */
class Connection {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #stderr: Promise<string>;
  readonly #reading: Promise<void>;
  readonly #answers: Answer[] = [];
  readonly #lines = new Map<unknown, string>();
  #least = 0;
  #most = 0;
  #onAnswer = () => {};

  constructor(projectDir: string) {
    const [program, ...args] = SOURCE_COMMAND;
    this.#child = new Deno.Command(program, {
      args: [...args, "serve", "--project", projectDir],
      env: { CODE_INTEL_SYNC_ON_START: "false" },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#stderr = new Response(this.#child.stderr).text();
    this.#reading = this.#read();
  }

  /** Sends a request and waits for its answer. */
  async ask(
    message: { readonly id: string; readonly method: string; readonly params: object },
  ): Promise<{ readonly text: string }> {
    await this.#send(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.#least++;
    this.#most++;
    await this.#until(() => this.#lines.has(message.id), `no answer to ${message.id}`);
    return { text: this.#lines.get(message.id) ?? "" };
  }

  /** Sends messages at once, and waits until each has what it wants. */
  async attack(messages: readonly HostileMessage[], name: string): Promise<void> {
    const start = this.#answers.length;
    for (const { text } of messages) await this.#send(text);
    const wanted = messages.flatMap(({ id, wants }) => wants === "id" ? [id] : []);
    const some = messages.filter(({ wants }) => wants === "some").length;
    this.#least += wanted.length + some;
    this.#most += wanted.length + messages.filter(({ wants }) => /some|maybe/.test(wants)).length;
    const missing = () => wanted.filter((id) => !this.#lines.has(id));
    const all = messages.map(({ kind, text }) => `${kind}: ${text.slice(0, 200)}`).join("\n");
    await this.#until(
      () => missing().length === 0 && this.#answers.length - start >= wanted.length + some,
      () => `${missing()} of burst ${name} have no answer:\n${all}`,
    );
    for (const answer of this.#answers.slice(start)) {
      checkError(answer, `${JSON.stringify(answer)}\n${all}`);
    }
  }

  /** Each request had its answer, and nothing else had one. */
  checkCounts(): void {
    const count = this.#answers.length;
    ok(count >= this.#least && count <= this.#most, `${count}: ${this.#least} to ${this.#most}`);
  }

  /** The most memory that the process had, in megabytes; 0 where the system does not say. */
  async peakMb(): Promise<number> {
    if (Deno.build.os !== "linux") return 0;
    // By a program, because files of other processes are not for tests to read.
    const command = new Deno.Command("cat", { args: [`/proc/${this.#child.pid}/status`] });
    const status = new TextDecoder().decode((await command.output()).stdout);
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
  }

  async close(): Promise<number> {
    await this.#writer.close();
    await this.#reading;
    const { code } = await this.#child.status;
    await this.#stderr;
    return code;
  }

  async #send(line: string): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(`${line}\n`));
  }

  async #until(isDone: () => boolean, told: string | (() => string)): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, HANG_MS);
    this.#onAnswer = () => {
      if (isDone()) resolve();
    };
    this.#onAnswer();
    await promise;
    clearTimeout(timer);
    ok(isDone(), typeof told === "string" ? told : told());
  }

  async #read(): Promise<void> {
    let rest = "";
    for await (const chunk of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const answer: Answer = JSON.parse(line);
        if (answer.method !== undefined) continue;
        this.#answers.push(answer);
        this.#lines.set(answer.id, line);
        this.#onAnswer();
      }
    }
    this.#onAnswer();
  }
}
