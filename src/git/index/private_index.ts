/**
 * The private index of a session: makes a git tree of the working tree without touching the
 * person's index, HEAD, stash or files. It is kept between calls, so that only changes are hashed.
 */
import type { TreePath } from "../../base/paths.ts";
import { join } from "node:path";
import type { CodeIntelError } from "../../base/errors.ts";
import { toIoError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { withLock } from "../../base/processes/lock_file.ts";
import { checkOwnFile, checkOwnFolder } from "../../base/files/own_folder.ts";
import { splitNul, toNulInput } from "../git.ts";
import type { AddedFiles } from "../trees/odd_files.ts";
import type { IndexNotes, LargeFile, NestedRepository } from "./index_notes.ts";
import { loadNotes, saveNotes, toSignature } from "./index_notes.ts";
import { isPartialClone } from "./loose_objects.ts";
import type { StagePart } from "./many_objects.ts";
import { packTree, toStageParts } from "./many_objects.ts";
import { findGone, scanLargeFiles, scanNested } from "../trees/odd_files.ts";
import { checkWatched } from "../private_repository.ts";
import type { Repository } from "../repository.ts";
import { toKeptRef } from "../ref_file.ts";
import { copyIndex } from "./copy_index.ts";
import { clearHidingBits, trackMissing } from "./seed_index.ts";
import { distrustYoung, distrustYoungEntries, listEntries } from "./young_files.ts";

/** Whose private index is used, and which files are too large for it. */
export interface WorktreeTreeOptions {
  /** Session whose private index is used. */
  readonly sessionId: string;
  /** Untracked files above this size are recorded by hash only, default `LIMITS.snapshotFileMb`. */
  readonly maxFileMb?: number;
  /** Ends the scan when the caller is cancelled. */
  readonly signal?: AbortSignal;
}

/** The working tree as a git tree, and what that tree cannot hold. */
export interface WorktreeTree {
  /** Object id of the tree. */
  readonly tree: string;
  /** Untracked files above the size limit, by hash. */
  readonly large: readonly LargeFile[];
  /** Repositories inside this one that are not submodules. */
  readonly nested: readonly NestedRepository[];
  /** Files that could not be read; the tree has their former version. */
  readonly unreadable: readonly string[];
  /** Untracked files that this call took in. */
  readonly added: AddedFiles;
}

/**
 * The program's folder inside the git folder of a worktree. If the git folder is gone it is not
 * made again, because it would be in the way of whoever restores it.
 *
 * @throws {CodeIntelError} `io_failed`, `disk_full`.
 */
export async function openOwnFolder(repo: Repository): Promise<string> {
  const folder = join(repo.gitDir, "code-intel");
  checkOwnFolder(folder);
  await Deno.mkdir(folder).catch((cause) => {
    if (!(cause instanceof Deno.errors.AlreadyExists)) throw toIoError(`make "${folder}"`, cause);
  });
  return folder;
}

/** Runs `action` while no other process uses the private index of the session. */
export async function withSessionIndex<T>(
  repo: Repository,
  sessionId: string,
  action: (indexFile: string) => Promise<T>,
): Promise<T> {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(sessionId)) {
    throw new Error(`Invariant broken: "${sessionId}" is no session id`);
  }
  const folder = await openOwnFolder(repo);
  const lock = join(folder, `${sessionId}.lock`);
  // Git would follow a link in the place of an index file and write to its target.
  for (const ending of ["index", "index.lock", "json", "json.tmp"]) {
    checkOwnFile(join(folder, `${sessionId}.${ending}`));
  }
  return await withLock(
    lock,
    { timeoutMs: LIMITS.gitTimeoutMs.value },
    () => action(join(folder, `${sessionId}.index`)),
  );
}

/**
 * Writes the working tree (tracked and untracked, not ignored) as a tree object. No ref keeps it.
 *
 * @throws {CodeIntelError} `git_failed` when even a new index cannot be built, `busy`.
 */
export async function writeWorktreeTree(
  repo: Repository,
  options: WorktreeTreeOptions,
): Promise<WorktreeTree> {
  return await withSessionIndex(
    repo,
    options.sessionId,
    async (indexFile) => await writeTreeWithIndex(repo, indexFile, options),
  );
}

/**
 * The ways to get the private index, the cheapest first; the last one trusts nothing that was there
 * before.
 */
const ATTEMPTS = ["keep", "copy", "fresh"] as const;

/** Like {@link writeWorktreeTree}, for a caller that holds the session's lock. */
export async function writeTreeWithIndex(
  repo: Repository,
  indexFile: string,
  options: WorktreeTreeOptions,
): Promise<WorktreeTree> {
  let failure: unknown;
  for (const attempt of ATTEMPTS) {
    try {
      return await tryWriteTree(repo, indexFile, { ...options, attempt });
    } catch (cause) {
      // A damaged index, or one copied during a merge, is made again.
      const code = (cause as Partial<CodeIntelError>).code;
      if (code !== "git_failed") throw cause;
      failure = cause;
    }
  }
  throw failure;
}

async function tryWriteTree(
  repo: Repository,
  indexFile: string,
  options: WorktreeTreeOptions & { readonly attempt: typeof ATTEMPTS[number] },
): Promise<WorktreeTree> {
  const realIndex = join(repo.gitDir, "index");
  const realSignature = await toSignature(realIndex);
  const startedAtMs = Date.now();
  const noted = options.attempt === "keep" ? await loadNotes(indexFile) : null;
  // An index that somebody else wrote may hide files, so it is made again.
  const isOurs = noted !== null && noted.indexSignature === await toSignature(indexFile);
  const old = isOurs ? noted : null;
  if (old === null) await seedIndex(repo, indexFile, options);
  const mayMiss = old !== null && old.realSignature !== realSignature;
  const carried = await dropDissolved(repo, indexFile, old?.nested ?? []);
  const changes = mayMiss
    ? await scanAndTrack(repo, indexFile, options.signal)
    : await scanChanges(repo, indexFile, { signal: options.signal });
  const { nested, embedded } = await scanNested(repo, {
    folders: changes.folders,
    carried,
    changed: changes.tracked,
  });
  if (repo.isPrivate === true) checkWatched(changes.files, 0);
  const { large, added } = await scanLargeFiles(repo, {
    paths: changes.files,
    tracked: changes.tracked,
    maxFileMb: options.maxFileMb ?? LIMITS.snapshotFileMb.value,
    known: old?.large ?? [],
  });
  if (repo.isPrivate === true) checkWatched(changes.files, added.bytes);
  const skipped = new Set(large.map((file) => file.path));
  const replaced = findReplaced(changes);
  const stage = [
    ...changes.files.filter((path) => !skipped.has(path) && !replaced.has(path)),
    ...embedded,
  ];
  const unreadable = await stagePaths(repo, indexFile, { paths: stage, tracked: changes.tracked });
  await dropTracked(repo, indexFile, [...skipped].filter((path) => changes.tracked.has(path)));

  const before = old !== null && stage.length === 0 ? old : null;
  const isSame = before !== null && before.indexSignature === await toSignature(indexFile);
  const tree = isSame ? before.tree : await writeTree(repo, indexFile);
  await packTree(repo, tree, stage.length);
  await distrustYoung(repo, indexFile, { tree, paths: stage, startedAtMs });
  const notes: IndexNotes = {
    tree,
    indexSignature: await toSignature(indexFile),
    realSignature,
    large,
    nested,
    unreadable,
    snapshot: old?.snapshot ?? 0,
  };
  if (!isSame || JSON.stringify(notes) !== JSON.stringify(old)) await saveNotes(indexFile, notes);
  return { tree, large, nested, unreadable, added };
}

/** Writes the tree of an index. */
async function writeTree(repo: Repository, indexFile: string): Promise<string> {
  // Without this option git notices that garbage collection took objects that the index needs, and
  // the index is made again. Git looks only into changed folders; in a partial clone it would
  // fetch.
  const args = ["write-tree", ...(isPartialClone(repo) ? ["--missing-ok"] : [])];
  return await repo.git.line(args, { indexFile });
}

/** Removes a private index, so that the next tree is made from the files alone. */
export async function forgetIndex(indexFile: string): Promise<void> {
  await Deno.remove(indexFile).catch(() => {});
  await Deno.remove(`${indexFile}.lock`).catch(() => {});
}

async function seedIndex(
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
    await distrustYoungEntries(repo, indexFile, { entries, startedAtMs });
    await Deno.utime(indexFile, time, time);
    await clearHidingBits(repo, indexFile, entries);
    return;
  }
  // Without commits the tree of the ledger says which files were watched before a rule ignored them.
  const from = repo.isPrivate === true ? toKeptRef(sessionId, "ledger") : "HEAD";
  const isThere = await repo.git.lineOrNull(["rev-parse", "--verify", "--quiet", from]) !== null;
  const args = isThere ? ["read-tree", from] : ["read-tree", "--empty"];
  await repo.git.bytes(args, { indexFile });
}

interface Changes {
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
async function scanChanges(
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

/** Finds what differs, after files that only the person's index has were added: these are no changes then. */
async function scanAndTrack(
  repo: Repository,
  indexFile: string,
  signal: AbortSignal | undefined,
): Promise<Changes> {
  const changes = await scanChanges(repo, indexFile, { signal, isWhole: true });
  const added = await trackMissing(repo, indexFile, changes.tracked.union(changes.unchanged));
  return added.size === 0
    ? changes
    : { ...changes, files: changes.files.filter((path) => !added.has(path)) };
}

/**
 * Files of the index in whose place there is now a link or a folder. Git refuses to look at them;
 * staging what took their place removes them.
 */
function findReplaced({ files, tracked }: Changes): ReadonlySet<string> {
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
async function stagePaths(
  repo: Repository,
  indexFile: string,
  { paths, tracked }: {
    readonly paths: readonly TreePath[];
    readonly tracked: ReadonlySet<string>;
  },
): Promise<string[]> {
  const unreadable: string[] = [];
  for (const part of toStageParts(paths)) {
    unreadable.push(...await stagePart(repo, indexFile, part, tracked));
  }
  return unreadable;
}

async function stagePart(
  repo: Repository,
  indexFile: string,
  { paths, options }: StagePart,
  tracked: ReadonlySet<string>,
): Promise<string[]> {
  const stdin = toNulInput(paths);
  const result = await repo.git.run([...options, ...UPDATE], { indexFile, stdin });
  if (result.code === 0) return findIgnored(result.stderr, paths);
  // Git fails a whole batch for one path that it refuses, so paths that are no files any more are
  // removed first.
  const gone = await findGone(repo, paths.filter((path) => tracked.has(path)));
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
  { paths, options }: StagePart,
): Promise<string[]> {
  const stdin = toNulInput(paths);
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

/**
 * Nested repositories of the last time that still are repositories. Where `.git` is gone, git would
 * still take the folder for a repository and not look inside, so the index has to forget it.
 */
async function dropDissolved(
  repo: Repository,
  indexFile: string,
  nested: readonly NestedRepository[],
): Promise<NestedRepository[]> {
  const linked = nested.filter(({ commit }) => commit !== null);
  const present = await Promise.all(
    linked.map(({ path }) => toSignature(join(repo.worktree, path, ".git"))),
  );
  const isPresent = (_: NestedRepository, at: number) => present[at] !== "absent";
  const dissolved = linked.filter((entry, at) => !isPresent(entry, at));
  await dropTracked(repo, indexFile, dissolved.map(({ path }) => path));
  return linked.filter(isPresent);
}

/** Removes files from the index that grew over the limit after they were staged. */
async function dropTracked(
  repo: Repository,
  indexFile: string,
  paths: readonly TreePath[],
): Promise<void> {
  if (paths.length === 0) return;
  const args = ["update-index", "-z", "--force-remove", "--stdin"];
  await repo.git.bytes(args, { indexFile, stdin: toNulInput(paths) });
}
