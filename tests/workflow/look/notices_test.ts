/** A base that moved: told once, never a finding. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { Project } from "../project_fixture.ts";
import { COMMON, createProject, expectOk, started, toLines } from "../project_fixture.ts";

/** Somebody else commits to the base, without touching the worktree. */
async function moveBase(project: Project, text: string): Promise<string> {
  const { git } = project.repo;
  const tree = await git("rev-parse", "main^{tree}");
  const commit = await git("commit-tree", tree, "-p", "main", "-m", text);
  await git("update-ref", "refs/heads/main", commit);
  return commit;
}

Deno.test("noteBase() tells each move of the base once, in the reply and the brief, and blocks nothing", async () => {
  await using project = await createProject({ after: started });
  const planned = await project.plan("Change a", "Change b");
  equal(planned.base_moved, undefined);
  const { baseCommit } = (await project.state()).workspace;
  const first = await moveBase(project, "First");
  const text = toLines(10).replace("line 5\n", "five\n");
  const told = expectOk(await project.work({ "src/a.ts": text }, ["src/a.ts:5"]));
  const { notice, ...move } = told.base_moved;
  deepEqual(move, { branch: "main", from: baseCommit, to: first });
  match(notice, /merge/);
  const brief = expectOk(await project.workflow.getStatus({}));
  equal(brief.brief.base_moved_to, first.slice(0, 12));
  const again = expectOk(await project.work({ "src/b.ts": "b\n" }, ["src/b.ts:1"]));
  equal(again.base_moved, undefined);
  const second = await moveBase(project, "Second");
  const next = await project.must({ summary: "complete" });
  deepEqual([next.base_moved.from, next.base_moved.to], [first, second]);
  // A decision with effects tells it too.
  const third = await moveBase(project, "Third");
  const review = { ...COMMON, reviewed_files: [], rest: "keep", commit_message: "Change" };
  equal((await project.must(review)).base_moved.to, third);
  const fourth = await moveBase(project, "Fourth");
  const merged = await project.must({ summary: "merge" });
  deepEqual([merged.merged, merged.base_moved.from, merged.base_moved.to], [true, third, fourth]);
});
