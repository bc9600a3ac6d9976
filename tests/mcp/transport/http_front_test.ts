/** The port of the server over HTTP, with raw connections: what stands still ends, what moves goes on. */
import { ok, strictEqual as equal } from "node:assert/strict";
import type { FrontOptions } from "../../../src/mcp/transport/http_front.ts";
import { serveBehindFront } from "../../../src/mcp/transport/http_front.ts";

interface Served extends AsyncDisposable {
  readonly port: number;
}

function serve(options: Partial<FrontOptions> = {}): Served {
  const end = new AbortController();
  let port = 0;
  const { finished } = serveBehindFront({
    hostname: "127.0.0.1",
    port: 0,
    signal: end.signal,
    onListen: (taken) => port = taken,
    onError: () => new Response("failed", { status: 500 }),
    answer: async (request) => new Response(await request.text()),
    ...options,
  });
  return {
    port,
    async [Symbol.asyncDispose]() {
      end.abort();
      await finished;
    },
  };
}

/** Sends the text and reads until the other side ends the connection. */
async function talk(port: number, text: string): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  if (text !== "") await connection.write(new TextEncoder().encode(text));
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(4096);
  let all = "";
  for (;;) {
    // An end by reset is one too.
    const size = await connection.read(buffer).catch(() => null);
    if (size === null) return all;
    all += decoder.decode(buffer.subarray(0, size), { stream: true });
  }
}

const HEAD = "POST /mcp HTTP/1.1\r\nHost: a\r\n";

Deno.test("half-open connections were kept for ever: the head, the body or the next request never comes, and they end", async () => {
  await using served = serve({ requestMs: 60, idleMs: 120 });
  const [nothing, head, body, whole] = await Promise.all([
    talk(served.port, ""),
    talk(served.port, HEAD),
    talk(served.port, `${HEAD}Content-Length: 100\r\n\r\nabc`),
    talk(served.port, `${HEAD}Content-Length: 3\r\n\r\nabc`),
  ]);
  equal(nothing + head + body, "");
  ok(whole.startsWith("HTTP/1.1 200 OK") && whole.endsWith("abc"), whole);
});

Deno.test("a head that comes byte by byte ends as one that never comes", async () => {
  await using served = serve({ requestMs: 80, idleMs: 60_000 });
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: served.port });
  const ended = connection.read(new Uint8Array(16)).catch(() => null);
  let isOver = false;
  void ended.then(() => isOver = true);
  while (!isOver) {
    await connection.write(new TextEncoder().encode("G")).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  equal(await ended, null);
});

Deno.test("a head ends at its time though bytes of it come, and one that is too long is refused", async () => {
  await using served = serve({ headMs: 60, requestMs: 60_000, idleMs: 60_000 });
  const long = `${HEAD}X: ${"x".repeat(70_000)}`;
  const [late, refused] = await Promise.all([talk(served.port, HEAD), talk(served.port, long)]);
  equal(late, "");
  ok(refused.startsWith("HTTP/1.1 431"), refused);
});

Deno.test("where all places are taken, a connection without a whole head gives its own to one that asks", async () => {
  await using served = serve({ maxConnections: 3 });
  const open = [];
  for (let count = 0; count < 30; count++) {
    open.push(await Deno.connect({ hostname: "127.0.0.1", port: served.port }));
    await open.at(-1)?.write(new TextEncoder().encode(HEAD));
  }
  const asked = `${HEAD}Connection: close\r\nContent-Length: 3\r\n\r\nabc`;
  const answer = await talk(served.port, asked);
  ok(answer.startsWith("HTTP/1.1 200 OK") && answer.endsWith("abc"), answer);
  for (const connection of open) connection.close();
});

Deno.test("where all places are being served, a further connection is told to come again", async () => {
  const asked = Promise.withResolvers<void>();
  const answer = () => {
    asked.resolve();
    return new Promise<Response>(() => {});
  };
  await using served = serve({ maxConnections: 1, answer });
  using first = await Deno.connect({ hostname: "127.0.0.1", port: served.port });
  await first.write(new TextEncoder().encode(`${HEAD}Content-Length: 0\r\n\r\n`));
  await asked.promise;
  const refused = await talk(served.port, "");
  ok(refused.startsWith("HTTP/1.1 503"), refused);
});

Deno.test("a client that goes takes what it asked for along", async () => {
  const [asked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const answer = () => {
    asked.resolve();
    return new Response(new ReadableStream({ cancel: () => left.resolve() }));
  };
  await using served = serve({ answer });
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: served.port });
  await connection.write(new TextEncoder().encode(`${HEAD}Content-Length: 0\r\n\r\n`));
  await asked.promise;
  connection.close();
  await left.promise;
});
