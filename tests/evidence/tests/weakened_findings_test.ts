/** Step 17 asks for a reason for each way in which the session made tests say less. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { buildLostFindings } from "../../../src/evidence/tests/weakened_findings.ts";
import { COMMON, createProject } from "../../workflow/project_fixture.ts";

const TEST =
  "import { a } from './a.ts';\nit('adds', () => {\n  expect(a).toBe(1);\n});\nit('is', () => {});\n";
const REVIEW = { ...COMMON, reviewed_files: [], rest: "keep", commit_message: "Change a" };

Deno.test("a weakened test is shown by the review and needs its own reason, which the session keeps", async () => {
  await using project = await createProject({
    files: { "src/a.ts": "export const a = 1;\n", "src/a.test.ts": TEST },
  });
  await project.start();
  await project.plan("Change a", "Adapt the test");
  await project.work({ "src/a.ts": "export const a = 2;\n" }, ["src/a.ts:1"]);
  const weaker = TEST.replace("it(", "it.skip(").replace("toBe(1)", "toBe(2)");
  await project.work({ "src/a.test.ts": weaker }, ["src/a.test.ts:2-3"]);
  await project.must({ summary: "done" });
  const review = await project.workflow.reviewChanges({ maxBytes: 20_000 });
  const ids = ["switched_off src/a.test.ts", "expectation_changed src/a.test.ts"];
  const shown = review.test_findings as readonly { readonly id: string }[];
  deepEqual(shown.map(({ id }) => id), ids);
  const [off, changed] = ids;
  const refused = await project.submit({
    ...REVIEW,
    test_findings: [{ id: changed, reason: "The request asks for two in place of one" }],
  });
  deepEqual(refused.problems.map(({ code }: { code: string }) => code), ["tests_weakened"]);
  match(refused.problems[0].message, /^switched_off src\/a\.test\.ts: tests are skipped/);
  await project.must({
    ...REVIEW,
    test_findings: [
      { id: changed, reason: "The request asks for two in place of one" },
      { id: off, reason: "It waits for a fixed clock, see the request" },
    ],
  });
  const { testFindings = [] } = await project.state();
  deepEqual(testFindings.map(({ id }) => id), ids);
  match(testFindings[0]?.reason ?? "", /fixed clock/);
});

Deno.test("a script beside the test in package.json once counted as a changed runner, for its comma", async () => {
  const keywords = Array.from({ length: 12 }, (_, at) => `word ${at}`);
  const write = (scripts: unknown) =>
    `${JSON.stringify({ keywords, scripts, files: keywords }, null, 2)}\n`;
  await using project = await createProject({
    files: { "src/a.ts": "1\n", "package.json": write({ test: "node --test" }) },
  });
  await project.start();
  await project.plan("Add a lint script");
  const text = write({ test: "node --test", lint: "eslint ." });
  await project.work({ "package.json": text }, ["package.json:18"]);
  await project.must({ summary: "done" });
  const { test_findings: shown } = await project.workflow.reviewChanges({ maxBytes: 20_000 });
  deepEqual(shown, undefined);
});

Deno.test("buildLostFindings() names the first tests that no longer run", () => {
  const tests = Array.from({ length: 12 }, (_, at) => `t${at}`);
  deepEqual(
    buildLostFindings("unit", [{ kind: "skipped", tests: ["a"] }, { kind: "gone", tests }]),
    [
      {
        id: "lost unit skipped",
        what: "tests that ran on the untouched tree and are skipped now: a",
      },
      {
        id: "lost unit gone",
        what: "tests that ran on the untouched tree and are not there any more: " +
          "t0, t1, t2, t3, t4, t5, t6, t7, t8, t9 and 2 more",
      },
    ],
  );
});
