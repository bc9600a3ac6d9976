/** Changes between two trees applied to a third: by line, by file, and where both sides meet. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { carryChanges } from "../../../src/git/trees/carry_changes.ts";
import { listTree, readBlobText } from "../../../src/git/trees/changes.ts";
import type { TempRepo } from "../../support/temp_repo.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const LINES = Array.from({ length: 12 }, (_, at) => `line ${at + 1}\n`).join("");

type Files = Readonly<Record<string, string>>;

interface Case {
  readonly name: string;
  readonly from: Files;
  readonly to: Files;
  readonly onto: Files;
  readonly result: Files;
  /** Result with `onConflict: "to"` where it is another one. */
  readonly resultTo?: Files;
}

const edit = (from: string, to: string) => LINES.replace(`${from}\n`, `${to}\n`);

const CASES: readonly Case[] = [
  {
    name: "lines of a file that both sides changed elsewhere",
    from: { a: LINES },
    to: { a: edit("line 2", "two") },
    onto: { a: edit("line 10", "ten") },
    result: { a: edit("line 2", "two").replace("line 10\n", "ten\n") },
  },
  {
    name: "a new file, a deleted one and a renamed one",
    from: { gone: "gone\n", old: LINES, same: "s\n" },
    to: { new: "new\n", moved: LINES, same: "s\n" },
    onto: { gone: "gone\n", old: LINES, same: "other\n", mine: "m\n" },
    result: { new: "new\n", moved: LINES, same: "other\n", mine: "m\n" },
  },
  {
    name: "nothing, where nothing changed",
    from: { a: LINES },
    to: { a: LINES },
    onto: { a: "other\n" },
    result: { a: "other\n" },
  },
  {
    name: "a change that is there already",
    from: { a: LINES },
    to: { a: edit("line 2", "two"), b: "b\n" },
    onto: { a: edit("line 2", "two"), b: "b\n" },
    result: { a: edit("line 2", "two"), b: "b\n" },
  },
  {
    name: "the same lines by the version that is wanted",
    from: { a: LINES, b: "1\n" },
    to: { a: edit("line 2", "to"), b: "2\n" },
    onto: { a: edit("line 2", "onto"), b: "1\n" },
    result: { a: edit("line 2", "onto"), b: "2\n" },
    resultTo: { a: edit("line 2", "to"), b: "2\n" },
  },
  {
    name: "lines elsewhere in a file whose other lines both sides changed",
    from: { a: LINES },
    to: { a: edit("line 2", "to").replace("line 10\n", "ten\n") },
    onto: { a: edit("line 2", "onto") },
    result: { a: edit("line 2", "onto").replace("line 10\n", "ten\n") },
    resultTo: { a: edit("line 2", "to").replace("line 10\n", "ten\n") },
  },
  {
    name: "a deletion of what the other side changed",
    from: { a: LINES, b: "b\n" },
    to: { b: "b\n" },
    onto: { a: edit("line 2", "onto"), b: "b\n" },
    result: { a: edit("line 2", "onto"), b: "b\n" },
    resultTo: { b: "b\n" },
  },
  {
    name: "binary files whole",
    from: { a: "\u0000one" },
    to: { a: "\u0000two" },
    onto: { a: "\u0000three" },
    result: { a: "\u0000three" },
    resultTo: { a: "\u0000two" },
  },
  {
    name: "odd names",
    from: { "a b/[id].tsx": "1\n", "日本\n語": "1\n" },
    to: { "a b/[id].tsx": "2\n", "日本\n語": "2\n" },
    onto: { "a b/[id].tsx": "1\n", "日本\n語": "1\n" },
    result: { "a b/[id].tsx": "2\n", "日本\n語": "2\n" },
  },
];

for (const { name, result, resultTo = result, ...trees } of CASES) {
  Deno.test(`carryChanges() carries ${name}`, async () => {
    await using temp = await createTempRepo();
    const [from, to, onto] = [
      await toTree(temp, trees.from),
      await toTree(temp, trees.to),
      await toTree(temp, trees.onto),
    ];
    for (const [onConflict, expected] of [["onto", result], ["to", resultTo]] as const) {
      const tree = await carryChanges(temp.repo, { from, to, onto, onConflict });
      deepEqual(await readFiles(temp, tree), expected, onConflict);
    }
  });
}

/** The tree of exactly these files. */
async function toTree(temp: TempRepo, files: Files): Promise<string> {
  await temp.git("rm", "-rqf", "--ignore-unmatch", ".");
  await temp.write(files);
  await temp.git("add", "-A");
  return await temp.git("write-tree");
}

async function readFiles(temp: TempRepo, tree: string): Promise<Files> {
  const paths = (await listTree(temp.repo, tree)).map(({ path }) => path);
  return Object.fromEntries(
    await Promise.all(
      paths.map(async (path) => [path, await readBlobText(temp.repo, tree, path) ?? ""]),
    ),
  );
}

Deno.test("carryChanges() carries modes, and leaves index, HEAD and files alone", async () => {
  await using temp = await createTempRepo({ files: { "run.sh": "#!/bin/sh\n" } });
  const from = await temp.git("write-tree");
  await temp.git("update-index", "--chmod=+x", "run.sh");
  const to = await temp.git("write-tree");
  await temp.git("update-index", "--chmod=-x", "run.sh");
  const before = await temp.state();
  const tree = await carryChanges(temp.repo, { from, to, onto: from, onConflict: "onto" });
  equal(tree, to);
  equal(await temp.state(), before);
});
