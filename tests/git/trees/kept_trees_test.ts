/** Holds `src/git/trees/kept_trees.ts` to its promise, and snapshots to theirs, through garbage collections. */
import { pruneSnapshots } from "../../../src/git/snapshots/snapshot_list.ts";
import { rejects, strictEqual as equal } from "node:assert/strict";
import {
  keepSessionTrees,
  listSnapshots,
  takeSnapshot,
} from "../../../src/git/snapshots/snapshots.ts";
import { diffTrees } from "../../../src/git/trees/changes.ts";
import { writeWorktreeTree } from "../../../src/git/index/private_index.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const SESSION = "session_20261121_101500_3fa9";
const SNAPSHOT = { sessionId: SESSION, label: "test", at: new Date() };

Deno.test("keepSessionTrees() keeps the last tree of a name through a collection, and is no snapshot", async () => {
  await using temp = await createTempRepo();
  const write = async (text: string) => {
    await temp.write({ "d/new": text });
    return (await writeWorktreeTree(temp.repo, { sessionId: SESSION })).tree;
  };
  const [one, other] = [await write("one\n"), await write("other\n")];
  await keepSessionTrees(temp.repo, SESSION, { ledger: one });
  await keepSessionTrees(temp.repo, SESSION, { ledger: other });
  await temp.git("gc", "-q", "--prune=now");
  equal((await diffTrees(temp.repo, "HEAD", other)).length, 1);
  equal(await temp.git("show", `${other}:d/new`), "other");
  await rejects(temp.git("cat-file", "-e", one));
  equal((await listSnapshots(temp.repo, SESSION)).length, 0);
  await takeSnapshot(temp.repo, SNAPSHOT);
  equal((await listSnapshots(temp.repo, SESSION)).length, 1);
  await pruneSnapshots(temp.repo, { before: new Date(Date.now() + 60_000), keepSessions: [] });
  equal(await temp.git("for-each-ref", "refs/code-intel"), "");
});

for (const change of ["nothing", "a file beside", "a file elsewhere"] as const) {
  Deno.test(`takeSnapshot() after a collection took what no ref kept, ${change} changed: the file was lost`, async () => {
    await using temp = await createTempRepo({ files: { "d/a": "1\n", b: "1\n" } });
    await temp.write({ "d/new": "precious\n" });
    await writeWorktreeTree(temp.repo, { sessionId: SESSION });
    await temp.git("prune", "--expire=now");
    if (change === "a file beside") await temp.write({ "d/a": "2\n" });
    if (change === "a file elsewhere") await temp.write({ b: "2\n" });
    const { tag } = await takeSnapshot(temp.repo, SNAPSHOT);
    equal(await temp.git("show", `${tag}:d/new`), "precious");
    await temp.git("fsck", "--strict");
  });
}
