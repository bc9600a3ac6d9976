/** What a client of each era finds beside the tools: resources, prompts, completions, messages. */
import {
  deepStrictEqual as deepEqual,
  match,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import type { Era } from "../support/server/http_server.ts";
import { Client } from "@modelcontextprotocol/client";
import { callOverHttp, ERAS } from "../support/server/http_server.ts";
import { toHostedTransport } from "../support/server/hosted_transport.ts";
import type { Project } from "../support/session/project.ts";
import { createProject } from "../support/session/project.ts";

async function connect(project: Project, era: Era): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" }, {
    versionNegotiation: { mode: ERAS[era] },
  });
  await client.connect(toHostedTransport(project));
  return client;
}

for (const era of Object.keys(ERAS) as readonly Era[]) {
  Deno.test(`${era}: resources, templates and prompts are listed, read and completed`, async () => {
    await using project = await createProject();
    const client = await connect(project, era);
    const { resources } = await client.listResources();
    deepEqual(resources.map(({ uri }) => uri), ["code-intel://brief", "code-intel://contract"]);
    const { resourceTemplates } = await client.listResourceTemplates();
    deepEqual(resourceTemplates.map(({ uriTemplate }) => uriTemplate), [
      "code-intel://contract/{stage}",
    ]);
    const read = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents;
      return JSON.parse(content !== undefined && "text" in content ? content.text : "null");
    };
    equal((await read("code-intel://brief")).next.call, "start_session");
    const { session_id } = await callOverHttp(client, "start_session", {
      intent: "INVESTIGATE",
      query: "how does login work",
    });
    equal((await read("code-intel://brief")).session_id, session_id);
    // The brief of the status and that of the resource say the same of the project and its disk.
    await callOverHttp(client, "update_context", { project_rules_summary: "Names are English." });
    await project.repo.write({ "src/hash.ts": "broken\n" });
    const { brief } = await callOverHttp(client, "get_session_status", {}) as {
      readonly brief: Record<string, unknown>;
    };
    const resource = await read("code-intel://brief");
    deepEqual([resource.project_rules, resource.unsettled], [brief.project_rules, brief.unsettled]);
    equal(resource.project_rules, "Names are English.");
    match(resource.unsettled.items[0], /src\/hash\.ts was modified .*restore \| person/);
    match((await read("code-intel://contract")).stages.EXPLORATION.instruction, /Read the code/);
    deepEqual((await read("code-intel://contract/Q1")).step, 6);
    await rejects(client.readResource({ uri: "code-intel://contract/NONE" }), /not found/i);

    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: "code-intel://contract/{stage}" },
      argument: { name: "stage", value: "ready" },
    });
    deepEqual(completion.values, ["READY_PLAN", "READY_IMPL", "READY_COMPLETE"]);

    const { prompts } = await client.listPrompts();
    deepEqual(prompts.map(({ name }) => name), ["code", "exp", "outcome"]);
    const request = { request: "add $& to the login" };
    const { messages } = await client.getPrompt({ name: "code", arguments: request });
    const [message] = messages;
    ok(message?.content.type === "text");
    match(message.content.text, /Request: add \$& to the login\n/);
    await rejects(client.getPrompt({ name: "code" }), /needs the argument "request"/);
    await rejects(client.getPrompt({ name: "none" }), /the prompts are code, exp, outcome/);
    await client.close();
  });
}

Deno.test("a client hears of each step once it has named a level", async () => {
  await using project = await createProject();
  const client = await connect(project, "2025-11-25");
  const heard: unknown[] = [];
  client.setNotificationHandler("notifications/message", ({ params }) => {
    heard.push([params.level, params.data]);
  });
  const start = { intent: "INVESTIGATE", query: "how does login work" };
  await callOverHttp(client, "start_session", start);
  await client.setLoggingLevel("info");
  await callOverHttp(client, "get_session_status");
  await client.setLoggingLevel("notice");
  await callOverHttp(client, "get_session_status");
  await callOverHttp(client, "submit_phase", { data: {} });
  deepEqual(heard.map((row) => (row as string[])[0]), ["info", "notice"]);
  match(JSON.stringify(heard), /"Step 3\/19: (\w+)".*"Step 3\/19: \1, refused: /);
  await client.close();
});
