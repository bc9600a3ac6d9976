/** Which files questions are about: all that git tracks, then untracked ones up to a bound. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { join } from "node:path";
import type { Missing } from "../../src/services/project_files.ts";
import { createProjectLister } from "../../src/services/project_files.ts";
import { createTempRepo } from "../support/temp_repo.ts";

Deno.test("createProjectLister() lists tracked files first, and leaves out of too many untracked ones those in full folders", async () => {
  await using temp = await createTempRepo({ files: { "t/z.py": "1\n", "x.py": "1\n" } });
  const data = Array.from({ length: 5 }, (_, at) => [`data/${at}.txt`, "1\n"]);
  await temp.write({ ...Object.fromEntries(data), "src/new.py": "1\n", "nested/a.py": "1\n" });
  await new Deno.Command("git", { args: ["init", "-q", join(temp.dir, "nested")] }).output();
  const told: Missing[] = [];
  const list = (maxUntracked: number) =>
    createProjectLister(temp.dir, () => Promise.resolve(temp.repo), {
      hasRepositories: true,
      maxUntracked,
      onListed: (missing) => told.push(missing),
    })();
  const tracked = ["t/z.py", "x.py"];
  deepEqual(await list(3), [...tracked, "data/0.txt", "data/1.txt", "src/new.py", "nested/"]);
  const all = data.map(([path]) => path);
  deepEqual(await list(6), [...tracked, ...all, "src/new.py", "nested/"]);
  deepEqual(told, [
    { cut: { files: 3, untracked: 6, isLate: false }, repositories: ["nested"] },
    { cut: null, repositories: ["nested"] },
  ]);
});
