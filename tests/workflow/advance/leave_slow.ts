/** Effects that really fail: each says why and the ways on, none keeps the session from being left. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { Answer, Project } from "../project_fixture.ts";
import {
  COMMON,
  createProject,
  expectOk,
  FAST_START,
  FRAME,
  planned,
  toLines,
} from "../project_fixture.ts";

const EDITED = toLines(10).replace("line 5\n", "five\n");
const PARK = { park: true, reason: "git does not work" };
const ABANDON = { abandon: true, reason: "git does not work" };

/** Something in the way of git, and how it goes away again. */
interface Obstacle {
  remove(): Promise<void>;
}

/** A lock that a killed git left behind. */
async function leaveLock(project: Project, ref: string): Promise<Obstacle> {
  const path = join(project.root, ".git", `${ref}.lock`);
  await Deno.mkdir(join(path, ".."), { recursive: true });
  await Deno.writeTextFile(path, "");
  return { remove: () => Deno.remove(path) };
}

/** A filter of the project that works while no file stands against it. */
async function addFilter({ repo }: Project): Promise<void> {
  await repo.git("config", "filter.x.smudge", "test ! -e .git/no-filter && cat");
  await repo.git("config", "filter.x.clean", "cat");
  await repo.git("config", "filter.x.required", "true");
  await repo.commit("Filter", { ".gitattributes": "src/*.ts filter=x\n" });
}

async function breakFilter({ root }: Project): Promise<Obstacle> {
  const path = join(root, ".git/no-filter");
  await Deno.writeTextFile(path, "");
  return { remove: () => Deno.remove(path) };
}

/** A folder in place of a file. */
async function takePlace({ root }: Project, name: string): Promise<Obstacle> {
  const path = join(root, ".git", name);
  await Deno.mkdir(path, { recursive: true });
  return { remove: () => Deno.remove(path) };
}

async function toPlan(project: Project): Promise<Answer> {
  const started = expectOk(await project.start());
  await project.must(FRAME);
  return started;
}

async function toReview(project: Project): Promise<void> {
  await toPlan(project);
  await project.plan("Change a", "Change b");
  expectOk(await project.work({ "src/a.ts": EDITED }, ["src/a.ts:5"]));
  expectOk(await project.work({ "src/b.ts": "changed\n" }, ["src/b.ts:1"]));
  await project.must({ summary: "complete" });
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

const REVIEW = { ...COMMON, reviewed_files: [], rest: "keep", commit_message: "Change" };

/** A step whose effect fails, and whether a parked session does it at its resume. */
interface Case {
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly code?: string;
  /** Leads to the step and puts something in the way. */
  reach(project: Project): Promise<Obstacle>;
  readonly isTakenUp: boolean;
  /** The session is over once it was done. */
  readonly isEnd?: boolean;
  /** What is true once it was done. */
  isDone(project: Project): Promise<boolean>;
}

const STALE = "llm_task_session_20260101_120000_abcd_from_main";
const hasBranch = async ({ repo }: Project, name: string) =>
  (await repo.git("branch", "--format=%(refname:short)")).split("\n").includes(name);
const toTask = async ({ repo }: Project) =>
  (await repo.git("branch", "--format=%(refname:short)")).split("\n")
    .find((name) => name.startsWith("llm_task_") && name !== STALE) ?? "none";

const CASES: readonly Case[] = [
  {
    name: "resolve_stale",
    code: "git_locked",
    data: { ...COMMON, choice: "delete" },
    async reach(project) {
      await project.repo.git("branch", STALE);
      expectOk(await project.start());
      return await leaveLock(project, `refs/heads/${STALE}`);
    },
    isTakenUp: false,
    isDone: async (project) => !await hasBranch(project, STALE),
  },
  {
    name: "create_branch",
    code: "git_locked",
    data: PLAN,
    async reach(project) {
      const { session_id: id } = await toPlan(project);
      return await leaveLock(project, `refs/heads/llm_task_${id}_from_main`);
    },
    isTakenUp: false,
    isDone: async (project) => await toTask(project) !== "none",
  },
  {
    name: "remove_branch",
    code: "git_locked",
    isEnd: true,
    data: { summary: "nothing to do" },
    async reach(project) {
      await toPlan(project);
      await project.plan("Change a");
      const reason = "The code does this already";
      const checklist = [{ item: "Change a", status: "skipped", reason }];
      await project.must({ ...COMMON, task_id: "task_1", checklist });
      return await leaveLock(project, `refs/heads/${await toTask(project)}`);
    },
    isTakenUp: false,
    isDone: async (project) => await toTask(project) === "none",
  },
  {
    name: "discard",
    data: { ...REVIEW, reviewed_files: [{ path: "src/b.ts", decision: "discard", reason: "no" }] },
    async reach(project) {
      await addFilter(project);
      await toReview(project);
      return await breakFilter(project);
    },
    isTakenUp: true,
    isDone: async ({ repo }) => await repo.read("src/b.ts") === toLines(5),
  },
  {
    name: "commit",
    data: REVIEW,
    code: "own_path_refused",
    async reach(project) {
      await toReview(project);
      return await takePlace(project, "code-intel/last-commit.json");
    },
    isTakenUp: true,
    isDone: async ({ repo }) => await repo.git("log", "-1", "--format=%s") === "Change",
  },
  {
    name: "merge",
    code: "git_locked",
    data: { summary: "merge" },
    isEnd: true,
    async reach(project) {
      await toReview(project);
      await project.must(REVIEW);
      return await leaveLock(project, "HEAD");
    },
    isTakenUp: true,
    isDone: async ({ repo }) => await repo.git("log", "-1", "--format=%p", "main") !== "",
  },
];

for (const row of CASES) {
  Deno.test(`${row.name} that fails is told, tried again, and done once its cause is gone`, async () => {
    await using project = await createProject();
    const obstacle = await row.reach(project);
    for (let attempt = 0; attempt < 2; attempt++) {
      const refused = await project.submit(row.data);
      deepEqual(
        [refused.ok, refused.error],
        [false, row.code ?? "git_failed"],
        JSON.stringify(refused),
      );
      match(refused.problems[0].message, new RegExp(`^Not done yet: .*${row.name}`));
      match(refused.problems[0].hint, /"park": true.*"abandon": true/);
    }
    const status = expectOk(await project.workflow.getStatus({}));
    equal(status.unfinished_effects.code, row.code ?? "git_failed");
    await obstacle.remove();
    expectOk(await project.workflow.getStatus({}));
    equal(await row.isDone(project), true);
  });

  Deno.test(`${row.name} that fails lets the session be parked, resumed and abandoned`, async () => {
    await using project = await createProject();
    const obstacle = await row.reach(project);
    const { sessionId: id } = await project.state();
    equal((await project.submit(row.data)).ok, false);
    const disk = await project.repo.git("status", "--porcelain");
    const parked = expectOk(await project.submit(PARK));
    equal(parked.parked, true);
    const told = row.isTakenUp ? parked.done_at_resume : parked.left_undone[0].effects;
    ok(told.includes(row.name), JSON.stringify(parked));
    equal(parked.stays.snapshots, `refs/code-intel/${id}/`);
    equal(await project.repo.git("status", "--porcelain"), disk, "no file changed");
    await obstacle.remove();
    const resumed = expectOk(await project.workflow.getStatus({ sessionId: id }));
    if (row.isTakenUp && row.isEnd === true) equal(resumed.session_complete, true);
    else deepEqual([resumed.resumed, (await project.state(id)).deferred], [true, undefined]);
    if (!row.isTakenUp) expectOk(await project.submit(row.data));
    equal(await row.isDone(project), true);
  });
}

Deno.test("an effect that fails lets the session be abandoned, and the end says what stays", async () => {
  await using project = await createProject();
  const commit = CASES.find(({ name }) => name === "commit");
  await commit?.reach(project);
  const { sessionId: id, workspace } = await project.state();
  equal((await project.submit(REVIEW)).ok, false);
  const reply = expectOk(await project.submit(ABANDON));
  deepEqual(reply.left_undone[0].effects, ["commit"]);
  equal(reply.stays.branch, workspace.taskBranch);
  equal(await project.repo.read("src/a.ts"), EDITED);
  const path = join(project.root, ".code-intel/sessions/archive", `${id}.json`);
  const { state } = JSON.parse(await Deno.readTextFile(path));
  deepEqual([state.end, state.undone[0].code, state.pending], [
    "abandoned",
    "own_path_refused",
    null,
  ]);
});

Deno.test("leave_branch that fails is left undone: HEAD stays, the session is parked or over", async () => {
  for (const data of [PARK, ABANDON]) {
    await using project = await createProject({ after: planned("Change a") });
    const { sessionId: id } = await project.state();
    await project.repo.write({ "src/a.ts": EDITED });
    const lock = await leaveLock(project, "HEAD");
    const reply = expectOk(await project.submit(data));
    deepEqual(reply.left_undone[0].effects, ["leave_branch"]);
    match(reply.head_note, /git switch main/);
    equal(await project.repo.git("branch", "--show-current"), await toTask(project));
    equal(await project.repo.read("src/a.ts"), EDITED);
    await lock.remove();
    if (data !== PARK) continue;
    const resumed = expectOk(await project.workflow.getStatus({ sessionId: id }));
    deepEqual([resumed.resumed, resumed.booked_as_person], [true, undefined]);
  }
});

Deno.test("abandon with a restore that fails ends the session and names the way to the start", async () => {
  await using project = await createProject();
  await addFilter(project);
  const { session_id: id } = expectOk(await project.start());
  await project.plan("Change a");
  await project.repo.write({ "src/a.ts": EDITED, "src/new.ts": "new\n" });
  await breakFilter(project);
  const reply = expectOk(await project.submit({ ...ABANDON, restore: true }));
  equal(reply.restored, false);
  match(reply.restore_note, new RegExp(`code-intel restore ${id} --to 1 --exact`));
  match(reply.undo, /code-intel restore session_\S+ --to \d+$/);
});

Deno.test("a session whose repository is gone can be parked and abandoned, and comes back with it", async () => {
  await using project = await createProject({ after: planned("Change a") });
  const { sessionId: id } = await project.state();
  await project.repo.write({ "src/a.ts": EDITED });
  const [here, away] = [join(project.root, ".git"), join(project.root, "away")];
  await Deno.rename(here, away);
  const signal = new AbortController().signal;
  // As the server that knew the repository sees it, and as one that starts now.
  for (const workflow of [project.workflow, await project.reopen()]) {
    const refused = await workflow.submitPhase({ summary: "x" }, signal).catch((error) => error);
    ok(refused.ok !== true);
    const parked = expectOk(await workflow.submitPhase(PARK, signal));
    equal(parked.left_undone.at(-1).effects[0], "leave_branch");
    equal(await project.repo.exists(".git"), false, "nothing stands in the way of the repository");
    await Deno.rename(away, here);
    expectOk(await workflow.getStatus({ sessionId: id }));
    await Deno.rename(here, away);
  }
  expectOk(await project.submit(ABANDON));
  equal(await project.repo.read("src/a.ts"), EDITED);
  await Deno.rename(away, here);
  expectOk(await project.workflow.startSession(FAST_START, signal).then(() => ({ ok: true })));
});

Deno.test("a snapshot that fails stops a step with the ways out, and leaving passes without it", async () => {
  await using project = await createProject();
  await toPlan(project);
  const folder = join(project.root, ".git/refs/code-intel");
  await Deno.rename(folder, `${folder}-away`);
  await Deno.writeTextFile(folder, "in the way\n");
  const error = await project.submit(PLAN).catch((cause) => cause);
  equal(error.code, "git_failed");
  match(error.hint, /"park": true/);
  const reply = expectOk(await project.submit(ABANDON));
  equal(reply.left_undone[0].code, "git_failed");
});
