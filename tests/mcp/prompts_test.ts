/** The skills as prompts. */
import {
  deepStrictEqual as deepEqual,
  match,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { getPrompt, listPrompts } from "../../src/mcp/prompts.ts";

Deno.test("listPrompts() has each skill with the one argument that it takes", async () => {
  const { prompts } = await listPrompts();
  deepEqual(
    prompts.map(({ title, arguments: args }) => [title, args?.map(({ name }) => name)]),
    [["/code", ["request"]], ["/exp", ["request"]], ["/outcome", ["request"]]],
  );
});

Deno.test("getPrompt() puts the request into the skill as it was typed", async () => {
  const { messages } = await getPrompt({ name: "exp", arguments: { request: " where is $1? " } });
  const [message] = messages;
  equal(message?.role, "user");
  match(JSON.stringify(message?.content), /Request: where is \$1\?\\n/);
  equal(JSON.stringify(message).includes("{{request}}"), false);
  await rejects(getPrompt({ name: "exp", arguments: { request: " " } }), /needs the argument/);
  await rejects(getPrompt({ name: "constructor" }), /There is no prompt "constructor"/);
});
