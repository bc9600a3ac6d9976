/**
 * Finds files whose times cannot prove that they are unchanged. Git compares file times in whole
 * seconds, and protects only against a recent modification time, which anybody can set back: a
 * change within the second in which a file was hashed, with the old size and time, would not be
 * seen.
 */
import type { TreePath } from "../../base/paths.ts";
import { join } from "node:path";
import { splitNul, toNulInput } from "../git.ts";
import type { Repository } from "../repository.ts";

/** The clock that stamps files may be one tick of the kernel (at most 10 ms) behind ours. */
const CLOCK_LAG_MS = 20;

/** First second of file times that counts as young for files hashed from `startedAtMs` on. */
function toYoungSecond(startedAtMs: number): number {
  return Math.floor((startedAtMs - CLOCK_LAG_MS) / 1000);
}

/** Removes the times of young files from an index, so that git always compares their content. */
export async function distrustYoung(
  repo: Repository,
  indexFile: string,
  options: { readonly paths: readonly TreePath[]; readonly startedAtMs: number },
): Promise<void> {
  const second = toYoungSecond(options.startedAtMs);
  const young: string[] = [];
  for (const path of options.paths) {
    const info = await Deno.lstat(join(repo.worktree, path)).catch(() => null);
    const changedAtMs = info?.ctime?.getTime() ?? 0;
    if (info !== null && !info.isDirectory && changedAtMs / 1000 >= second) young.push(path);
  }
  await forgetTimes(repo, indexFile, young);
}

const ENTRY = /([^\0]*)\0 {2}ctime: (\d+):\d+\n(?: {2}.*\n){4}/g;

/**
 * Does the same for all entries of an index that was copied within the second in which it was
 * written.
 */
export async function distrustYoungEntries(
  repo: Repository,
  indexFile: string,
  options: { readonly writtenAtMs: number; readonly startedAtMs: number },
): Promise<void> {
  const second = toYoungSecond(options.startedAtMs);
  if (options.writtenAtMs / 1000 < second) return;
  const output = await repo.git.text(["ls-files", "-z", "--debug"], { indexFile });
  const young = [...output.matchAll(ENTRY)].filter(([, , time]) => Number(time) >= second);
  // Files that a sparse checkout leaves out are not on the disk and keep their mark.
  const paths = young.map(([, path = ""]) => path);
  await distrustYoung(repo, indexFile, { paths, startedAtMs: options.startedAtMs });
}

async function forgetTimes(
  repo: Repository,
  indexFile: string,
  paths: readonly TreePath[],
): Promise<void> {
  if (paths.length === 0) return;
  const wanted = new Set(paths);
  const entries = splitNul(await repo.git.bytes(["ls-files", "-z", "--stage"], { indexFile }))
    .filter((entry) => wanted.has(entry.slice(entry.indexOf("\t") + 1)));
  if (entries.length === 0) return;
  // An entry that is given by its object id gets no times.
  const args = ["update-index", "-z", "--index-info"];
  await repo.git.bytes(args, { indexFile, stdin: toNulInput(entries) });
}
