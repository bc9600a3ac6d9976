/** Where a repository is by its files alone. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { dirname, join } from "node:path";
import { findGitFolder } from "../../src/place/git_folder.ts";
import { createTempRepo } from "../support/temp_repo.ts";

Deno.test("findGitFolder() finds what git finds, also of a second worktree", async () => {
  await using temp = await createTempRepo({ files: { "deep/er/a": "1\n" } });
  const gitDir = join(temp.dir, ".git");
  const first = { worktree: temp.dir, gitDir, commonDir: gitDir };
  deepEqual(findGitFolder(join(temp.dir, "deep/er")), first);
  deepEqual(findGitFolder(gitDir), first);
  await temp.git("worktree", "add", "-q", "second", "-b", "second");
  deepEqual(findGitFolder(join(temp.dir, "second")), {
    worktree: join(temp.dir, "second"),
    gitDir: join(gitDir, "worktrees/second"),
    commonDir: gitDir,
  });
});

Deno.test("findGitFolder() passes over an empty .git, and names one that is damaged", async () => {
  await using temp = await createTempRepo({ files: { "empty/a": "1\n", "broken/a": "1\n" } });
  await Deno.mkdir(join(temp.dir, "empty/.git"));
  equal(findGitFolder(join(temp.dir, "empty"))?.worktree, temp.dir);
  await Deno.mkdir(join(temp.dir, "broken/.git"));
  await Deno.writeTextFile(join(temp.dir, "broken/.git/config"), "");
  equal(findGitFolder(join(temp.dir, "broken"))?.worktree, join(temp.dir, "broken"));
});

Deno.test("findGitFolder() is null where no folder upwards has a .git", async () => {
  const dir = await Deno.realPath(await Deno.makeTempDir());
  equal(findGitFolder(dir), null);
  equal(findGitFolder(join(dirname(dir), "absent")), null);
  await Deno.remove(dir);
});
