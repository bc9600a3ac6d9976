/** Installed dependencies that changed between two times. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { join } from "node:path";
import { findChangedDependencies } from "../../../src/evidence/checkout/changed_dependencies.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

Deno.test("findChangedDependencies() finds what was written in the time, caches and builds aside", async () => {
  await using temp = await createTempRepo();
  await temp.write({ "node_modules/a/index.js": "a\n", "node_modules/.bin/b": "b\n" });
  const long = new Date(Date.now() - 60_000);
  const old = Date.now();
  // Clocks of file systems tick every ten milliseconds or more often.
  while (Date.now() <= old + 25) await new Promise((resolve) => setTimeout(resolve, 2));
  await temp.write({
    "node_modules/.bin/b": "exit 0\n",
    "node_modules/.cache/x": "x\n",
    "target/debug/y": "y\n",
  });
  const folders = ["node_modules", "target", "gone"];
  const places = { worktree: temp.dir, folders, after: old, before: Infinity };
  deepEqual(await findChangedDependencies(places), [
    { folder: "node_modules", files: 1, examples: ["node_modules/.bin/b"] },
  ]);
  const file = { ...places, folders: ["node_modules/.bin/b", "node_modules/a/index.js"] };
  deepEqual((await findChangedDependencies(file)).map(({ folder }) => folder), [
    "node_modules/.bin/b",
  ]);
  deepEqual(await findChangedDependencies({ ...places, before: old }), []);
  // The content's own time can be set back; then the second of the change still tells it.
  await Deno.utime(join(temp.dir, "node_modules/.bin/b"), long, long);
  const set = await findChangedDependencies({ ...places, after: old - 2_000 });
  deepEqual(set.flatMap(({ examples }) => examples).includes("node_modules/.bin/b"), true);
});
