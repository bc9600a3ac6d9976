/** What clients send, as rows: what is handed on, and in which words the rest is refused. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { checkMessage } from "../../../src/mcp/transport/message_gate.ts";

const request = (method: string, params?: unknown) => ({
  jsonrpc: "2.0",
  id: 7,
  method,
  ...(params === undefined ? {} : { params }),
});

const RIGHT: readonly unknown[] = [
  request("ping"),
  request("tools/list"),
  request("tools/call", { name: "search_text", arguments: { pattern: 5 } }),
  request("prompts/get", {
    name: "code",
    arguments: { request: "x" },
    _meta: { progressToken: 1 },
  }),
  request("nothing/here", { any: ["thing"] }),
  request("__proto__", {}),
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 1, result: {} },
  { jsonrpc: "2.0", id: "a", error: { code: 1, message: "no" } },
];

const WRONG: readonly (readonly [value: unknown, id: unknown, code: number, words: RegExp])[] = [
  [null, null, -32600, /one JSON object/],
  [[request("ping")], null, -32600, /one JSON object/],
  ["ping", null, -32600, /one JSON object/],
  [{ id: 4 }, 4, -32600, /`method`, a `result` or an `error`/],
  [{ jsonrpc: "1.0", id: 7, method: "ping" }, 7, -32600, /`jsonrpc`: expected "2.0"/],
  [{ jsonrpc: "2.0", id: 7, method: 5 }, 7, -32600, /`method`: expected string/],
  [{ jsonrpc: "2.0", id: null, method: "ping" }, null, -32600, /`id`/],
  [{ jsonrpc: "2.0", id: 1.5, method: "ping" }, null, -32600, /`id`/],
  [JSON.parse('{"jsonrpc":"2.0","id":99999999999999999999,"method":"ping"}'), null, -32600, /`id`/],
  [{ jsonrpc: "2.0", id: -(2 ** 53), method: "ping" }, null, -32600, /or a string$/],
  [request("ping", null), 7, -32602, /`params`: expected object, received null; \{\} would be/],
  [request("ping", [1]), 7, -32602, /expected object, received array/],
  [request("nothing/here", 5), 7, -32602, /expected object.*they have to be an object/],
  [request("ping", { _meta: 5 }), 7, -32602, /`params\._meta`: expected object/],
  [request("tools/call", { _meta: { progressToken: {} } }), 7, -32602, /progressToken` has none/],
  [request("initialize"), 7, -32602, /`params\.protocolVersion` is missing, expected string/],
  [request("resources/read", {}), 7, -32602, /`params\.uri` is missing, expected string; \{"uri"/],
  [request("resources/read", { uri: 5 }), 7, -32602, /`params\.uri`: expected string, received/],
  [request("prompts/get", { name: "code", arguments: 5 }), 7, -32602, /expected object, received/],
  [request("completion/complete", {}), 7, -32602, /`params\.ref` has none of the forms/],
  [request("logging/setLevel", { level: "loud" }), 7, -32602, /expected one of "debug"\|"info"/],
  [request("tools/call", {}), 7, -32602, /`params\.name` is missing/],
  [request("tools/list", { cursor: 5 }), 7, -32602, /`params\.cursor`: expected string/],
  [request("prompts/get", { name: "code", arguments: { ["x".repeat(9e4)]: 5 } }), 7, -32602, /…/],
];

Deno.test("checkMessage() hands on what is a message with parameters in the right form", () => {
  for (const value of RIGHT) equal(checkMessage(value), null, JSON.stringify(value));
});

Deno.test("checkMessage() says which wrong messages nobody waits for an answer to", () => {
  const isUnanswered = (value: object) =>
    checkMessage({ jsonrpc: "2.0", ...value })?.isUnanswered === true;
  for (
    const value of [
      { method: "notifications/progress", params: 5 },
      { jsonrpc: "1.0", method: "notifications/initialized" },
      { id: 1, result: 5 },
      { id: null, error: "no" },
    ]
  ) equal(isUnanswered(value), true, JSON.stringify(value));
  for (const value of [{ id: 4 }, { id: 7, method: "ping", params: 5 }, { method: 5 }]) {
    equal(isUnanswered(value), false, JSON.stringify(value));
  }
});

Deno.test("checkMessage() leaves what the later era has no more to the protocol's library there", () => {
  for (const method of ["initialize", "ping", "logging/setLevel"]) {
    equal(
      checkMessage(request(method, { level: 5, _meta: {} }), { isLaterEra: true }),
      null,
      method,
    );
  }
});

Deno.test("checkMessage() says in one sentence what is wrong and what would be right, never a validator's dump", () => {
  for (const [value, id, code, words] of WRONG) {
    const refusal = checkMessage(value);
    ok(refusal !== null, JSON.stringify(value).slice(0, 200));
    deepEqual([refusal.id, refusal.code], [id, code], refusal.message);
    match(refusal.message, words);
    ok(!refusal.message.includes("\n") && refusal.message.length < 600, refusal.message);
  }
});
