/** Step 15 while files, commands, servers and the configuration change under it. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { Answer, Project } from "./project_fixture.ts";
import { COMMON, createProject } from "./project_fixture.ts";

const FLAGS = { fast: true, no_doc: true };
const REPORT = {
  ...COMMON,
  passed: true,
  verifier_used: "by hand",
  failed_tasks: [],
  details: "looked at it",
};
const BROKEN = "first\nBROKEN\n";
const GOOD = "first\ngood\n";
/** Runs until `.git/go` is there; what is in the git folder is in no tree. */
const GATED =
  "touch .git/began; while ! test -e .git/go; do sleep 0.02; done; ! grep -q BROKEN src/a.ts";

interface Row {
  readonly script: string;
  readonly writes?: readonly string[];
  readonly baseline?: "auto" | "off";
  readonly isTrusted?: boolean;
}

async function createVerified({ script, writes = [], baseline = "off", isTrusted = true }: Row) {
  const row = { name: "check", run: ["sh", "check.sh"], writes };
  const project = await createProject({
    files: {
      "src/a.ts": "first\n",
      "gen/a.ts": "made\n",
      "check.sh": `${script}\n`,
      // The commands look at the git folder of the worktree.
      ".code-intel/config.json": JSON.stringify({
        verify: [row],
        verify_baseline: baseline,
        verify_checkout: "off",
      }),
    },
  });
  const { verification } = project;
  if (isTrusted) await verification.trustCommands(await verification.loadCommands(), "terminal");
  return project;
}

async function waitForFile(project: Project, path: string): Promise<void> {
  for (const endsAt = Date.now() + 20_000; Date.now() < endsAt;) {
    if (await Deno.stat(join(project.root, path)).then(() => true, () => false)) return;
    await pause();
  }
  throw new Error(`${path} did not come`);
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Plans one more task, does it and reports it, up to step 15. */
async function work(project: Project, text: string, id = "task_1"): Promise<Answer> {
  const { tasks } = await project.state();
  const done = tasks.map((task) => ({ ...task, status: "completed" }));
  const checklist = [{ item: `Rewrite src/a.ts (${id})`, status: "pending" }];
  const next = { id, description: "Rewrite src/a.ts", status: "pending", checklist };
  await project.must({ ...COMMON, tasks: [...done, next] });
  await project.workflow.addExploredFiles(["src/a.ts"]);
  await project.clear("src/a.ts");
  await project.repo.write({ "src/a.ts": text });
  const reported = [{ ...checklist[0], status: "done", evidence: "src/a.ts:2" }];
  await project.must({ ...COMMON, task_id: id, checklist: reported });
  return await project.must({ summary: "all done" });
}

async function begin(project: Project): Promise<void> {
  await project.start({ flags: FLAGS });
  await project.must({ ...COMMON, slots: {} });
}

Deno.test("what a running command writes as it announced is no finding, other changes are", async () => {
  const script = `echo made > gen/b.ts; echo other > src/c.ts; ${GATED}`;
  await using project = await createVerified({ script, writes: ["gen/**"] });
  await begin(project);
  await work(project, GOOD);
  const running = project.submit(REPORT);
  await waitForFile(project, ".git/began");
  const reply = await project.submit({ summary: "x" });
  deepEqual(reply.problems.map(({ path }: Answer) => path), ["src/c.ts"]);
  await project.repo.write({ ".git/go": "" });
  await running;
});

Deno.test("a change while the commands run voids the run for good, also where it is put back", async () => {
  for (const isPutBack of [true, false]) {
    await using project = await createVerified({ script: GATED });
    await begin(project);
    await work(project, BROKEN);
    const running = project.submit(REPORT);
    await waitForFile(project, ".git/began");
    const status = await project.workflow.getStatus({}) as Answer;
    deepEqual([status.verification_running, status.command], [true, "check"]);
    match(status.running_note, /same payload again/);
    await project.repo.write({ "src/a.ts": GOOD });
    if (isPutBack) await project.repo.write({ "src/a.ts": BROKEN });
    await project.repo.write({ ".git/go": "" });
    const reply = await running;
    equal(reply.error, "verification_void");
    match(reply.problems[0].message, /^src\/a\.ts changed while "check" ran/);
    match(reply.problems[0].hint, /writes/);
    await project.repo.write({ "src/a.ts": BROKEN });
    equal((await project.submit(REPORT)).verified, false);
  }
});

Deno.test("a baseline of a tree that was not left alone excuses nothing, although it was put back", async () => {
  for (const isPutBackAtOnce of [true, false]) {
    await using project = await createVerified({ script: GATED, baseline: "auto" });
    const { session_id: id } = await project.start({ flags: FLAGS });
    await waitForFile(project, ".git/began");
    await project.repo.write({ "src/a.ts": BROKEN });
    if (isPutBackAtOnce) await project.repo.write({ "src/a.ts": "first\n" });
    await project.repo.write({ ".git/go": "" });
    const { runner } = project.verification;
    while ((await runner.read(id)).length === 0) await pause();
    await project.repo.write({ "src/a.ts": "first\n" });
    equal((await runner.read(id))[0]?.voided?.path, "src/a.ts");
    await project.must({ ...COMMON, slots: {} });
    await work(project, BROKEN);
    const reply = await project.submit(REPORT);
    deepEqual([reply.verified, reply.verification_source], [false, "server"]);
  }
});

Deno.test("a baseline stands although the server's own set-up file is written while it runs", async () => {
  await using project = await createVerified({ script: GATED, baseline: "auto" });
  const { session_id: id } = await project.start({ flags: FLAGS });
  await waitForFile(project, ".git/began");
  await project.repo.write({ ".code-intel/context.yml": "doc_research: {}\n" });
  await project.repo.write({ ".git/go": "" });
  const { runner } = project.verification;
  while ((await runner.read(id)).length === 0) await pause();
  const [run] = await runner.read(id);
  deepEqual([run?.voided, run?.results.map(({ exitCode }) => exitCode)], [null, [0]]);
});

Deno.test("a clearance by another server ends the baseline of this one", async () => {
  await using project = await createVerified({ script: GATED, baseline: "auto" });
  const { session_id: id } = await project.start({ flags: FLAGS });
  await waitForFile(project, ".git/began");
  await project.must({ ...COMMON, slots: {} });
  await project.plan("Change a");
  const other = await project.reopen();
  await other.addExploredFiles(["src/a.ts"]);
  equal((await other.checkWriteTarget({ paths: ["src/a.ts"], allowNewFiles: true })).ok, true);
  while ((await project.verification.runner.readRunning(id)).length > 0) await pause();
  const [run] = await project.verification.runner.read(id);
  deepEqual([run?.kind, run?.wasCancelled], ["baseline", true]);
});

Deno.test("what a baseline writes as announced is booked to it, and shown in the review", async () => {
  const script = "mkdir -p reports; echo r > reports/out.txt";
  await using project = await createVerified({ script, writes: ["reports/**"], baseline: "auto" });
  await project.start({ flags: FLAGS });
  await waitForFile(project, "reports/out.txt");
  await project.must({ ...COMMON, slots: {} });
  await work(project, GOOD);
  equal((await project.submit(REPORT)).step, 17);
  const review = await project.workflow.reviewChanges({ maxBytes: 16_000 }) as Answer;
  deepEqual(review.written_by_commands, [{ path: "reports/out.txt", command: "check" }]);
});

Deno.test("a file that only matches writes is a finding, when no run wrote it", async () => {
  await using project = await createVerified({ script: "true", writes: ["gen/**"] });
  await begin(project);
  await work(project, GOOD);
  await project.repo.write({ "gen/a.ts": "smuggled\n" });
  const found = await project.submit(REPORT);
  deepEqual([found.error, found.problems[0].path], ["unauthorized_change", "gen/a.ts"]);
  const restore = { path: "gen/a.ts", action: "restore", reason: "not wanted" };
  const reply = await project.submit({ ...REPORT, change_resolution: [restore] });
  deepEqual([reply.verified, reply.verification_source], [true, "server"]);
  equal(reply.resolved?.length, 1, "what was settled is told with the result");
});

Deno.test("a failure counts in its visit alone: the same tree is run again at the next one", async () => {
  await using project = await createVerified({ script: "test -e .git/database" });
  await begin(project);
  await work(project, GOOD);
  const failed = await project.submit(REPORT);
  equal(failed.verified, false);
  match(failed.nothing_to_change, /skipped with the reason/);
  await project.repo.write({ ".git/database": "" });
  await work(project, GOOD, "task_2");
  equal((await project.submit(REPORT)).verified, true);
});

Deno.test("a text behind the commands that changes while the person reads it is shown again", async () => {
  await using project = await createVerified({ script: "false", isTrusted: false });
  await begin(project);
  await work(project, GOOD);
  const asked: string[] = [];
  const asker = {
    ask: async ({ message }: { readonly message: string }) => {
      asked.push(message);
      await project.repo.write({ "check.sh": "true\n" });
      return { kind: "answered" as const, values: { allow: true } };
    },
  };
  const { signal } = new AbortController();
  const reply = await project.workflow.submitPhase(REPORT, signal, asker);
  // The change is a finding of its own; what matters is that nothing ran on the word about another text.
  equal(reply.ok, false);
  const runs = await project.verification.runner.read((await project.state()).sessionId);
  equal(runs.length, 0);
});

Deno.test("the commands of a session are those of its start, whatever the configuration becomes", async () => {
  await using project = await createVerified({ script: "false" });
  await begin(project);
  await work(project, GOOD);
  await project.repo.write({ ".code-intel/config.json": '{"verify": []}' });
  const change_resolution = [
    { path: ".code-intel/config.json", action: "person", reason: "The person wanted it" },
  ];
  const reply = await project.submit({ ...REPORT, change_resolution });
  deepEqual([reply.verified, reply.verification_source], [false, "server"]);
});

Deno.test("a row of verify that cannot be read is no reason to believe the client", async () => {
  const verify = [{ name: "none", run: [] }];
  await using project = await createProject({
    files: { "src/a.ts": "first\n", ".code-intel/config.json": JSON.stringify({ verify }) },
  });
  await begin(project);
  await work(project, GOOD);
  const reply = await project.submit(REPORT);
  deepEqual([reply.error, reply.step, reply.problems[0].at], [
    "config_invalid",
    15,
    "verify.0.run",
  ]);
  match(reply.problems[0].hint, /user_decision accept/);
  equal((await project.must({ user_decision: "accept", user_reason: "it is fine" })).step, 17);
});
