/** Whole sessions over the real server, from the request to the merged commit, by flag. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import type { Project } from "../support/session/session_driver.ts";
import {
  createProject,
  listTaskBranches,
  SAMPLE_EDITS,
  startSession,
} from "../support/session/session_driver.ts";

/** The parents of the tip of a branch. */
async function readParents({ repo }: Project, ref = "main"): Promise<readonly string[]> {
  const line = await repo.git("rev-list", "--parents", "-n", "1", ref);
  return line.split(" ").slice(1);
}

Deno.test("a session from request to merge commits the reviewed files and nothing else", async () => {
  await using project = await createProject();
  const { repo } = project;
  // The person's own work: one file dirty, one staged, one new.
  await repo.write({ "README.md": "# Sample\n\nA line of the person.\n" });
  await repo.write({ "src/view.ts": "export const shown = 'staged';\n", "notes.txt": "mine\n" });
  await repo.git("add", "src/view.ts");
  const [before, status] = [await repo.git("rev-parse", "HEAD"), await repo.git("status", "-s")];

  await using session = await startSession(project);
  await session.until(13);
  const branch = await repo.git("branch", "--show-current");
  equal(branch, `llm_task_${session.id}_from_main`);
  const done = await session.until("end");

  deepEqual([done.merged, done.end, done.to_branch], [true, "merged", "main"]);
  deepEqual(session.steps, [4, 5, 6, 8, 10, 12, 13, 14, 15, 17, 18, 19, 19]);
  equal(await repo.git("branch", "--show-current"), "main");
  const [base, work, ...more] = await readParents(project);
  deepEqual([base, more], [before, []]);
  equal(await repo.git("diff", "--name-only", `${base}`, "main"), "src/auth.ts");
  deepEqual(await readParents(project, work), [before]);
  const message = await repo.git("log", "-1", "--format=%B", `${work}`);
  match(message, /^Refuse an empty name\n\nA login without/);
  match(message, new RegExp(`^Code-Intel-Session: ${session.id}$`, "m"));
  match(message, /^Code-Intel-Verified: self-reported$/m);
  match(await repo.git("log", "-1", "--format=%B", "main"), /^Code-Intel-Session: /m);
  equal(await repo.git("log", "-1", "--format=%an <%ae>"), "Test Person <person@example.org>");
  equal(await repo.git("status", "-s"), status);
  equal(await repo.read("src/auth.ts"), SAMPLE_EDITS["src/auth.ts"]);
  equal(await listTaskBranches(project), "");
  const kept = await repo.git("for-each-ref", "--format=%(objectname)", "refs/code-intel/branches");
  ok(kept.split("\n").includes(`${work}`), "the tip of the deleted branch is kept by a ref");
});

Deno.test("after the end no rule of the session applies and the checkpoint is archived", async () => {
  await using project = await createProject();
  await using session = await startSession(project);
  await session.until("end");
  equal((await session.call("search_text", { pattern: "login" })).ok, true);
  equal((await session.call("submit_phase", { data: {} })).error, "no_active_session");
  const sessions = `.code-intel/sessions/${session.id}.json`;
  equal(await project.repo.exists(sessions), false);
  equal(await project.repo.exists(`.code-intel/sessions/archive/${session.id}.json`), true);
});

Deno.test("only_verify that fails ends as failed and touches nothing", async () => {
  await using project = await createProject();
  await project.repo.write({ "src/auth.ts": "broken\n" });
  const before = await project.repo.state();
  await using session = await startSession(project, {
    flags: { only_verify: true },
    verifications: [false],
    failedTasks: [],
  });
  const done = await session.until("end");
  deepEqual([done.end, done.verified], ["failed", false]);
  equal(await project.repo.state(), before);
});
