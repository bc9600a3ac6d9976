/** A session that only moves a submodule to another commit. */
import { strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { COMMON, createProject, expectOk } from "../project_fixture.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

Deno.test("a submodule bump is cleared, shown by evidence, reviewed and committed like a file", async () => {
  await using inner = await createTempRepo({ files: { "lib.ts": "1\n" } });
  await using project = await createProject();
  await project.repo.git(
    "-c",
    "protocol.file.allow=always",
    "submodule",
    "add",
    "-q",
    inner.dir,
    "vendor/lib",
  );
  await project.repo.git("commit", "-q", "-m", "Add the library");
  const next = await inner.commit("Second", { "lib.ts": "2\n" });
  expectOk(await project.start());
  await project.plan("Move vendor/lib to its second commit");
  expectOk(await project.workflow.addExploredFiles(["vendor/lib"]));
  expectOk(await project.clear("vendor/lib"));
  const place = join(project.root, "vendor/lib");
  await project.repo.git("-C", place, "-c", "protocol.file.allow=always", "fetch", "-q");
  await project.repo.git("-C", place, "checkout", "-q", next);
  const item = "Move vendor/lib to its second commit";
  const checklist = [{ item, status: "done", evidence: "vendor/lib:binary" }];
  await project.must({ ...COMMON, task_id: "task_1", checklist });
  await project.must({ summary: "complete" });
  await project.must({
    ...COMMON,
    reviewed_files: ["vendor/lib"],
    commit_message: "Move the library",
  });
  equal((await project.must({ summary: "merge" })).merged, true);
  equal(await project.repo.git("rev-parse", "HEAD:vendor/lib"), next);
  equal(await project.repo.git("status", "--porcelain"), "");
});
