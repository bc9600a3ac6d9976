/** Each effect, done once, and done again because the program died before its checkpoint. */
import {
  deepStrictEqual as deepEqual,
  match,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import type { Answer, Project } from "../project_fixture.ts";
import {
  COMMON,
  createProject,
  expectOk,
  KILLED,
  planned,
  started,
  toLines,
} from "../project_fixture.ts";

const EDITED = toLines(10).replace("line 5\n", "five\n");

/**
 * Submits, dies between effect and checkpoint, and lets a second process go on: what it finds has to
 * be what an undisturbed submission would have left.
 */
async function submitKilled(project: Project, data: unknown): Promise<Answer> {
  const kill = project.killAfterEffects();
  await rejects(project.submit(data), { message: KILLED });
  kill.restore();
  const id = (await project.store.loadAll()).map((found) => found.id).at(-1) ?? "";
  const other = await project.reopen();
  return await other.getStatus({ sessionId: id });
}

async function branches(project: Project): Promise<string> {
  return await project.repo.git("for-each-ref", "--format=%(refname:short)", "refs/heads");
}

const PLAN = {
  ...COMMON,
  tasks: [{
    id: "task_1",
    description: "Change a",
    status: "pending",
    checklist: [{ item: "Change a", status: "pending" }],
  }],
};

Deno.test("create_branch makes the branch and moves HEAD, the person's files untouched", async () => {
  await using project = await createProject();
  await project.repo.write({ "src/b.ts": "mine\n" });
  await project.repo.git("add", "src/b.ts");
  const { session_id: id } = expectOk(await project.start());
  const reply = await project.plan("Change a");
  equal(reply.branch, `llm_task_${id}_from_main`);
  equal(await project.repo.git("branch", "--show-current"), reply.branch);
  equal(await project.repo.git("status", "--porcelain"), "M  src/b.ts");
});

Deno.test("create_branch done already is recognised after a kill", async () => {
  await using project = await createProject({ after: started });
  const { sessionId: id } = await project.state();
  await project.must({ ...COMMON, slots: {} });
  const reply = expectOk(await submitKilled(project, PLAN));
  deepEqual([reply.phase, reply.substep], ["READY", "implement"]);
  const { workspace, pending, tasks } = await project.state();
  deepEqual([workspace.taskBranch, pending, tasks.length], [`llm_task_${id}_from_main`, null, 1]);
  equal(await branches(project), `llm_task_${id}_from_main\nmain`);
});

Deno.test("a HEAD that is elsewhere stops the plan before its effects, and nobody can make it the session's", async () => {
  await using project = await createProject({ after: started });
  await project.must({ ...COMMON, slots: {} });
  await project.repo.git("switch", "-q", "-c", "other");
  const found = await project.submit(PLAN);
  deepEqual([found.ok, found.error, found.substep], [false, "unexpected_commit", "plan"]);
  const row = { path: "HEAD", action: "person", reason: "I switched" };
  const reply = await project.submit({ ...PLAN, change_resolution: [row] });
  equal(reply.problems[0].code, "head_elsewhere");
  match(reply.problems[0].hint, /git switch main/);
  await project.repo.git("switch", "-q", "main");
  expectOk(await project.submit(PLAN));
});

Deno.test("create_branch refuses, keeping the step, while HEAD is elsewhere, and passes once it is back", async () => {
  await using project = await createProject({ enforcement: "warn" });
  expectOk(await project.start());
  await project.must({ ...COMMON, slots: {} });
  await project.repo.git("switch", "-q", "-c", "other");
  const reply = await project.submit(PLAN);
  deepEqual([reply.ok, reply.error, reply.substep], [false, "head_elsewhere", "plan"]);
  match(reply.problems[0].hint, /git switch main/);
  equal((await project.state()).pending, null);
  await project.repo.git("switch", "-q", "main");
  expectOk(await project.submit(PLAN));
});

Deno.test("a submission after a kill first completes what is pending, then is judged itself", async () => {
  await using project = await createProject({ after: started });
  await project.must({ ...COMMON, slots: {} });
  const kill = project.killAfterEffects();
  await rejects(project.submit(PLAN), { message: KILLED });
  kill.restore();
  equal((await project.state()).stage, "READY_PLAN");
  const reply = expectOk(await project.submit(PLAN));
  equal(reply.phase, "READY");
  equal((await project.state()).tasks.length, 1);
});

async function skipAll(project: Project): Promise<void> {
  expectOk(await project.start());
  await project.plan("Change a");
  await project.must({
    ...COMMON,
    task_id: "task_1",
    checklist: [{ item: "Change a", status: "skipped", reason: "The code does this already" }],
  });
}

for (const isKilled of [false, true]) {
  const when = isKilled ? "again after a kill" : "once";
  Deno.test(`remove_branch takes the empty branch away and keeps its tip, ${when}`, async () => {
    await using project = await createProject({ after: skipAll });
    const branch = await project.repo.git("branch", "--show-current");
    if (isKilled) await submitKilled(project, { summary: "nothing to do" });
    else equal((await project.must({ summary: "nothing to do" })).branch_removed, branch);
    equal(await branches(project), "main");
    equal(await project.repo.git("branch", "--show-current"), "main");
    match(await project.repo.git("for-each-ref", "refs/code-intel/branches"), new RegExp(branch));
    equal((await project.store.loadAll()).length, 0, "the session is in the archive");
  });

  Deno.test(`leave_branch with restore puts the tree back, ${when}`, async () => {
    await using project = await createProject();
    await project.repo.write({ "src/b.ts": "mine\n" });
    expectOk(await project.start());
    await project.plan("Change a");
    await project.repo.write({ "src/a.ts": EDITED, "src/new/x.ts": "new\n" });
    const data = { abandon: true, reason: "no", restore: true };
    if (isKilled) await submitKilled(project, data);
    else await project.must(data);
    equal(await project.repo.read("src/a.ts"), toLines(10));
    equal(await project.repo.read("src/b.ts"), "mine\n");
    equal(await project.repo.exists("src/new/x.ts"), false);
    equal(await project.repo.git("branch", "--show-current"), "main");
  });

  Deno.test(`leave_branch notes the tree at the parking, ${when}`, async () => {
    await using project = await createProject({ after: planned("Change a") });
    const { sessionId: id } = await project.state();
    await project.repo.write({ "src/a.ts": EDITED });
    const data = { park: true, reason: "later" };
    if (isKilled) {
      const reply = expectOk(await submitKilled(project, data));
      deepEqual([reply.resumed, reply.booked_as_person], [true, undefined]);
    } else {
      await project.must(data);
      equal((await project.state(id)).status, "parked");
      equal(await project.repo.git("branch", "--show-current"), "main");
    }
    equal(await project.repo.read("src/a.ts"), EDITED);
  });

  Deno.test(`discard goes back to the baseline, the person's own edits kept, ${when}`, async () => {
    await using project = await createProject({
      files: { "a.ts": toLines(10), "b.ts": toLines(5), "old.ts": toLines(30), "keep.ts": "k\n" },
    });
    await project.repo.write({ "b.ts": `${toLines(5)}mine\n` });
    expectOk(await project.start());
    await project.plan("Change keep");
    expectOk(await project.workflow.addExploredFiles(["b.ts", "old.ts"]));
    expectOk(await project.clear("b.ts", "new/x.ts", "old.ts", "moved.ts"));
    await project.repo.write({ "b.ts": "session\n", "new/x.ts": "debug\n" });
    await project.repo.git("mv", "old.ts", "moved.ts");
    expectOk(await project.work({ "keep.ts": "kept\n" }, ["keep.ts:1"]));
    await project.must({ summary: "complete" });
    const data = {
      ...COMMON,
      reviewed_files: ["keep.ts"],
      rest: "discard",
      commit_message: "Change keep",
    };
    if (isKilled) await submitKilled(project, data);
    else await project.must(data);
    equal(await project.repo.read("b.ts"), `${toLines(5)}mine\n`);
    equal(await project.repo.exists("new/x.ts"), false);
    deepEqual([await project.repo.exists("old.ts"), await project.repo.exists("moved.ts")], [
      true,
      false,
    ]);
    equal(await project.repo.read("keep.ts"), "kept\n");
    equal((await project.state()).stage, "MERGE");
    equal(await project.repo.git("show", "--name-only", "--format=%s"), "Change keep\n\nkeep.ts");
  });
}

async function toIntervention(project: Project): Promise<void> {
  expectOk(await project.start({ flags: { no_doc: true, fast: true } }));
  for (let failure = 0; failure < 3; failure++) {
    await project.plan(`Change a, round ${failure}`);
    const text = toLines(10).replace("line 5\n", `round ${failure}\n`);
    const edits = { "src/a.ts": text, "src/new.ts": `new ${failure}\n` };
    expectOk(await project.work(edits, ["src/a.ts:5"]));
    await project.must({ summary: "complete" });
    await project.must({
      ...COMMON,
      passed: false,
      verifier_used: "npm test",
      failed_tasks: [],
      details: "1 failed",
    });
  }
  equal((await project.state()).stage, "VERIFY_INTERVENTION");
}

for (const isKilled of [false, true]) {
  Deno.test(
    `restore_tree goes back to the baseline and reopens what it took, ${
      isKilled ? "again after a kill" : "once"
    }`,
    async () => {
      await using project = await createProject({ after: toIntervention });
      const data = {
        ...COMMON,
        prompt_used: "step_back.md",
        action_taken: "Started again",
        restore_to: "baseline",
      };
      if (isKilled) await submitKilled(project, data);
      else deepEqual((await project.must(data)).restored_to, "baseline");
      equal(await project.repo.read("src/a.ts"), toLines(10));
      equal(await project.repo.exists("src/new.ts"), false);
      const state = await project.state();
      equal(state.stage, "READY_PLAN");
      deepEqual(state.tasks.map(({ status }) => status).includes("completed"), false);
      // What was put back is the server's doing, whichever try did it: no finding stands against it.
      await project.plan("Once more");
    },
  );
}

Deno.test("restore_tree to the plan leaves what the person changed since: their files went back too", async () => {
  await using project = await createProject({ after: toIntervention });
  const text = toLines(10).replace("line 5\n", "round 2\n");
  await project.repo.write({
    "src/a.ts": `${text}mine\n`,
    "src/b.ts": "mine\n",
    "notes/mine.md": "mine\n",
  });
  await project.must({
    change_resolution: [
      { path: "src", action: "person", reason: "so" },
      { path: "notes", action: "person", reason: "so" },
    ],
  });
  const data = { ...COMMON, prompt_used: "x.md", action_taken: "Again", restore_to: "plan" };
  equal((await project.must(data)).restored_to, "plan");
  equal(await project.repo.read("src/a.ts"), `${text.replace("round 2\n", "round 1\n")}mine\n`);
  equal(await project.repo.read("src/b.ts"), "mine\n");
  equal(await project.repo.read("notes/mine.md"), "mine\n");
});

Deno.test("leave_branch with restore names what the agent staged, which the person's next commit would take", async () => {
  await using project = await createProject();
  await project.repo.write({ "src/b.ts": "mine\n" });
  await project.repo.git("add", "src/b.ts");
  await project.start();
  await project.plan("Change a");
  await project.work({ "src/a.ts": EDITED }, ["src/a.ts:5"]);
  await project.repo.git("add", "-A");
  const reply = await project.must({ abandon: true, reason: "no", restore: true });
  deepEqual(reply.still_staged, ["src/a.ts"]);
});

Deno.test("leave_branch with restore leads back to the base after the commit too: the person was stranded", async () => {
  await using project = await createProject();
  await project.repo.write({ "src/b.ts": "mine\n" });
  await project.start();
  await project.plan("Change a");
  await project.work({ "src/a.ts": EDITED }, ["src/a.ts:5"]);
  await project.must({ summary: "all done" });
  await project.must({ ...COMMON, reviewed_files: [], rest: "keep", commit_message: "Change a" });
  const reply = await project.must({ abandon: true, reason: "no", restore: true });
  equal(reply.head, "main");
  deepEqual(reply.restored_files, ["src/a.ts"]);
  match(reply.undo, /^code-intel restore session_\S+ --to \d+$/);
  equal(await project.repo.git("branch", "--show-current"), "main");
  equal(await project.repo.git("status", "--short"), " M src/b.ts");
});
