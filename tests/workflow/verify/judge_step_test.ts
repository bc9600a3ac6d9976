/** What the server makes of its run: compared with the untouched tree, test by test. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { COMMON } from "../project_fixture.ts";
import {
  allow,
  createVerified,
  FLAGS,
  plan,
  reachVerification,
  REPORT,
  REVIEW,
} from "./verified_project.ts";

/** A test runner of two tests: `wanted` is for what the file says, `never` is red whatever it says. */
const TAP = `echo TAP version 13; s=0
if grep -q broken src/a.ts; then echo 'not ok 1 - wanted'; else echo 'ok 1 - wanted'; fi
echo 'not ok 2 - never'; echo 1..2; exit 1`;

Deno.test("failures are compared by name with the untouched tree, whatever the agent says", async () => {
  await using project = await createVerified(["sh", "-c", TAP], {}, "auto");
  await allow(project);
  await reachVerification(project, "broken\n", { waitsForBaseline: true });
  const rule = { rule: "Run the checks with -race", source: ".code-intel/config.json" };
  const red = await project.submit({ ...REPORT, passed: true, mandatory_rules: [rule] });
  deepEqual([red.verified, red.rules_cited, red.unrun_rules], [false, 1, undefined]);
  equal(red.step, 12);
  match(`${red.instruction}`, /^The server's run FAILED: check: 0 passed, 2 failed \(TAP\)/);
  match(`${red.instruction}`, /1 new, 1 failed before the work too.*\[wanted; never\]/);
  deepEqual(red.commands[0].failures, ["NEW wanted", "never"]);
  match(
    red.commands[0].output_tail,
    /^TAP version 13\nnot ok 1 - wanted\nnot ok 2 - never\n1\.\.2$/,
  );
  await plan(project, "other\n", "task_2");
  const same = await project.submit({ ...REPORT, passed: false });
  equal(same.verified, true);
  match(
    same.unrun_rules,
    /^\.code-intel\/config\.json asks for -race: no command of verify runs it/,
  );
  equal(same.verification_source, "baseline-red");
  equal(same.commands[0].red_before, true);
  match(same.commands[0].result, /^1 passed, 1 failed \(TAP\).* the same 1 as before the work/);
  match(same.commands[0].ran, /sh -c/);
  equal((await project.must(REVIEW)).verified, "baseline-red");
  const message = await project.repo.git("log", "-1", "--format=%B");
  match(message, /^Code-Intel-Run: check: 1 passed, 1 failed/m);
});

Deno.test("an agent that writes before the untouched tree's run has ended is not blamed for what failed before", async () => {
  await using project = await createVerified(["sh", "-c", `sleep 1; ${TAP}`], {}, "auto");
  await allow(project);
  await reachVerification(project, "other\n");
  const same = await project.submit({ ...REPORT, passed: false });
  equal(same.verification_source, "baseline-red");
  match(same.commands[0].result, /^1 passed, 1 failed \(TAP\).* the same 1 as before the work/);
  equal((await project.must(REVIEW)).verified, "baseline-red");
});

Deno.test("a command that was red before and does not say what fails proves nothing and does not count against the change", async () => {
  for (const passed of [true, false]) {
    await using project = await createVerified(["grep", "-q", "never", "src/a.ts"], {}, "auto");
    await allow(project);
    await reachVerification(project, "other\n", { waitsForBaseline: true });
    const reply = await project.submit({ ...REPORT, passed });
    equal(reply.verified, false);
    equal(reply.verification_source, "unproven");
    equal(reply.commands[0].red_before, true);
    equal(reply.step, passed ? 17 : 12);
    if (!passed) continue;
    match(`${reply.instruction}`, /^The server's run proves nothing: .*the commit will say no/);
    equal((await project.must(REVIEW)).verified, "no");
  }
});

Deno.test("a run without a test is not verified, and where tests ran before it is a failure", async () => {
  const none = "echo TAP version 13; echo 1..0";
  await using project = await createVerified(["sh", "-c", none]);
  await allow(project);
  await reachVerification(project, "other\n");
  const reply = await project.submit({ ...REPORT, passed: true });
  deepEqual([reply.verified, reply.verification_source, reply.step], [false, "unproven", 17]);
  equal((await project.must(REVIEW)).verified, "no");
  const fewer = `if grep -q other src/a.ts; then ${none}; else echo 1..1; echo ok 1 - a; fi`;
  await using other = await createVerified(["sh", "-c", fewer], {}, "auto");
  await allow(other);
  await reachVerification(other, "other\n", { waitsForBaseline: true });
  const red = await other.submit({ ...REPORT, passed: true });
  deepEqual([red.verified, red.step], [false, 12]);
  match(red.commands[0].result, /no test ran; 1 ran before the work/);
});

Deno.test("how the untouched tree did is told at the next call, once, and by the status", async () => {
  await using project = await createVerified(["sh", "-c", TAP], {}, "auto");
  await allow(project);
  const { session_id } = await project.start({ flags: FLAGS });
  while ((await project.verification.runner.read(session_id)).length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
  const told = await project.must({ ...COMMON, slots: {} });
  match(told.verify_baseline, /^The untouched tree: check: 1 passed, 1 failed .*\[never\]/);
  match(told.verify_baseline, /It was red before your work/);
  const next = await project.workflow.addExploredFiles(["src/a.ts"]);
  equal("verify_baseline" in next, false);
  const status = await project.workflow.getStatus({});
  equal(status.verify_baseline, told.verify_baseline);
});
