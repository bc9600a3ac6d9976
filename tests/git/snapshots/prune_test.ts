/** What goes of the snapshots of old sessions, and what stays. */
import { pruneSnapshots } from "../../../src/git/snapshots/snapshot_list.ts";
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { join } from "node:path";
import { keepTree, takeSnapshot } from "../../../src/git/snapshots/snapshots.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const SESSION = "session_20261121_101500_3fa9";
const AT = new Date("2026-11-21T10:15:00Z");

Deno.test("pruneSnapshots() drops old sessions only, and keeps the unfinished", async () => {
  await using temp = await createTempRepo();
  const ids = ["session_20260101_000000_aaaa", "session_20260102_000000_bbbb", SESSION];
  for (const [number, sessionId] of ids.entries()) {
    const at = number === 2 ? AT : new Date("2026-01-01T00:00:00Z");
    await takeSnapshot(temp.repo, { sessionId, label: "x", at });
  }
  const tree = await temp.git("rev-parse", "HEAD^{tree}");
  const old = new Date("2026-01-01T00:00:00Z");
  await keepTree(temp.repo, { sessionId: ids[0] ?? "", name: "baseline", tree, at: old });
  // What others share through this repository is as old, and of no session.
  const shared = "refs/code-intel/index/1/project";
  await temp.git("update-ref", shared, `refs/code-intel/${ids[0]}/kept/baseline`);
  const before = new Date("2026-11-01T00:00:00Z");
  const keepSessions = [ids[1] ?? ""];
  deepEqual(await pruneSnapshots(temp.repo, { before, keepSessions }), [ids[0]]);
  const refs = await temp.git("for-each-ref", "--format=%(refname)", "refs/code-intel/");
  deepEqual(refs.split("\n"), [
    shared,
    `refs/code-intel/${ids[1]}/0001`,
    `refs/code-intel/${SESSION}/0001`,
  ]);
  const folder = join(temp.dir, ".git/code-intel");
  const listLocks = async () =>
    (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name))
      .filter((name) => name.endsWith(".lock")).sort();
  deepEqual(await listLocks(), [`${ids[1]}.lock`, `${SESSION}.lock`]);
  // The lock of an index that is gone, as earlier versions left them.
  const lost = join(folder, "session_20250101_000000_cccc.lock");
  await Deno.writeTextFile(lost, "");
  await Deno.utime(lost, old, old);
  await pruneSnapshots(temp.repo, { before, keepSessions });
  deepEqual(await listLocks(), [`${ids[1]}.lock`, `${SESSION}.lock`]);
});
