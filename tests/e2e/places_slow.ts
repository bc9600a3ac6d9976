/** Sessions in further places: two worktrees, odd names of branches, repositories and projects that are empty. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { Project } from "../support/session/session_driver.ts";
import { openSession, startSession } from "../support/session/hosted_session.ts";
import {
  createProject,
  openSession as openProcess,
  SAMPLE_EDITS,
  SAMPLE_FILES,
} from "../support/session/session_driver.ts";

async function withoutGit(project: Project): Promise<string> {
  await Deno.remove(join(project.dir, ".git"), { recursive: true });
  return project.dir;
}

/** Without git: what works, and what is refused with the way on. */
for (
  const row of [
    { name: "an investigation", options: { intent: "INVESTIGATE" as const }, end: "completed" },
    { name: "quick", options: { flags: { quick: true } }, end: "completed" },
    { name: "only_verify", options: { flags: { only_verify: true } }, end: "completed" },
  ]
) {
  Deno.test(`without git ${row.name} works to its end`, async () => {
    await using project = await createProject();
    await withoutGit(project);
    await using session = await startSession(project, row.options);
    equal((await session.until("end")).end, row.end);
  });
}

Deno.test("without git a flow with a branch is refused with git_required", async () => {
  await using project = await createProject();
  await withoutGit(project);
  await using session = await openSession(project);
  const refused = await session.begin();
  equal(refused.error, "git_required");
  match(refused.problems[0].hint, /git init.*quick/);
});

Deno.test("with a detached HEAD flows with a branch answer no_base_branch, quick works", async () => {
  await using project = await createProject();
  await project.repo.git("checkout", "-q", "--detach");
  await using session = await openSession(project, { flags: { fast: true } });
  const refused = await session.begin();
  equal(refused.error, "no_base_branch");
  match(refused.problems[0].hint, /git switch|quick/);
  equal((await session.begin({ flags: { quick: true } })).ok, true);
  equal((await session.until("end")).end, "completed");
});

Deno.test("a missing identity is git_identity_missing at the start, not at the end", async () => {
  await using project = await createProject();
  await project.repo.git("config", "--unset", "user.name");
  await project.repo.git("config", "--unset", "user.email");
  await project.repo.git("config", "user.useConfigOnly", "true");
  await using session = await openProcess(project);
  const refused = await session.begin();
  equal(refused.error, "git_identity_missing");
  ok(refused.problems[0].hint.includes("user."), refused.problems[0].hint);
});

/** The same state folder for another folder. */
async function writeSample(dir: string): Promise<void> {
  await Deno.mkdir(join(dir, "src"), { recursive: true });
  for (const [path, text] of Object.entries(SAMPLE_FILES)) {
    await Deno.writeTextFile(join(dir, path), text);
  }
}

Deno.test("two worktrees of a repository have a session each at the same time", async () => {
  await using project = await createProject();
  const second = await Deno.makeTempDir({ prefix: "code-intel-second-" });
  await project.repo.git("worktree", "add", "-q", "--force", "-b", "side", second);
  await using one = await startSession(project);
  await using two = await startSession(project, { projectDir: await Deno.realPath(second) });
  await one.until(13);
  await two.until(13);
  deepEqual([(await one.until("end")).to_branch, (await two.until("end")).to_branch], [
    "main",
    "side",
  ]);
  equal(
    await project.repo.git("show", "side:src/auth.ts"),
    `${SAMPLE_EDITS["src/auth.ts"]}`.trim(),
  );
  await Deno.remove(second, { recursive: true });
});

Deno.test("in a repository without a commit flows with a branch answer no_base_branch, quick works", async () => {
  await using project = await createProject({ files: null });
  await writeSample(project.dir);
  await using session = await openSession(project);
  const refused = await session.begin();
  equal(refused.error, "no_base_branch");
  match(refused.problems[0].hint, /first commit/);
  equal((await session.begin({ flags: { quick: true } })).ok, true);
  equal((await session.until("end")).end, "completed");
  match(await project.repo.read("src/auth.ts"), /a name is needed/);
});

Deno.test("R40: a base branch with slashes and underscores gets the merge", async () => {
  await using project = await createProject({ branch: "feature/big__one/x_y" });
  await using session = await startSession(project);
  const done = await session.until("end");
  deepEqual([done.merged, done.to_branch], [true, "feature/big__one/x_y"]);
  equal(await project.repo.git("branch", "--show-current"), "feature/big__one/x_y");
});

Deno.test("R10: a new, empty project passes the exploration with empty lists", async () => {
  await using project = await createProject({ files: { "LICENSE": "free\n" } });
  await using session = await startSession(project, {
    edits: { "src/main.ts": "export const answer = 42;\n" },
  });
  await session.until(5);
  equal((await session.submit({ explored_files: [], findings: [] })).step, 6);
  equal((await session.until("end")).merged, true);
});

/** The same state folder for another folder. */
function inFolder(dir: string) {
  return { projectDir: dir };
}

Deno.test("a project in a folder of a repository commits its own files, paths relative to it", async () => {
  const files = Object.fromEntries(
    Object.entries(SAMPLE_FILES).map(([path, text]) => [`apps/web/${path}`, text]),
  );
  await using project = await createProject({
    // A package that was set up is a project of its own.
    files: { ...files, "apps/web/.code-intel/config.json": "{}\n", "other.txt": "other\n" },
  });
  await project.repo.write({ "other.txt": "the person's\n" });
  const dir = join(project.dir, "apps/web");
  await using session = await startSession(project, inFolder(dir));
  await session.until(17);
  const { changes } = await session.must("review_changes");
  deepEqual(changes.map(({ path }: { path: string }) => path), ["src/auth.ts"]);
  equal((await session.until("end")).merged, true);
  equal(
    await project.repo.git("diff", "--name-only", "main^", "main"),
    "apps/web/src/auth.ts",
  );
  equal(await project.repo.git("status", "-s", "-uno"), " M other.txt");
});
