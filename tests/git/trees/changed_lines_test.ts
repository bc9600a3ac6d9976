/** Holds `src/git/trees/changed_lines.ts` to its promises, on real repositories. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { changedLines } from "../../../src/git/trees/changed_lines.ts";
import { diffText } from "../../../src/git/trees/changes.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const LINES = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`);

Deno.test("changedLines() gives ranges, places of removals, renames and binaries", async () => {
  await using temp = await createTempRepo({
    files: { "a.txt": LINES.join(""), "ren.txt": LINES.join(""), 'quo"\nte': "1\n", "t": "x\n" },
  });
  const edited = [...LINES];
  edited[2] = "changed 3\n";
  edited.splice(9, 2);
  edited.push("added\n", "added\n");
  await temp.write({
    "a.txt": edited.join(""),
    "bin": new Uint8Array([0, 1]),
    'quo"\nte': "2\n@@ -1 +1 @@\ndiff --git a/x b/x\n",
    "ren.txt": ["top\n", ...LINES].join(""),
  });
  await temp.git("mv", "ren.txt", "to.txt");
  await temp.remove("t");
  await Deno.symlink("a.txt", join(temp.dir, "t"));
  await temp.commit("Second");
  const lines = await changedLines(temp.repo, "HEAD~", "HEAD");
  const facts = [...lines].map(([path, found]) => [
    path,
    found.ranges.map(({ start, end }) => `${start}-${end}`).join(),
    found.removals.join(),
    found.isBinary,
  ]);
  deepEqual(facts, [
    ["a.txt", "3-3,19-20", "9", false],
    ["bin", "", "", true],
    ['quo"\nte', "1-3", "", false],
    ["t", "1-1", "", false],
    ["to.txt", "1-1", "", false],
  ]);
  deepEqual([...(await changedLines(temp.repo, "HEAD~", "HEAD", ["to.txt"])).keys()], ["to.txt"]);
  equal((await changedLines(temp.repo, "HEAD~", "HEAD", ["none"])).size, 0);
});

Deno.test("changedLines() shows the lines of a text that attributes hide, and none of data", async () => {
  const data = (last: number) => new Uint8Array([...Array(64).fill(0), last]);
  await using temp = await createTempRepo({ files: { "a.py": LINES.join("") } });
  await temp.write({ "b.bin": data(1) });
  await temp.commit("Data");
  const edited = LINES.with(2, "changed\n").join("");
  await temp.write({ "a.py": edited, "b.bin": data(2), ".gitattributes": "*.py binary -diff\n" });
  await temp.write({ ".git/info/attributes": "*.py -diff\n" });
  await temp.commit("Second");
  const lines = await changedLines(temp.repo, "HEAD~", "HEAD");
  deepEqual([...lines].map(([path, { ranges, isBinary }]) => [path, ranges, isBinary]), [
    [".gitattributes", [{ start: 1, end: 1 }], false],
    ["a.py", [{ start: 3, end: 3 }], false],
    ["b.bin", [], true],
  ]);
  match(await diffText(temp.repo, "HEAD~", "HEAD", ["a.py"]), /^-line 3\n\+changed$/m);
});
