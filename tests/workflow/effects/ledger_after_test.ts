/** What effects book for themselves, and what somebody else does meanwhile that they do not. */
import { deepStrictEqual as deepEqual, rejects, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { Answer, Project } from "../project_fixture.ts";
import {
  COMMON,
  createProject,
  expectOk,
  expectRefused,
  FRAME,
  KILLED,
  planned,
  started,
  toLines,
} from "../project_fixture.ts";

const EDITED = toLines(10).replace("line 5", "five");
const REVIEW = { ...COMMON, reviewed_files: [], rest: "keep", commit_message: "Five" };

/** Acts in the middle of the effects: before their results are saved. */
function whileEffects(project: Project, act: () => Promise<unknown>): void {
  const target = project.store as { save: Project["store"]["save"] };
  const save = target.save.bind(project.store);
  target.save = async (body, options) => {
    const result = await save(body, options);
    if (body.state.pending !== null) {
      target.save = save;
      await act();
    }
    return result;
  };
}

async function toReview(project: Project): Promise<void> {
  expectOk(await project.start());
  await project.plan("Change a");
  expectOk(await project.work({ "src/a.ts": EDITED }, ["src/a.ts:5"]));
  await project.must({ summary: "complete" });
}

Deno.test("bookEffects() leaves a change during the effects to the next call", async () => {
  await using project = await createProject({ after: started });
  await project.must(FRAME);
  whileEffects(project, () => project.repo.write({ "src/b.ts": "meanwhile\n" }));
  const { branch } = await project.plan("Change a");
  const { ledger } = await project.state();
  equal(ledger?.head?.branch, branch);
  const found = expectRefused(await project.submit({ ...COMMON }), "unauthorized_change");
  equal(found.problems[0].path, "src/b.ts");
});

Deno.test("bookEffects() leaves a change during a commit without hooks to the next call", async () => {
  await using project = await createProject({ after: toReview });
  whileEffects(project, () => project.repo.write({ "src/b.ts": "meanwhile\n" }));
  await project.must(REVIEW);
  const found = expectRefused(await project.submit({ summary: "merge" }), "unauthorized_change");
  equal(found.problems[0].path, "src/b.ts");
  equal(await project.repo.git("show", "--format=", "--name-only"), "src/a.ts");
});

Deno.test("bookEffects() books what git hooks changed in the commit, and the review lists it", async () => {
  await using project = await createProject();
  const hook = join(project.root, ".git/hooks/pre-commit");
  await project.repo.write({ ".git/hooks/pre-commit": "#!/bin/sh\necho formatted > src/b.ts\n" });
  await Deno.chmod(hook, 0o755);
  await toReview(project);
  const again = await project.must(REVIEW);
  deepEqual([again.phase, again.problems], ["PRE_COMMIT", undefined]);
  const review = await project.workflow.reviewChanges({ maxBytes: 50_000 }) as Answer;
  deepEqual(review.changes.map(({ path }: Answer) => path), ["src/a.ts", "src/b.ts"]);
  equal(review.unsettled, undefined);
  await project.must(REVIEW);
  equal((await project.must({ summary: "merge" })).merged, true);
  equal(await project.repo.git("show", "main:src/b.ts"), "formatted");
});

Deno.test("bookEffects() books what a hook changed that then refuses", async () => {
  await using project = await createProject();
  const script = "#!/bin/sh\necho formatted > src/b.ts\nexit 1\n";
  await project.repo.write({ ".git/hooks/pre-commit": script });
  await Deno.chmod(join(project.root, ".git/hooks/pre-commit"), 0o755);
  await toReview(project);
  const failed = await project.must(REVIEW);
  equal(failed.git_hook_failed, true);
  const plan = await project.plan("Repair it");
  deepEqual([plan.ok, plan.warnings], [true, undefined]);
});

Deno.test("bookEffects() takes no HEAD that somebody moved during a discard", async () => {
  await using project = await createProject({ after: toReview });
  const data = {
    ...REVIEW,
    reviewed_files: [{ path: "src/a.ts", decision: "discard", reason: "no" }],
  };
  whileEffects(project, () => project.repo.git("commit", "-q", "--allow-empty", "-m", "By hand"));
  const reply = await project.submit(data);
  const next = reply.ok ? await project.submit({ ...COMMON }) : reply;
  equal(next.ok, false);
  const found = await project.submit({ ...COMMON });
  equal(found.problems[0].code, "unexpected_commit");
});

Deno.test("bookEffects() never judges the work of a killed process as somebody else's", async () => {
  await using project = await createProject({ after: toReview });
  const kill = project.killAfterEffects();
  await rejects(project.submit(REVIEW), { message: KILLED });
  kill.restore();
  const other = await project.reopen();
  const status = await other.getStatus({}) as Answer;
  equal(status.phase, "MERGE");
  equal((await project.must({ summary: "merge" })).merged, true);
});

Deno.test("bookEffects() keeps findings over parking and resuming", async () => {
  await using project = await createProject({ after: planned("Change a") });
  const { sessionId: sessionId } = await project.state();
  await project.repo.write({ "src/b.ts": "unsettled\n" });
  await project.must({ park: true, reason: "later" });
  await project.repo.write({ "README.md": "# Theirs\n" });
  const back = expectOk(await project.workflow.getStatus({ sessionId })) as Answer;
  deepEqual(back.booked_as_person, ["README.md"]);
  const found = expectRefused(await project.submit({ ...COMMON }), "unauthorized_change");
  equal(found.problems[0].path, "src/b.ts");
});

Deno.test("bookEffects() remembers the tip: a commit made while the session is parked is found", async () => {
  await using project = await createProject({ after: started });
  const { sessionId: sessionId } = await project.state();
  const { branch } = await project.plan("Change a");
  await project.must({ park: true, reason: "later" });
  await project.repo.git("switch", "-q", branch);
  await project.repo.git("commit", "-q", "--allow-empty", "-m", "By hand");
  await project.repo.git("switch", "-q", "main");
  expectOk(await project.workflow.getStatus({ sessionId }));
  expectRefused(await project.submit({ ...COMMON }), "unexpected_commit");
});

Deno.test("bookEffects() keeps a commit that was found before the parking", async () => {
  await using project = await createProject({ after: planned("Change a") });
  const { sessionId: sessionId } = await project.state();
  await project.repo.commit("By hand", { "src/b.ts": "by hand\n" });
  await project.must({ park: true, reason: "later" });
  expectOk(await project.workflow.getStatus({ sessionId }));
  const reply = await project.submit({ ...COMMON });
  expectRefused(reply, "unexpected_commit", "unauthorized_change");
});

Deno.test("a resume takes what changed in git's own folder for the person's, and says so", async () => {
  await using project = await createProject({ after: started });
  const { sessionId: sessionId } = await project.state();
  await project.must({ park: true, reason: "later" });
  await project.repo.write({ ".git/hooks/pre-push": "#!/bin/sh\n" });
  const back = expectOk(await project.workflow.getStatus({ sessionId })) as Answer;
  deepEqual(back.booked_as_person, [".git/hooks/pre-push"]);
  expectOk(await project.submit(FRAME));
});

Deno.test("a merged base brings protected files and scripts without a finding", async () => {
  const config = JSON.stringify({ verify: [{ name: "test", run: ["npm", "test"] }] });
  const scripts = (test: string) => JSON.stringify({ scripts: { test } });
  await using project = await createProject({
    files: {
      "src/a.ts": toLines(10),
      ".code-intel/config.json": config,
      "package.json": scripts("one"),
    },
  });
  await toReview(project);
  await project.must(REVIEW);
  const side = `${project.root}-side`;
  await project.repo.git("worktree", "add", "-q", side, "main");
  await Deno.writeTextFile(`${side}/src/a.ts`, toLines(10).replace("line 5", "base"));
  await Deno.writeTextFile(`${side}/package.json`, scripts("two"));
  await Deno.writeTextFile(`${side}/.mcp.json`, "{}");
  await project.repo.git("-C", side, "add", "-A");
  await project.repo.git("-C", side, "commit", "-qm", "Base moved");
  await project.repo.git("worktree", "remove", side);
  const data = { summary: "merge", on_conflict: "resolve" };
  deepEqual((await project.must(data)).conflicts, ["src/a.ts"]);
  expectOk(await project.clear("src/a.ts"));
  await project.repo.write({ "src/a.ts": toLines(10).replace("line 5", "both") });
  const item = "Resolve the conflict in src/a.ts";
  await project.must({
    ...COMMON,
    task_id: "resolve_conflicts_1",
    checklist: [{ item, status: "done", evidence: "src/a.ts:5" }],
  });
  equal(await project.repo.read("package.json"), scripts("two"));
});
