/** Several servers and commands on one cold repository: each answers, and the work is done once. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { runProgram } from "../support/server/cli.ts";
import { startClient } from "../support/server/mcp_client.ts";
import { createTempRepo } from "../support/temp_repo.ts";

/** Enough that only one process at a time does them, and that others come while it does. */
const FILES = 400;

function toFile(at: number): string {
  const parts = Array.from(
    { length: 12 },
    (_, part) =>
      `/** Part ${part}. */\nexport function run${at}_${part}(value: number): number {\n  return value + ${at};\n}\n`,
  );
  return parts.join("\n");
}

Deno.test("four servers and four commands on a cold index: every call answers, no command meets a lock, each content is analysed once", async () => {
  const files = Object.fromEntries(
    Array.from({ length: FILES }, (_, at) => [`src/part${at % 20}/file${at}.ts`, toFile(at)]),
  );
  await using repo = await createTempRepo({ files });
  const env = { CODE_INTEL_STATE_DIR: await Deno.makeTempDir(), NO_COLOR: "1" };
  const clients = await Promise.all(
    Array.from({ length: 4 }, () => startClient({ projectDir: repo.dir, env })),
  );
  const run = (...words: readonly string[]) => runProgram(words, { cwd: repo.dir, env });
  const [synced, asked, commands] = await Promise.all([
    Promise.all(clients.slice(0, 2).map((client) => client.call("sync_index", {}))),
    Promise.all(
      clients.slice(2).map((client) => client.call("find_definitions", { symbol: "run7_3" })),
    ),
    Promise.all([
      run("index", "--json"),
      run("def", "run9_2", "--json"),
      run("search", "adds a value", "--json"),
      run("doctor"),
    ]),
  ]);
  for (const { reply, text } of synced) {
    // Who was not done in time says who goes on.
    ok(reply.ok && (reply.complete === true || reply.busy.total > 0), text);
  }
  for (const { reply, text } of asked) {
    equal(reply.definitions?.[0]?.path, "src/part7/file7.ts", text);
  }
  for (const { stdout, stderr } of commands) {
    ok(!/Cannot lock|internal_error/.test(stdout + stderr), stdout + stderr);
  }
  const [built, defined] = commands.map(({ stdout }) => stdout);
  const report = JSON.parse(built ?? "");
  deepEqual([report.complete, report.files, report.pending], [true, FILES, 0]);
  equal(JSON.parse(defined ?? "").definitions[0].path, "src/part9/file9.ts");
  // What was left of a synchronisation that answered early is done by now; then nothing is left to do.
  const last = await Promise.all(
    clients.slice(0, 2).map((client) => client.call("sync_index", {})),
  );
  for (const { reply, text } of last) deepEqual([reply.complete, reply.parsed], [true, 0], text);
  const parsed = [report, ...synced.map(({ reply }) => reply)].filter(({ busy }) => !busy)
    .reduce((sum, one) => sum + one.parsed, 0);
  ok(parsed <= FILES, `${parsed} analyses of ${FILES} contents`);
  for (const client of clients) equal((await client.close()).code, 0);
});
