/** Every place that names files to git, with 3,000 long names: none may put them all on a command line. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { dirname, join } from "node:path";
import { switchBranch } from "../../src/git/branches/switch_files.ts";
import { writeWorktreeTree } from "../../src/git/index/private_index.ts";
import { takeSnapshot } from "../../src/git/snapshots/snapshots.ts";
import { restorePaths } from "../../src/git/snapshots/restore.ts";
import { changedLines } from "../../src/git/trees/changed_lines.ts";
import { diffText, diffTrees, listTree } from "../../src/git/trees/changes.ts";
import {
  findBlockingUntracked,
  listBlockingIgnored,
  listProjectFiles,
} from "../../src/git/trees/file_lists.ts";
import { readEntries } from "../../src/git/trees/carry_changes.ts";
import { scanLargeFiles } from "../../src/git/trees/unstored_files.ts";
import { createTempRepo, SESSION } from "./support.ts";

const COUNT = 3_000;
const FOLDERS = 20;
const LONG = "x".repeat(180);
/** Together 2.3 million bytes: more than what a system takes as arguments, which is 2.1 on Linux. */
const PATHS = Array.from(
  { length: COUNT },
  (_, at) =>
    `a_folder_with_a_long_name/${LONG}/${LONG}/another_folder_${at % FOLDERS}_${LONG}/` +
    `a_file_of_many_${LONG}_${at}.txt`,
);

Deno.test("40,000 paths in one call were too many arguments, and became a missing git", async () => {
  await using temp = await createTempRepo();
  for (const path of PATHS.slice(0, FOLDERS)) {
    await Deno.mkdir(dirname(join(temp.dir, path)), { recursive: true });
  }
  const write = (text: string) => {
    for (const [at, path] of PATHS.entries()) {
      Deno.writeTextFileSync(join(temp.dir, path), `${text} ${at}\n`);
    }
  };
  const { repo } = temp;
  write("one");
  const one = (await takeSnapshot(repo, { sessionId: SESSION, label: "x", at: new Date() })).tree;
  equal((await listProjectFiles(repo)).length, COUNT + 1);
  equal((await findBlockingUntracked(repo, PATHS)).length, COUNT);
  equal((await listBlockingIgnored(repo, PATHS)).length, 0);
  await temp.git("checkout", "-q", "-b", "many");
  await temp.git("add", "-A");
  await temp.git("commit", "-q", "-m", "Many");
  // All of them are tracked by now, so that none is hashed for its size.
  const options = { paths: PATHS, tracked: new Set<string>(), maxFileMb: 0, known: [] };
  deepEqual((await scanLargeFiles(repo, options)).large, []);
  write("two");
  const two = (await writeWorktreeTree(repo, { sessionId: SESSION })).tree;
  equal((await diffTrees(repo, one, two, { paths: PATHS })).length, COUNT);
  equal((await changedLines(repo, one, two, PATHS)).size, COUNT);
  equal((await diffText(repo, one, two, PATHS)).split(/^diff --git /m).length - 1, COUNT);
  equal((await listTree(repo, two, PATHS)).length, COUNT);
  equal((await readEntries(repo, one, PATHS)).size, COUNT);
  // Written files cost the disk more than git; those go by standard input, however many they are.
  const few = PATHS.slice(0, 500);
  const restored = await restorePaths(repo, { tree: one, paths: few, exact: true });
  equal(restored.written.length, few.length);
  await temp.git(
    "branch",
    "changed",
    await temp.git("commit-tree", two, "-p", "many", "-m", "Two"),
  );
  // Every one of them is missing from the disk, and would be brought back.
  await Deno.remove(join(temp.dir, "a_folder_with_a_long_name"), { recursive: true });
  equal((await switchBranch(repo, "changed")).kind, "refused");
});
