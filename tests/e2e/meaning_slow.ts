/** The search by meaning in a session over the real server. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { runProgram } from "../support/server/cli.ts";
import { createProject, startSession } from "../support/session/session_driver.ts";

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

Deno.test("every step grants the search by meaning, with the target of the request, and SEMANTIC wants it on record", async () => {
  await using project = await createProject();
  await using session = await startSession(project, {
    answers: [true, false, false],
    flags: { no_doc: true },
  });
  await session.until(5);
  const early = await session.call("semantic_search", { query: "where is the login checked" });
  equal(early.ok, true);

  await session.until(7);
  const found = await session.must("semantic_search", { query: "where is a name hashed" });
  equal(found.target_feature, undefined, "a question that says enough stands for itself");
  const { state } = await session.checkpoint();
  const short = await session.must("semantic_search", { query: "what is hashed" });
  equal(short.target_feature, state.frame.slots.target_feature?.value);
  equal(found.source, "index");
  const shown = found.hits.map(({ path }: { readonly path: string }) => path);
  ok(shown.includes("src/hash.ts") && shown.includes("src/auth.ts"), JSON.stringify(shown));
  const blocked = await session.call("review_changes");
  equal(blocked.error, "phase_blocked");
  ok(blocked.allowed.includes("semantic_search") && blocked.allowed.includes("fetch_chunk_detail"));

  const [{ id }] = found.hits;
  const detail = await session.must("fetch_chunk_detail", { chunk_id: id });
  equal(detail.chunks[0].id, id);
  const wrong = await session.call("fetch_chunk_detail", { chunk_id: "nonsense" });
  deepEqual([wrong.ok, wrong.problems[0].code], [false, "invalid_chunk_id"]);
  const bad = await session.call("semantic_search", { query: "", collection: "sea", n_results: 0 });
  deepEqual([bad.error, bad.problems.length], ["invalid_arguments", 3]);

  const path = join(project.dir, ".code-intel", "sessions", `${session.id}.records.jsonl`);
  const calls = (await Deno.readTextFile(path)).split("\n").filter((line) => line !== "")
    .map((line) => JSON.parse(line)).filter((line) =>
      JSON.stringify(line).includes("semantic_search")
    );
  equal(calls.length > 0, true);
  ok(JSON.stringify(calls).includes("src/hash.ts"), "the files that were shown are on record");

  equal(
    (await session.accept({
      search_query: "where is a name hashed",
      search_results: [{ file: "src/hash.ts", why: "hashes the name" }],
    })).step,
    8,
  );
});
