/** The server over HTTP as clients of both eras find it: tools, sessions of work, forms, and its end. */
import {
  deepStrictEqual as deepEqual,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { lazyObject } from "../../../src/base/lazy.ts";
import type { CodeIntelError } from "../../../src/base/errors.ts";
import type { Era } from "../../support/server/http_server.ts";
import {
  callOverHttp,
  connectOverHttp,
  ERAS,
  startHttpServer,
} from "../../support/server/http_server.ts";
import { createProject } from "../../support/session/project.ts";

const ALL = Object.keys(ERAS) as readonly Era[];

Deno.test("clients of both eras have the same tools and work on one session of the project", async () => {
  await using project = await createProject();
  await using server = await startHttpServer(project.dir, { stateDir: project.stateDir });
  const [first, second] = [
    await connectOverHttp(server, "2025-11-25"),
    await connectOverHttp(server, "2026-07-28"),
  ];
  const lists = await Promise.all([first.listTools(), second.listTools()]);
  const [names, others] = lists.map(({ tools }) => tools.map(({ name }) => name));
  deepEqual(names, others);
  ok(names?.includes("submit_phase"));
  const start = { intent: "INVESTIGATE", query: "how does login work" };
  const started = await callOverHttp(first, "start_session", start);
  equal(started.ok, true);
  // A session is the project's: the other client finds it, and cannot begin a second one.
  equal((await callOverHttp(second, "get_session_status")).session_id, started.session_id);
  equal((await callOverHttp(second, "start_session", start)).error, "session_unfinished");
  await Promise.all([first.close(), second.close()]);
});

for (const era of ALL) {
  Deno.test(`${era}: a call over HTTP asks the person by a form and goes on with the answer`, async () => {
    await using project = await createProject();
    await using server = await startHttpServer(project.dir, { stateDir: project.stateDir });
    const client = await connectOverHttp(server, era, { elicitation: { form: {} } });
    const shown: string[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      shown.push(params.message);
      return { action: "accept", content: { choice: "park" } };
    });
    const start = { intent: "INVESTIGATE", query: "how does login work" };
    const first = await callOverHttp(client, "start_session", start);
    const second = await callOverHttp(client, "start_session", {
      ...start,
      query: "where is hash",
    });
    equal(second.ok, true, JSON.stringify(second));
    deepEqual([shown.length, second.session_id === first.session_id], [1, false]);
    deepEqual(
      second.parked_sessions.map(({ session_id }: { session_id: string }) => session_id),
      [first.session_id],
    );
    await client.close();
  });
}

for (const era of ALL) {
  Deno.test(`${era}: a cancelled call over HTTP ends its work`, async () => {
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await using server = await startHttpServer(await Deno.makeTempDir(), {
      adapt: (services) => ({
        ...services,
        workflow: lazyObject(() => Promise.resolve(services.workflow), {
          hooks: services.workflow.hooks,
          submitPhase: async (_, signal) => {
            signal.addEventListener("abort", () => ended.resolve(), { once: true });
            begun.resolve();
            await ended.promise;
            return { ok: true };
          },
        }),
      }),
    });
    const client = await connectOverHttp(server, era);
    const cancel = new AbortController();
    const params = { name: "submit_phase", arguments: { data: {} } };
    const call = client.callTool(params, { signal: cancel.signal });
    call.catch(() => {});
    await begun.promise;
    cancel.abort();
    await ended.promise;
    await rejects(call);
    await client.close();
  });
}

Deno.test("a client without the token is refused before anything is looked at", async () => {
  await using server = await startHttpServer(await Deno.makeTempDir());
  for (const era of ALL) {
    const wrong = connectOverHttp({ ...server, token: "x".repeat(43) }, era);
    await rejects(wrong, /not the one of this server|requires authorization/);
  }
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  const init = { method: "POST", headers };
  const large = await fetch(server.url, { ...init, body: "x".repeat(11 * 1024 * 1024) });
  await large.body?.cancel();
  equal(large.status, 413);
});

Deno.test("what is no message of the protocol is answered as such, and the server lives on", async () => {
  await using server = await startHttpServer(await Deno.makeTempDir());
  const json = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const envelope = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const rows: readonly (readonly [RequestInit, number])[] = [
    [{ method: "POST", headers: json, body: "{" }, 400],
    [{ method: "POST", headers: json, body: "" }, 400],
    [{ method: "POST", headers: json, body: "[]" }, 400],
    [{ method: "POST", headers: json, body: JSON.stringify(call) }, 400],
    [{ method: "POST", headers: { ...json, ...envelope }, body: JSON.stringify(call) }, 400],
    [{ method: "POST", headers: { ...json, "content-type": "text/plain" }, body: "{}" }, 415],
    [{ method: "GET", headers: json }, 400],
    [{ method: "DELETE", headers: { ...json, "mcp-session-id": "none" } }, 404],
    [{ method: "PUT", headers: json, body: "{}" }, 405],
  ];
  for (const [init, status] of rows) {
    const headers = { ...init.headers as object, authorization: `Bearer ${server.token}` };
    const response = await fetch(server.url, { ...init, headers });
    const text = await response.text();
    equal(response.status, status, `${JSON.stringify(init)}: ${text}`);
    ok(JSON.parse(text).error.code < 0, text);
  }
  const client = await connectOverHttp(server, "2026-07-28");
  ok((await client.listTools()).tools.length > 0);
  await client.close();
});

Deno.test("the server ends with open streams, and says which port is taken", async () => {
  await using project = await createProject();
  await using server = await startHttpServer(project.dir);
  const client = await connectOverHttp(server, "2025-11-25");
  await client.listTools();
  const port = Number(new URL(server.url).port);
  await rejects(startHttpServer(project.dir, { port }), (failure: CodeIntelError) => {
    deepEqual([failure.code, failure.message.includes(`${port}`)], ["port_taken", true]);
    return true;
  });
  server.end();
  await server.ended;
  await rejects(client.listTools());
  await client.close();
});
