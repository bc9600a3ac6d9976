/**
 * Makes a private index: a copy of the user's whose entries are not hidden and none missing. Git
 * compares file times in whole seconds. So the index gets no times of files that changed in the
 * second of a look, and git compares their content.
 */
import { formatKeptRef } from "../store_files.ts";
import type { TreePath } from "../../base/paths.ts";
import { join, parse } from "node:path";
import { invariant, makeIoError } from "../../base/errors.ts";
import { joinNul, splitNul } from "../git.ts";
import type { Repository } from "../repository.ts";
import { listTree } from "../trees/changes.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { readRegularFile } from "../../base/files/regular_file.ts";
import { makeSteeringError } from "../steering_files.ts";
import { findVanished } from "../trees/unstored_files.ts";
import { isSettingOn } from "../settings.ts";

/** The clock that stamps files may be one tick of the kernel (at most 10 ms) behind ours. */
const CLOCK_LAG_MS = 20;

/** First second of file times that counts as young for files hashed from `startedAtMs` on. */
function computeRacySecond(startedAtMs: number): number {
  return Math.floor((startedAtMs - CLOCK_LAG_MS) / 1000);
}

/**
 * Removes the times of young files from an index, so that git always compares their content.
 *
 * @param options.tree The tree that was written from the index.
 */
export async function clearRacyTimes(
  repo: Repository,
  indexFile: string,
  options: {
    readonly tree: string;
    readonly paths: readonly TreePath[];
    readonly startedAtMs: number;
  },
): Promise<void> {
  const young = await findRacy(repo, options.paths, options.startedAtMs);
  if (young.length === 0) return;
  const wanted = new Set(young);
  const entries = (await listTree(repo, options.tree, young))
    .filter(({ path }) => wanted.has(path))
    .map(({ path, mode, oid }) => `${mode} ${oid} 0\t${path}`);
  await forgetTimes(repo, indexFile, entries);
}

/** Files whose entry on the disk changed in a young second. */
async function findRacy(
  repo: Repository,
  paths: readonly TreePath[],
  startedAtMs: number,
): Promise<TreePath[]> {
  const second = computeRacySecond(startedAtMs);
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
  const isYoung = options.writtenAtMs / 1000 >= computeRacySecond(options.startedAtMs);
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
export async function clearRacyEntries(
  repo: Repository,
  indexFile: string,
  options: { readonly entries: readonly IndexEntry[]; readonly startedAtMs: number },
): Promise<void> {
  const second = computeRacySecond(options.startedAtMs);
  const suspects = options.entries.filter(({ changedAtS }) => (changedAtS ?? -1) >= second);
  // Files that a sparse checkout leaves out are not on the disk and keep their mark.
  const young = new Set(
    await findRacy(repo, suspects.map(({ path }) => path), options.startedAtMs),
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
  await repo.git.bytes(args, { indexFile, stdin: joinNul(entries) });
}

/**
 * Writes the bytes of the index to `target`; false where there is no index.
 *
 * @throws {CodeIntelError} `control_file_unusable` where the index cannot be read, `io_failed`, `disk_full`.
 */
export async function copyIndex(
  { gitDir }: Pick<Repository, "gitDir">,
  target: string,
): Promise<boolean> {
  const path = join(gitDir, "index");
  const maxBytes = LIMITS.gitFileBytes.value;
  const reading = readRegularFile(path, { within: parse(path).root, maxBytes });
  if (reading.kind === "absent") return false;
  if (reading.kind === "refused") throw makeSteeringError(path, reading.reason);
  await Deno.writeFile(target, reading.bytes).catch((cause) => {
    throw makeIoError(`write "${target}"`, cause);
  });
  return true;
}

/**
 * Clears `assume-unchanged`, and `skip-worktree` outside sparse patterns, so that files marked with
 * them are looked at like all others.
 */
export async function clearHidingBits(
  repo: Repository,
  indexFile: string,
  entries: readonly Pick<IndexEntry, "tag" | "path">[],
): Promise<void> {
  const marked = (pattern: RegExp) =>
    entries.filter(({ tag }) => pattern.test(tag)).map(({ path }) => path);
  await clearBit(repo, { indexFile, bit: "--no-assume-unchanged", paths: marked(/[a-z]/) });
  const skipped = marked(/s/i);
  if (skipped.length === 0) return;
  const sparse = await readSparsePaths(repo, indexFile);
  const paths: string[] = [];
  for (const path of skipped) {
    if (sparse === null || sparse.has(path) || await exists(join(repo.worktree, path))) {
      paths.push(path);
    }
  }
  await clearBit(repo, { indexFile, bit: "--no-skip-worktree", paths });
}

/** Tracked paths that the sparse patterns include; null where the checkout is not sparse. */
async function readSparsePaths(repo: Repository, indexFile: string): Promise<Set<string> | null> {
  if (!(await isSettingOn(repo, "core.sparseCheckout"))) return null;
  const patterns = join(repo.gitDir, "info", "sparse-checkout");
  // Sparse patterns are written like ignore files; what they "ignore" is what is checked out.
  const args = ["ls-files", "-z", "--cached", "--ignored", `--exclude-from=${patterns}`];
  const result = await repo.git.run(args, { indexFile });
  return result.code === 0 ? new Set(splitNul(result.stdout)) : new Set();
}

interface ClearOptions {
  readonly indexFile: string;
  readonly bit: string;
  readonly paths: readonly TreePath[];
}

async function clearBit(repo: Repository, options: ClearOptions): Promise<void> {
  if (options.paths.length === 0) return;
  const args = ["update-index", "-z", options.bit, "--stdin"];
  await repo.git.bytes(args, { indexFile: options.indexFile, stdin: joinNul(options.paths) });
}

/**
 * Adds files that the user's index tracks and the private one lacks: ignored files that were
 * force-added after the private index was made.
 *
 * @param known the files of the private index.
 * @returns the files that were added, as they are on the disk.
 */
export async function trackMissing(
  repo: Repository,
  indexFile: string,
  known: ReadonlySet<TreePath>,
): Promise<ReadonlySet<TreePath>> {
  const real = await repo.git.run(["ls-files", "-z"]);
  if (real.code !== 0) return new Set(); // The person's index is damaged; the private one still stands.
  const unknown = [...new Set(splitNul(real.stdout))].filter((path) => !known.has(path));
  // Paths that a link or a folder has replaced would make the whole batch fail.
  const gone = await findVanished(repo, unknown);
  const missing = unknown.filter((path) => !gone.has(path));
  if (missing.length === 0) return new Set();
  const added = await repo.git.run(["update-index", "-z", "--add", "--replace", "--stdin"], {
    indexFile,
    stdin: joinNul(missing),
  });
  return new Set(added.code === 0 ? missing : []);
}

async function exists(path: TreePath): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

/** Removes a private index, so that the next tree is made from the files alone. */
export async function forgetIndex(indexFile: string): Promise<void> {
  await Deno.remove(indexFile).catch(() => {});
  await Deno.remove(`${indexFile}.lock`).catch(() => {});
}

/** Makes the index of a session: a copy of the user's, else from the last known tree. */
export async function seedIndex(
  repo: Repository,
  indexFile: string,
  { attempt, sessionId }: { readonly attempt: string; readonly sessionId: string },
): Promise<void> {
  await forgetIndex(indexFile);
  const realIndex = join(repo.gitDir, "index");
  const info = attempt === "fresh" ? null : await Deno.stat(realIndex).catch(() => null);
  if (info !== null && await copyIndex(repo, indexFile)) {
    // Git compares file times with the time of the index: a copy that looks newer than the original
    // would hide a change made in the same second in which the original was written.
    const time = info.mtime ?? new Date(0);
    await Deno.utime(indexFile, time, time);
    const startedAtMs = Date.now();
    const times = { writtenAtMs: time.getTime(), startedAtMs };
    const entries = await listEntries(repo, indexFile, times);
    await clearRacyEntries(repo, indexFile, { entries, startedAtMs });
    await Deno.utime(indexFile, time, time);
    await clearHidingBits(repo, indexFile, entries);
    return;
  }
  // Without commits the tree of the ledger says which files were watched before a rule ignored them.
  const from = repo.isPrivate === true ? formatKeptRef(sessionId, "ledger") : "HEAD";
  const isThere = await repo.git.lineOrNull(["rev-parse", "--verify", "--quiet", from]) !== null;
  const args = isThere ? ["read-tree", from] : ["read-tree", "--empty"];
  await repo.git.bytes(args, { indexFile });
}
