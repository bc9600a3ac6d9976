/** A restore by the person during a session: booked to them, to the very files. */
import { deepStrictEqual as deepEqual, rejects, strictEqual as equal } from "node:assert/strict";
import type { RestoreDeps } from "../../src/project/restore.ts";
import { applyRestore, planRestore } from "../../src/project/restore.ts";
import type { Project } from "../workflow/project_fixture.ts";
import {
  codesOf,
  COMMON,
  createProject,
  expectOk,
  planned,
  toLines,
} from "../workflow/project_fixture.ts";

function toDeps(project: Project): RestoreDeps {
  return {
    openRepo: () => Promise.resolve(project.repo.repo),
    store: project.store,
    now: () => new Date("2026-01-31T14:25:30.000Z"),
    hashTexts: () => Promise.resolve({}),
    loadMaxFileMb: () => Promise.resolve(50),
  };
}

/** Restores files of the active session from its first snapshot. */
async function restore(project: Project, paths: readonly string[], exact = false) {
  const { sessionId } = await project.state();
  const deps = toDeps(project);
  const planned = await planRestore(deps, { sessionId, paths, from: project.root, exact });
  if (planned.kind === "refused") throw new Error(String(planned.problem.message));
  return await applyRestore(deps, planned.plan);
}

const EDITED = toLines(10).replace("line 5\n", "five\n");

Deno.test("applyRestore() books what it brings back to the person, and nothing beside it", async () => {
  await using project = await createProject({ after: planned("Change a", "Change b") });
  expectOk(await project.work({ "src/a.ts": EDITED }, ["src/a.ts:5"]));
  expectOk(await project.work({ "src/b.ts": "b\n" }, ["src/b.ts:1"]));
  await project.repo.write({ "README.md": "by the shell\n", "src/left.ts": "left\n" });
  const { sessionId } = await project.state();
  const report = await restore(project, ["src/a.ts", "README.md"]);
  deepEqual([report.bookedIn, [...report.written].sort()], [sessionId, ["README.md", "src/a.ts"]]);
  const reply = await project.submit({ summary: "complete" });
  deepEqual(codesOf(reply), ["unauthorized_change"]);
  equal(reply.problems[0].path, "src/left.ts");
  await project.repo.remove("src/left.ts");
  // The lines that the person took back are gone as evidence, at the next look.
  const reopened = expectOk(await project.submit({ summary: "complete" }));
  deepEqual(reopened.evidence_stale, ["task_1"]);
  await project.must({
    ...COMMON,
    task_id: "task_1",
    checklist: [{ item: "Change a", status: "skipped", reason: "The person took it back" }],
  });
  await project.must({ summary: "complete" });
  const review = { ...COMMON, reviewed_files: ["src/b.ts"], commit_message: "Change b" };
  equal((await project.must(review)).committed, true);
});

Deno.test("applyRestore() books files that it deletes, too", async () => {
  await using project = await createProject({ after: planned("Change a") });
  await project.repo.write({ "src/new.ts": "by the shell\n" });
  const report = await restore(project, ["src/new.ts"], true);
  deepEqual([report.removed, report.bookedIn !== null], [["src/new.ts"], true]);
  expectOk(await project.work({ "src/a.ts": EDITED }, ["src/a.ts:5"]));
});

Deno.test("applyRestore() that is killed before it books leaves the usual finding", async () => {
  await using project = await createProject({ after: planned("Change a") });
  expectOk(await project.work({ "src/a.ts": EDITED }, ["src/a.ts:5"]));
  await project.must({ summary: "complete" });
  const target = project.store as { save: typeof project.store.save };
  const save = target.save.bind(project.store);
  target.save = () => Promise.reject(new Error("killed"));
  await rejects(restore(project, ["src/a.ts"]), /killed/);
  target.save = save;
  equal(await project.repo.read("src/a.ts"), toLines(10));
  const review = { ...COMMON, reviewed_files: ["src/a.ts"], commit_message: "Change a" };
  const found = await project.submit(review);
  deepEqual(codesOf(found), ["unauthorized_change"]);
  // The lines of the session are in a snapshot, and come back by the way out that the finding names.
  const resolution = [{ path: "src/a.ts", action: "restore", reason: "It was the work" }];
  await project.submit({ change_resolution: resolution });
  equal(await project.repo.read("src/a.ts"), EDITED);
});

Deno.test("applyRestore() leaves a session alone whose effects are under way", async () => {
  await using project = await createProject({ after: planned("Change a") });
  expectOk(await project.work({ "src/a.ts": EDITED }, ["src/a.ts:5"]));
  await project.must({ summary: "complete" });
  const kill = project.killAfterEffects();
  const review = { ...COMMON, reviewed_files: ["src/a.ts"], commit_message: "Change a" };
  await rejects(project.submit(review));
  kill.restore();
  equal((await restore(project, ["src/a.ts"])).bookedIn, null);
});
