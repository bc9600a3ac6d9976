/** Makes messages that no honest client sends, from a seed: wrong types, huge, deep, odd, cut, doubled. */
import type { Random } from "../support/random.ts";
import { pick } from "../support/random.ts";

/** One line of a hostile client, and what has to come back. */
export interface HostileMessage {
  /** What is tried. */
  readonly kind: string;
  readonly text: string;
  /** `id`: an answer with that id; `some`: one answer, with or without an id; `maybe`: one or none. */
  readonly wants: "id" | "some" | "maybe" | "none";
  readonly id?: string | number;
}

/** The envelope that each request of the later era carries. */
export const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "hostile", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const METHODS = [
  "initialize",
  "ping",
  "server/discover",
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/read",
  "resources/templates/list",
  "resources/subscribe",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "logging/setLevel",
  "sampling/createMessage",
  "tasks/get",
  "roots/list",
  "nothing/here",
  "__proto__",
  "constructor",
  "toString",
  "",
];
const TOOLS = [
  "search_text",
  "find_definitions",
  "get_symbols",
  "query",
  "submit_phase",
  "start_session",
  "check_write_target",
  "get_session_status",
  "__proto__",
  "no_such_tool",
  "",
];
const FIELDS = [
  "name",
  "arguments",
  "uri",
  "cursor",
  "level",
  "ref",
  "argument",
  "protocolVersion",
  "capabilities",
  "clientInfo",
  "pattern",
  "symbol",
  "path",
  "data",
  "_meta",
  "progressToken",
  "max_bytes",
];
const ODD_TEXTS = [
  "",
  "\0",
  "\ud800",
  "\u202e\u2066abc",
  "\u2028\u2029",
  "\ufeff",
  "e\u0301".repeat(40),
  "👩‍👩‍👧‍👦",
  "../../../../etc/passwd",
  "--upload-pack=touch owned",
  "$(touch owned)",
  "((((",
  "__proto__",
  "x".repeat(70_000),
];
const ODD_NUMBERS = [0, -1, -0, 1.5, 1e308, 2 ** 53, -(2 ** 63), 4_294_967_296];
const PROTO = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';

/** The messages of a seed; ids are their numbers, so that each answer can be told. */
export function createMessages(random: Random, count: number): readonly HostileMessage[] {
  return Array.from({ length: count }, (_, at) => {
    const make = pick(random, MAKERS);
    return make(random, `h${at}`);
  });
}

type Maker = (random: Random, id: string) => HostileMessage;

const MAKERS: readonly Maker[] = [
  (random, id) => request("random parameters", id, pick(random, METHODS), toValue(random, 3)),
  (random, id) => request("random fields", id, pick(random, METHODS), toObject(random, 3)),
  (random, id) =>
    request("a call with random arguments", id, "tools/call", {
      name: pick(random, TOOLS),
      arguments: toObject(random, 3),
      ...(random() < 0.3 ? { _meta: toValue(random, 2) } : {}),
    }),
  (random, id) =>
    request("the later era", id, pick(random, METHODS), {
      ...toObject(random, 2),
      _meta: { ...MODERN_META, ...(random() < 0.5 ? toObject(random, 2) : {}) },
    }),
  (random, id) => {
    const depth = pick(random, [50, 500, 5_000, 50_000]);
    const deep = "[".repeat(depth) + "]".repeat(depth);
    const params = `{"name":"search_text","arguments":{"pattern":${deep}}}`;
    return raw("deep nesting", id, `"method":"tools/call","params":${params}`);
  },
  (random, id) => {
    const size = pick(random, [10_000, 100_000, 1_100_000]);
    const params = { name: pick(random, TOOLS), arguments: { pattern: "a".repeat(size) } };
    return request("a huge text", id, "tools/call", params);
  },
  (random, id) => {
    const method = pick(random, METHODS.filter((name) => name !== "initialize"));
    return raw("keys of prototypes", id, `"method":"${method}","params":${PROTO}`);
  },
  (random, id) => {
    const text = JSON.stringify({
      jsonrpc: "2.0",
      id,
      method: "ping",
      params: toObject(random, 2),
    });
    const cut = 1 + Math.floor(random() * (text.length - 2));
    return { kind: "cut JSON", text: text.slice(0, cut), wants: "some" };
  },
  (random) => {
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    const batch = Array.from({ length: Math.floor(random() * 5) }, () => ping);
    return { kind: "a batch", text: JSON.stringify(batch), wants: "some" };
  },
  (random) => {
    const id = pick<unknown>(random, [null, 1.5, 1e308, {}, [], true, ["a"]]);
    const text = JSON.stringify({ jsonrpc: "2.0", id, method: pick(random, METHODS) });
    return { kind: "an id that is none", text, wants: "some" };
  },
  (random, id) => {
    const version = pick<unknown>(random, ["1.0", 2, null, "", "2.0 "]);
    const text = JSON.stringify({ jsonrpc: version, id, method: "ping" });
    return { kind: "another version of JSON-RPC", text, wants: "id", id };
  },
  (random, id) =>
    request("a notification with an id", id, pick(random, NOTIFICATIONS), toObject(random, 1)),
  (random) => {
    const message = { jsonrpc: "2.0", method: pick(random, [...NOTIFICATIONS, ...METHODS]) };
    return { kind: "a notification", text: JSON.stringify(message), wants: "none" };
  },
  (random, id) => {
    const text = JSON.stringify({ jsonrpc: "2.0", id: `no-${id}`, result: toObject(random, 2) });
    // One that is malformed is told so.
    return { kind: "an answer that nobody asked for", text, wants: "maybe" };
  },
  (random) => {
    const text = JSON.stringify(toValue(random, 2));
    return { kind: "any JSON", text: text.startsWith("{") ? `[${text}]` : text, wants: "some" };
  },
  (_random, id) => {
    const requestId = pick<unknown>(_random, [id, "nobody", null, {}, 1.5]);
    const params = { requestId, reason: "changed my mind" };
    const text = JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    return { kind: "a cancellation", text, wants: "maybe" };
  },
];

const NOTIFICATIONS = [
  "notifications/initialized",
  "notifications/progress",
  "notifications/roots/list_changed",
  "notifications/nothing",
];

function request(kind: string, id: string, method: string, params: unknown): HostileMessage {
  return { kind, text: JSON.stringify({ jsonrpc: "2.0", id, method, params }), wants: "id", id };
}

function raw(kind: string, id: string, rest: string): HostileMessage {
  return { kind, text: `{"jsonrpc":"2.0","id":"${id}",${rest}}`, wants: "id", id };
}

function toValue(random: Random, depth: number): unknown {
  const at = random();
  if (at < 0.15) return null;
  if (at < 0.3) return pick(random, ODD_NUMBERS);
  if (at < 0.4) return random() < 0.5;
  if (at < 0.65 || depth === 0) return pick(random, ODD_TEXTS);
  if (at < 0.8) {
    return Array.from({ length: Math.floor(random() * 4) }, () => toValue(random, depth - 1));
  }
  return toObject(random, depth - 1);
}

function toObject(random: Random, depth: number): Record<string, unknown> {
  const names = Array.from({ length: Math.floor(random() * 4) }, () => pick(random, FIELDS));
  return Object.fromEntries(names.map((name) => [name, toValue(random, Math.max(0, depth))]));
}
