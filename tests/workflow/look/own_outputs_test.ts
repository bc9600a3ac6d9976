/** What a run left in the worktree, told from files of the repository. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { findOutputs } from "../../../src/workflow/look/command_writes.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

Deno.test("findOutputs() leaves out what is no output, and what a commit has", async () => {
  await using temp = await createTempRepo({ files: { "dist/kept.js": "1\n", "src/a.ts": "1\n" } });
  const changed = ["dist/kept.js", "dist/new.js", "src/__pycache__/a.pyc", "src/b.ts"];
  const found = ["dist/new.js", "src/__pycache__/a.pyc"];
  deepEqual([...await findOutputs({ repo: temp.repo }, changed)], found);
  const isPrivate = { repo: { ...temp.repo, isPrivate: true as const } };
  deepEqual([...await findOutputs(isPrivate, changed)], ["dist/kept.js", ...found]);
});
