/**
 * Finds what a tree cannot hold: very large untracked files, nested repositories, and paths that
 * git refuses to look at.
 */
import type { TreePath } from "../../base/paths.ts";
import { join } from "node:path";
import { Git, splitNul } from "../git.ts";
import type { LargeFile, NestedRepository } from "../index/index_notes.ts";
import { toSignature } from "../index/index_notes.ts";
import { limitTo } from "../path_limit.ts";
import type { Repository } from "../repository.ts";

const BYTES_PER_MB = 1024 * 1024;

/** The input of {@link scanLargeFiles}. */
export interface ScanLargeOptions {
  /** Files that would be staged. */
  readonly paths: readonly TreePath[];
  /** Those of `paths` that the private index knows already. */
  readonly tracked: ReadonlySet<string>;
  readonly maxFileMb: number;
  /** Hashes of an earlier scan; used again while the file's times and size are the same. */
  readonly known: readonly LargeFile[];
}

/** Untracked files that go into a tree. */
export interface AddedFiles {
  readonly files: number;
  readonly bytes: number;
}

/** Files above the limit that the person's own index does not track, and the sum of the others. */
export async function scanLargeFiles(
  repo: Repository,
  options: ScanLargeOptions,
): Promise<{ readonly large: LargeFile[]; readonly added: AddedFiles }> {
  const candidates = new Map<string, number>();
  let [files, bytes] = [0, 0];
  for (const path of options.paths) {
    const info = await Deno.lstat(join(repo.worktree, path)).catch(() => null);
    if (info === null || !info.isFile) continue;
    if (info.size > options.maxFileMb * BYTES_PER_MB) candidates.set(path, info.size);
    else if (!options.tracked.has(path)) [files, bytes] = [files + 1, bytes + info.size];
  }
  return { large: await hashLarge(repo, candidates, options.known), added: { files, bytes } };
}

async function hashLarge(
  repo: Repository,
  candidates: Map<string, number>,
  before: readonly LargeFile[],
): Promise<LargeFile[]> {
  if (candidates.size === 0) return [];
  const tracked = await repo.git.bytes(
    ["--literal-pathspecs", "ls-files", "-z", "--", ...limitTo([...candidates.keys()]).args],
  );
  for (const path of splitNul(tracked)) candidates.delete(path);
  const known = new Map(before.map((file) => [file.path, file]));
  const large: LargeFile[] = [];
  for (const [path, sizeBytes] of candidates) {
    const signature = await toSignature(join(repo.worktree, path));
    const earlier = known.get(path);
    const hash = earlier?.signature === signature ? earlier.hash : await hashFile(repo, path);
    large.push({ path, sizeBytes, hash, signature });
  }
  return large;
}

async function hashFile(repo: Repository, path: TreePath): Promise<string> {
  return await repo.git.line(["hash-object", "--no-filters", "--", path]);
}

/** The input of {@link scanNested}. */
export interface ScanNestedOptions {
  /** Folders that are new repositories, or ones without a commit. */
  readonly folders: readonly string[];
  /** Repositories that are in the private index as links already. */
  readonly carried: readonly NestedRepository[];
  /** Paths of the index that differ from the disk. */
  readonly changed: ReadonlySet<string>;
}

/** Nested repositories, and those that have to be staged as a link to their commit. */
export async function scanNested(
  repo: Repository,
  options: ScanNestedOptions,
): Promise<{ readonly nested: NestedRepository[]; readonly embedded: string[] }> {
  const { folders, carried, changed } = options;
  const nested = new Map(carried.map((entry) => [entry.path, entry]));
  const moved = carried.map(({ path }) => path).filter((path) => changed.has(path));
  for (const path of [...folders, ...moved]) {
    const git = new Git(join(repo.worktree, path));
    const commit = await git.lineOrNull(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
    nested.set(path, { path, commit });
  }
  const all = [...nested.values()].sort((one, other) => one.path < other.path ? -1 : 1);
  const embedded = folders.filter((path) => nested.get(path)?.commit);
  return { nested: all, embedded };
}

/** Paths that are no longer a file or link, or that lie behind a link, where git does not look. */
export async function findGone(
  repo: Repository,
  paths: readonly TreePath[],
): Promise<Set<string>> {
  const gone = new Set<string>();
  const lstat = (path: TreePath) => Deno.lstat(join(repo.worktree, path)).catch(() => null);
  for (const path of paths) {
    const info = await lstat(path);
    const isNested = info?.isDirectory === true && await lstat(`${path}/.git`) !== null;
    if (info === null || (info.isDirectory && !isNested)) gone.add(path);
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
      if ((await lstat(path.slice(0, at)))?.isSymlink === true) gone.add(path);
    }
  }
  return gone;
}
