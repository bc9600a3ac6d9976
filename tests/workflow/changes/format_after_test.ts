/** An editor that formats a file of the work after the report. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { COMMON, createProject, expectOk, expectRefused } from "../project_fixture.ts";

const CODE = "export function f(a: number) {\n  return a;\n}\n";
const WORK = CODE.replace("return a", "return a + 1");
const FORMATTED = WORK.replace("(a: number)", "(\n    a: number\n)").replace(
  "  return",
  "    return",
);

/** A session whose one task is reported, with a file that it was cleared for and one that it was not. */
async function report() {
  const project = await createProject({ files: { "src/a.ts": CODE, "src/other.ts": CODE } });
  expectOk(await project.start());
  await project.plan("Let f add one");
  expectOk(await project.work({ "src/a.ts": WORK }, ["src/a.ts:2"]));
  return project;
}

Deno.test("an editor that formats a reported file afterwards once needed a person", async () => {
  await using project = await report();
  await project.repo.write({ "src/a.ts": FORMATTED });
  const reply = expectOk(await project.submit({ summary: "complete" }));
  deepEqual([reply.unsettled_total, reply.evidence_stale], [undefined, undefined]);
  equal(await project.repo.read("src/a.ts"), FORMATTED);
});

Deno.test("an editor that formats a file of the work at step 17 once needed a person", async () => {
  await using project = await report();
  await project.must({ summary: "complete" });
  await project.repo.write({ "src/a.ts": FORMATTED.replace("a + 1", "a + 2") });
  const review = { ...COMMON, reviewed_files: ["src/a.ts"], commit_message: "Let f add one" };
  expectRefused(await project.submit(review), "unauthorized_change");
  await project.repo.write({ "src/a.ts": FORMATTED });
  equal(expectOk(await project.submit(review)).sent_back, undefined);
  const quality = { ...COMMON, quality_score: "good", issues: [], quality_prompt_used: "q.md" };
  if ((await project.state()).stage === "QUALITY_REVIEW") await project.must(quality);
  equal(await project.repo.git("show", "HEAD:src/a.ts"), FORMATTED.trimEnd());
});

for (
  const [name, path, text] of [
    ["more than the layout", "src/a.ts", FORMATTED.replace("a + 1", "a + 2")],
    ["a comment", "src/a.ts", `// Late.\n${FORMATTED}`],
    [
      "the layout of a file that the work was not cleared for",
      "src/other.ts",
      CODE.replace("  r", " r"),
    ],
  ] as const
) {
  Deno.test(`a change after the report of ${name} is a finding`, async () => {
    await using project = await report();
    await project.repo.write({ [path]: text });
    expectRefused(await project.submit({ summary: "complete" }), "unauthorized_change");
  });
}
