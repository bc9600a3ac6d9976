/** Copies of projects with a session: the program finds in them what it would find where they were walked. */
import {
  deepStrictEqual as deepEqual,
  notStrictEqual,
  ok,
  strictEqual as equal,
  throws,
} from "node:assert/strict";
import { join } from "node:path";
import { RevisionMarks } from "../../src/session/revision_marks.ts";
import { keepStage } from "../support/session/stage_copy.ts";
import { COMMON, createProject, expectOk, planned, toLines } from "./project_fixture.ts";

const after = planned("Change a");

Deno.test("a copied session goes on to the merge, sealed and known as the one that was walked", async () => {
  await using project = await createProject({ after });
  const { sessionId } = await project.state();
  const { notices } = expectOk(await project.workflow.getStatus({}));
  equal(notices, undefined, "nothing about it looks strange");
  const sessionsDir = join(project.root, ".code-intel", "sessions");
  const marks = new RevisionMarks(project.stateDir, sessionsDir);
  deepEqual(await marks.list(), [sessionId]);
  ok((await marks.read(sessionId)).revision > 1);
  const edited = toLines(10).replace("line 2\n", "two\n");
  expectOk(await project.work({ "src/a.ts": edited }, ["src/a.ts:2"]));
  await project.must({ summary: "complete" });
  await project.must({ ...COMMON, reviewed_files: [], rest: "keep", commit_message: "Change a" });
  equal((await project.must({ summary: "merge" })).merged, true);
  equal(await project.repo.read("src/a.ts"), edited);
});

Deno.test("two copies share nothing: neither files nor the mark of the worktree, nor git's objects", async () => {
  await using one = await createProject({ after });
  await using other = await createProject({ after });
  notStrictEqual(one.root, other.root);
  const mark = JSON.parse(await other.repo.read(".git/code-intel/active.json"));
  equal(mark.sessionsDir, join(other.root, ".code-intel", "sessions"));
  await one.repo.write({ "src/a.ts": "x\n" });
  equal(await other.repo.read("src/a.ts"), toLines(10));
  equal(await other.repo.git("diff-files", "--name-only"), "", "the index knows the copied files");
  equal(await other.repo.git("fsck", "--no-dangling"), "");
});

Deno.test("keepStage() refuses a project in which a person allowed something: that is bound to its path", async () => {
  await using project = await createProject({ enforcement: "warn" });
  const { root: dir, stateDir } = project;
  throws(() => keepStage({ dir, stateDir }), /bound to its path/);
});
