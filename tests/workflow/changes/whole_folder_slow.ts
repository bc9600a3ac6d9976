/** Work on whole folders: how many calls it takes, and what a cleared folder does not open. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { Project } from "../project_fixture.ts";
import {
  codesOf,
  COMMON,
  createProject,
  expectOk,
  expectRefused,
  planned,
} from "../project_fixture.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const COUNT = 120;

/** Files of a library, in three folders. */
function toVendored(folder: string, version: number): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from(
      { length: COUNT },
      (_, at) => [`${folder}/part${at % 3}/f${at}.js`, `exports.v${at} = ${version};\n`],
    ),
  );
}

const OLD = { "README.md": "# Test\n", "src/a.ts": "a\n", ...toVendored("vendor/lib", 1) };

/** Counts the calls that an agent makes from the plan to the merge. */
async function countCalls(
  project: Project,
  work: { readonly folders: readonly string[]; readonly evidence: string },
  change: () => Promise<void>,
): Promise<number> {
  let calls = 0;
  // A moved file is listed by its new path alone.
  const kept = work.folders.map((folder) => ({ path: `${folder}/**`, decision: "keep" }));
  const review = kept.length > 1 ? { reviewed_files: [], rest: "keep" } : { reviewed_files: kept };
  const count = <T>(reply: T): T => (calls++, reply);
  const { tasks: [task] } = await project.state();
  expectOk(count(await project.workflow.addExploredFiles(work.folders)));
  const cleared = expectOk(count(await project.clear(...work.folders)));
  ok(JSON.stringify(cleared).length < 2_000);
  await change();
  const checklist = task?.checklist.map(({ item }) => ({
    item,
    status: "done",
    evidence: work.evidence,
  }));
  count(await project.must({ ...COMMON, task_id: task?.id, checklist }));
  count(await project.must({ summary: "complete" }));
  count(
    await project.must({
      ...COMMON,
      ...review,
      commit_message: "Work on the library",
    }),
  );
  equal(count(await project.must({ summary: "merge" })).merged, true);
  equal(await project.repo.git("status", "--porcelain"), "");
  return calls;
}

Deno.test("a new folder of 120 files is merged after six calls", async () => {
  const files = { "README.md": "# Test\n", "src/a.ts": "a\n", "vendor/notes.md": "Libraries\n" };
  await using project = await createProject({ files, after: planned("Vendor the library") });
  const vendored = toVendored("vendor/lib", 1);
  const work = { folders: ["vendor"], evidence: "vendor/lib/part0/f0.js:1" };
  const calls = await countCalls(project, work, () => project.repo.write(vendored));
  equal(calls, 6);
  const listed = await project.repo.git("ls-tree", "-r", "--name-only", "HEAD", "vendor/lib");
  equal(listed.split("\n").length, COUNT);
});

Deno.test("120 files of a folder are updated in six calls", async () => {
  await using project = await createProject({ files: OLD, after: planned("Update the library") });
  const work = { folders: ["vendor/lib"], evidence: "vendor/lib/part0/f0.js:1" };
  const calls = await countCalls(
    project,
    work,
    () => project.repo.write(toVendored("vendor/lib", 2)),
  );
  equal(calls, 6);
  equal(await project.repo.git("show", "HEAD:vendor/lib/part2/f119.js"), "exports.v119 = 2;");
});

Deno.test("a folder of 120 files is moved in six calls", async () => {
  const files = { ...OLD, "third/notes.md": "Libraries\n" };
  await using project = await createProject({ files, after: planned("Move the library") });
  const work = {
    folders: ["vendor/lib", "third"],
    evidence: "vendor/lib/part0/f0.js:deleted; third/lib/part0/f0.js:renamed",
  };
  const calls = await countCalls(
    project,
    work,
    () => Deno.rename(join(project.root, "vendor/lib"), join(project.root, "third/lib")),
  );
  equal(calls, 6);
});

Deno.test("a folder of 120 files is deleted in six calls", async () => {
  await using project = await createProject({ files: OLD, after: planned("Delete the library") });
  const work = { folders: ["vendor/lib"], evidence: "vendor/lib/part0/f0.js:deleted" };
  const calls = await countCalls(
    project,
    work,
    () => Deno.remove(join(project.root, "vendor/lib"), { recursive: true }),
  );
  equal(calls, 6);
});

Deno.test("a cleared folder opens no protected file, link out, repository, or file beside it", async () => {
  const files = { ...OLD, "vendor/lib/.mcp.json": "{}\n" };
  await using inner = await createTempRepo({ files: { "x.js": "1\n" } });
  await using project = await createProject({ files, after: planned("Update the library") });
  const { shown } = expectOk(await project.workflow.addExploredFiles(["vendor/lib"]));
  match(JSON.stringify(shown), /121 files below/);
  const cleared = expectOk(await project.clear("vendor/lib/**"));
  deepEqual([cleared.paths, cleared.cleared_files], [["vendor/lib/"], COUNT]);
  match(cleared.not_cleared.join(), /\.mcp\.json" steers/);
  await project.repo.write({
    "vendor/lib/new.js": "1\n",
    "vendor/lib/.mcp.json": '{"a":1}\n',
    "vendor/beside.js": "1\n",
  });
  await Deno.symlink("/etc/passwd", join(project.root, "vendor/lib/out"));
  await project.repo.git("clone", "-q", inner.dir, "vendor/lib/nested");
  const reply = await project.submit({ ...COMMON, task_id: "task_1", checklist: [] });
  const found = reply.problems.filter(({ code }: { code: string }) => /_change$/.test(code));
  deepEqual(found.map(({ path }: { path: string }) => path).toSorted(), [
    "vendor/beside.js",
    "vendor/lib/.mcp.json",
    "vendor/lib/nested",
    "vendor/lib/out",
  ]);
});

Deno.test("a folder is not cleared over changes that were made below it before", async () => {
  await using project = await createProject({ files: OLD, after: planned("Update the library") });
  expectOk(await project.workflow.addExploredFiles(["vendor/lib"]));
  await project.repo.write({ "vendor/lib/early.js": "1\n" });
  expectRefused(await project.clear("vendor/lib"), "unauthorized_change");
});

Deno.test("a cleared folder makes no new files where none are allowed, and not the whole project writable", async () => {
  await using project = await createProject({ files: OLD, after: planned("Update the library") });
  expectOk(await project.workflow.addExploredFiles(["vendor/lib", "."]));
  deepEqual(codesOf(await project.clear(".")), ["path_is_folder"]);
  const input = { paths: ["vendor/lib"], allowNewFiles: false };
  expectOk(await project.workflow.checkWriteTarget(input));
  await project.repo.write({ "vendor/lib/new.js": "1\n", "vendor/lib/part0/f0.js": "2\n" });
  const reply = await project.submit({ ...COMMON, task_id: "task_1", checklist: [] });
  const found = reply.problems.filter(({ code }: { code: string }) => /_change$/.test(code));
  deepEqual(found.map(({ path }: { path: string }) => path), ["vendor/lib/new.js"]);
});

Deno.test("the person's own changes below a cleared folder are asked about at the review", async () => {
  await using project = await createProject({ files: OLD });
  await project.repo.write({ "vendor/lib/part0/f0.js": "// of the person\nexports.v0 = 1;\n" });
  expectOk(await project.start());
  await project.plan("Update the library");
  expectOk(await project.workflow.addExploredFiles(["vendor/lib"]));
  expectOk(await project.clear("vendor/lib"));
  await project.repo.write({ "vendor/lib/part0/f0.js": "// of the person\nexports.v0 = 2;\n" });
  const checklist = [{
    item: "Update the library",
    status: "done",
    evidence: "vendor/lib/part0/f0.js:2",
  }];
  await project.must({ ...COMMON, task_id: "task_1", checklist });
  await project.must({ summary: "complete" });
  const reply = await project.submit({
    ...COMMON,
    reviewed_files: [],
    rest: "keep",
    commit_message: "Update the library",
  });
  deepEqual(codesOf(reply), ["person_changes_mixed"]);
});
