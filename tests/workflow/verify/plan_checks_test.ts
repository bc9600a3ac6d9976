/** Step 15 proves the work by the checks of a proof: the nearest tests first, hollow versions, forms that prove nothing. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { Project } from "../project_fixture.ts";
import { createProject } from "../project_fixture.ts";
import { allow, REPORT, REVIEW, toStep15 } from "./verified_project.ts";

const ADD = "\nexports.add = (a, b) => a + b;\n";
const CLIP =
  "\nexports.add = (a, b) => a + b;\nexports.clip = (text, size) => text.slice(0, size);\n";
const HEAD = `
const { test } = require("node:test");
const assert = require("node:assert");
const code = require("../src/add.js");
`;
const ADDS = `${HEAD}test("adds", () => assert.strictEqual(code.add(1, 2), 3));\n`;

async function createTested(): Promise<Project> {
  const verify = [{ name: "test", run: ["node", "--test", "test/"] }];
  const project = await createProject({
    files: {
      "src/add.js": ADD,
      "test/add.test.js": ADDS,
      "test/other.test.js": HEAD.replace(/\nconst code.*/, "\ntest('other', () => {});"),
      ".code-intel/config.json": JSON.stringify({ verify, verify_baseline: "off" }),
    },
  });
  await allow(project);
  return project;
}

async function verify(project: Project, source: string, test: string) {
  await toStep15(project, { "src/add.js": source, "test/add.test.js": test });
  return await project.submit({ ...REPORT, passed: true });
}

Deno.test("a nearest test that fails ends the run, and what did not run is not lost", async () => {
  await using project = await createTested();
  const twice = `${ADDS}test("twice", () => assert.strictEqual(code.add(2, 2), 5));\n`;
  const reply = await verify(project, CLIP, twice);
  deepEqual([reply.verified, reply.step], [false, 12]);
  match(reply.commands[0].ran, /--test test\/add\.test\.js$/);
  deepEqual(reply.commands[0].failures.map((text: string) => text.split(":")[0]), ["twice"]);
  match(`${reply.instruction}`, /1 passed, 1 failed/);
  equal((await project.state()).verification?.lost, undefined);
});

Deno.test("a test that passes with a function that does nothing proves nothing", async () => {
  await using project = await createTested();
  const hollow = `${ADDS}test("clips", () => assert.ok(code.clip("abc", 2) !== null));\n`;
  const reply = await verify(project, CLIP, hollow);
  equal(reply.verified, true, JSON.stringify(reply));
  const what = "test/add.test.js: clips: passes with a version of clip that does nothing";
  equal(reply.proof_findings[0], what);
  match(`${reply.instruction}`, /^not proven: test\/add\.test\.js: clips passes with a version/);
  const { verification } = await project.state();
  deepEqual([verification?.provesNothing, verification?.proving], [
    ["test/add.test.js: clips"],
    undefined,
  ]);
  await using other = await createTested();
  const strong = `${ADDS}test("clips", () => assert.strictEqual(code.clip("abc", 2), "ab"));\n`;
  const proven = await verify(other, CLIP, strong);
  match(proven.proof, /^proven: 3 tests ran, nothing new fails, 1 changed test fails without what/);
  equal("proof_findings" in proven, false);
});

Deno.test("step 17 asks for a reason for a test that reads the source as text", async () => {
  await using project = await createTested();
  const text = `${ADDS}test("clips", () => {
  const read = require("node:fs").readFileSync("src/add.js", "utf8");
  assert.ok(read.includes("clip"));
});
`;
  const reply = await verify(project, CLIP, text);
  equal(reply.verified, true, JSON.stringify(reply));
  const refused = await project.submit(REVIEW);
  deepEqual(refused.problems.map(({ code }: { code: string }) => code), ["tests_weakened"]);
  match(
    refused.problems[0].message,
    /^form test\/add\.test\.js: clips: reads src\/add\.js as text/,
  );
  const test_findings = [{
    id: "form test/add.test.js: clips",
    reason: "the text is what is published",
  }];
  equal((await project.must({ ...REVIEW, test_findings })).ok, true);
});
