/**
 * Finds sessions that never ended and whose files are gone, so that the next session does not take
 * their work for the person's unnoticed.
 */
import type { Problem } from "../../base/problem.ts";
import { toProblem } from "../../base/problem.ts";
import { listSnapshotSessions } from "../../git/snapshots/snapshot_list.ts";
import type { Bench } from "../desk.ts";

/**
 * One problem for each session of this project that was saved, has not ended, and has no file left.
 * With git only sessions with snapshots count, because a project that was removed and made again
 * has lost nothing.
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
