/** Starts: what is refused and how to go on, what the reply says, unfinished and parked sessions. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { Question, UserPrompt } from "../../../src/base/asker.ts";
import { formatAddedNotice } from "../../../src/workflow/calls/start_reply.ts";
import type { Answer, Project } from "../project_fixture.ts";
import {
  COMMON,
  createPlainProject,
  createProject,
  expectOk,
  expectRefused,
  FAST_START,
} from "../project_fixture.ts";

Deno.test("startSession() opens the first step with its block and the facts of the branch", async () => {
  await using project = await createProject();
  const reply = expectOk(await project.start({ flags: {} }));
  deepEqual([reply.phase, reply.step, reply.of, reply.call], [
    "DOCUMENT_RESEARCH",
    3,
    19,
    "submit_phase",
  ]);
  deepEqual([reply.base_branch, reply.hooks, reply.compaction_count], ["main", "not_seen", 0]);
  match(reply.session_id, /^session_\d{8}_\d{6}_[0-9a-f]{4}$/);
  const { workspace } = await project.state();
  equal(workspace.baseCommit, await project.repo.git("rev-parse", "HEAD"));
  match(await project.repo.git("for-each-ref", "refs/code-intel"), new RegExp(reply.session_id));
  equal(
    await project.repo.git("status", "--porcelain"),
    "",
    "its own folder is not shown as a change",
  );
});

Deno.test("startSession() refuses contradicting flags, each with the way to say it, and makes nothing", async () => {
  await using project = await createProject();
  const modes: readonly Partial<typeof FAST_START>[] = [
    { flags: { fast: true, quick: true } },
    { gateLevel: "full", flags: { fast: true } },
    { intent: "QUESTION", flags: { quick: true } },
    { flags: { only_verify: true, no_verify: true } },
    { flags: { only_explore: true, fast: true } },
  ];
  for (const mode of modes) {
    const reply = await project.start(mode);
    for (const { code, hint } of reply.problems) {
      equal(code === "flags_conflict" && hint !== "", true);
    }
    deepEqual([reply.error, reply.call], ["flags_conflict", "start_session"]);
  }
  const both = await project.start({ gateLevel: "full", flags: { fast: true, quick: true } });
  equal(both.problems.length, 3);
  equal(await project.repo.exists(".code-intel/sessions"), false);
});

Deno.test("startSession() answers git_required without git, but not where no branch is needed", async () => {
  await using project = await createPlainProject({ "src/a.ts": "a\n" });
  expectRefused(await project.start(), "git_required");
  const free = [
    { intent: "QUESTION", flags: {} },
    { intent: "MODIFY", flags: { quick: true } },
    { intent: "MODIFY", flags: { only_verify: true } },
    { intent: "MODIFY", flags: { only_explore: true } },
  ] as const;
  for (const mode of free) {
    expectOk(await project.start(mode));
    expectOk(await project.submit({ abandon: true, reason: "next" }));
  }
});

Deno.test("startSession() answers no_base_branch without a commit and with a detached HEAD", async () => {
  await using empty = await createProject({ files: null });
  await empty.repo.write({ "a.ts": "a\n" });
  const first = expectRefused(await empty.start(), "no_base_branch");
  match(first.problems[0].hint, /first commit/);
  expectOk(await empty.start({ flags: { quick: true } }));

  await using detached = await createProject();
  await detached.repo.git("checkout", "-q", "--detach");
  const second = expectRefused(await detached.start(), "no_base_branch");
  match(second.problems[0].hint, /git switch/);
  expectOk(await detached.start({ intent: "INVESTIGATE", flags: {} }));
});

Deno.test("startSession() answers git_identity_missing at the start, not at the commit", async () => {
  await using project = await createProject();
  await project.repo.git("config", "user.name", "");
  await project.repo.git("config", "user.email", "");
  await project.repo.git("config", "user.useConfigOnly", "true");
  expectRefused(await project.start(), "git_identity_missing");
  expectOk(await project.start({ flags: { quick: true } }));
});

Deno.test("startSession() creates nothing beside an unfinished session and asks what to do with it", async () => {
  await using project = await createProject();
  const first = expectOk(await project.start());
  const reply = expectRefused(await project.start({ query: "other" }), "session_unfinished");
  deepEqual([reply.recovery_available, reply.call], [true, "start_session"]);
  deepEqual(reply.candidates.map((row: Answer) => row.session_id), [first.session_id]);
  const wrong = await project.start({
    onUnfinished: "park",
    sessionId: "session_20200101_000000_aaaa",
  });
  expectRefused(wrong, "session_not_found");
  equal((await project.store.loadAll()).length, 1);
});

Deno.test("startSession() asks the person what becomes of an unfinished session, in a form with every way on", async () => {
  await using project = await createProject();
  const first = expectOk(await project.start());
  const asked: Question[] = [];
  const asker: UserPrompt = {
    ask(question) {
      asked.push(question);
      return Promise.resolve({ kind: "answered", values: { choice: "resume" } });
    },
  };
  const input = { ...FAST_START, query: "other" };
  const { signal } = new AbortController();
  const reply = expectOk(await project.workflow.startSession(input, signal, asker) as Answer);
  equal(reply.session_id, first.session_id);
  deepEqual(asked.map(({ fields }) => fields.flatMap((field) => Object.values(field).flat())), [
    ["choice", "What becomes of it", "choice", "resume", "park", "abandon", true],
  ]);
});

Deno.test("startSession() resumes, parks or abandons the unfinished session as the person said", async () => {
  await using project = await createProject();
  const first = expectOk(await project.start());
  const resumed = expectOk(await project.start({ query: "other", onUnfinished: "resume" }));
  equal(resumed.session_id, first.session_id);
  const second = expectOk(await project.start({ query: "second", onUnfinished: "park" }));
  deepEqual(second.parked_sessions.map((row: Answer) => [row.session_id, row.parked_days]), [
    [first.session_id, 0],
  ]);
  const third = expectOk(await project.start({ query: "third", onUnfinished: "abandon" }));
  deepEqual((await project.state(first.session_id)).status, "parked");
  deepEqual(
    (await project.store.loadAll()).map(({ id }) => id).toSorted(),
    [
      first.session_id,
      third.session_id,
    ].toSorted(),
  );
  const back = await project.start({ onUnfinished: "resume", sessionId: first.session_id });
  expectRefused(back, "session_unfinished");
  expectOk(await project.submit({ park: true, reason: "later" }));
  const again = await project.start({ onUnfinished: "resume", sessionId: first.session_id });
  deepEqual([again.resumed, again.session_id], [true, first.session_id]);
});

async function toMerge(project: Project): Promise<void> {
  expectOk(await project.start());
  await project.plan("Change a");
  expectOk(await project.work({ "src/a.ts": "changed\n" }, ["src/a.ts:1"]));
  await project.must({ summary: "complete" });
  await project.must({
    summary: "reviewed",
    tools_used: [],
    reviewed_files: [],
    rest: "keep",
    commit_message: "Change a",
  });
}

Deno.test("startSession() answers on_task_branch while HEAD is on the branch of a parked session", async () => {
  await using project = await createProject({ after: toMerge });
  expectOk(await project.submit({ park: true, reason: "later" }));
  match(await project.repo.git("branch", "--show-current"), /^llm_task_/);
  const reply = expectRefused(await project.start({ query: "other" }), "on_task_branch");
  match(reply.problems[0].hint, /git switch main/);
  await project.repo.git("switch", "-q", "main");
  expectOk(await project.start({ query: "other" }));
});

Deno.test("startSession() shows branches that nobody owns at step 2, and not those of parked sessions", async () => {
  await using project = await createProject();
  await project.repo.git("branch", "llm_task_session_20200101_000000_aaaa_from_main");
  await toStale(project);
  const reply = expectOk(await project.start({ query: "other" }));
  deepEqual([reply.phase, reply.step], ["BRANCH_INTERVENTION", 2]);
  deepEqual(reply.stale_branches.map((row: Answer) => [row.name, row.current]), [
    ["llm_task_session_20200101_000000_aaaa_from_main", false],
  ]);
});

/** A parked session with a task branch of its own, HEAD on main. */
async function toStale(project: Project): Promise<void> {
  expectOk(await project.start({ flags: { ...FAST_START.flags } }));
  if ((await project.state()).stage === "BRANCH_INTERVENTION") {
    await project.must({ summary: "on", tools_used: [], choice: "continue" });
  }
  await project.plan("Change a");
  expectOk(await project.submit({ park: true, reason: "later" }));
}

Deno.test("startSession() keeps what was dirty before as the person's, and names files too large to keep", async () => {
  await using project = await createProject();
  await project.repo.write({
    ".code-intel/config.json": '{"max_snapshot_mb": 1}',
    "src/b.ts": "mine\n",
    "big.bin": new Uint8Array(2 * 1024 * 1024),
  });
  const reply = expectOk(await project.start());
  deepEqual(reply.recorded_by_hash_only, ["big.bin"]);
  const review = await project.workflow.reviewChanges({ maxBytes: 16_000 }) as Answer;
  deepEqual(review.changes, []);
  equal(review.person_changes.includes("src/b.ts"), true);
});

Deno.test("startSession() says how many untracked files it copied only where they are very many or large", () => {
  const check = (files: number, sizeMb: number, expected: RegExp) =>
    match(formatAddedNotice({ files, bytes: sizeMb * 1024 * 1024 }).join(), expected);
  check(4_999, 199, /^$/);
  check(60_000, 12, /^60000 untracked files \(12 MB\) were copied .* \.gitignore/);
  check(1, 200, /^1 untracked file \(200 MB\) was copied /);
});

Deno.test("startSession() tells of a faulty contract, and every later reply does too", async () => {
  await using project = await createProject();
  await project.repo.write({ ".code-intel/phase_contract.yml": "phases: [\n" });
  const reply = expectOk(await project.start());
  match(reply.contract_warning, /phase_contract\.yml is not used/);
  match((await project.submit({})).contract_warning, /not used/);
  await Deno.writeTextFile(join(project.root, ".code-intel/phase_contract.yml"), "phases: {}\n");
  equal((await project.submit({})).contract_warning, undefined);
});

Deno.test("startSession() lets one of two starts at the same time win", async () => {
  await using project = await createProject();
  const other = await project.reopen();
  const signal = new AbortController().signal;
  const replies: readonly Answer[] = await Promise.all([
    project.start({ query: "one" }),
    other.startSession({ ...FAST_START, query: "two" }, signal),
  ]);
  deepEqual(replies.map(({ ok }) => ok).toSorted(), [false, true]);
  equal(replies.find(({ ok }) => !ok).error, "session_unfinished");
});

Deno.test("startSession() names a merge and a rebase that are under way, with git's own ways out", async () => {
  await using project = await createProject();
  await project.repo.git("switch", "-q", "-c", "other");
  await project.repo.commit("Other", { "src/a.ts": "other\n" });
  await project.repo.git("switch", "-q", "main");
  await project.repo.commit("Main", { "src/a.ts": "main\n" });
  for (const [command, name] of [["merge", "a merge"], ["rebase", "a rebase"]] as const) {
    await project.repo.git(command, "other").catch(() => {});
    const reply = expectRefused(await project.start(), "git_under_way");
    match(reply.problems[0].message, new RegExp(`${name} is under way`));
    match(reply.problems[0].hint, new RegExp(`\`git ${command} --abort\``));
    await project.repo.git(command, "--abort");
  }
  expectOk(await project.start());
});

Deno.test("a session without a branch is told what git is in the middle of", async () => {
  for (const more of [{ flags: { quick: true } }, { intent: "INVESTIGATE", flags: {} }] as const) {
    await using project = await createProject();
    await project.repo.git("switch", "-q", "-c", "other");
    await project.repo.commit("Other", { "src/a.ts": "other\n" });
    await project.repo.git("switch", "-q", "main");
    await project.repo.commit("Main", { "src/a.ts": "main\n" });
    await project.repo.git("cherry-pick", "other").catch(() => {});
    const reply = expectOk(await project.start(more));
    match(
      String(reply.notices),
      /a cherry-pick is under way: files may hold both sides.*`git cherry-pick --abort`/,
    );
  }
  await using project = await createProject();
  equal(expectOk(await project.start({ intent: "INVESTIGATE", flags: {} })).notices, undefined);
});

Deno.test("startSession() names a repository that became a bare one under the server, where it said git init", async () => {
  await using project = await createProject();
  const work = join(project.repo.dir, ".git/work");
  await project.repo.git("worktree", "add", "-q", work, "-b", "work");
  await project.repo.git("config", "core.bare", "true");
  const reply: Answer = await project.start();
  deepEqual([reply.ok, reply.problems[0].code], [false, "git_required"]);
  match(String(reply.problems[0].message), /bare repository, .*its worktrees are "[^"]*\/work"/);
  match(String(reply.problems[0].hint), /config core.bare false.*--project \S*\/work/);
});

Deno.test("a rebase that moved HEAD in a session is named where it hinders", async () => {
  await using project = await createProject();
  await project.repo.git("switch", "-q", "-c", "other");
  await project.repo.commit("Other", { "src/a.ts": "other\n" });
  await project.repo.git("switch", "-q", "main");
  await project.repo.commit("Main", { "src/a.ts": "main\n" });
  expectOk(await project.start());
  await project.repo.git("rebase", "other").catch(() => {});
  const reply = await project.submit({ ...COMMON, slots: {} });
  equal(reply.ok, false);
  match(reply.problems[0].message, /a rebase is under way: `git rebase --continue`/);
});
