/** The files of a question about impact: patterns are refused, a place in a file stands for the file. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { join } from "node:path";
import { parseTargetPaths } from "../../src/impact/target_paths.ts";

Deno.test("parseTargetPaths() takes the file of a place and says so, and refuses patterns", async () => {
  const root = await Deno.makeTempDir();
  await Deno.writeTextFile(join(root, "a.ts"), "");
  await Deno.writeTextFile(join(root, "b.ts:3"), "");
  const found = parseTargetPaths(root, ["a.ts:12", "a.ts:1-9", "b.ts:3", "new.ts:3"]);
  deepEqual(found.paths, ["a.ts", "a.ts", "b.ts:3", "new.ts:3"]);
  deepEqual(found.notices.map((notice) => notice.split(": ")[0]), ["a.ts:12", "a.ts:1-9"]);
  const [problem] = parseTargetPaths(root, ["src/*.ts"]).problems;
  match(`${problem?.message}`, /is a pattern/);
  await Deno.remove(root, { recursive: true });
});
