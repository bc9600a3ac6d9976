/** What paths of a write stand for: files, globs, and folders with everything below them. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { join } from "node:path";
import type { Project } from "../project_fixture.ts";
import { codesOf, createProject, expectOk, expectRefused, planned } from "../project_fixture.ts";

const FILES = {
  "README.md": "# Test\n",
  "src/a.ts": "a\n",
  "vendor/lib/a.js": "a\n",
  "vendor/lib/deep/b.js": "b\n",
  "vendor/lib/.mcp.json": "{}\n",
  "vendor/other.js": "x\n",
};

async function toReady(): Promise<Project> {
  return await createProject({ files: FILES, after: ready });
}

const ready = planned("Update the library");

Deno.test("toTargets() takes a folder, with a slash or as a glob, for everything below it", async () => {
  await using project = await toReady();
  expectOk(await project.workflow.addExploredFiles(["vendor/lib"]));
  for (const path of ["vendor/lib", "vendor/lib/", "vendor/lib/**", "vendor/lib/**/*"]) {
    const { paths, cleared_files, not_cleared } = expectOk(await project.clear(path));
    deepEqual([paths, cleared_files], [["vendor/lib/"], 2], path);
    match(not_cleared.join(), /\.mcp\.json/);
  }
});

Deno.test("toTargets() takes a folder that is still to be made, where its parent was explored", async () => {
  await using project = await toReady();
  deepEqual(codesOf(await project.clear("vendor/next/")), ["folder_not_explored"]);
  expectOk(await project.workflow.addExploredFiles(["vendor/next/"]));
  expectOk(await project.clear("vendor/next/"));
  // The parent was looked at because of the new folder: what is in it stays closed.
  deepEqual(codesOf(await project.clear("vendor/other.js")), ["not_explored"]);
});

Deno.test("toTargets() refuses a folder that was not explored once, not for each of its files", async () => {
  await using project = await toReady();
  const { call } = expectRefused(await project.clear("vendor/lib"), "folder_not_explored");
  deepEqual(call, "add_explored_files");
});

Deno.test("toTargets() leaves out a link that leads to a file beside the folder", async () => {
  await using project = await createProject({ files: FILES });
  await Deno.symlink("../../src/a.ts", join(project.root, "vendor/lib/link.js"));
  await project.repo.git("add", "-A");
  await project.repo.git("commit", "-q", "-m", "Link");
  expectOk(await project.start());
  await project.plan("Update the library");
  expectOk(await project.workflow.addExploredFiles(["vendor/lib"]));
  const { not_cleared } = expectOk(await project.clear("vendor/lib"));
  match(not_cleared.join(), /link\.js" leads out of the folder/);
  deepEqual(codesOf(await project.clear("src/a.ts")), ["not_explored"]);
});
