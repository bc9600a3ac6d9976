/** Holds `src/git/trees/changes.ts` to its promises, on real repositories. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import {
  diffText,
  diffTrees,
  listTree,
  readBlob,
  readBlobText,
} from "../../../src/git/trees/changes.ts";
import { createDiffReader } from "../../../src/git/trees/changed_lines.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const LINES = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`);

Deno.test("R26: diffTrees() gives a rename both names, and modes, types and binaries as such", async () => {
  await using temp = await createTempRepo({
    files: {
      "old name.txt": LINES.join(""),
      "mode.sh": "x\n",
      "type": "x\n",
      "gone": "unlike the others\n",
      "text": "a\nb\n",
    },
  });
  await temp.write({ "blob.bin": new Uint8Array([0, 1, 2]), "text": "a\nc\nd\n" });
  await temp.git("mv", "old name.txt", "new\tname.txt");
  await Deno.chmod(join(temp.dir, "mode.sh"), 0o755);
  await temp.remove("type", "gone");
  await Deno.symlink("text", join(temp.dir, "type"));
  await temp.commit("Second");
  const changes = await diffTrees(temp.repo, "HEAD~", "HEAD", { withLineCounts: true });
  deepEqual(
    changes.map((change) => [
      change.path,
      change.from,
      change.kind,
      change.modeChanged,
      change.isBinary,
      change.addedLines,
      change.removedLines,
    ]),
    [
      ["blob.bin", undefined, "added", false, true, 0, 0],
      ["gone", undefined, "deleted", false, false, 0, 1],
      ["mode.sh", undefined, "modified", true, false, 0, 0],
      ["new\tname.txt", "old name.txt", "renamed", false, false, 0, 0],
      ["text", undefined, "modified", false, false, 2, 1],
      ["type", undefined, "type", true, false, 1, 1],
    ],
  );
  deepEqual(
    (await diffTrees(temp.repo, "HEAD~", "HEAD", { paths: ["old name.txt"] })).map(({ path }) =>
      path
    ),
    ["new\tname.txt"],
  );
  deepEqual(await diffTrees(temp.repo, "HEAD", "HEAD"), []);
  const readDiff = createDiffReader(temp.repo, { from: "HEAD~", to: "HEAD" }, changes);
  const started: string[] = [];
  const { git } = temp.repo;
  const run = git.run.bind(git);
  git.run = (args, options) => {
    // Data is asked for once more, in case attributes hide a text.
    if (args.includes("-p") && !args.includes("--text")) started.push(args.join(" "));
    return run(args, options);
  };
  const read: string[] = [];
  for (const change of changes) read.push(await readDiff(change));
  equal(started.length, 1);
  for (const [at, { path }] of changes.entries()) {
    equal(read[at], await diffText(temp.repo, "HEAD~", "HEAD", [path]));
  }
});

Deno.test("diffTrees() does not depend on the person's diff settings", async () => {
  await using temp = await createTempRepo({ files: { a: LINES.join("") } });
  await temp.git("config", "diff.renames", "false");
  await temp.git("config", "diff.external", "false");
  await temp.git("config", "diff.noprefix", "true");
  await temp.git("config", "color.ui", "always");
  await temp.git("mv", "a", "b");
  await temp.commit("Second");
  equal((await diffTrees(temp.repo, "HEAD~", "HEAD"))[0]?.kind, "renamed");
  match(await diffText(temp.repo, "HEAD~", "HEAD", ["b"]), /^diff --git a\/a b\/b\n/);
});

Deno.test("diffText() shows only the named files, and treats names literally", async () => {
  await using temp = await createTempRepo({ files: { "*": "1\n", "b": "1\n" } });
  await temp.commit("Second", { "*": "2\n", "b": "2\n" });
  equal(
    (await diffText(temp.repo, "HEAD~", "HEAD", ["*"])).replace(/^index.*\n/m, ""),
    "diff --git a/* b/*\n--- a/*\n+++ b/*\n@@ -1 +1 @@\n-1\n+2\n",
  );
  equal(await diffText(temp.repo, "HEAD~", "HEAD", []), "");
});

Deno.test("readBlob() and listTree() read odd names, and null or nothing where there is no file", async () => {
  await using temp = await createTempRepo({ files: { "-x/ü\n*": "1\n", "b": "2\n" } });
  equal(await readBlobText(temp.repo, "HEAD", "-x/ü\n*"), "1\n");
  equal(await readBlob(temp.repo, "HEAD", "-x"), null);
  equal(await readBlob(temp.repo, "HEAD", "none"), null);
  deepEqual((await listTree(temp.repo, "HEAD")).map(({ path }) => path), ["-x/ü\n*", "b"]);
  deepEqual((await listTree(temp.repo, "HEAD", ["-x"])).map(({ path }) => path), ["-x/ü\n*"]);
});

Deno.test("diffTrees() counts lines anew when the attributes of the repository change", async () => {
  await using temp = await createTempRepo({ files: { "a.txt": "1\n" } });
  const from = await temp.git("rev-parse", "HEAD^{tree}");
  await temp.write({ "a.txt": "1\n2\n" });
  await temp.git("add", "-A");
  const to = await temp.git("write-tree");
  const count = async () => {
    const [change] = await diffTrees(temp.repo, from, to, { withLineCounts: true });
    return [change?.isBinary, change?.addedLines];
  };
  deepEqual(await count(), [false, 1]);
  deepEqual(await count(), [false, 1]);
  await temp.write({ ".git/info/attributes": "*.txt -diff\n" });
  deepEqual(await count(), [true, 0]);
});
