/** What proofs cost is kept where the project is set up, `stats --checks` counts it, and a check that never pays becomes rare. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { runHosted } from "../../../support/server/hosted_cli.ts";
import { ADD, ADD_TEST, createProofProject } from "../../../support/proof_project.ts";

const CLIP = `${ADD}exports.clip = (text, size) => text.slice(0, size);\n`;
const CLIP_TEST = `${ADD_TEST}const { clip } = require("../src/add.js");
test("clips", () => assert.strictEqual(clip("abc", 2), "ab"));
`;

async function setUp() {
  const files = { ".code-intel/.gitignore": "/logs/\n" };
  const { cwd, env } = await createProofProject({ files });
  const write = (path: string, text: string) => Deno.writeTextFile(join(cwd, path), text);
  const run = (...words: readonly string[]) => runHosted(words, { cwd, env });
  const readPrices = async () => {
    const { checks } = JSON.parse((await run("stats", "--checks", "--json")).stdout);
    return new Map<
      string,
      { readonly runs: number; readonly paid: number; readonly overridden: number }
    >(
      checks.map((one: { readonly name: string }) => [one.name, one]),
    );
  };
  return { cwd, write, run, readPrices };
}

Deno.test("a finding that led to a change paid for its check, and an answered one was overridden", async () => {
  const { write, run, readPrices } = await setUp();
  equal((await run("stats", "--checks")).code, 1);
  await write("src/add.js", ADD.replace("a + b", "a - b"));
  equal((await run("prove")).code, 2);
  await write("src/add.js", CLIP);
  await write("test/add.test.js", `${ADD_TEST}test("clips", () => assert.ok(1 > 0));\n`);
  const { stdout } = await run("prove", "--json");
  const { findings } = JSON.parse(stdout);
  const doubts = findings.filter(({ weight }: { readonly weight: string }) => weight === "doubts");
  ok(doubts.length > 0, stdout);
  await run("prove", "--answer", `${doubts[0].place}: the clip is shown by hand`);
  const prices = await readPrices();
  deepEqual([prices.get("nearest")?.runs, prices.get("nearest")?.paid], [2, 1]);
  ok((prices.get(doubts[0].check)?.overridden ?? 0) > 0);
  match((await run("stats", "--checks")).stdout, /^check +runs +seconds +paid +to run +overridden/);
});

Deno.test("wrong versions that never paid are passed over where changed tests prove the change, and the line says so", async () => {
  const { cwd, write, run } = await setUp();
  const checks = ["nearest", "wrong_versions"].map((name) => ({ name, state: "done", seconds: 3 }));
  const lines = Array.from({ length: 31 }, (_, at) =>
    JSON.stringify({
      ...{ recordId: `proof_${at}`, at: "2026-01-31T00:00:00Z", by: "prove", base: "b" },
      ...{ tree: `${at}`, checks, findings: [] },
    }));
  await Deno.mkdir(join(cwd, ".code-intel/logs"), { recursive: true, mode: 0o700 });
  await write(".code-intel/logs/checks.jsonl", `${lines.join("\n")}\n`);
  await write("src/add.js", CLIP);
  await write("test/add.test.js", CLIP_TEST);
  const rare = (await run("prove")).stdout;
  match(rare, /^proven: .*; once in ten here, not now: wrong versions\n/);
  match(rare, /wrong versions: skipped \(it has not paid here in 30 runs/);
  const whole = (await run("prove", "--anew")).stdout;
  match(whole, /^proven: (?!.*once in ten).*\n/);
  // The same files are one run, and what finds damage is never rare.
  const { stdout } = await run("stats", "--checks");
  match(stdout, /^wrong versions +31 .* once in ten$/m);
  match(stdout, /^nearest +32 .*-$/m);
});
