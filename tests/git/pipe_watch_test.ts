/** A git that waits on a pipe deep in the tree. */
import { listProjectFiles } from "../../src/git/trees/file_lists.ts";
import { match, ok, rejects, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { CodeIntelError } from "../../src/base/errors.ts";
import { openRepository } from "../../src/git/repository.ts";
import { testNeeding } from "../support/needs.ts";
import { createTempRepo } from "../support/temp_repo.ts";

testNeeding(
  ["posix"],
  "a pipe as .gitignore in a subfolder once made each question wait for two minutes",
  async () => {
    await using temp = await createTempRepo({ files: { "a/b/c.txt": "1\n" } });
    const repo = await openRepository(temp.dir);
    ok(repo !== null);
    // A pipe that nobody waits on is none of git's.
    const other = join(temp.dir, "a/.gitattributes");
    const pipe = join(temp.dir, "a/b/.gitignore");
    await new Deno.Command("mkfifo", { args: [other, pipe] }).output();
    const isNamed = (failure: unknown) => {
      if (!(failure instanceof CodeIntelError)) return false;
      match(failure.message, /a\/b\/\.gitignore": it is a pipe/);
      equal(failure.code, "control_file_unusable");
      return true;
    };
    await rejects(listProjectFiles(repo), isNamed);
    // From now on it is known, and no git is started.
    const startedAt = performance.now();
    await rejects(listProjectFiles(repo), isNamed);
    ok(performance.now() - startedAt < 500, "it was looked for again");
    await Deno.remove(pipe);
    equal((await listProjectFiles(repo)).includes("a/b/c.txt"), true);
  },
);
