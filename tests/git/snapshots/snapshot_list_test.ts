/** Lists of snapshots for people: sessions, and how much changed from one snapshot to the next. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { takeSnapshot } from "../../../src/git/snapshots/snapshots.ts";
import {
  countChangedFiles,
  listSnapshotSessions,
} from "../../../src/git/snapshots/snapshot_list.ts";
import { keepTree, listSnapshots } from "../../../src/git/snapshots/snapshots.ts";
import { createTempRepo, SESSION } from "../support.ts";

Deno.test("countChangedFiles() counts against the snapshot before, with any names, in one go", async () => {
  await using temp = await createTempRepo({ files: { a: "1\n" } });
  const take = () => takeSnapshot(temp.repo, { sessionId: SESSION, label: "x", at: new Date() });
  const one = await take();
  await temp.write({ a: "2\n", "new\nline": "1\n", 'quo"te ü': "1\n" });
  const two = await take();
  await take();
  // A file that is called as the next header must not be taken for it.
  await temp.remove("a", "new\nline");
  await temp.write({ [`${two.tree} ${one.tree}`]: "x\n" });
  await take();
  const snapshots = await listSnapshots(temp.repo, SESSION);
  deepEqual(await countChangedFiles(temp.repo, snapshots), [0, 3, 0, 3]);
  deepEqual(await countChangedFiles(temp.repo, []), []);
});

Deno.test("listSnapshotSessions() lists sessions, newest first, and nothing else that is kept", async () => {
  await using temp = await createTempRepo();
  const take = (sessionId: string, at: string) =>
    takeSnapshot(temp.repo, { sessionId, label: "x", at: new Date(at) });
  await take("session_20260101_000000_aaaa", "2026-01-01T00:00:00Z");
  await take(SESSION, "2026-11-21T10:15:00Z");
  await take(SESSION, "2026-11-21T10:16:00Z");
  const tree = await temp.git("rev-parse", "HEAD^{tree}");
  await keepTree(temp.repo, { sessionId: SESSION, name: "baseline", tree, at: new Date() });
  await temp.git("update-ref", "refs/code-intel/branches/b/20261121T101500000Z", "HEAD");
  deepEqual(await listSnapshotSessions(temp.repo), [
    { sessionId: SESSION, count: 2, newestAt: "2026-11-21T10:16:00.000Z" },
    { sessionId: "session_20260101_000000_aaaa", count: 1, newestAt: "2026-01-01T00:00:00.000Z" },
  ]);
});
