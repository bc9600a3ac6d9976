/** When a submission goes on past the ledger, and when it stops; resolutions beside a payload or alone. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { UserPrompt } from "../../../src/base/asker.ts";
import type { Answer } from "../project_fixture.ts";
import {
  createProject,
  expectOk,
  expectRefused,
  FRAME,
  planned,
  started,
  toLines,
} from "../project_fixture.ts";

const SIGNAL = new AbortController().signal;
const EDIT = { "src/a.ts": "found\n" };
const RESTORE = [{ path: "src/a.ts", action: "restore", reason: "a slip" }];

Deno.test("resolveFindings() refuses with the whole block of the step, and leaves the step", async () => {
  await using project = await createProject({ after: started });
  await project.repo.write(EDIT);
  const reply = expectRefused(await project.submit(FRAME), "unauthorized_change");
  deepEqual([reply.error, reply.phase, reply.call, reply.unsettled_total], [
    "unauthorized_change",
    "QUERY_FRAME",
    "submit_phase",
    1,
  ]);
  equal(typeof reply.expected_payload, "object");
  match(reply.problems[0].hint, /change_resolution \[\{"path": "src\/a\.ts"/);
  equal((await project.state()).stage, "QUERY_FRAME");
});

Deno.test("resolveFindings() settles beside the payload, which then counts", async () => {
  await using project = await createProject({ after: started });
  await project.repo.write(EDIT);
  const reply = await project.must({ ...FRAME, change_resolution: RESTORE });
  deepEqual([reply.substep, reply.resolved], ["plan", ["restore: src/a.ts"]]);
  equal(reply.ignored_fields, undefined);
});

Deno.test("resolveFindings() settles without a payload, and stays at the step", async () => {
  await using project = await createProject({ after: started });
  await project.repo.write(EDIT);
  const reply = await project.must({ change_resolution: RESTORE });
  deepEqual([reply.phase, reply.resolved], ["QUERY_FRAME", ["restore: src/a.ts"]]);
  expectOk(await project.submit(FRAME));
});

Deno.test("resolveFindings() takes summary and tools beside resolutions for no payload, save where they are one", async () => {
  await using project = await createProject({ after: started });
  await project.repo.write(EDIT);
  const frame = { summary: "x", tools_used: [] };
  const reply = await project.must({ ...frame, change_resolution: RESTORE });
  equal(reply.phase, "QUERY_FRAME");
  await project.plan("Change a");
  const checklist = [{ item: "Change a", status: "skipped", reason: "The code does this already" }];
  await project.must({ ...frame, task_id: "task_1", checklist });
  await project.repo.write(EDIT);
  equal((await project.must({ ...frame, change_resolution: RESTORE })).session_complete, true);
});

Deno.test("resolveFindings() goes on stopping while one finding is left", async () => {
  await using project = await createProject({ after: started });
  await project.repo.write({ ...EDIT, "src/b.ts": "found\n" });
  const reply = expectRefused(
    await project.submit({ ...FRAME, change_resolution: RESTORE }),
    "unauthorized_change",
  );
  deepEqual([reply.problems[0].path, reply.resolved], ["src/b.ts", ["restore: src/a.ts"]]);
});

Deno.test("resolveFindings() names what is wrong with the form of resolutions", async () => {
  await using project = await createProject({ after: started });
  await project.repo.write(EDIT);
  for (
    const rows of [[], "src/a.ts", [{ path: "src/a.ts", action: "keep", reason: "x" }], [{
      path: "src/a.ts",
      action: "restore",
    }]]
  ) {
    const reply = await project.submit({ ...FRAME, change_resolution: rows });
    deepEqual([reply.ok, reply.error], [false, "payload_mismatch"], JSON.stringify(rows));
    match(reply.problems[0].at, /^data\.change_resolution/);
  }
  equal(await project.repo.read("src/a.ts"), "found\n");
});

for (const way of [{ park: true }, { abandon: true }, { user_decision: "park" }]) {
  Deno.test(`resolveFindings() lets ${JSON.stringify(way)} pass in spite of findings`, async () => {
    await using project = await createProject({ after: planned("Change a") });
    await project.repo.write(EDIT);
    const reason = "user_decision" in way ? { user_reason: "later" } : { reason: "later" };
    expectOk(await project.submit({ ...way, ...reason }));
    equal(await project.repo.read("src/a.ts"), "found\n");
    equal(await project.repo.git("branch", "--show-current"), "main");
  });
}

Deno.test("resolveFindings() warns once where a person confirmed the mode warn, HEAD included", async () => {
  await using project = await createProject({ enforcement: "warn" });
  expectOk(await project.start());
  await project.plan("Change a");
  await project.repo.write(EDIT);
  await project.repo.git("commit", "-qam", "By hand");
  await project.repo.write({ ".git/hooks/pre-push": "x", ".code-intel/config.json": "{}" });
  const report = {
    summary: "x",
    tools_used: [],
    task_id: "task_1",
    checklist: [{ item: "Change a", status: "skipped", reason: "The code does this already" }],
  };
  const reply = await project.must(report);
  equal(reply.warnings.length, 4);
  match(reply.warnings[0], /^HEAD went from/);
  const next = await project.submit({ summary: "complete" });
  equal(next.warnings, undefined);
});

Deno.test("resolveFindings() fixes the mode at the start", async () => {
  await using project = await createProject({ enforcement: "warn" });
  const config = ".code-intel/config.json";
  await project.repo.write({ [config]: '{"enforcement":"strict"}' });
  expectOk(await project.start());
  equal((await project.state()).ledger?.mode, "strict");
  await project.repo.write({ [config]: '{"enforcement":"warn"}', ...EDIT });
  const reply = await project.submit(FRAME);
  deepEqual(reply.problems.map(({ code }: Answer) => code), [
    "protected_change",
    "unauthorized_change",
  ]);
});

Deno.test("resolveFindings() takes no mode that nobody confirmed", async () => {
  await using project = await createProject();
  await project.repo.commit("Off", { ".code-intel/config.json": '{"enforcement":"off"}' });
  expectOk(await project.start());
  await project.repo.write(EDIT);
  expectRefused(await project.submit(FRAME), "unauthorized_change");
});

/** Somebody who answers, and remembers the questions. */
function createAsker(...answers: readonly Answer[]): UserPrompt & { readonly keys: string[] } {
  const keys: string[] = [];
  return {
    keys,
    ask: ({ key }) => Promise.resolve(answers[keys.push(key) - 1] ?? { kind: "unanswered" }),
  };
}

Deno.test("resolveFindings() asks the person where that is possible, and does what they say", async () => {
  await using project = await createProject({ after: started });
  await project.repo.write(EDIT);
  const asker = createAsker(
    { kind: "unanswered" },
    { kind: "declined" },
    { kind: "answered", values: { agree: false } },
    { kind: "answered", values: { agree: true } },
  );
  const data = { ...FRAME, change_resolution: [{ ...RESTORE[0], action: "person" }] };
  const send = () => project.workflow.submitPhase(data, SIGNAL, asker) as Promise<Answer>;
  expectRefused(await send(), "person_unanswered");
  expectRefused(await send(), "person_refused");
  expectRefused(await send(), "person_refused");
  equal((await project.state()).decisions.length, 0);
  expectOk(await send());
  const [decision] = (await project.state()).decisions;
  deepEqual([decision?.decision, decision?.source], ["person: src/a.ts", "asked"]);
  equal(new Set(asker.keys).size, 1, "the same question about the same state");
});

Deno.test("resolveFindings() asks anew when the disk is another one than the person was asked about", async () => {
  await using project = await createProject({ after: started });
  await project.repo.write(EDIT);
  const keys: string[] = [];
  const asker: UserPrompt = {
    async ask({ key }) {
      keys.push(key);
      if (keys.length === 1) await project.repo.write({ "src/a.ts": "changed meanwhile\n" });
      return { kind: "answered", values: { agree: true } };
    },
  };
  const data = { ...FRAME, change_resolution: [{ ...RESTORE[0], action: "person" }] };
  expectOk(await project.workflow.submitPhase(data, SIGNAL, asker) as Answer);
  equal(new Set(keys).size, 2);
  equal(await project.repo.read("src/a.ts"), "changed meanwhile\n");
});

Deno.test("resolveFindings() puts a file back without asking, whoever could be asked", async () => {
  await using project = await createProject({ after: started });
  await project.repo.write(EDIT);
  const asker = createAsker({ kind: "declined" });
  const data = { ...FRAME, change_resolution: RESTORE };
  const reply = expectOk(await project.workflow.submitPhase(data, SIGNAL, asker) as Answer);
  deepEqual([asker.keys, reply.bring_back.length], [[], 1]);
  equal(await project.repo.read("src/a.ts"), toLines(10));
});

Deno.test("resolveFindings() asks nobody about what the rules decide", async () => {
  await using project = await createProject({ after: planned("Change a") });
  expectOk(await project.workflow.addExploredFiles(["src/a.ts"]));
  await project.repo.write(EDIT);
  const asker = createAsker();
  const rows = [{ path: "src/a.ts", action: "authorize", reason: "part of the task" }];
  const data = { change_resolution: rows };
  expectOk(await project.workflow.submitPhase(data, SIGNAL, asker) as Answer);
  deepEqual(asker.keys, []);
});

Deno.test("resolveFindings() takes a glob for the name of files", async () => {
  await using project = await createProject({ after: started });
  await project.repo.write({ ...EDIT, "src/b.ts": "found\n" });
  const rows = [{ glob: "src/*.ts", action: "restore", reason: "a slip" }];
  const reply = await project.must({ change_resolution: rows });
  deepEqual(reply.resolved, ["restore: src/*.ts"]);
  equal(await project.repo.read("src/b.ts"), toLines(5));
});

Deno.test("resolveFindings() finds a change of a cleared file once every task is reported", async () => {
  await using project = await createProject({ after: planned("Change a") });
  expectOk(await project.work({ "src/a.ts": "a\n" }, ["src/a.ts:1"]));
  await project.repo.write({ "src/a.ts": "a\nlate\n" });
  const reply = expectRefused(await project.submit({ summary: "complete" }), "unauthorized_change");
  match(reply.problems[0].hint, /"action": "restore \| person"/);
  expectRefused(await project.clear("src/a.ts"), "write_not_allowed");
  await project.must({ change_resolution: RESTORE });
  equal(await project.repo.read("src/a.ts"), "a\n");
});

Deno.test("resolveFindings() names the configuration, not what its commands named before", async () => {
  const config = (verify: unknown) => JSON.stringify({ verify });
  await using project = await createProject({
    files: {
      "check.sh": "true\n",
      ".gitignore": ".code-intel/\n",
      ".code-intel/config.json": config([{ name: "check", run: ["sh", "check.sh"] }]),
    },
    after: started,
  });
  await project.repo.write({ ".code-intel/config.json": config([]) });
  const reply = await project.submit(FRAME);
  deepEqual(reply.problems.map(({ path }: Answer) => path), [".code-intel/config.json"]);
});
