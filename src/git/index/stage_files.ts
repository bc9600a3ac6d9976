/**
 * Finds what differs between a private index and the disk, and stages it. Many new objects go into packs: as files of
 * their own 60,000 small ones take 240 MB of the disk, in packs 3 MB. Git writes a pack by itself only where it receives one.
 */
import { findVanished } from "../trees/unstored_files.ts";
import { joinNul, splitNul } from "../git.ts";
import { join } from "node:path";
import type { TreePath } from "../../base/paths.ts";
import type { Repository } from "../repository.ts";
import { isPartialClone } from "./own_store.ts";

/** From so many new files on they go into packs (guessed): a commit of fewer is common, and git writes a file for each. */
const MANY = 500;

/** Most files of one pack: git compares each with all that it has written to the same one. */
const PART = 10_000;

/** The paths in parts, each for one start of git, with the options under which it writes their contents. */
export function splitIntoBatches(paths: readonly TreePath[]): readonly StageBatch[] {
  // Contents above the threshold go into a pack as they are read.
  const options = paths.length < MANY ? [] : ["-c", "core.bigFileThreshold=1"];
  const parts: StageBatch[] = [];
  for (let at = 0; at < paths.length; at += PART) {
    parts.push({ paths: paths.slice(at, at + PART), options });
  }
  return parts;
}

/** Paths that one start of git stages. */
export interface StageBatch {
  readonly paths: readonly TreePath[];
  readonly options: readonly string[];
}

/**
 * Packs what a tree of many new files still has in files of their own: its folders, and texts whose line ends git
 * converts. Nothing is lost where it fails, so a failure is passed over. A partial clone would fetch for it.
 */
export async function packTree(repo: Repository, tree: string, newFiles: number): Promise<void> {
  if (newFiles < MANY || isPartialClone(repo)) return;
  const target = join(repo.commonDir, "objects", "pack", "pack");
  const args = ["--revs", "--incremental", "--non-empty", "--window=0", "-q", target];
  const packed = await repo.git.run(["pack-objects", ...args], { stdin: `${tree}\n` });
  if (packed.code === 0) await repo.git.run(["prune-packed", "-q"]);
}

/** How an index and the disk differ. */
export interface Changes {
  /** Files that are new, changed or removed. */
  readonly files: readonly string[];
  /** Those of `files` that are in the index. */
  readonly tracked: ReadonlySet<string>;
  /** Folders that are repositories of their own. */
  readonly folders: readonly string[];
  /** The other files of the index; empty where the scan was not asked for them. */
  readonly unchanged: ReadonlySet<string>;
}

/** Finds what differs between the index and the disk, with one start of git. */
export async function scanChanges(
  repo: Repository,
  indexFile: string,
  { signal, isWhole = false }: {
    readonly signal?: AbortSignal | undefined;
    /** True to list what is unchanged too; default false. */
    readonly isWhole?: boolean;
  } = {},
): Promise<Changes> {
  const kinds = ["--others", "--modified", "--deleted", ...(isWhole ? ["--cached"] : [])];
  const output = await repo.git.bytes(
    ["ls-files", "-z", "-t", ...kinds, "--exclude-standard"],
    { indexFile, ...(signal === undefined ? {} : { signal }) },
  );
  const files = new Set<string>();
  const tracked = new Set<string>();
  const unchanged = new Set<string>();
  const folders: string[] = [];
  for (const field of splitNul(output)) {
    const path = field.slice(2);
    if (/^[HSM]/.test(field)) {
      unchanged.add(path);
      continue;
    }
    if (path.endsWith("/")) {
      folders.push(path.slice(0, -1));
      continue;
    }
    files.add(path);
    if (!field.startsWith("?")) tracked.add(path);
  }
  return { files: [...files], tracked, folders, unchanged };
}

/**
 * Files of the index in whose place there is now a link or a folder. Git refuses to look at them;
 * staging what took their place removes them.
 */
export function findReplaced({ files, tracked }: Changes): ReadonlySet<string> {
  const replaced = new Set<string>();
  const all = new Set(files);
  for (const path of files) {
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
      const above = path.slice(0, at);
      if (all.has(above)) replaced.add(tracked.has(path) ? path : above);
    }
  }
  return replaced;
}

const UPDATE = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];

/** Brings paths of the index to the state of the disk; returns those that cannot be read. */
export async function stagePaths(
  repo: Repository,
  indexFile: string,
  { paths, tracked }: {
    readonly paths: readonly TreePath[];
    readonly tracked: ReadonlySet<string>;
  },
): Promise<string[]> {
  const unreadable: string[] = [];
  for (const part of splitIntoBatches(paths)) {
    unreadable.push(...await stageBatch(repo, indexFile, part, tracked));
  }
  return unreadable;
}

async function stageBatch(
  repo: Repository,
  indexFile: string,
  { paths, options }: StageBatch,
  tracked: ReadonlySet<string>,
): Promise<string[]> {
  const stdin = joinNul(paths);
  const result = await repo.git.run([...options, ...UPDATE], { indexFile, stdin });
  if (result.code === 0) return findIgnored(result.stderr, paths);
  // Git fails a whole batch for one path that it refuses, so paths that are no files any more are
  // removed first.
  const gone = await findVanished(repo, paths.filter((path) => tracked.has(path)));
  await dropTracked(repo, indexFile, [...gone]);
  const rest = paths.filter((path) => !gone.has(path));
  return rest.length === 0 ? [] : await stageReadable(repo, indexFile, { paths: rest, options });
}

/** Names that git never takes into an index (`.GIT/x`): it only prints that and succeeds. */
function findIgnored(said: string, paths: readonly TreePath[]): string[] {
  if (!said.includes("Ignoring path ")) return [];
  return paths.filter((path) => said.includes(`Ignoring path ${path}\n`));
}

/** Stages those of the paths that can be read; returns the others. */
async function stageReadable(
  repo: Repository,
  indexFile: string,
  { paths, options }: StageBatch,
): Promise<string[]> {
  const stdin = joinNul(paths);
  const result = await repo.git.run([...options, ...UPDATE], { indexFile, stdin });
  if (result.code === 0) return findIgnored(result.stderr, paths);
  // Where `update-index` would stop at a fault, `add` continues.
  const add = ["add", "--all", "--force", "--sparse", "--ignore-errors"];
  const source = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  await repo.git.run([...options, "--literal-pathspecs", ...add, ...source], { indexFile, stdin });
  const left = await scanChanges(repo, indexFile);
  const asked = new Set(paths);
  return left.files.filter((path) => asked.has(path));
}

/** Removes files from the index that grew over the limit after they were staged. */
export async function dropTracked(
  repo: Repository,
  indexFile: string,
  paths: readonly TreePath[],
): Promise<void> {
  if (paths.length === 0) return;
  const args = ["update-index", "-z", "--force-remove", "--stdin"];
  await repo.git.bytes(args, { indexFile, stdin: joinNul(paths) });
}
