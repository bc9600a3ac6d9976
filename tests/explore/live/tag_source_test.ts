/** Definitions of lists of files: languages mixed, files left out, ends filled in. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { fillEndLines, readTags } from "../../../src/explore/live/tag_source.ts";
import { eachWay } from "../sample_project.ts";

eachWay(
  "readTags() reads languages without a parser by patterns, and says so",
  async ({ context, temp }, way) => {
    await temp.write({ "a.swift": "func go() {\n}\n", "b.py": "def run():\n    pass\n" });
    const found = await readTags(context, ["a.swift", "b.py", "gone.py", "notes.txt"]);
    deepEqual(found.tags.map((tag) => [tag.path, tag.name, tag.endLine]), [["a.swift", "go", 2], [
      "b.py",
      "run",
      2,
    ]]);
    deepEqual([...found.sources].sort(), way === "programs" ? ["ctags", "regex"] : ["regex"]);
    equal(found.notices.length, way === "programs" ? 0 : 1);
  },
);

eachWay(
  "readTags() passes over large files and links, and counts the large ones",
  async ({ context, temp }) => {
    await temp.write({ "big.py": `def big(): pass\n${"#".repeat(1024 * 1024)}\n` });
    await Deno.symlink(join(temp.dir, "builder.py"), join(temp.dir, "link.py"));
    const found = await readTags(context, ["big.py", "link.py"]);
    deepEqual(found.tags, []);
    match(found.notices.join(" "), /1 files over/);
  },
);

eachWay("fillEndLines() adds the end of blocks that a parser leaves open", async ({ context }) => {
  const { tags } = await readTags(context, ["src/load.ts"]);
  const filled = fillEndLines(context, tags);
  ok(filled.some((tag) => tag.name === "loadUser" && tag.endLine === 10));
});
