/**
 * Long calls over the real server: they tell how far they are, and a cancelled one stops its work and leaves
 * a state that the next call goes on from.
 */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { McpClient, WireMessage } from "../support/server/mcp_client.ts";
import { startClient } from "../support/server/mcp_client.ts";
import { createProject } from "../support/session/project.ts";

// So many that a fast machine is still reading when the call is cancelled.
const FILES = 400;

/** Files that take a while to read: each with its own text, so that no two share an analysis. */
function toSources(): Readonly<Record<string, string>> {
  const body = (at: number) =>
    Array.from(
      { length: 40 },
      (_, line) => `export function f${at}_${line}(a: number) {\n  return a + ${line};\n}\n`,
    )
      .join("\n");
  return Object.fromEntries(
    Array.from({ length: FILES }, (_, at) => [`src/part${at % 30}/file${at}.ts`, body(at)]),
  );
}

async function send(client: McpClient, id: string): Promise<void> {
  const params = { name: "sync_index", arguments: {}, _meta: { progressToken: id } };
  await client.sendRaw(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }));
}

function progressOf(client: McpClient, id: string): readonly WireMessage[] {
  return client.loose.filter(({ method, params }) =>
    method === "notifications/progress" && params?.["progressToken"] === id
  );
}

async function waitUntil(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 6_000 && !isTrue(); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  ok(isTrue(), "it did not come within a minute");
}

Deno.test("a cancelled sync_index stops reading files, and the next one reads the rest", async () => {
  await using project = await createProject({ files: toSources() });
  const client = await startClient({ projectDir: project.dir, env: project.env });
  await send(client, "first");
  const isReading = () =>
    progressOf(client, "first").some(({ params }) => Number(params?.["progress"]) >= 1);
  await waitUntil(isReading);
  await client.notify("notifications/cancelled", { requestId: "first" });
  // The server answers others at once, and nothing more comes of the cancelled call.
  deepEqual((await client.request("ping")).result, {});
  const told = progressOf(client, "first").length;
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  ok(progressOf(client, "first").length <= told + 1, "a cancelled call tells no progress");
  const values = progressOf(client, "first").map(({ params }) => Number(params?.["progress"]));
  deepEqual(values, values.toSorted((one, other) => one - other));

  let { reply } = await client.call("sync_index");
  ok(reply.read > 0, "the cancelled call had read everything");
  // An answer waits for so long only: on a slow machine it says how far the work is, and is asked again.
  for (let calls = 1; reply.complete !== true && calls < 20; calls++) {
    ({ reply } = await client.call("sync_index"));
  }
  equal(reply.complete, true, JSON.stringify(reply));
  const found = await client.call("find_definitions", { symbol: `f${FILES - 1}_39` });
  equal(found.reply.total, 1);
  equal((await client.close()).code, 0);
});
