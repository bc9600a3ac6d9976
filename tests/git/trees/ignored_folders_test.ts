/** Ignored folders are found by their top, however deep their inside is. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { listIgnoredFolders } from "../../../src/git/trees/file_lists.ts";
import { createTempRepo } from "../support.ts";

Deno.test("listIgnoredFolders() names ignored folders once, without files", async () => {
  await using temp = await createTempRepo({
    files: { ".gitignore": "deps/\n*.log\n", "p/a": "1" },
  });
  await temp.write({
    "deps/x/y": "1",
    "p/deps/z": "1",
    "p/x.log": "1",
    'p/ü "q"/.gitignore': "/inner/\n",
    'p/ü "q"/inner/f': "1",
  });
  deepEqual((await listIgnoredFolders(temp.dir)).sort(), ["deps", "p/deps", 'p/ü "q"/inner']);
});
