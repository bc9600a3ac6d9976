/** Every tool against hostile arguments, over the real process: a clear problem each, no end, no hang. */
import { ok, strictEqual as equal } from "node:assert/strict";
import { TOOLS } from "../../src/tools/tools.ts";
import { startClient } from "../support/server/mcp_client.ts";
import { createTempRepo } from "../support/temp_repo.ts";

/** Values that belong nowhere; each is sent as every parameter of every tool. */
const HOSTILE: Readonly<Record<string, unknown>> = {
  null: null,
  "a number": 42,
  "an endless number": 1e308,
  "a boolean": true,
  "an empty text": "",
  "an empty list": [],
  "an empty object": {},
  "a list of lists": [[[[]]]],
  NUL: "a\0b",
  "half a surrogate pair": "\ud800",
  "a megabyte": "x".repeat(1_000_000),
  "a path outside": "../../../../etc/passwd",
  "an absolute path": "/etc/passwd",
  "an option": "--upload-pack=touch /tmp/owned",
  "a short option": "-rf",
  "a command": "$(touch owned); `touch owned`",
  "a broken pattern": "((((",
  "a prototype": JSON.parse('{"__proto__":{"polluted":true}}'),
  "broken JSON text": '{"a":',
};

Deno.test("every tool answers hostile arguments with a clear problem, and the server lives on", async (t) => {
  const { dir: projectDir } = await createTempRepo({
    files: { "src/a.ts": "export const a = 1;\n" },
  });
  const client = await startClient({ projectDir });
  const shown = await client.listTools();
  for (const row of TOOLS) {
    await t.step(row.name, async () => {
      const { inputSchema } = shown.find(({ name }) => name === row.name);
      for (const parameter of Object.keys(inputSchema.properties)) {
        for (const [what, value] of Object.entries(HOSTILE)) {
          const called = await client.call(row.name, { ...row.example, [parameter]: value });
          checkReply(called, `${row.name}.${parameter}: ${what}`);
        }
      }
      const huge = { ...row.example, ...toHuge(Object.keys(inputSchema.properties)) };
      checkReply(await client.call(row.name, huge), "more than a megabyte");
      const long = { ...row.example, ["x".repeat(5000)]: 1 };
      checkReply(await client.call(row.name, long), "long key");
      checkReply(await client.call(row.name, {}), "nothing");
      equal((await client.request("ping")).error, undefined);
    });
  }
  equal((await client.close()).code, 0);
  for await (const { name } of Deno.readDir(projectDir)) ok(name !== "owned");
});

/** More than a message may have, in the first parameter: the size is judged before anything is read. */
function toHuge(parameters: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(parameters.slice(0, 1).map((name) => [name, "x".repeat(1_200_000)]));
}

Deno.test("tools/call answers an unknown tool with the nearest names", async () => {
  const client = await startClient({ projectDir: (await createTempRepo()).dir });
  const { reply, isError } = await client.call("serch_text", {});
  equal(isError, true);
  equal(reply.error, "unknown_tool");
  ok(reply.problems[0].hint.includes('Did you mean "search_text"?'));
  await client.close();
});

Deno.test("tools/call shows all problems at once with an example of a right call", async () => {
  const client = await startClient({ projectDir: (await createTempRepo()).dir });
  const { reply } = await client.call("start_session", { intent: "BUILD", flag: {} });
  equal(reply.error, "invalid_arguments");
  equal(reply.problems.length, 3);
  equal(typeof reply.example.query, "string");
  await client.close();
});

// deno-lint-ignore no-explicit-any -- replies are read freely
function checkReply(called: { reply: any; isError: boolean; text: string }, what: string): void {
  const { reply, isError, text } = called;
  equal(isError, !reply.ok, what);
  ok(text.length <= 256 * 1024, what);
  if (reply.ok) return;
  ok(reply.error !== "internal_error", `${what}: ${text.slice(0, 300)}`);
  ok(typeof reply.message === "string" && reply.message.length > 0, what);
  for (const problem of reply.problems ?? []) {
    ok(problem.code.length > 0 && problem.message.length < 2000, `${what}: ${problem.message}`);
  }
}
