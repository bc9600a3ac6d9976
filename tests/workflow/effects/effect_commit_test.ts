/** The commit of a session: the reviewed files only, once, whatever happens in between. */
import {
  deepStrictEqual as deepEqual,
  match,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { join } from "node:path";
import type { Answer, Project } from "../project_fixture.ts";
import {
  COMMON,
  createProject,
  expectOk,
  expectRefused,
  KILLED,
  toLines,
} from "../project_fixture.ts";

const EDITED = toLines(10).replace("line 2\n", "two\n");

/** A session at PRE_COMMIT, `src/a.ts` edited in line 2. */
async function toPreCommit(project: Project, edited = EDITED): Promise<void> {
  expectOk(await project.start());
  await project.plan("Change a");
  expectOk(await project.work({ "src/a.ts": edited }, ["src/a.ts:2"]));
  equal((await project.must({ summary: "complete" })).phase, "PRE_COMMIT");
}

function review(rest: Readonly<Record<string, unknown>> = {}) {
  return { ...COMMON, reviewed_files: ["src/a.ts"], commit_message: "Change a", ...rest };
}

Deno.test("performCommit() gives the commit its trailers without any feature too, and says nothing of a note", async () => {
  await using project = await createProject({ features: [] });
  await toPreCommit(project);
  const { sessionId } = await project.state();
  const reply = await project.must(review());
  deepEqual([reply.committed, reply.verified, reply.attested], [true, "no", undefined]);
  equal(
    await project.repo.git("log", "-1", "--format=%(trailers)"),
    `Code-Intel-Session: ${sessionId}\nCode-Intel-Verified: no\n`,
  );
  equal(await project.repo.git("for-each-ref", "refs/notes"), "");
});

for (const isKilled of [false, true]) {
  Deno.test(
    `performCommit() commits the reviewed file with its trailers, once${
      isKilled ? ", a kill in between" : ""
    }`,
    async () => {
      await using project = await createProject();
      await project.repo.write({ "src/b.ts": "mine\n", "staged.ts": "staged\n" });
      await project.repo.git("add", "staged.ts");
      await toPreCommit(project);
      const { sessionId } = await project.state();
      if (isKilled) {
        const kill = project.killAfterEffects();
        await rejects(project.submit(review()), { message: KILLED });
        kill.restore();
        await (await project.reopen()).getStatus({});
      } else {
        const reply = await project.must(review());
        deepEqual([reply.committed, reply.verified, reply.phase], [true, "no", "MERGE"]);
      }
      const { workspace, stage } = await project.state();
      deepEqual([stage, workspace.commits], ["MERGE", [
        await project.repo.git("rev-parse", "HEAD"),
      ]]);
      equal(await project.repo.git("rev-list", "--count", "main..HEAD"), "1");
      equal(
        await project.repo.git("show", "--name-only", "--format=%B"),
        `Change a\n\nCode-Intel-Session: ${sessionId}\nCode-Intel-Verified: no\n\n\nsrc/a.ts`,
      );
      equal(await project.repo.git("status", "--porcelain"), " M src/b.ts\nA  staged.ts");
    },
  );
}

Deno.test("performCommit() leaves the person's lines of a file that both changed out of the commit", async () => {
  await using project = await createProject();
  const mine = toLines(10).replace("line 9\n", "mine\n");
  await project.repo.write({ "src/a.ts": mine });
  const both = mine.replace("line 2\n", "two\n");
  await toPreCommit(project, both);
  await project.must(review());
  equal(await project.repo.git("show", "HEAD:src/a.ts"), EDITED.trimEnd());
  equal(await project.repo.read("src/a.ts"), both);
  match(await project.repo.git("diff", "HEAD"), /^\+mine$/m);
});

Deno.test("performCommit() takes the person's lines along with their word", async () => {
  await using project = await createProject();
  const mine = toLines(10).replace("line 9\n", "mine\n");
  await project.repo.write({ "src/a.ts": mine });
  const both = mine.replace("line 2\n", "two\n");
  await toPreCommit(project, both);
  await project.must(review({ include_person_changes: ["src/a.ts"] }));
  equal(await project.repo.git("show", "HEAD:src/a.ts"), both.trimEnd());
});

Deno.test("performCommit() asks where the person's lines and the session's cannot be told apart", async () => {
  await using project = await createProject();
  await project.repo.write({ "src/a.ts": toLines(10).replace("line 2\n", "mine\n") });
  await toPreCommit(project);
  const reply = expectRefused(await project.submit(review()), "person_changes_mixed");
  equal(reply.phase, "PRE_COMMIT");
  match(reply.problems[0].hint, /include_person_changes/);
  equal(await project.repo.git("rev-list", "--count", "main..HEAD"), "0");
  expectOk(await project.submit(review({ include_person_changes: ["src/a.ts"] })));
});

async function addHook(project: Project, script: string, name = "pre-commit"): Promise<void> {
  const path = join(project.root, ".git/hooks", name);
  await Deno.mkdir(join(project.root, ".git/hooks"), { recursive: true });
  await Deno.writeTextFile(path, `#!/bin/sh\n${script}\n`);
  await Deno.chmod(path, 0o755);
}

Deno.test("performCommit() gives a failing hook's output back and goes to the plan", async () => {
  await using project = await createProject();
  await addHook(project, "echo 'no semicolons' >&2; exit 1");
  await toPreCommit(project);
  const reply = expectOk(await project.submit(review()));
  deepEqual([reply.git_hook_failed, reply.phase, reply.substep], [true, "READY", "plan"]);
  match(reply.reason, /no semicolons/);
  equal(await project.repo.git("rev-list", "--count", "main..HEAD"), "0");
  equal(await project.repo.read("src/a.ts"), EDITED);
});

for (const name of ["commit-msg", "prepare-commit-msg"]) {
  Deno.test(`performCommit() asks for another message where ${name} refuses one: the way led back to the plan`, async () => {
    await using project = await createProject();
    await addHook(project, "grep -q '^feat: ' \"$1\" || { echo 'no type' >&2; exit 1; }", name);
    await toPreCommit(project);
    const refused = expectOk(await project.submit(review()));
    deepEqual([refused.git_hook_failed, refused.phase], [true, "PRE_COMMIT"]);
    match(refused.reason, /no type/);
    match(refused.hint, /another commit_message/);
    const reply = expectOk(await project.submit(review({ commit_message: "feat: change a" })));
    equal(reply.phase, "MERGE");
    equal(await project.repo.git("log", "-1", "--format=%s"), "feat: change a");
  });
}

Deno.test("performCommit() asks the person what message a hook wants that refuses each: it was called broken", async () => {
  await using project = await createProject();
  await addHook(
    project,
    "grep -q '^feat: ' \"$1\" || { echo 'no type' >&2; exit 1; }",
    "commit-msg",
  );
  await toPreCommit(project);
  let reply = expectOk(await project.submit(review()));
  for (let sent = 1; reply.user_escalation !== true && sent < 20; sent++) {
    match(reply.hint, /another commit_message/);
    reply = expectOk(await project.submit(review()));
  }
  equal(reply.cause, "message_limit");
  match(JSON.stringify(reply), /refuses the commit message repeatedly.* no type/s);
  match(reply.hint, /what message the hook wants/);
  const word = { user_decision: "continue", user_reason: "feat: in front" };
  equal(expectOk(await project.submit(word)).phase, "PRE_COMMIT");
  equal(
    expectOk(await project.submit(review({ commit_message: "feat: change a" }))).phase,
    "MERGE",
  );
});

for (
  const script of [
    "npx-that-is-missing --no-install lint-staged",
    "echo 'npm error npx canceled due to missing packages and no YES option' >&2; exit 1",
    "node -e 'x' >/dev/null 2>&1; echo \"Error: Cannot find module 'husky'\" >&2; exit 1",
  ]
) {
  Deno.test(`performCommit() asks the person about a hook that cannot run: ${script}`, async () => {
    await using project = await createProject();
    await addHook(project, `[ -e .git/installed ] && exit 0\n${script}`);
    await toPreCommit(project);
    const asked = expectOk(await project.submit(review()));
    deepEqual([asked.user_escalation, asked.cause], [true, "hook_broken"]);
    await project.repo.write({ ".git/installed": "" });
    const word = { user_decision: "continue", user_reason: "installed" };
    equal(expectOk(await project.submit(word)).phase, "PRE_COMMIT");
    equal(expectOk(await project.submit(review())).phase, "MERGE");
  });
}

Deno.test("performCommit() lets what a hook changed be reviewed once, then commits it", async () => {
  await using project = await createProject();
  await addHook(project, "printf 'formatted\\n' >> src/a.ts; git add src/a.ts");
  await toPreCommit(project);
  const reply = expectOk(await project.submit(review()));
  deepEqual([reply.hooks_changed, reply.phase], [["src/a.ts"], "PRE_COMMIT"]);
  equal(await project.repo.git("rev-list", "--count", "main..HEAD"), "0");
  const again = expectOk(await project.submit(review()));
  equal(again.phase, "MERGE");
  match(await project.repo.git("show", "HEAD:src/a.ts"), /formatted/);
  equal(await project.repo.git("rev-list", "--count", "main..HEAD"), "1");
});

Deno.test("performCommit() names what a hook that changes files at every commit put in unseen", async () => {
  await using project = await createProject();
  await addHook(project, "echo '# fmt' >> src/a.ts; git add src/a.ts");
  await toPreCommit(project);
  await project.must(review());
  const reply = await project.must(review());
  deepEqual([reply.phase, reply.changed_by_hooks], ["MERGE", ["src/a.ts"]]);
  match(reply.changed_by_hooks_note, /neither reviewed nor verified/);
});

Deno.test("performCommit() says that the tree differs where a hook changed a verified commit unseen", async () => {
  await using project = await createProject();
  await addHook(project, "echo '# fmt' >> src/a.ts; git add src/a.ts");
  await toPreCommit(project);
  const found = await project.store.findActive();
  if (found?.kind !== "loaded") throw new Error("no session");
  const { state, revision: expectedRevision } = found.checkpoint;
  const result = { at: "1", passed: true, verifier: "v", details: "", failedTasks: [] };
  const verification = { ...result, source: "server" } as const;
  await project.store.save({ state: { ...state, verification } }, { expectedRevision });
  await project.must(review());
  const reply = await project.must(review());
  equal(reply.verified, "yes, tree differs");
  match(await project.repo.git("log", "-1", "--format=%B"), /Verified: yes, tree differs$/m);
});

for (
  const [name, script] of [
    ["adds a second one", 'echo "Code-Intel-Verified: yes" >> "$1"'],
    ["changes it", 'sed -i "s/Verified: no/Verified: yes/" "$1"'],
    ["takes it out", 'sed -i "/^Code-Intel-/d" "$1"'],
    ["folds a line into it", 'printf "  and more\\n" >> "$1"'],
  ] as const
) {
  Deno.test(`performCommit() refuses a commit whose message hook ${name}: the trailer is the server's`, async () => {
    await using project = await createProject();
    await addHook(project, script, "commit-msg");
    await toPreCommit(project);
    const reply = expectOk(await project.submit(review()));
    deepEqual([reply.git_hook_failed, reply.phase], [true, "PRE_COMMIT"]);
    match(reply.reason, /commit-msg refused: after it the message has other lines/);
    equal(await project.repo.git("rev-list", "--count", "main..HEAD"), "0");
  });
}

Deno.test("performCommit() takes what a message hook adds beside the trailers", async () => {
  await using project = await createProject();
  await addHook(project, 'echo "Change-Id: I1" >> "$1"', "commit-msg");
  await toPreCommit(project);
  await project.must(review());
  match(await project.repo.git("log", "-1", "--format=%B"), /Verified: no\nChange-Id: I1$/m);
});

Deno.test("performCommit() commits paths of a project below the worktree", async () => {
  await using project = await createProject({
    files: { "app/src/a.ts": toLines(10), "lib/b.ts": "b\n" },
    subfolder: "app",
  });
  await toPreCommit(project);
  const reply: Answer = await project.must(review());
  equal(reply.committed, true);
  equal(await project.repo.git("show", "--name-only", "--format="), "app/src/a.ts");
});

Deno.test("performCommit() takes no edit for the work of a hook that came between a kill and the next process", async () => {
  await using project = await createProject();
  await project.repo.write({ ".git/hooks/pre-commit": "#!/bin/sh\ntrue\n" });
  await Deno.chmod(join(project.root, ".git/hooks/pre-commit"), 0o755);
  await toPreCommit(project);
  const kill = project.killBeforeEffects();
  await rejects(project.submit(review()), { message: KILLED });
  kill.restore();
  await project.repo.write({ "src/b.ts": "past the review\n" });
  const next = await project.reopen();
  equal((await next.getStatus({}) as Answer).phase, "MERGE");
  const { signal } = new AbortController();
  const refused = await next.submitPhase({ summary: "merge" }, signal) as Answer;
  expectRefused(refused, "unauthorized_change");
  equal(refused.problems[0].path, "src/b.ts");
});

Deno.test("performCommit() commits nothing that changed after it was judged", async () => {
  await using project = await createProject();
  // A clean filter sees each file as it is judged: this one changes the file right behind that.
  const filter = "cat; if [ -e .git/armed ]; then rm .git/armed; echo evil >> src/a.ts; fi";
  await project.repo.write({ ".git/filter.sh": `${filter}\n` });
  await project.repo.git("config", "filter.late.clean", "sh .git/filter.sh");
  await project.repo.write({ ".git/info/attributes": "src/a.ts filter=late\n" });
  await toPreCommit(project);
  const { sessionId } = await project.state();
  await Deno.utime(join(project.root, `.git/code-intel/${sessionId}.index`), 1, 1);
  await project.repo.write({ ".git/armed": "" });
  const refused = expectRefused(await project.submit(review()), "unauthorized_change");
  equal(refused.problems[0].path, "src/a.ts");
  equal(await project.repo.exists(".git/armed"), false);
  equal(await project.repo.git("rev-list", "--count", "main..HEAD"), "0");
});
