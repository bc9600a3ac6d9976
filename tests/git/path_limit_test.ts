/** A limit of many paths answers what a limit of few does. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { changedLines } from "../../src/git/trees/changed_lines.ts";
import { diffText, listTree } from "../../src/git/trees/changes.ts";
import { limitTo } from "../../src/git/git.ts";
import { createTempRepo, takeTree } from "./support.ts";

/** Names that no file has: they make a list too long for a command line. */
const ABSENT = Array.from({ length: 1_500 }, (_, at) => `absent/${at}`);

Deno.test("limitTo() covers paths and what lies below folders, whether git limits itself or not", () => {
  for (const limit of [limitTo(["a", "b/c/"]), limitTo(["a", "b/c", ...ABSENT])]) {
    deepEqual(
      ["a", "b/c", "b/c/d/e", "a/x"].map((path) => limit.covers(path)),
      [true, true, true, true],
    );
    deepEqual(["b", "ab", "b/cd"].map((path) => limit.covers(path)), [false, false, false]);
  }
  deepEqual(limitTo(["a"]).args, ["a"]);
  deepEqual(limitTo(["a", ...ABSENT]).args, []);
});

Deno.test("a list that is too long for a command line gives the same diff, lines and entries", async () => {
  const text = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join("");
  await using temp = await createTempRepo({
    files: { a: "1\n", b: "1\n", "dir/c": "1\n", old: text, kind: "1\n", other: "1\n" },
  });
  const from = await takeTree(temp);
  await temp.write({ a: "2\n", b: "2\n", "dir/c": "2\n", new: `${text}more\n`, other: "2\n" });
  await temp.remove("old", "kind");
  await Deno.symlink("a", `${temp.dir}/kind`);
  const to = await takeTree(temp);
  for (const paths of [["a"], ["new"], ["old"], ["kind", "other"], ["dir/c", "b", "new", "kind"]]) {
    const long = [...paths, ...ABSENT];
    const few = await diffText(temp.repo, from, to, paths);
    ok(few.length > 0);
    equal(await diffText(temp.repo, from, to, long), few, `${paths}`);
    deepEqual(
      await changedLines(temp.repo, from, to, long),
      await changedLines(temp.repo, from, to, paths),
    );
  }
  // All at once are too many as well, where each is a change.
  const entries = await listTree(temp.repo, to, ["dir", "a"]);
  deepEqual(entries.map(({ path }) => path), ["a", "dir/c"]);
  deepEqual(await listTree(temp.repo, to, ["dir", "a", ...ABSENT]), entries);
});
