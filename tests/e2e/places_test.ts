/** Sessions in odd places: folders of a repository, worktrees, no git, no commit, no branch, no name. */
import { match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { Project } from "../support/session_driver.ts";
import { createProject, openSession, startSession } from "../support/session_driver.ts";

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
  await using session = await openSession(project);
  const refused = await session.begin();
  equal(refused.error, "git_identity_missing");
  ok(refused.problems[0].hint.includes("user."), refused.problems[0].hint);
});
