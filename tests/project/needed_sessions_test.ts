/** Snapshots are shared by all worktrees and projects of a repository; so is the care for them. */
import { pruneSnapshots } from "../../src/git/snapshots/snapshot_list.ts";
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { takeSnapshot } from "../../src/git/snapshots/snapshots.ts";
import { findNeededSessions, listSessionFolders } from "../../src/project/leftovers.ts";
import { GITIGNORE } from "../../src/session/archive.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const IDS = [1, 2, 3, 4, 5].map((number) => `session_20260101_000000_000${number}`);
const [TOP = "", SIDE = "", NESTED = "", ARCHIVED = "", GONE = ""] = IDS;

Deno.test("findNeededSessions() finds sessions of other worktrees and of projects in subfolders", async () => {
  await using temp = await createTempRepo();
  const side = `${await Deno.makeTempDir()}/side`;
  const lost = `${await Deno.makeTempDir()}/lost`;
  await temp.git("worktree", "add", "-q", "-b", "side", side);
  await temp.git("worktree", "add", "-q", "-b", "lost", lost);
  await Deno.remove(lost, { recursive: true });
  await temp.write({
    ".code-intel/.gitignore": GITIGNORE,
    [`.code-intel/sessions/${TOP}.json`]: "{}",
    [`.code-intel/sessions/archive/${ARCHIVED}.json`]: "{}",
    "packages/b/.code-intel/.gitignore": GITIGNORE,
    [`packages/b/.code-intel/sessions/${NESTED}.json`]: "{}",
    "packages/c/.gitignore": ".code-intel\n",
  });
  await Deno.mkdir(join(side, ".code-intel", "sessions"), { recursive: true });
  await Deno.writeTextFile(join(side, ".code-intel", "sessions", `${SIDE}.json`), "{}");
  deepEqual([...await findNeededSessions(temp.repo, IDS)].sort(), [TOP, SIDE, NESTED].sort());
  equal((await findNeededSessions(temp.repo, [GONE])).size, 0);
  // A folder whose sessions are ignored was once listed twice, and named twice by a purge.
  const folders = await listSessionFolders(temp.repo);
  equal(new Set(folders).size, folders.length, folders.join());

  const at = new Date("2026-01-01T00:00:00Z");
  for (const sessionId of IDS) await takeSnapshot(temp.repo, { sessionId, label: "x", at });
  const options = {
    before: new Date("2026-02-01T00:00:00Z"),
    keepSessions: [],
    findNeeded: (ids: readonly string[]) => findNeededSessions(temp.repo, ids),
  };
  equal((await pruneSnapshots(temp.repo, { ...options, maxSessions: 1 })).length, 1);
  equal((await pruneSnapshots(temp.repo, options)).length, 1);
  const refs = await temp.git("for-each-ref", "--format=%(refname)", "refs/code-intel/");
  deepEqual(refs.split("\n"), [TOP, SIDE, NESTED].map((id) => `refs/code-intel/${id}/0001`));
});
