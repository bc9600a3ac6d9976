/** Writes files of a tree back into the working tree; the user's index is not touched. */
import type { TreePath } from "../../base/paths.ts";
import { dirname, join } from "node:path";
import { makeIoError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { joinNul, limitTo, splitNul } from "../git.ts";
import type { Repository } from "../repository.ts";
import { isSettingOn } from "../settings.ts";
import { withScratchIndex } from "../index/scratch_index.ts";
import { keepTree } from "./snapshots.ts";
import { listBlockingIgnored } from "../trees/file_lists.ts";

const BYTES_PER_MB = 1024 * 1024;

/** What to restore. */
export interface RestoreOptions {
  /** Tree or commit that has the wanted versions. */
  readonly tree: string;
  /** Files or folders, relative to the worktree. */
  readonly paths: readonly TreePath[] | "all";
  /** Whether to delete files that the tree lacks. */
  readonly exact: boolean;
  /** Size limit of the snapshots, default `LIMITS.snapshotFileMb`; no snapshot has larger files. */
  readonly maxFileMb?: number;
}

/** What {@link restorePaths} did. */
export interface RestoreResult {
  /** Files that differed and were written. */
  readonly written: readonly string[];
  /** Files that the tree lacks and that were deleted. */
  readonly removed: readonly string[];
  /**
   * Ref that holds ignored and large files that were overwritten or deleted; null when there were
   * none.
   */
  readonly keptAs: string | null;
}

/**
 * Restores files with modes and symlinks; files that are right already are not written. The same
 * call can be repeated after a kill. The caller takes a snapshot first; ignored and large files,
 * which no snapshot has, are kept here.
 *
 * @throws {CodeIntelError} `git_failed`, `io_failed`, `disk_full`.
 */
export async function restorePaths(
  repo: Repository,
  options: RestoreOptions,
): Promise<RestoreResult> {
  const { paths } = options;
  if (paths !== "all" && paths.length === 0) return { written: [], removed: [], keptAs: null };
  return await withScratchIndex(repo, async (indexFile) => {
    await repo.git.bytes(["read-tree", options.tree], { indexFile });
    const maxBytes = (options.maxFileMb ?? LIMITS.snapshotFileMb.value) * BYTES_PER_MB;
    const named = new Set(paths === "all" ? [] : paths);
    const scanned = await scan(repo, indexFile);
    const written = await pickWanted(repo, scanned, paths);
    const listed = options.exact ? pickSurplus(scanned, paths) : [];
    const large = new Set(await listLarge(repo, [...listed, ...written], maxBytes));
    // A large file that was not named may be the user's, and no snapshot has it, so it stays.
    const surplus = listed.filter((path) => named.has(path) || !large.has(path));
    const touched = [...surplus, ...written];
    const ignored = await listBlockingIgnored(repo, touched);
    const keptAs = await keepFiles(repo, [
      ...ignored,
      ...touched.filter((path) => large.has(path)),
    ]);
    const removed: string[] = [];
    for (const path of surplus) if (await removeFile(repo, path)) removed.push(path);
    if (written.length > 0) {
      const args = ["checkout-index", "--force", "-z", "--stdin"];
      await repo.git.bytes(args, { indexFile, stdin: joinNul(written) });
    }
    return { written, removed, keptAs };
  });
}

type Paths = RestoreOptions["paths"];

/** How the disk differs from a tree. */
interface Scanned {
  /** Files of the tree. */
  readonly inTree: ReadonlySet<TreePath>;
  /** Commits of nested repositories in the tree. */
  readonly links: ReadonlySet<TreePath>;
  /** Files of the tree that are missing on the disk or differ there. */
  readonly changed: ReadonlySet<TreePath>;
  /** Files and nested repositories that the tree lacks, without ignored ones. */
  readonly others: readonly TreePath[];
}

/** Compares an index that holds the tree with the disk, with one start of git. */
async function scan(repo: Repository, indexFile: string): Promise<Scanned> {
  const wanted = ["--cached", "--modified", "--deleted", "--others", "--exclude-standard"];
  const output = await repo.git.bytes(["ls-files", "-z", "-t", "--stage", ...wanted], {
    indexFile,
  });
  const scanned = {
    inTree: new Set<TreePath>(),
    links: new Set<TreePath>(),
    changed: new Set<TreePath>(),
    others: [] as TreePath[],
  };
  for (const field of splitNul(output)) {
    const tag = field[0];
    if (tag === "?") {
      scanned.others.push(field.slice(2));
      continue;
    }
    const path = field.slice(field.indexOf("\t") + 1);
    if (tag === "C" || tag === "R") scanned.changed.add(path);
    else scanned.inTree.add(path);
    if (field.slice(2).startsWith("160000 ")) scanned.links.add(path);
  }
  return scanned;
}

/** Files of the tree that have to be written. */
async function pickWanted(
  repo: Repository,
  { links, changed }: Scanned,
  paths: Paths,
): Promise<TreePath[]> {
  const sparse = await readSparseLeftOut(repo);
  const isWanted = createPathFilter(paths);
  return [...changed].filter((path) =>
    isWanted(path) && !links.has(path) && (paths !== "all" || !sparse.has(path))
  );
}

/** Tracked files that a sparse checkout leaves out; a restore of everything leaves them out too. */
async function readSparseLeftOut(repo: Repository): Promise<Set<string>> {
  if (!(await isSettingOn(repo, "core.sparseCheckout"))) return new Set();
  const output = await repo.git.bytes(["ls-files", "-z", "-t"]);
  return new Set(
    splitNul(output).filter((field) => field.startsWith("S ")).map((field) => field.slice(2)),
  );
}

/** Files on the disk above a size. */
async function listLarge(
  repo: Repository,
  paths: readonly TreePath[],
  maxBytes: number,
): Promise<string[]> {
  const large: string[] = [];
  for (const path of paths) {
    const info = await Deno.lstat(join(repo.worktree, path)).catch(() => null);
    if (info !== null && info.isFile && info.size > maxBytes) large.push(path);
  }
  return large;
}

/** Keeps files that no snapshot has and that are about to be lost, by an index of their own. */
async function keepFiles(repo: Repository, paths: readonly TreePath[]): Promise<string | null> {
  if (paths.length === 0) return null;
  return await withScratchIndex(repo, async (indexFile) => {
    await repo.git.bytes(["read-tree", "--empty"], { indexFile });
    const args = ["update-index", "-z", "--add", "--stdin"];
    await repo.git.bytes(args, { indexFile, stdin: joinNul([...new Set(paths)]) });
    const tree = await repo.git.line(["write-tree"], { indexFile });
    const at = repo.clock.now();
    const name = at.toISOString().replaceAll(/[-:.]/g, "");
    return await keepTree(repo, { sessionId: "overwritten", name, tree, at });
  });
}

/**
 * Files of the working tree that the tree lacks, and that are not ignored or were named exactly.
 */
function pickSurplus({ others, inTree }: Scanned, paths: Paths): TreePath[] {
  const isWanted = createPathFilter(paths);
  const surplus = others.filter((path) => isWanted(path) && !path.endsWith("/"));
  // A path that was named exactly is deleted even when it is ignored now.
  const named = paths === "all" ? [] : paths.filter((path) => !inTree.has(path) && isInTrees(path));
  return [...new Set([...surplus, ...named])];
}

/** Whether a tree can hold a path; a restore touches no other path, whatever the caller named. */
function isInTrees(path: TreePath): boolean {
  return path.split("/").every((part) => part !== ".." && part.toLowerCase() !== ".git");
}

/** Deletes one file or symlink and the folders that become empty; never follows a symlink. */
async function removeFile(repo: Repository, path: TreePath): Promise<boolean> {
  const parts = path.split("/");
  for (let depth = 1; depth < parts.length; depth++) {
    const parent = join(repo.worktree, ...parts.slice(0, depth));
    const info = await Deno.lstat(parent).catch(() => null);
    if (info === null || !info.isDirectory) return false;
  }
  const file = join(repo.worktree, path);
  const info = await Deno.lstat(file).catch(() => null);
  if (info === null || info.isDirectory) return false;
  try {
    await Deno.remove(file);
  } catch (cause) {
    throw makeIoError(`remove "${path}"`, cause);
  }
  await removeEmptyFolders(repo.worktree, dirname(file));
  return true;
}

async function removeEmptyFolders(top: string, start: string): Promise<void> {
  let folder = start;
  while (folder.length > top.length) {
    try {
      await Deno.remove(folder); // Fails on a folder that is not empty, which ends the walk.
    } catch {
      return;
    }
    folder = dirname(folder);
  }
}

function createPathFilter(paths: Paths): (path: TreePath) => boolean {
  return paths === "all" ? () => true : limitTo(paths).covers;
}
