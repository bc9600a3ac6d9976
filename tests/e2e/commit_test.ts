/** Review, commit and merge over the real server: discards, shared files, git hooks, conflicts. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { createProject, installHook, startSession } from "../support/session_driver.ts";

Deno.test("a file that both changed: only the agent's hunks are committed", async () => {
  await using project = await createProject();
  const old = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
  await project.repo.commit("Long", { "src/long.txt": `${old.join("\n")}\n` });
  const person = old.with(1, "line 2 of the person").join("\n");
  await project.repo.write({ "src/long.txt": `${person}\n` });
  const both = old.with(1, "line 2 of the person").with(10, "line 11 of the agent").join("\n");
  await using session = await startSession(project, { edits: { "src/long.txt": `${both}\n` } });
  await session.until(17);
  const shown = await session.must("review_changes");
  deepEqual(shown.changes.map(({ path }: { path: string }) => path), ["src/long.txt"]);
  equal((await session.until("end")).merged, true);
  const committed = await project.repo.git("show", "main:src/long.txt");
  equal(committed, old.with(10, "line 11 of the agent").join("\n"));
  equal(await project.repo.read("src/long.txt"), `${both}\n`);
  equal(await project.repo.git("status", "-s"), " M src/long.txt");
});

Deno.test("a failing pre-commit hook leads to READY with its output; the mended work is committed", async () => {
  await using project = await createProject();
  await installHook(
    project,
    "pre-commit",
    "git show :src/auth.ts | grep -q fix1 || { echo 'lint: fix1 is missing' >&2; exit 1; }",
  );
  const before = await project.repo.git("rev-parse", "HEAD");
  await using session = await startSession(project);
  await session.until(18);
  const refused = await session.next();
  deepEqual([refused.step, refused.git_hook_failed], [12, true]);
  match(refused.reason, /lint: fix1 is missing/);
  equal(await project.repo.git("rev-parse", "HEAD"), before);
  equal((await session.until("end")).merged, true);
  equal(await project.repo.git("rev-list", "--count", `${before}..main`), "2");
});
