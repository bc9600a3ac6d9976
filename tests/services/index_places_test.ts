/** Where the index lies: questions leave nothing in a folder that nobody set up. */
import { strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import {
  toIndexDir,
  toPlainIndexDir,
  toProjectIndexDir,
} from "../../src/services/project_files.ts";

Deno.test("toPlainIndexDir() is the project's own folder only where somebody set it up", async () => {
  const root = await Deno.makeTempDir();
  const own = join(root, ".code-intel");
  const outside = toProjectIndexDir("/state", root);
  equal(toPlainIndexDir("/state", root), outside);
  await Deno.mkdir(join(own, "sessions"), { recursive: true });
  equal(toPlainIndexDir("/state", root), outside);
  equal(toPlainIndexDir(null, root), own, "without a home folder there is no other place");
  await Deno.writeTextFile(join(own, "config.json"), "{}");
  equal(toPlainIndexDir("/state", root), own);
});

Deno.test("toIndexDir() is shared by all worktrees of a repository", () => {
  const plain = { plainIndexDir: "/state/index/1" };
  equal(toIndexDir({ commonDir: "/w/app/.git" }, plain), "/w/app/.git/code-intel");
  equal(toIndexDir(null, plain), "/state/index/1");
});
