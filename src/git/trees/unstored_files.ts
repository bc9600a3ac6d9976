/**
 * What a tree cannot hold: very large untracked files, nested repositories, and paths that git refuses to look at. Notes
 * beside a private index remember it, so that an unchanged tree is looked at with one start of git.
 */
import type { TreePath } from "../../base/paths.ts";
import { readControlText } from "../../base/files/control_file.ts";
import { isOfSystem } from "../../base/operational.ts";
import { checkOwnFile } from "../../base/files/own_folder.ts";
import { join } from "node:path";
import { Git, limitTo, splitNul } from "../git.ts";
import type { Repository } from "../repository.ts";

/** An untracked file that is too large for a snapshot. */
export interface LargeFile {
  /** Path from the top of the worktree. */
  readonly path: TreePath;
  /** Size on disk when it was hashed. */
  readonly sizeBytes: number;
  /** Object id that git would give the file's raw bytes. */
  readonly hash: string;
  /** Stat data of the file when it was hashed. */
  readonly signature: string;
}

/** A repository inside the worktree that is no submodule. */
export interface NestedRepository {
  /** Path from the top of the worktree. */
  readonly path: TreePath;
  /** Commit of its HEAD; null when it has none yet and so cannot be part of a tree. */
  readonly commit: string | null;
}

/** The notes; all of them can be computed again. */
export interface IndexNotes {
  /** Tree of the private index that `indexSignature` describes. */
  readonly tree: string;
  readonly indexSignature: string;
  readonly realSignature: string;
  readonly large: readonly LargeFile[];
  readonly nested: readonly NestedRepository[];
  /** Files that could not be read; absent in notes of older versions. */
  readonly unreadable?: readonly string[];
  /** Number of the last known snapshot; 0 when none is known. */
  readonly snapshot: number;
}

/** Size, times and inode of a file as one text; `absent` when the file does not exist. */
export async function readFileSignature(path: string): Promise<string> {
  const info = await Deno.lstat(path).catch(() => null);
  if (info === null) return "absent";
  return `${info.size}:${info.mtime?.getTime()}:${info.ctime?.getTime()}:${info.ino}`;
}

/** Reads the notes of an index; null when there are none or the index itself is gone. */
export async function loadNotes(indexFile: string): Promise<IndexNotes | null> {
  try {
    const notes = JSON.parse(readControlText(buildNotesPath(indexFile), "git") ?? "") as IndexNotes;
    const isWhole = typeof notes.tree === "string" && Array.isArray(notes.large) &&
      Array.isArray(notes.nested) &&
      Number.isInteger(notes.snapshot);
    if (!isWhole || (await readFileSignature(indexFile)) === "absent") return null;
    return notes;
  } catch {
    return null;
  }
}

/**
 * Writes the notes of an index, without flushing them to the disk, since they can be computed
 * again. For the same reason a disk that takes none is no failure: whatever has to be written says so itself.
 */
export async function saveNotes(indexFile: string, notes: IndexNotes): Promise<void> {
  const path = buildNotesPath(indexFile);
  checkOwnFile(path);
  checkOwnFile(`${path}.tmp`);
  try {
    await Deno.writeTextFile(`${path}.tmp`, JSON.stringify(notes));
    await Deno.rename(`${path}.tmp`, path);
  } catch (failure) {
    await Deno.remove(`${path}.tmp`).catch(() => {});
    if (!isOfSystem(failure)) throw failure;
  }
}

function buildNotesPath(indexFile: string): string {
  return indexFile.replace(/\.index$/, ".json");
}

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

/** Files above the limit that the user's own index does not track, and the sum of the others. */
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
    const signature = await readFileSignature(join(repo.worktree, path));
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
export async function findVanished(
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
