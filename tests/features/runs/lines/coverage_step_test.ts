/** Which of the session's changed lines ran, as the coverage that the commands write says it. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { Project } from "../../../workflow/project_fixture.ts";
import { createProject } from "../../../workflow/project_fixture.ts";
import {
  allow,
  plan,
  reachVerification,
  REPORT,
  REVIEW,
} from "../../../workflow/verify/verified_project.ts";

/** Writes that line 2 of src/a.ts ran and line 3 did not, save where a test is named that runs it. */
const RUNNER = `third=0; grep -q tested src/a.ts && third=1
grep -q silent src/a.ts && exit 0
mkdir -p coverage
printf 'SF:src/a.ts\\nDA:2,4\\nDA:3,%s\\nDA:4,0\\nend_of_record\\n' $third > coverage/lcov.info
`;

async function createCovered(context = ""): Promise<Project> {
  const verify = [{ name: "test", run: ["sh", "run.sh"] }];
  const project = await createProject({
    files: {
      "src/a.ts": "first\n",
      "run.sh": RUNNER,
      // An earlier run left it: it says that everything ran.
      "lcov.info": "SF:src/a.ts\nDA:2,1\nDA:3,1\nend_of_record\n",
      ".code-intel/config.json": JSON.stringify({ verify, verify_baseline: "off" }),
      ...(context === "" ? {} : { ".code-intel/context.yml": context }),
    },
  });
  await allow(project);
  return project;
}

Deno.test("step 15 says which changed lines ran, by the coverage of this very run, and so does the commit", async () => {
  await using project = await createCovered();
  await reachVerification(project, "second\nthird\n// A comment does not run.\n");
  const reply = await project.submit(REPORT);
  equal(reply.verified, true, JSON.stringify(reply));
  deepEqual(reply.changed_lines, {
    ran: 1,
    not_run: ["src/a.ts:3"],
    items_that_ran: 1,
    from: "coverage/lcov.info (LCOV)",
  });
  const { tasks, verification } = await project.state();
  equal(tasks[0]?.checklist[0]?.ran, "all");
  deepEqual(verification?.coverage?.notRunLines, { "src/a.ts": "3" });
  await project.must(REVIEW);
  match(
    await project.repo.git("log", "-1", "--format=%B"),
    /^Code-Intel-Run: changed lines: 1 ran, 1 did not \(src\/a\.ts:3\)$/m,
  );
});

Deno.test("a bound in context.yml sends work back whose lines do not run, and unknown lines count for nothing", async () => {
  await using project = await createCovered("coverage:\n  changed_lines: 0.8\n");
  await reachVerification(project, "second\nthird\n");
  const below = await project.submit(REPORT);
  equal(below.verified, false, JSON.stringify(below));
  equal(below.sent_back, true);
  match(
    `${below.instruction}`,
    /^Only 1 of 2 changed lines ran, .* did not: src\/a\.ts:3\. Plan a task/,
  );
  await plan(project, "second\nthird // tested\n", "task_2");
  const above = await project.submit(REPORT);
  deepEqual([above.verified, above.changed_lines.ran], [true, 2], JSON.stringify(above));
});

Deno.test("where no coverage comes the bound judges nothing, and the reply says so", async () => {
  await using project = await createCovered("coverage:\n  changed_lines: 0.8\n");
  await reachVerification(project, "second\nsilent\n");
  const reply = await project.submit(REPORT);
  equal(reply.verified, true, JSON.stringify(reply));
  match(`${reply.instruction}`, /^How many of the changed lines ran is not known/);
  deepEqual(reply.changed_lines, {
    unknown: 2,
    in: ["src/a.ts"],
    why: "No command wrote coverage that could be read.",
  });
});
