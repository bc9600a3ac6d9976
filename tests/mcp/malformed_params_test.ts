/** Malformed parameters of every method that is served: both transports, both eras, one kind of answer. */
import { ok, strictEqual as equal } from "node:assert/strict";
import { startHttpServer } from "../support/server/http_server.ts";
import type { WireMessage } from "../support/server/mcp_client.ts";
import { startClient } from "../support/server/mcp_client.ts";
import { testNeeding } from "../support/needs.ts";

const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Methods with parameters, and parameters that are wrong beside none at all. */
const ROWS: readonly (readonly [method: string, params: Readonly<Record<string, unknown>>])[] = [
  ["initialize", { protocolVersion: 5 }],
  ["tools/call", { name: 5 }],
  ["tools/call", { name: "search_text", arguments: "x" }],
  ["tools/list", { cursor: {} }],
  ["resources/read", { uri: ["x"] }],
  ["resources/read", {}],
  ["resources/list", { cursor: 1 }],
  ["resources/templates/list", { cursor: 1 }],
  ["prompts/list", { cursor: 1 }],
  ["prompts/get", {}],
  ["prompts/get", { name: "code", arguments: { request: 5 } }],
  ["completion/complete", { ref: { type: "none" }, argument: {} }],
  ["logging/setLevel", { level: "loud" }],
];

/** What the later era has no more: over HTTP, where each request tells its era, it is unknown there. */
const EARLIER: readonly string[] = ["initialize", "logging/setLevel"];

type Send = (method: string, params: unknown) => Promise<WireMessage>;

/** Every row is invalid parameters in a sentence, an unknown method is unknown. */
async function check(
  send: Send,
  meta: Readonly<Record<string, unknown>>,
  unknown: readonly string[] = [],
): Promise<void> {
  for (const [method, params] of ROWS) {
    const { error } = await send(method, { ...params, ...meta });
    const shown = `${method} ${JSON.stringify(params)}: ${JSON.stringify(error)}`;
    if (unknown.includes(method)) {
      equal(error?.code, -32601, shown);
      continue;
    }
    equal(error?.code, -32602, shown);
    ok(/^Invalid params: `[^\n]+ would be right$/.test(error?.message ?? ""), shown);
  }
  equal((await send("tools/list", 5)).error?.code, -32602);
  equal((await send("nothing/here", meta)).error?.code, -32601);
}

for (const [era, meta] of [["2025-11-25", {}], ["2026-07-28", { _meta: MODERN }]] as const) {
  Deno.test(`${era}: malformed parameters over stdio were an internal error with a dump, and are invalid parameters`, async () => {
    const client = await startClient({
      projectDir: await Deno.makeTempDir(),
      handshake: era === "2025-11-25",
    });
    await check((method, params) => client.request(method, params), meta);
    await client.close();
  });

  testNeeding(
    ["http"],
    `${era}: malformed parameters over HTTP are invalid parameters too`,
    async () => {
      await using server = await startHttpServer(await Deno.makeTempDir());
      const headers: Record<string, string> = {
        authorization: `Bearer ${server.token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": era,
      };
      const post = async (message: object, method: string): Promise<Response> =>
        await fetch(server.url, {
          method: "POST",
          headers: { ...headers, "mcp-method": method },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
        });
      if (era === "2025-11-25") {
        const clientInfo = { name: "test", version: "1.0.0" };
        const params = { protocolVersion: era, capabilities: {}, clientInfo };
        const greeted = await post({ method: "initialize", params }, "initialize");
        headers["mcp-session-id"] = greeted.headers.get("mcp-session-id") ?? "";
        await greeted.body?.cancel();
      }
      const send: Send = async (method, params) => {
        const text = await (await post({ method, params }, method)).text();
        return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
      };
      await check(send, meta, era === "2026-07-28" ? EARLIER : []);
    },
  );
}
