/**
 * Lists snapshots for people: which sessions have some, and how many files changed between them.
 */
import { OWN_REFS } from "../ref_file.ts";
import type { Repository } from "../repository.ts";
import type { Snapshot } from "./snapshots.ts";

/** A session that has snapshots. */
export interface SnapshotSession {
  readonly sessionId: string;
  readonly count: number;
  /** Time of the newest one, as an ISO time. */
  readonly newestAt: string;
}

/** The sessions that have snapshots, newest first; trees kept for other reasons do not count. */
export async function listSnapshotSessions(repo: Repository): Promise<SnapshotSession[]> {
  const output = await repo.git.text([
    "for-each-ref",
    "--format=%(refname) %(creatordate:unix)",
    `${OWN_REFS}/`,
  ]);
  const sessions = new Map<string, { count: number; newest: number }>();
  for (const line of output.split("\n")) {
    const [, id = "", time = "0"] = /^refs\/code-intel\/([^/]+)\/\d{4,} (\d+)$/.exec(line) ?? [];
    if (id === "") continue;
    const { count, newest } = sessions.get(id) ?? { count: 0, newest: 0 };
    sessions.set(id, { count: count + 1, newest: Math.max(newest, Number(time)) });
  }
  return [...sessions]
    .sort(([, one], [, other]) => other.newest - one.newest)
    .map(([sessionId, { count, newest }]) => ({
      sessionId,
      count,
      newestAt: new Date(newest * 1000).toISOString(),
    }));
}

/**
 * For each snapshot, the number of files that differ from the one before; 0 for the first. One
 * start of git.
 */
export async function countChangedFiles(
  repo: Repository,
  snapshots: readonly Pick<Snapshot, "tree">[],
): Promise<number[]> {
  const counts = snapshots.map(() => 0);
  const pairs: { readonly at: number; readonly header: string }[] = [];
  for (const [at, { tree }] of snapshots.entries()) {
    const before = snapshots[at - 1]?.tree;
    if (before !== undefined && before !== tree) pairs.push({ at, header: `${before} ${tree}` });
  }
  if (pairs.length === 0) return counts;
  const output = await repo.git.text(
    ["diff-tree", "--stdin", "-r", "--name-only", "--no-renames", "--ignore-submodules=none"],
    { stdin: pairs.map(({ header }) => `${header}\n`).join("") },
  );
  // Names with line breaks are quoted, so each line is a file or the next header.
  let next = 0;
  for (const line of output.split("\n")) {
    const at = pairs[next - 1]?.at;
    if (line === pairs[next]?.header) next++;
    else if (line !== "" && at !== undefined) counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}
