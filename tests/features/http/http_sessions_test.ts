/** Connections of clients that greet with `initialize`, without a listener in front of them. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { Server } from "@modelcontextprotocol/server";
import { HttpSessions } from "../../../src/features/http/serve_http.ts";

/** Sessions whose servers answer nothing but greetings and pings; counts those that are open. */
function open(
  maxConnections = 3,
): { readonly sessions: HttpSessions; readonly count: () => number } {
  let count = 0;
  const create = () => {
    const server = new Server({ name: "test", version: "1.0.0" }, { capabilities: {} });
    count++;
    server.onclose = () => count--;
    return server;
  };
  return { sessions: new HttpSessions(create, maxConnections), count: () => count };
}

async function send(
  sessions: HttpSessions,
  message: Readonly<Record<string, unknown>>,
  id?: string | null,
): Promise<Response> {
  const headers = new Headers({
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  });
  if (typeof id === "string") headers.set("mcp-session-id", id);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, ...message });
  return await sessions.fetch(
    new Request("http://127.0.0.1/mcp", { method: "POST", headers, body }),
  );
}

async function greet(sessions: HttpSessions): Promise<string> {
  const clientInfo = { name: "test", version: "1.0.0" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const response = await send(sessions, { method: "initialize", params });
  match(await response.text(), /"protocolVersion":"2025-11-25"/);
  return response.headers.get("mcp-session-id") ?? "";
}

async function ping(sessions: HttpSessions, id: string): Promise<number> {
  const response = await send(sessions, { method: "ping" }, id);
  await response.text();
  return response.status;
}

Deno.test("fetch() gives each greeting a connection, which its id finds again", async () => {
  const { sessions, count } = open();
  const [one, other] = [await greet(sessions), await greet(sessions)];
  equal(one === other, false);
  deepEqual([await ping(sessions, one), await ping(sessions, other)], [200, 200]);
  deepEqual([await ping(sessions, "unknown"), count()], [404, 2]);
  await sessions.close();
  deepEqual([await ping(sessions, one), count()], [404, 0]);
});

Deno.test("fetch() keeps nothing of a request that neither greets nor names a connection", async () => {
  const { sessions, count } = open();
  const refused = await send(sessions, { method: "tools/list" });
  await refused.text();
  deepEqual([refused.status, count()], [400, 0]);
});

Deno.test("fetch() ends a connection when its client says so", async () => {
  const { sessions, count } = open();
  const id = await greet(sessions);
  const headers = { "mcp-session-id": id };
  const ended = await sessions.fetch(
    new Request("http://127.0.0.1/mcp", { method: "DELETE", headers }),
  );
  deepEqual([ended.status, await ping(sessions, id), count()], [200, 404, 0]);
});

Deno.test("fetch() ends the connection that was used longest ago when there are too many", async () => {
  const { sessions, count } = open();
  const [first, second, third] = [
    await greet(sessions),
    await greet(sessions),
    await greet(sessions),
  ];
  equal(await ping(sessions, first), 200);
  const fourth = await greet(sessions);
  equal(await ping(sessions, second), 404);
  for (const id of [first, third, fourth]) equal(await ping(sessions, id), 200);
  equal(count(), 3);
  await sessions.close();
});
