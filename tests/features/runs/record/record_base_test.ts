/** The run at the start of a session records where context.yml wants it, in its clean checkout. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { Project } from "../../../workflow/project_fixture.ts";
import { createProject } from "../../../workflow/project_fixture.ts";
import { allow, FLAGS } from "../../../workflow/verify/verified_project.ts";

const FILES = {
  "shop.js":
    "exports.add = function add(item) {\n  return item;\n};\n\nexports.idle = function idle() {\n  return null;\n};\n",
  "shop.test.js": `const test = require("node:test");
const { add } = require("./shop.js");
test("adds", () => {
  if (add(1) !== 1) throw new Error("wrong");
});
`,
};

async function runBase(context: string, more: Readonly<Record<string, string>> = {}) {
  const verify = [
    { name: "test", run: ["node", "--test"] },
    { name: "lint", run: ["true"] },
  ];
  const project = await createProject({
    files: {
      ...FILES,
      ...more,
      ".code-intel/config.json": JSON.stringify({ verify }),
      ".code-intel/context.yml": context,
    },
  });
  await allow(project);
  await project.services.index.sync();
  return { project, run: await readBase(project) };
}

async function readBase(project: Project) {
  const { session_id: id } = await project.start({ flags: FLAGS });
  for (;;) {
    const [run] = await project.verification.runner.read(id);
    if (run !== undefined) return run;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

Deno.test(
  "the base run records with runs: on, says what it set, and the result is that of the tests",
  async () => {
    const { project, run } = await runBase("runs: on\n");
    await using _ = project;
    equal(run.place?.kind, "checkout");
    deepEqual(run.results.map(({ name, exitCode }) => [name, exitCode]), [["test", 0], [
      "lint",
      0,
    ]]);
    const set = run.results[0]?.set?.join(" ") ?? "";
    match(set, /NODE_OPTIONS=…/);
    match(set, /NODE_V8_COVERAGE=…/, "step 15 has it, and nothing may fail by it alone");
    equal(run.results[0]?.report?.passed, 1);
    const state = await (await project.services.openRuns()).load();
    const asked = ["add", "idle"].map((name) => ({ path: "shop.js", name }));
    const { tests, functions } = state?.findTests(asked) ?? { tests: [], functions: [] };
    deepEqual(tests.map(({ name, isCurrent }) => [name, isCurrent]), [
      ["adds", true],
    ]);
    deepEqual(functions.map(({ seen }) => seen), ["run by tests", "not run"]);
    deepEqual([state?.extent.recorded, state?.extent.counted], [1, 1]);
    deepEqual(state?.extent.changed, []);
    await project.workflow.getStatus({ discardActive: true });
    const again = await readBase(project);
    equal(
      again.results[0]?.set?.some((one) => one.startsWith("NODE_OPTIONS")),
      false,
      "all is known",
    );
  },
);

Deno.test(
  "the base run records nothing without that, nor where the tracer changes what fails",
  async () => {
    const plain = await runBase("runs: off\n");
    await using _ = plain.project;
    equal(await (await plain.project.services.openRuns()).load(), null);
    const sees = `require("node:test")("sees", () => {
  if (process.env.CODE_INTEL_RUNS) throw new Error("watched");
});
`;
    const seen = await runBase("runs: on\n", { "sees.test.js": sees });
    await using _other = seen.project;
    equal(seen.run.results[0]?.exitCode, 0, "the plain result is the base");
    equal(await (await seen.project.services.openRuns()).load(), null);
  },
);
