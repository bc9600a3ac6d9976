/**
 * Finds files whose times cannot prove that they are unchanged. Git compares file times in whole
 * seconds, and protects only against a recent modification time, which anybody can set back: a
 * change within the second in which a file was hashed, with the old size and time, would not be
 * seen.
 */
import type { TreePath } from "../../base/paths.ts";
import { join } from "node:path";
import { invariant } from "../../base/errors.ts";
import { toNulInput } from "../git.ts";
import type { Repository } from "../repository.ts";
import { listTree } from "../trees/changes.ts";

/** The clock that stamps files may be one tick of the kernel (at most 10 ms) behind ours. */
const CLOCK_LAG_MS = 20;

/** First second of file times that counts as young for files hashed from `startedAtMs` on. */
function toYoungSecond(startedAtMs: number): number {
  return Math.floor((startedAtMs - CLOCK_LAG_MS) / 1000);
}

/**
 * Removes the times of young files from an index, so that git always compares their content.
 *
 * @param options.tree The tree that was written from the index.
 */
export async function distrustYoung(
  repo: Repository,
  indexFile: string,
  options: {
    readonly tree: string;
    readonly paths: readonly TreePath[];
    readonly startedAtMs: number;
  },
): Promise<void> {
  const young = await pickYoung(repo, options.paths, options.startedAtMs);
  if (young.length === 0) return;
  const wanted = new Set(young);
  const entries = (await listTree(repo, options.tree, young))
    .filter(({ path }) => wanted.has(path))
    .map(({ path, mode, oid }) => `${mode} ${oid} 0\t${path}`);
  await forgetTimes(repo, indexFile, entries);
}

/** Files whose entry on the disk changed in a young second. */
async function pickYoung(
  repo: Repository,
  paths: readonly TreePath[],
  startedAtMs: number,
): Promise<TreePath[]> {
  const second = toYoungSecond(startedAtMs);
  const young: TreePath[] = [];
  for (const path of paths) {
    const info = await Deno.lstat(join(repo.worktree, path)).catch(() => null);
    const changedAtMs = info?.ctime?.getTime() ?? 0;
    if (info !== null && !info.isDirectory && changedAtMs / 1000 >= second) young.push(path);
  }
  return young;
}

/** An entry of an index. */
export interface IndexEntry {
  /** The letter that git shows for it; a small one where it is assumed to be unchanged. */
  readonly tag: string;
  /** Mode, object id and stage, as git reads them back. */
  readonly info: string;
  readonly path: TreePath;
  /** Second of the last change of the file as the index knows it; null where that was not asked for. */
  readonly changedAtS: number | null;
}

const ENTRY = /(\S) (\d+ [0-9a-f]+ \d)\t([^\0]*)\0(?: {2}ctime: (\d+):\d+\n(?: {2}.*\n){4})?/gy;

/**
 * The entries of an index that was copied.
 *
 * @param options.writtenAtMs When the original was written: within a young second their times are read too.
 */
export async function listEntries(
  repo: Repository,
  indexFile: string,
  options: { readonly writtenAtMs: number; readonly startedAtMs: number },
): Promise<readonly IndexEntry[]> {
  const isYoung = options.writtenAtMs / 1000 >= toYoungSecond(options.startedAtMs);
  const args = ["ls-files", "-z", "-v", "--stage", ...(isYoung ? ["--debug"] : [])];
  const output = await repo.git.text(args, { indexFile });
  const found = [...output.matchAll(ENTRY)];
  const length = found.reduce((total, [whole]) => total + whole.length, 0);
  invariant(length === output.length, "git lists the entries of an index in the known form");
  return found.map(([, tag = "", info = "", path = "", time]) => ({
    tag,
    info,
    path,
    changedAtS: time === undefined ? null : Number(time),
  }));
}

/** Removes the times of those entries of a copied index that are young. */
export async function distrustYoungEntries(
  repo: Repository,
  indexFile: string,
  options: { readonly entries: readonly IndexEntry[]; readonly startedAtMs: number },
): Promise<void> {
  const second = toYoungSecond(options.startedAtMs);
  const suspects = options.entries.filter(({ changedAtS }) => (changedAtS ?? -1) >= second);
  // Files that a sparse checkout leaves out are not on the disk and keep their mark.
  const young = new Set(
    await pickYoung(repo, suspects.map(({ path }) => path), options.startedAtMs),
  );
  const lines = suspects.filter(({ path }) => young.has(path))
    .map(({ info, path }) => `${info}\t${path}`);
  await forgetTimes(repo, indexFile, lines);
}

/** An entry that is given by its object id gets no times. */
async function forgetTimes(
  repo: Repository,
  indexFile: string,
  entries: readonly string[],
): Promise<void> {
  if (entries.length === 0) return;
  const args = ["update-index", "-z", "--index-info"];
  await repo.git.bytes(args, { indexFile, stdin: toNulInput(entries) });
}
