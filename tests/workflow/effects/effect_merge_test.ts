/** The merge at the end: done, done again after a kill, in conflict, and with the person's files there. */
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
  expectRefused,
  KILLED,
  toLines,
} from "../project_fixture.ts";

/** Lines 2 and 10 as the session rewrites them. */
const rewrite = (text: string) => text.replace("line 2\n", "two\n").replace("line 10\n", "ten\n");

/** A session at step 17 that rewrote lines 2 and 10 of `src/a.ts`. */
async function toReview(project: Project): Promise<void> {
  expectOk(await project.start());
  await project.plan("Change a");
  const edited = rewrite(toLines(10));
  expectOk(await project.work({ "src/a.ts": edited }, ["src/a.ts:10"]));
  await project.must({ summary: "complete" });
}

/** The same at MERGE, with a commit. */
async function toMerge(project: Project): Promise<string> {
  await toReview(project);
  await project.must({ ...COMMON, reviewed_files: [], rest: "keep", commit_message: "Change a" });
  return await project.repo.git("branch", "--show-current");
}

/** Somebody else commits to the base, without touching the worktree. */
async function moveBase(project: Project, files: Readonly<Record<string, string>>): Promise<void> {
  const side = `${project.root}-side`;
  await project.repo.git("worktree", "add", "-q", side, "main");
  for (const [path, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${side}/${path}`, text);
  }
  await project.repo.git("-C", side, "commit", "-qam", "Base moved");
  await project.repo.git("worktree", "remove", side);
}

const MERGE = { summary: "merge" };

for (const isKilled of [false, true]) {
  Deno.test(
    `performMerge() merges with a merge commit, once${
      isKilled ? ", a kill in between" : ""
    }, and ends the session`,
    async () => {
      await using project = await createProject();
      await project.repo.write({ "src/b.ts": "mine\n" });
      const branch = await toMerge(project);
      const { sessionId } = await project.state();
      if (isKilled) {
        const kill = project.killAfterEffects();
        await rejects(project.submit(MERGE), { message: KILLED });
        kill.restore();
        await (await project.reopen()).getStatus({});
      } else {
        const reply = await project.must(MERGE);
        deepEqual([reply.merged, reply.to_branch, reply.end], [true, "main", "merged"]);
      }
      deepEqual(await project.store.loadAll(), []);
      equal(
        await project.repo.git("for-each-ref", "--format=%(refname:short)", "refs/heads"),
        "main",
      );
      equal(
        await project.repo.git("log", "-1", "--format=%s", "--merges"),
        `Merge branch '${branch}' into main`,
      );
      equal(await project.repo.git("rev-list", "--count", "--merges", "HEAD"), "1");
      match(
        await project.repo.git("for-each-ref", "refs/code-intel/branches"),
        new RegExp(sessionId),
      );
      equal(await project.repo.git("status", "--porcelain"), " M src/b.ts");
    },
  );
}

Deno.test("performMerge() merges into a base that moved elsewhere", async () => {
  await using project = await createProject({ after: toMerge });
  await moveBase(project, { "src/b.ts": "base\n" });
  const { base_moved: moved } = expectOk(await project.submit(MERGE));
  deepEqual([moved.branch, moved.files, moved.files_total], ["main", ["src/b.ts"], 1]);
  equal(await project.repo.read("src/b.ts"), "base\n");
  match(await project.repo.read("src/a.ts"), /^two$/m);
});

Deno.test("performMerge() names the commit of a base that is gone", async () => {
  await using project = await createProject({ after: toMerge });
  const base = await project.repo.git("rev-parse", "main");
  await project.repo.git("branch", "-q", "-D", "main");
  const reply = expectRefused(await project.submit(MERGE), "base_missing");
  match(reply.problems[0].hint, new RegExp(`git branch main ${base}`));
  await project.repo.git("branch", "main", base);
  expectOk(await project.submit(MERGE));
  const status: Answer = await project.workflow.getStatus({});
  deepEqual([status.error, status.last_session.end], ["no_active_session", "merged"]);
});

Deno.test("performMerge() changes nothing on a conflict without a choice, and names both", async () => {
  await using project = await createProject({ after: toMerge });
  await moveBase(project, { "src/a.ts": toLines(10).replace("line 2\n", "base\n") });
  const before = await project.repo.state();
  const reply = expectRefused(await project.submit(MERGE), "merge_conflict");
  match(reply.problems[0].message, /src\/a\.ts/);
  deepEqual([reply.phase, reply.problems[0].at], ["MERGE", "data.on_conflict"]);
  equal(await project.repo.state(), before);
});

Deno.test("performMerge() parks a conflict where that is chosen", async () => {
  await using project = await createProject({ after: toMerge });
  await moveBase(project, { "src/a.ts": toLines(10).replace("line 2\n", "base\n") });
  const { sessionId } = await project.state();
  const reply = expectOk(await project.submit({ ...MERGE, on_conflict: "park" }));
  deepEqual([reply.parked, reply.conflicts], [true, ["src/a.ts"]]);
  await project.repo.write({ "src/b.ts": "while it was parked\n" });
  const back = expectOk(await project.workflow.getStatus({ sessionId }));
  deepEqual([back.phase, back.booked_as_person], ["MERGE", ["src/b.ts"]]);
  // What changed meanwhile is the person's: the session has nothing to do with it.
  const { baselineTree } = (await project.state()).workspace;
  equal(await project.repo.git("show", `${baselineTree}:src/b.ts`), "while it was parked");
});

for (const isKilled of [false, true]) {
  Deno.test(
    `performMerge() opens a task for a conflict that is to be resolved${
      isKilled ? ", a kill in between" : ""
    }, and merges in the end`,
    async () => {
      await using project = await createProject({ after: toMerge });
      const base = toLines(10).replace("line 2\n", "base\n").replace("line 6\n", "six\n6.5\n");
      await moveBase(project, { "src/a.ts": base, "src/b.ts": "base\n" });
      const data = { ...MERGE, on_conflict: "resolve" };
      if (isKilled) {
        const kill = project.killAfterEffects();
        await rejects(project.submit(data), { message: KILLED });
        kill.restore();
        await (await project.reopen()).getStatus({});
      } else deepEqual((await project.must(data)).conflicts, ["src/a.ts"]);
      const { stage, tasks } = await project.state();
      deepEqual([stage, tasks.at(-1)?.id], ["READY_IMPL", "resolve_conflicts_1"]);
      equal(await project.repo.read("src/b.ts"), "base\n");
      // An intervention that goes back to the plan must not take away what the base brought.
      const { planTree } = (await project.state()).workspace;
      equal(await project.repo.git("show", `${planTree}:src/b.ts`), "base");

      const resolved = rewrite(base).replace("base\n", "both\n");
      expectOk(await project.clear("src/a.ts"));
      await project.repo.write({ "src/a.ts": `<<<<<<< x\n${resolved}>>>>>>> y\n` });
      const report = {
        ...COMMON,
        task_id: "resolve_conflicts_1",
        checklist: [{
          item: "Resolve the conflict in src/a.ts",
          status: "done",
          evidence: "src/a.ts:3",
        }],
      };
      // Beyond step 13 nothing can be written any more.
      expectRefused(await project.submit(report), "conflict_markers");
      await project.repo.write({ "src/a.ts": resolved });
      await project.must({
        ...report,
        checklist: report.checklist.map((item) => ({ ...item, evidence: "src/a.ts:2" })),
      });
      await project.must({ summary: "complete" });
      // The base brought a line above the evidence of the first task.
      equal((await project.state()).tasks[0]?.checklist[0]?.evidence, "src/a.ts:11");
      await project.must({
        ...COMMON,
        reviewed_files: [],
        rest: "keep",
        commit_message: "Resolve",
      });
      // From the commit on, markers in these files are text like any other.
      deepEqual((await project.state()).workspace.conflictTreePaths, []);
      equal((await project.must(MERGE)).merged, true);
      equal(await project.repo.git("show", "HEAD:src/a.ts"), resolved.trimEnd());
      equal(await project.repo.git("status", "--porcelain"), "");
    },
  );
}

Deno.test("performMerge() with a conflict elsewhere asks no second time for the person's changes", async () => {
  await using project = await createProject();
  await project.repo.write({ "src/b.ts": "mine\n" });
  expectOk(await project.start());
  await project.plan("Change a", "Change b");
  expectOk(await project.work({ "src/a.ts": rewrite(toLines(10)) }, ["src/a.ts:2"]));
  expectOk(await project.work({ "src/b.ts": "ours\n" }, ["src/b.ts:1"]));
  await project.must({ summary: "complete" });
  const review = { ...COMMON, reviewed_files: [], rest: "keep", commit_message: "Change both" };
  expectRefused(await project.submit(review), "person_changes_mixed");
  await project.must({ ...review, include_person_changes: ["src/b.ts"] });
  await moveBase(project, { "src/a.ts": toLines(10).replace("line 2\n", "base\n") });
  await project.must({ ...MERGE, on_conflict: "resolve" });
  const resolved = rewrite(toLines(10)).replace("two\n", "both\n");
  expectOk(await project.work({ "src/a.ts": resolved }, ["src/a.ts:2"]));
  await project.must({ summary: "complete" });
  const reply = await project.must(review);
  deepEqual([reply.person_changes_remembered, reply.committed], [["src/b.ts"], true]);
  await project.must(MERGE);
  equal(await project.repo.read("src/b.ts"), "ours\n");
});

Deno.test("performMerge() refuses while the person's changes are in the way, and passes afterwards", async () => {
  await using project = await createProject({ after: toMerge });
  await moveBase(project, { "src/b.ts": "base\n" });
  await project.repo.write({ "src/b.ts": "mine\n" });
  const theirs = { path: "src/b.ts", action: "person", reason: "I work on it", until_end: true };
  const reply = expectRefused(
    await project.submit({ ...MERGE, change_resolution: [theirs] }),
    "person_changes_in_the_way",
  );
  equal(reply.phase, "MERGE");
  equal(await project.repo.read("src/b.ts"), "mine\n");
  await project.repo.git("checkout", "-q", "src/b.ts");
  expectOk(await project.submit(MERGE));
});

/** What a person may do about a dirty file that a merge has to write. */
const TRIES: readonly (readonly [string, (project: Project) => Promise<void>])[] = [
  ["nothing yet", () => Promise.resolve()],
  ["a commit", async ({ repo }) => void await repo.git("commit", "-qam", "Mine")],
  [
    "a move",
    ({ root }) => Deno.rename(`${root}/src/b.ts`, `${root}/src/moved.ts`),
  ],
];

for (const [name, attempt] of TRIES) {
  Deno.test(`a merge that was refused for the person's file goes on as its hint says, after ${name}`, async () => {
    await using project = await createProject({ after: toMerge });
    await moveBase(project, { "src/b.ts": "base\n" });
    await project.repo.write({ "src/b.ts": "mine\n" });
    const send = (path: string, action: string) =>
      project.submit({ ...MERGE, change_resolution: [{ path, action, reason: "theirs" }] });
    expectRefused(await send("src/b.ts", "person"), "person_changes_in_the_way");
    await attempt(project);
    // Each refusal is answered as its own hint says, until the merge is done.
    let reply = await project.submit(MERGE);
    for (let round = 0; round < 6 && reply.merged !== true; round++) {
      const [{ code, path, hint }] = reply.problems;
      const stash = /`git (stash push --all -- [^`]+)`/.exec(hint)?.[1];
      if (stash !== undefined) await project.repo.git(...stash.split(" "));
      const action = /"action": "(?:restore \| )?(undo|person)/.exec(hint)?.[1] ?? "";
      reply = code === "person_changes_in_the_way"
        ? await project.submit(MERGE)
        : await send(path ?? "HEAD", action);
    }
    equal(reply.merged, true, JSON.stringify(reply.problems));
    equal(await project.repo.read("src/b.ts"), "base\n");
    equal(
      await project.repo.git("show", "stash@{0}:src/b.ts").catch(() => "gone"),
      name === "a move" ? "gone" : "mine",
    );
  });
}

Deno.test("performMerge() follows at once where the commit before it was left undone by a killed process", async () => {
  await using project = await createProject({ after: toReview });
  const kill = project.killBeforeEffects();
  const review = { ...COMMON, reviewed_files: [], rest: "keep", commit_message: "Change a" };
  await rejects(project.submit(review), { message: KILLED });
  kill.restore();
  const next = await project.reopen();
  const merged = await next.submitPhase(MERGE, new AbortController().signal) as Answer;
  deepEqual([merged.ok, merged.merged], [true, true], JSON.stringify(merged));
  equal(await project.repo.git("log", "-1", "--format=%s", "main^2"), "Change a");
});

Deno.test("performMerge() merges no commit that came between a kill and the next process", async () => {
  await using project = await createProject({ after: toMerge });
  const branch = await project.repo.git("branch", "--show-current");
  const kill = project.killBeforeEffects();
  await rejects(project.submit(MERGE), { message: KILLED });
  kill.restore();
  await project.repo.commit("Past the review", { "src/evil.ts": "export const evil = 1;\n" });
  const next = await project.reopen();
  equal((await next.getStatus({}) as Answer).phase, "MERGE");
  const { signal } = new AbortController();
  const refused = await next.submitPhase(MERGE, signal) as Answer;
  equal(refused.error, "unexpected_commit");
  equal(await project.repo.git("ls-tree", "--name-only", "main", "src/evil.ts"), "");
  const undo = [{ path: "HEAD", action: "undo", reason: "not mine" }];
  await project.submit({ change_resolution: undo });
  await project.repo.remove("src/evil.ts");
  equal((await project.must(MERGE)).merged, true);
  equal(await project.repo.git("branch", "--list", branch), "");
});

/** A session at MERGE whose project has a hook that refuses the usual message of a merge. */
async function toHookedMerge(project: Project): Promise<void> {
  const body = 'case "$(head -n 1 "$1")" in Merge*) echo "no type" >&2; exit 1;; esac';
  const path = `${project.root}/.git/hooks/commit-msg`;
  await project.repo.write({ ".git/hooks/commit-msg": `#!/bin/sh\n${body}\n` });
  await Deno.chmod(path, 0o755);
  await toMerge(project);
}

Deno.test("performMerge() takes another message where a hook refuses the usual one, which had no field", async () => {
  await using project = await createProject({ after: toHookedMerge });
  const refused = expectRefused(await project.submit(MERGE), "git_message_refused");
  deepEqual([refused.phase, refused.problems[0].at], ["MERGE", "data.merge_message"]);
  match(refused.problems[0].hint, /merge_message/);
  const data = { ...MERGE, merge_message: "chore: merge the change of a" };
  equal((await project.must(data)).merged, true);
  match(
    await project.repo.git("log", "-1", "--format=%B"),
    /^chore: merge the change of a\n\nCode-Intel-Session: session_/,
  );
});
