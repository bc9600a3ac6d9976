/** Files that a merge left open. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { findConflictMarkers } from "../../../src/evidence/leftovers/find_leftovers.ts";
import { writeWorktreeTree } from "../../../src/git/index/private_index.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

Deno.test("findConflictMarkers() finds files with both markers at the start of a line", async () => {
  await using temp = await createTempRepo({
    files: {
      "open.ts": "a\n<<<<<<< main\nb\n=======\nc\n>>>>>>> task\n",
      "half.ts": "<<<<<<< main\n",
      "shown.md": "    <<<<<<< main\n    >>>>>>> task\n",
      "done.ts": "a\n",
    },
  });
  const paths = ["open.ts", "half.ts", "shown.md", "done.ts", "gone.ts"];
  const sessionId = "session_20260131_142530_9f3a";
  const { tree } = await writeWorktreeTree(temp.repo, { sessionId, maxFileMb: 50 });
  deepEqual(await findConflictMarkers(temp.repo, tree, paths), ["open.ts"]);
});
