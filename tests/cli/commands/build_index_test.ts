/** The command `index` as a person and a script see it. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { runOnTerminal } from "../../support/server/cli.ts";
import { runHosted } from "../../support/server/hosted_cli.ts";
import { createTempRepo } from "../../support/temp_repo.ts";
import { testNeeding } from "../../support/needs.ts";

Deno.test("index builds, says what it left out, reads nothing twice, and the next command asks it", async () => {
  const { dir: cwd } = await createTempRepo({
    files: { "a.ts": "export function one() {}\n", "b.bin": "\0\0", "yarn.lock": "x\n" },
  });
  const env = { CODE_INTEL_STATE_DIR: await Deno.makeTempDir(), NO_COLOR: "1" };
  const run = (...words: readonly string[]) => runHosted(words, { cwd, env });
  const first = JSON.parse((await run("index", "--json")).stdout);
  deepEqual([first.ok, first.complete, first.files, first.parsed], [true, true, 1, 1]);
  deepEqual(first.skipped_files, [
    { path: "b.bin", reason: "binary" },
    { path: "yarn.lock", reason: "generated (by its name)" },
  ]);
  ok(first.path.endsWith(".git/code-intel/index.db"));
  const { stdout, stderr, code } = await run("index");
  equal(code, 0);
  match(stdout, /1 file, 1 symbol/);
  match(stdout, /1 left out, binary: b\.bin/);
  equal(stderr, "", "no bar where nobody watches");
  equal(JSON.parse((await run("index", "--rebuild", "--json")).stdout).parsed, 1);
  equal(JSON.parse((await run("def", "one", "--json")).stdout).source, "index");
  equal((await run("function", "a.ts", "1")).stdout, "export function one() {}\n");
  equal((await run("function", "a.ts:1")).stdout, "export function one() {}\n");
  equal((await run("function", "a.ts:1:8")).stdout, "export function one() {}\n");
  equal((await run("function", "a.ts", "x")).code, 64);
});

testNeeding(
  ["terminal"],
  "index shows how far it is on a terminal, and takes the line away",
  async () => {
    const { dir: cwd } = await createTempRepo({ files: { "a.ts": "const a = 1;\n" } });
    const env = { CODE_INTEL_STATE_DIR: await Deno.makeTempDir() };
    const shown = await runOnTerminal(["index"], { cwd, env });
    match(shown, /1\/1 files, \d+\/s, \d+ s left/);
    match(shown, /1 file, 1 symbol/);
  },
);

Deno.test("the first impact of a fresh project was refused: the command builds the index that it needs", async () => {
  const modules = Array.from({ length: 130 }, (_, at) => [
    `src/m${at}.ts`,
    `import { one } from "./one.ts";\nexport const m${at} = one(${at});\n`,
  ]);
  const files = {
    ...Object.fromEntries(modules),
    "src/one.ts": "export function one(n: number) { return n; }\n",
  };
  const { dir: cwd } = await createTempRepo({ files });
  // Written by a clock that is an hour ahead: no look ever finds them old.
  const ahead = new Date(Date.now() + 3_600_000);
  for (const path of Object.keys(files)) await Deno.utime(`${cwd}/${path}`, ahead, ahead);
  const env = { CODE_INTEL_STATE_DIR: await Deno.makeTempDir(), NO_COLOR: "1" };
  const { stdout } = await runHosted(["impact", "src/one.ts", "--json"], { cwd, env });
  const reply = JSON.parse(stdout);
  equal(reply.ok, true, stdout.slice(0, 300));
  equal(reply.freshness, undefined, "every file is known");
  ok(reply.must_verify_total > 0);
});
