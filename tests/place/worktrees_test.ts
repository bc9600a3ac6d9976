/** Holds `src/place/worktrees.ts` to its promises, on real worktrees. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { join } from "node:path";
import { listTwinFolders } from "../../src/place/git_store.ts";
import { createTempRepo } from "../support/temp_repo.ts";

Deno.test("listTwinFolders() names the folder in every other worktree, from the first one and from others", async () => {
  await using temp = await createTempRepo({ files: { "app/a": "1\n" } });
  deepEqual(listTwinFolders(temp.dir), []);
  const side = join(temp.dir, ".git/side");
  await temp.git("worktree", "add", "-q", side, "-b", "side");
  deepEqual(listTwinFolders(join(temp.dir, "app")), [join(side, "app")]);
  deepEqual(listTwinFolders(side), [temp.dir]);
});
