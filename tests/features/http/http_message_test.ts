/** The message of a request over HTTP: what is read, and how the rest is answered. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { readMessage } from "../../../src/features/http/serve_http.ts";

function post(body: BodyInit, type = "application/json"): Request {
  return new Request("http://127.0.0.1/mcp", {
    method: "POST",
    headers: { "content-type": type },
    body,
  });
}

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const BROKEN = { ...PING, method: "resources/read" };

Deno.test("readMessage() reads one message or a list, and leaves other requests alone", async () => {
  deepEqual(await readMessage(post(JSON.stringify(PING))), { kind: "read", message: PING });
  deepEqual(await readMessage(post(JSON.stringify([PING]))), { kind: "read", message: [PING] });
  const plain = post("{", "text/plain");
  deepEqual(await readMessage(plain), { kind: "read", message: undefined });
  equal(plain.bodyUsed, false);
  const get = new Request("http://127.0.0.1/mcp");
  deepEqual(await readMessage(get), { kind: "read", message: undefined });
});

Deno.test("readMessage() answers what is no message with the status and the id that it has", async () => {
  const cut = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
  const rows: readonly (readonly [BodyInit, status: number, id: unknown, code: number])[] = [
    ["{", 400, null, -32700],
    ["", 400, null, -32700],
    [cut, 400, null, -32700],
    ["null", 400, null, -32600],
    [JSON.stringify({ ...PING, id: {} }), 400, null, -32600],
    [JSON.stringify(BROKEN), 200, 1, -32602],
    [JSON.stringify([PING, BROKEN]), 400, 1, -32602],
    ["x".repeat(10 * 1024 * 1024 + 1), 413, null, -32000],
  ];
  for (const [body, status, id, code] of rows) {
    const read = await readMessage(post(body));
    if (read.kind !== "refused") throw new Error(`read: ${String(body).slice(0, 80)}`);
    const reply = await read.response.json();
    deepEqual([read.response.status, reply.id, reply.error.code], [status, id, code]);
  }
});
