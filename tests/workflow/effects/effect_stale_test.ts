/** What becomes of branches that nobody owns, at step 2 and by the clean-up; owned ones stay. */
import {
  deepStrictEqual as deepEqual,
  match,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { join } from "node:path";
import type { Answer as Said, Question } from "../../../src/base/asker.ts";
import type { Answer, Project } from "../project_fixture.ts";
import {
  COMMON,
  createProject,
  expectOk,
  expectRefused,
  KILLED,
  planned,
} from "../project_fixture.ts";

const OLD = "llm_task_session_20200101_000000_aaaa_from_main";
const OTHER = "llm_task_session_20200102_000000_bbbb_from_main";

/** A stale branch with a commit of its own; HEAD on it, or on main. */
async function addStale(project: Project, options: { readonly isCurrent: boolean }): Promise<void> {
  await project.repo.git("switch", "-q", "-c", OLD);
  await project.repo.commit("Old work", { "old.ts": "old\n" });
  if (!options.isCurrent) await project.repo.git("switch", "-q", "main");
}

async function branches(project: Project): Promise<string> {
  return await project.repo.git("for-each-ref", "--format=%(refname:short)", "refs/heads");
}

function choose(choice: string) {
  return { ...COMMON, choice };
}

for (const isKilled of [false, true]) {
  const when = isKilled ? "again after a kill" : "once";
  const submit = async (project: Project, data: unknown) => {
    if (!isKilled) return void expectOk(await project.submit(data));
    const kill = project.killAfterEffects();
    await rejects(project.submit(data), { message: KILLED });
    kill.restore();
    await (await project.reopen()).getStatus({});
  };

  Deno.test(`delete removes all stale branches, HEAD led to the base, each tip kept, ${when}`, async () => {
    await using project = await createProject();
    await addStale(project, { isCurrent: true });
    await project.repo.git("branch", OTHER);
    await project.repo.write({ "mine.ts": "mine\n" });
    expectOk(await project.start());
    await submit(project, choose("delete"));
    equal(await branches(project), "main");
    equal(await project.repo.git("branch", "--show-current"), "main");
    const kept = await project.repo.git("for-each-ref", "refs/code-intel/branches");
    match(kept, new RegExp(`${OLD}[^]*${OTHER}`));
    deepEqual([await project.repo.exists("old.ts"), await project.repo.exists("mine.ts")], [
      false,
      true,
    ]);
    const { workspace } = await project.state();
    equal(workspace.baseCommit, await project.repo.git("rev-parse", "main"));
    const review = await project.workflow.reviewChanges({ maxBytes: 9_000 }) as Answer;
    deepEqual([review.changes, review.person_changes], [[], ["mine.ts"]]);
  });

  Deno.test(`merge brings the checked-out stale branch into its base, ${when}`, async () => {
    await using project = await createProject();
    await addStale(project, { isCurrent: true });
    await project.repo.git("branch", OTHER, "main");
    expectOk(await project.start());
    await submit(project, choose("merge"));
    equal(await branches(project), `${OTHER}\nmain`);
    equal(await project.repo.git("branch", "--show-current"), "main");
    match(await project.repo.git("log", "--format=%s"), /Old work/);
    const { workspace, stage } = await project.state();
    deepEqual([workspace.baseBranch, stage], ["main", "QUERY_FRAME"]);
    const review = await project.workflow.reviewChanges({ maxBytes: 9_000 }) as Answer;
    deepEqual(review.changes, []);
  });

  Deno.test(`continue adopts the branch that HEAD is on and leaves the others, ${when}`, async () => {
    await using project = await createProject();
    await addStale(project, { isCurrent: true });
    await project.repo.git("branch", OTHER, "main");
    expectOk(await project.start());
    await submit(project, choose("continue"));
    const { workspace } = await project.state();
    deepEqual([workspace.taskBranch, workspace.baseBranch], [OLD, "main"]);
    equal(await branches(project), `${OLD}\n${OTHER}\nmain`);
  });
}

Deno.test("continue leaves stale branches where HEAD is on none of them", async () => {
  await using project = await createProject();
  await addStale(project, { isCurrent: false });
  expectOk(await project.start());
  await project.must(choose("continue"));
  equal((await project.state()).workspace.taskBranch, null);
});

Deno.test("merge refuses, changing nothing, when HEAD is on no task branch or when it conflicts", async () => {
  await using away = await createProject();
  await addStale(away, { isCurrent: false });
  expectOk(await away.start());
  const before = await away.repo.state();
  equal((await away.submit(choose("merge"))).ok, false);
  equal(await away.repo.state(), before);

  await using torn = await createProject();
  await addStale(torn, { isCurrent: true });
  await torn.repo.git("switch", "-q", "main");
  await torn.repo.commit("Base", { "old.ts": "base\n" });
  await torn.repo.git("switch", "-q", OLD);
  expectOk(await torn.start());
  const untouched = await torn.repo.state();
  const reply = expectRefused(await torn.submit(choose("merge")), "merge_conflict");
  deepEqual([reply.phase, reply.problems[0].at], ["BRANCH_INTERVENTION", "data.choice"]);
  equal(await torn.repo.state(), untouched);
  expectOk(await torn.submit(choose("continue")));
});

/** A parked session whose task branch has a commit, so that HEAD stays on it. */
async function parkWithCommit(project: Project): Promise<string> {
  expectOk(await project.start());
  await project.plan("Change a");
  expectOk(await project.work({ "src/a.ts": "changed\n" }, ["src/a.ts:1"]));
  await project.must({ summary: "complete" });
  await project.must({ ...COMMON, reviewed_files: [], rest: "keep", commit_message: "Change a" });
  await project.must({ park: true, reason: "later" });
  const branch = await project.repo.git("branch", "--show-current");
  match(branch, /^llm_task_/);
  return branch;
}

for (const action of ["merge", "delete"] as const) {
  Deno.test(`cleanupStaleBranches() leaves the branch of a parked session alone on ${action}`, async () => {
    await using project = await createProject();
    const branch = await parkWithCommit(project);
    const before = await project.repo.state();
    const reply = await project.workflow.cleanupStaleBranches({ action }) as Answer;
    if (action === "merge") expectRefused(reply, "branch_not_stale");
    equal(await project.repo.state(), before);
    equal(await project.repo.git("branch", "--show-current"), branch);
  });
}

for (const choice of ["merge", "continue"] as const) {
  Deno.test(`${choice} at step 2 never takes the branch of a parked session`, async () => {
    // Where findings only warn, HEAD may be moved by hand, and the effect has to look itself.
    await using project = await createProject({ enforcement: "warn" });
    const branch = await parkWithCommit(project);
    await project.repo.git("switch", "-q", "main");
    await project.repo.git("branch", OLD);
    // The person's word for the mode was for the session that is parked.
    const { trust } = project.verification;
    await trust.confirmMode(await project.verification.readRepositoryKey(), "warn", "terminal");
    expectOk(await project.start());
    await project.repo.git("switch", "-q", branch);
    const before = await project.repo.state();
    const reply = await project.submit(choose(choice));
    if (choice === "merge") expectRefused(reply, "branch_not_stale");
    notAdopted((await project.state()).workspace.taskBranch, branch);
    equal(await project.repo.state(), before);
  });
}

function notAdopted(found: string | null, branch: string): void {
  equal(found === branch, false, "the branch belongs to another session");
}

Deno.test("cleanupStaleBranches() lists, deletes and merges outside a session", async () => {
  await using project = await createProject();
  await addStale(project, { isCurrent: true });
  await project.repo.git("branch", OTHER, "main");
  const clean = (action: "list" | "delete" | "merge") =>
    project.workflow.cleanupStaleBranches({ action }) as Promise<Answer>;
  deepEqual((await clean("list")).branches, [OLD, OTHER]);
  const merged = expectOk(await clean("merge"));
  deepEqual([merged.merged, await branches(project)], [true, `${OTHER}\nmain`]);
  deepEqual(expectOk(await clean("delete")).deleted_branches, [OTHER]);
  const refs = () => project.repo.git("for-each-ref", "--format=%(refname)", "refs/code-intel");
  const before = await refs();
  equal(before.split("\n").filter((ref) => ref.includes("/cleanup/")).length, 2);
  deepEqual(expectOk(await clean("delete")).total, 0);
  equal((await clean("merge")).ok, false);
  equal(await refs(), before, "no snapshot where there is nothing to do");
});

for (const damaged of [["json"], ["json", "json.prev"]]) {
  Deno.test(`cleanupStaleBranches() leaves the branch of a session whose ${damaged.join(" and ")} is damaged`, async () => {
    await using project = await createProject({ after: planned("Change a") });
    const { sessionId } = await project.state();
    const branch = await project.repo.git("branch", "--show-current");
    // The generation before is from before the branch.
    for (const name of damaged) {
      const path = join(project.root, ".code-intel/sessions", `${sessionId}.${name}`);
      await Deno.writeTextFile(path, "{ damaged");
    }
    const workflow = await project.reopen();
    await workflow.cleanupStaleBranches({ action: "delete" });
    equal(await project.repo.git("branch", "--show-current"), branch);
  });
}

Deno.test("cleanupStaleBranches() asks the person before anything changes", async () => {
  await using project = await createProject();
  await addStale(project, { isCurrent: false });
  const { signal } = new AbortController();
  const clean = async (answer: Said, action: "delete" | "list" = "delete") => {
    const asked: string[] = [];
    const asker = {
      ask: ({ message }: Question) => (asked.push(message), Promise.resolve(answer)),
    };
    const reply = await project.workflow.cleanupStaleBranches({ action }, signal, asker) as Answer;
    return { reply, asked };
  };
  const agree = (value: boolean): Said => ({ kind: "answered", values: { agree: value } });
  deepEqual((await clean(agree(true), "list")).asked, []);
  expectRefused((await clean(agree(false))).reply, "person_refused");
  expectRefused((await clean({ kind: "unanswered" })).reply, "person_unanswered");
  equal(await branches(project), `${OLD}\nmain`);
  const { reply, asked } = await clean(agree(true));
  deepEqual([expectOk(reply).decided_by, await branches(project)], ["asked", "main"]);
  match(asked[0] ?? "", new RegExp(OLD));
  deepEqual((await clean(agree(true))).asked, [], "nothing is asked where nothing would happen");
  await project.repo.git("branch", OTHER, "main");
  equal(expectOk((await clean({ kind: "unavailable" })).reply).decided_by, "relayed");
});

Deno.test("cleanupStaleBranches() keeps a branch whose session lives in another worktree", async () => {
  await using project = await createProject({ after: planned("Change a") });
  await project.must({ park: true, reason: "later" });
  const other = await Deno.makeTempDir();
  await project.repo.git("worktree", "add", "-q", `${other}/w`, "-b", "side");
  const { createServices } = await import("../../../src/services/services.ts");
  const { SILENT_LOGGER } = await import("../../../src/base/logger.ts");
  const options = { projectDir: `${other}/w`, logger: SILENT_LOGGER, offered: [] };
  const { workflow } = await createServices(options);
  equal((await workflow.cleanupStaleBranches({ action: "list" }) as Answer).total, 0);
  await Deno.remove(other, { recursive: true });
});

Deno.test("startSession() asks nothing about branches of abandoned sessions that hold no commit", async () => {
  await using project = await createProject({ after: planned("Change a") });
  await project.clear("src/a.ts");
  await project.repo.write({ "src/a.ts": "left behind\n" });
  await project.must({ abandon: true, reason: "wrong idea" });
  match(await project.repo.git("branch", "--list", "llm_task_*"), /llm_task_/);
  const reply = expectOk(await project.start());
  deepEqual([reply.step, reply.stale_branches], [4, undefined]);
});

Deno.test("cleanupStaleBranches() names the sessions that wait, and says no count of none beside them", async () => {
  await using project = await createProject({ after: planned("Change a") });
  const { sessionId } = await project.state();
  await project.must({ park: true, reason: "later" });
  const list = () => project.workflow.cleanupStaleBranches({ action: "list" }) as Promise<Answer>;
  const { total, branches, parked_sessions: parked } = expectOk(await list());
  deepEqual([total, branches, parked[0].session_id], [undefined, [], sessionId]);
});

Deno.test("startSession() names keys of context.yml that have no effect", async () => {
  await using project = await createProject();
  const text = "project_rules:\n  source: RULES.md\ndoc_research:\n  docs_path: handbook\n";
  await project.repo.write({ ".code-intel/context.yml": text });
  const { notices } = expectOk(await project.start());
  deepEqual(notices.filter((notice: string) => /RULES\.md|handbook/.test(notice)).length, 2);
});
