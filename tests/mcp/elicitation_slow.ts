/** The person is asked by the real server over stdio, in both eras; who cannot be asked is not. */
import { fileURLToPath } from "node:url";
import {
  deepStrictEqual as deepEqual,
  match,
  notStrictEqual as notEqual,
  ok,
  strictEqual as equal,
} from "node:assert/strict";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { McpClient, WireMessage } from "../support/server/mcp_client.ts";
import { SOURCE_COMMAND, startClient } from "../support/server/mcp_client.ts";

const PROGRAM = SOURCE_COMMAND.slice(0, -1).concat(
  fileURLToPath(new URL("../support/server/asking_server.ts", import.meta.url)),
) as [string, ...string[]];
const FIRST = { allow: true, note: "mine" };

/** A connection to the asking server; its clock lets answers come late, unless `isQuick`. */
async function connect(
  capabilities: unknown,
  { isQuick = false }: { readonly isQuick?: boolean } = {},
): Promise<McpClient> {
  const projectDir = await Deno.makeTempDir();
  const env = { CODE_INTEL_STATE_DIR: await Deno.makeTempDir() };
  const command = [...PROGRAM, isQuick ? "quick" : "slow"] as const;
  const options = { projectDir, env, command, handshake: false } as const;
  const client = await startClient(options);
  if (capabilities !== MODERN) {
    const clientInfo = { name: "test", version: "1.0.0" };
    const params = { protocolVersion: "2025-06-18", capabilities, clientInfo };
    equal((await client.request("initialize", params)).error, undefined);
    await client.notify("notifications/initialized");
  }
  return client;
}

const MODERN = Symbol("2026-07-28");

/** Waits for a request of the server. */
async function nextForm(client: McpClient, number = 0): Promise<WireMessage> {
  for (let tries = 0; tries < 1000; tries++) {
    const form = client.loose.filter(({ method }) => method === "elicitation/create")[number];
    if (form !== undefined) return form;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("no form came");
}

async function answerForm(client: McpClient, form: WireMessage, answer: unknown): Promise<void> {
  await client.sendRaw(JSON.stringify({ jsonrpc: "2.0", id: form.id, ...(answer as object) }));
}

function toKinds({ result }: WireMessage): unknown {
  return JSON.parse(result.content[0].text).answers.map((answer: { kind: string }) => answer.kind);
}

const ARGS = { data: { count: 1 } };

for (
  const [name, capabilities] of [
    ["no capability", {}],
    ["only URLs", { elicitation: { url: {} } }],
  ] as const
) {
  Deno.test(`legacy: a client with ${name} is asked nothing`, async () => {
    const client = await connect(capabilities);
    const { reply } = await client.call("submit_phase", ARGS);
    deepEqual(reply.answers, [{ kind: "unavailable" }]);
    deepEqual(client.loose, []);
    await client.close();
  });
}

Deno.test("legacy: the server sends the form and waits; each kind of answer is told apart", async () => {
  const client = await connect({ elicitation: {} });
  const rows: readonly (readonly [answer: unknown, kinds: readonly string[]])[] = [
    [{ result: { action: "decline" } }, ["declined"]],
    [{ result: { action: "cancel" } }, ["unanswered"]],
    [{ result: { action: "accept" } }, ["unanswered"]],
    [{ result: { action: "accept", content: {} } }, ["unanswered"]],
    [{ result: { action: "accept", content: { allow: "yes" } } }, ["unanswered"]],
    [{ result: { action: "whatever" } }, ["unanswered"]],
    [{ error: { code: -32601, message: "no forms here" } }, ["unavailable"]],
    [{ result: { action: "accept", content: FIRST } }, ["answered"]],
  ];
  for (const [number, [answer, kinds]] of rows.entries()) {
    const id = `call-${number}`;
    const params = { name: "submit_phase", arguments: ARGS };
    await client.sendRaw(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }));
    const form = await nextForm(client, number);
    if (number === 0) {
      deepEqual(form.params?.["requestedSchema"], {
        type: "object",
        properties: {
          allow: { type: "boolean", title: "Run them" },
          note: { type: "string", title: "Why", maxLength: 2000 },
        },
        required: ["allow"],
      });
    }
    await answerForm(client, form, answer);
    deepEqual(toKinds(await client.waitFor(id)), kinds, JSON.stringify(answer));
  }
  await client.close();
});

for (const action of ["cancel", "decline"] as const) {
  Deno.test(`legacy: a client that answers ${action} by itself is asked twice, and nobody was asked`, async () => {
    const client = await connect({ elicitation: {} }, { isQuick: true });
    const params = { name: "submit_phase", arguments: ARGS };
    await client.sendRaw(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
    await answerForm(client, await nextForm(client), { result: { action } });
    const again = await nextForm(client, 1);
    match(String(again.params?.["message"]), /^Asked once more.*\nMay the tests run\?$/);
    await answerForm(client, again, { result: { action } });
    deepEqual(toKinds(await client.waitFor(1)), ["unavailable"]);
    await client.close();
  });
}

Deno.test("legacy: a cancelled call takes its form back", async () => {
  const client = await connect({ elicitation: { form: {} } });
  const params = { name: "submit_phase", arguments: ARGS };
  await client.sendRaw(
    JSON.stringify({ jsonrpc: "2.0", id: "call", method: "tools/call", params }),
  );
  const form = await nextForm(client);
  await client.notify("notifications/cancelled", { requestId: "call" });
  for (let tries = 0; tries < 500 && client.loose.length < 2; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  deepEqual(client.loose[1]?.method, "notifications/cancelled");
  equal(client.loose[1]?.params?.["requestId"], form.id);
  match((await client.close()).stderr, /"unanswered"/);
});

function toMeta(elicitation: unknown) {
  return {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": elicitation === null ? {} : { elicitation },
  };
}

/** Calls in the modern era; `more` holds what a repeated call brings. */
async function callModern(
  client: McpClient,
  args: unknown,
  more: { readonly elicitation?: unknown; readonly [name: string]: unknown } = {},
): Promise<WireMessage> {
  const { elicitation = {}, ...rest } = more;
  return await client.request("tools/call", {
    name: "submit_phase",
    arguments: args,
    _meta: toMeta(elicitation),
    ...rest,
  });
}

function accept(key: string, content: unknown) {
  return { inputResponses: { [key]: { action: "accept", content } } };
}

Deno.test("modern: a client that declares no forms with its call is asked nothing", async () => {
  const client = await connect(MODERN);
  for (const elicitation of [null, { url: {} }]) {
    deepEqual(toKinds(await callModern(client, ARGS, { elicitation })), ["unavailable"]);
  }
  await client.close();
});

Deno.test("modern: the call ends with the form, and the repeated call finds the answer", async () => {
  const client = await connect(MODERN);
  const { result } = await callModern(client, ARGS);
  equal(result.resultType, "input_required");
  const form = result.inputRequests["first 1"];
  equal(form.method, "elicitation/create");
  equal(form.params.message, "May the tests run?");
  const { requestState } = result;
  const again = await callModern(client, ARGS, { requestState, ...accept("first 1", FIRST) });
  deepEqual(JSON.parse(again.result.content[0].text).answers, [{
    kind: "answered",
    values: FIRST,
  }]);
  await client.close();
});

Deno.test("modern: declined, left and wrongly filled forms are told apart, and asked again", async () => {
  const client = await connect(MODERN);
  const rows: readonly (readonly [response: unknown, kind: string])[] = [
    [{ action: "decline" }, "declined"],
    [{ action: "cancel" }, "unanswered"],
    [{ action: "accept", content: { allow: "yes" } }, "unanswered"],
  ];
  for (const [response, kind] of rows) {
    const { result: { requestState } } = await callModern(client, ARGS);
    const inputResponses = { "first 1": response };
    deepEqual(toKinds(await callModern(client, ARGS, { requestState, inputResponses })), [kind]);
    equal((await callModern(client, ARGS)).result.resultType, "input_required");
  }
  await client.close();
});

Deno.test("modern: two questions of one call carry the first answer along", async () => {
  const client = await connect(MODERN);
  const args = { data: { count: 2 } };
  const one = await callModern(client, args);
  const two = await callModern(client, args, {
    requestState: one.result.requestState,
    ...accept("first 1", FIRST),
  });
  deepEqual(Object.keys(two.result.inputRequests), ["second 1"]);
  const three = await callModern(client, args, {
    requestState: two.result.requestState,
    ...accept("second 1", { choice: "park" }),
  });
  deepEqual(JSON.parse(three.result.content[0].text).answers, [
    { kind: "answered", values: FIRST },
    { kind: "answered", values: { choice: "park" } },
  ]);
  await client.close();
});

Deno.test("modern: an answer without its own state is none: missing, forged, replayed, of another call", async () => {
  const client = await connect(MODERN);
  const answer = accept("first 1", FIRST);
  const isAsked = ({ result }: WireMessage) => result.resultType === "input_required";
  const ask = async (): Promise<string> => (await callModern(client, ARGS)).result.requestState;

  ok(isAsked(await callModern(client, ARGS, answer)), "missing state");
  const sealed = await ask();
  const [version, body = "", mac] = sealed.split(".");
  const facts = JSON.parse(atob(body.replaceAll("-", "+").replaceAll("_", "/")));
  notEqual(facts.p.nonce, undefined);
  facts.p.nonce = "another";
  const forged = [version, btoa(JSON.stringify(facts)).replace(/=+$/, ""), mac].join(".");
  ok(isAsked(await callModern(client, ARGS, { requestState: forged, ...answer })), "forged");
  ok(isAsked(await callModern(client, ARGS, { requestState: "rubbish", ...answer })), "rubbish");

  const used = await ask();
  deepEqual(toKinds(await callModern(client, ARGS, { requestState: used, ...answer })), [
    "answered",
  ]);
  ok(isAsked(await callModern(client, ARGS, { requestState: used, ...answer })), "replayed");

  const other = { data: { count: 1, more: true } };
  ok(isAsked(await callModern(client, other, { requestState: await ask(), ...answer })), "args");
  const wrongKey = accept("second 1", FIRST);
  ok(isAsked(await callModern(client, ARGS, { requestState: await ask(), ...wrongKey })), "key");

  const elsewhere = await connect(MODERN);
  const foreign = { requestState: await ask(), ...answer };
  ok(isAsked(await callModern(elsewhere, ARGS, foreign)), "another connection");
  await elsewhere.close();
  await client.close();
});

for (const mode of ["legacy", { pin: "2026-07-28" }] as const) {
  const era = typeof mode === "string" ? mode : "modern";
  Deno.test(`${era}: the client of the SDK fills in both forms within one call`, async () => {
    const [command, ...args] = PROGRAM;
    const client = new Client({ name: "test", version: "1.0.0" }, {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode },
    });
    const shown: string[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      shown.push(params.message);
      const content = params.message.startsWith("May") ? FIRST : { choice: "continue" };
      return { action: "accept", content };
    });
    const cwd = await Deno.makeTempDir();
    const env = { ...Deno.env.toObject(), CODE_INTEL_STATE_DIR: await Deno.makeTempDir() };
    await client.connect(new StdioClientTransport({ command, args, cwd, env, stderr: "ignore" }));
    const result = await client.callTool({
      name: "submit_phase",
      arguments: { data: { count: 2 } },
    });
    const [content] = result.content as { readonly text: string }[];
    deepEqual(JSON.parse(content?.text ?? "{}").answers, [
      { kind: "answered", values: FIRST },
      { kind: "answered", values: { choice: "continue" } },
    ]);
    deepEqual(shown, ["May the tests run?", "What now?"]);
    await client.close();
  });
}
