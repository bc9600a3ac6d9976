/** Sessions that were never ended and whose files are gone: told before another one takes their work for the person's. */
import type { Problem } from "../../base/problem.ts";
import { toProblem } from "../../base/problem.ts";
import { listSnapshotSessions } from "../../git/mod.ts";
import type { Bench } from "../desk.ts";

/**
 * A problem for each session of this project that was saved, has no end, and has no file any more. With
 * git only those count that have snapshots: a project that was removed and made anew has lost nothing.
 */
export async function findLostSessions({ deps, repo }: Bench): Promise<readonly Problem[]> {
  const lost = await deps.store.listLost();
  if (lost.length === 0) return [];
  const kept = repo === null
    ? null
    : new Set((await listSnapshotSessions(repo)).map(({ sessionId }) => sessionId));
  return lost.filter((id) => kept === null || kept.has(id)).map(toLost);
}

function toLost(id: string): Problem {
  return toProblem(
    "session_lost",
    `The session "${id}" was never ended, and its files in .code-intel/sessions are gone`,
    {
      hint:
        `Tell the person. What it left in the files is not theirs by itself: \`code-intel restore ${id}\` ` +
        `brings back what its last snapshot had; \`code-intel session accept ${id}\`, at a terminal, ends it and leaves the files as they are.`,
    },
  );
}
