/** Every skipped test names what is missing on the machine, and all pages start the same Deno. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { expectNone, readSourceFiles, ROOT, toCode } from "./source_files.ts";

const WORKFLOWS = [".github/workflows/push.yml", ".github/workflows/release.yml"];
const PAGES = ["README.md", "docs/contributing.md", "docs/guide.md"];

/** By what a test starts ripgrep, the program as a process of its own, or another program that a bare machine lacks. */
const SKIPPING = /\bignore:|\bDeno\.test\.(?:ignore|only)\b|\bonly:\s*true/;

Deno.test("tests are skipped only through testNeeding(), which names what is missing", async () => {
  const files = await readSourceFiles("tests");
  const others = files.filter(({ path }) => path !== "tests/support/needs.ts");
  expectNone(
    others.filter(({ text }) => isSkipping(text)).map(({ path }) => path),
    "Register it by testNeeding() of tests/support/needs.ts.",
  );
});

Deno.test("no test changes the variables or the folder of its process, which it shares with others at the same time", async () => {
  const files = (await readSourceFiles("tests"))
    // A process of its own, which runs one command after the other.
    .filter(({ path }) => path !== "tests/support/server/program_host.ts");
  expectNone(
    files.filter(({ text }) => /\bDeno\.(?:chdir|env\.(?:set|delete))\(/.test(toCode(text)))
      .map(({ path }) => `${path}: start a process, and give it env or cwd`),
    "Give the variable or folder to the part as an argument, or start a process of its own.",
  );
});

Deno.test("isSkipping() tells the options that skip tests from words that look alike", () => {
  equal(isSkipping("Deno.test({ name, ignore: !canMount(), fn });"), true);
  equal(isSkipping("Deno.test.ignore(name, fn);"), true);
  equal(isSkipping("search({ ignoreCase: true });"), false);
});

Deno.test("the README, the pages and the release start one version of Deno", async () => {
  const versions = new Set<string>();
  for (const path of [...PAGES, ...WORKFLOWS, "deno.json"]) {
    const text = await Deno.readTextFile(join(ROOT, path));
    for (const [, a, b] of text.matchAll(/\bdeno@([\d.]+)|\bDENO_VERSION: ([\d.]+)/g)) {
      versions.add(a ?? b ?? "");
    }
  }
  deepEqual([...versions], ["2.9.6"]);
  match(await Deno.readTextFile(join(ROOT, "deno.json")), /"npx -y deno@[\d.]+ task test"/);
  // `.ci/run` takes both commands from the README, and would find none if their form changed.
  const readme = await Deno.readTextFile(join(ROOT, "README.md"));
  deepEqual(
    readme.match(/^npx -y deno@[\d.]+ task \w+\b/gm)?.map((line) => line.split(" ").at(-1)),
    [
      "demo",
      "test",
    ],
  );
});

function isSkipping(text: string): boolean {
  return SKIPPING.test(toCode(text));
}
