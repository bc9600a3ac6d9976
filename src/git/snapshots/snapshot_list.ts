/** Lists the sessions that have snapshots, and removes old ones. */
import { listOwnFolder } from "../../base/files/own_folder.ts";
import { openOwnFolder } from "../index/own_store.ts";
import type { Repository } from "../repository.ts";
import { listRefs } from "../repository.ts";
import { OWN_REFS } from "../store_files.ts";
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
  const sessions = new Map<string, { count: number; newest: number }>();
  for (const { ref, owner, at } of await readDatedRefs(repo)) {
    if (!/^refs\/code-intel\/[^/]+\/\d{4,}$/.test(ref)) continue;
    const { count, newest } = sessions.get(owner) ?? { count: 0, newest: 0 };
    sessions.set(owner, { count: count + 1, newest: Math.max(newest, at) });
  }
  return [...sessions]
    .sort(([, one], [, other]) => other.newest - one.newest)
    .map(([sessionId, { count, newest }]) => ({
      sessionId,
      count,
      newestAt: new Date(newest).toISOString(),
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

/** Which snapshots to remove. */
export interface PruneOptions {
  /** A session whose newest snapshot is older than this loses all of its snapshots. */
  readonly before: Date;
  /** Sessions whose snapshots are kept whatever their age, because they are unfinished. */
  readonly keepSessions: readonly string[];
  /** Which of the old sessions are still needed elsewhere; called only when there are any. */
  readonly findNeeded?: (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Most sessions whose snapshots one call deletes, oldest first; default all. */
  readonly maxSessions?: number;
}

/**
 * Deletes the snapshots and private indexes of old sessions. Returns the ids of these sessions, and
 * the names of old refs that belong to no session.
 */
export async function pruneSnapshots(repo: Repository, options: PruneOptions): Promise<string[]> {
  const old = await findOld(repo, options);
  for (const [sessionId, refs] of old) {
    const stdin = refs.map((ref) => `delete ${ref}\n`).join("");
    await repo.git.bytes(["update-ref", "--stdin"], { stdin });
    for (const ending of ["index", "json", "lock"]) {
      await Deno.remove(`${repo.gitDir}/code-intel/${sessionId}.${ending}`).catch(() => {});
    }
  }
  await removeLeftovers(repo, options.before);
  return old.map(([sessionId]) => sessionId);
}

/** What {@link pruneSnapshots} would return; changes nothing. */
export async function listOldSnapshots(repo: Repository, options: PruneOptions): Promise<string[]> {
  return (await findOld(repo, options)).map(([sessionId]) => sessionId);
}

/** Refs that no age removes here: tips of deleted branches have a rule of their own, and what is shared is for others. */
const LASTING: ReadonlySet<string> = new Set(["branches", "index"]);

type OwnRefs = readonly [owner: string, refs: readonly string[]];

/** The refs to remove, by session, oldest first. */
async function findOld(repo: Repository, options: PruneOptions): Promise<readonly OwnRefs[]> {
  const { before, keepSessions, findNeeded, maxSessions = Infinity } = options;
  // Often there are none but those of sessions that are kept.
  const owners = [...(await listRefs(repo, `${OWN_REFS}/`)).keys()].map(parseOwner);
  const isKept = (owner: string) => LASTING.has(owner) || keepSessions.includes(owner);
  if (owners.every((owner) => owner !== undefined && isKept(owner))) return [];
  const sessions = Map.groupBy(await readDatedRefs(repo), ({ ref, owner }) =>
    // Refs of no session (overwritten files, clean-ups) get old one by one.
    owner.startsWith("session_") ? owner : ref);
  const old = [...sessions]
    .map(([id, refs]) => ({ id, refs, newest: Math.max(...refs.map(({ at }) => at)) }))
    .filter(({ id, newest, refs }) =>
      !LASTING.has(refs[0]?.owner ?? "") && !keepSessions.includes(id) && newest < before.getTime()
    )
    .sort((one, other) => one.newest - other.newest);
  if (old.length === 0) return [];
  const needed = await findNeeded?.(old.map(({ id }) => id)) ?? new Set();
  return old.filter(({ id }) => !needed.has(id)).slice(0, maxSessions)
    .map(({ id, refs }) => [id, refs.map(({ ref }) => ref)] as const);
}

/** The part of a ref's name after `refs/code-intel/`: a session, or what else the ref belongs to. */
function parseOwner(ref: string): string | undefined {
  return ref.split("/")[2];
}

/** Deletes scratch files that killed processes left, and locks of indexes that no longer exist. */
async function removeLeftovers(repo: Repository, before: Date): Promise<void> {
  const folder = await openOwnFolder(repo);
  const names = new Set((await listOwnFolder(folder)).map(({ name }) => name));
  for (const name of names) {
    const isUnused = name.endsWith(".lock") &&
      !names.has(`${name.slice(0, -".lock".length)}.index`);
    if (!isUnused && !/^(?:scratch|merge)-/.test(name)) continue;
    const info = await Deno.stat(`${folder}/${name}`).catch(() => null);
    if (info?.mtime && info.mtime < before) {
      await Deno.remove(`${folder}/${name}`, { recursive: true }).catch(() => {});
    }
  }
}

/** All refs of the program with the part that follows `refs/code-intel/`, and the times of what they name in milliseconds. */
async function readDatedRefs(
  repo: Repository,
): Promise<readonly { readonly ref: string; readonly owner: string; readonly at: number }[]> {
  const format = "--format=%(refname) %(creatordate:unix)";
  const output = await repo.git.text(["for-each-ref", format, `${OWN_REFS}/`]);
  return output.split("\n").filter((row) => row !== "").map((row) => {
    const [ref = "", time = "0"] = row.split(" ");
    return { ref, owner: parseOwner(ref) ?? "", at: Number(time) * 1000 };
  });
}
