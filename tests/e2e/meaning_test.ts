/** Search by meaning in a session and from the shell, over the real server: when, with what, and on record. */
import { ok, strictEqual as equal } from "node:assert/strict";
import { runProgram } from "../support/cli.ts";
import { createProject } from "../support/session_driver.ts";

Deno.test("the twins search and chunk answer at a terminal", async () => {
  await using project = await createProject();
  const run = (...args: string[]) => runProgram(args, { cwd: project.dir });
  const searched = await run("search", "where is a name hashed", "--json");
  equal(searched.code, 0, searched.stderr);
  const reply = JSON.parse(searched.stdout);
  equal(reply.collection, "forest");
  const id = reply.hits[0].id;
  const text = await run("search", "hash");
  ok(/^src\/hash\.ts:\d+: 0\.\d+/.test(text.stdout), text.stdout);
  const chunk = await run("chunk", id);
  ok(chunk.code === 0 && chunk.stdout.startsWith(reply.hits[0].path), chunk.stdout);
  equal((await run("chunk", "0000000000000000:1-2")).code, 1);
  equal((await run("search", "zebra")).code, 1);
});
