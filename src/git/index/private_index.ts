/**
 * The private index of a session: makes a git tree of the working tree without touching the
 * user's index, HEAD, stash or files. It is kept between calls, so that only changes are hashed.
 */
import { join } from "node:path";
import type { CodeIntelError } from "../../base/errors.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { withLock } from "../../base/processes/lock_file.ts";
import { checkOwnFile } from "../../base/files/own_folder.ts";
import type {
  AddedFiles,
  IndexNotes,
  LargeFile,
  NestedRepository,
} from "../trees/unstored_files.ts";
import {
  loadNotes,
  readFileSignature,
  saveNotes,
  scanLargeFiles,
  scanNested,
} from "../trees/unstored_files.ts";
import { isPartialClone, openOwnFolder } from "./own_store.ts";
import type { Changes } from "./stage_files.ts";
import { dropTracked, findReplaced, packTree, scanChanges, stagePaths } from "./stage_files.ts";
import { checkWatched } from "../private_repository.ts";
import type { Repository } from "../repository.ts";
import { clearRacyTimes, seedIndex, trackMissing } from "./seed_index.ts";

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
  const realSignature = await readFileSignature(realIndex);
  const startedAtMs = Date.now();
  const noted = options.attempt === "keep" ? await loadNotes(indexFile) : null;
  // An index that somebody else wrote may hide files, so it is made again.
  const isOurs = noted !== null && noted.indexSignature === await readFileSignature(indexFile);
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
  const isSame = before !== null && before.indexSignature === await readFileSignature(indexFile);
  const tree = isSame ? before.tree : await writeTree(repo, indexFile);
  await packTree(repo, tree, stage.length);
  await clearRacyTimes(repo, indexFile, { tree, paths: stage, startedAtMs });
  const notes: IndexNotes = {
    tree,
    indexSignature: await readFileSignature(indexFile),
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

/** Finds what differs, after files that only the user's index has were added: these are no changes then. */
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
 * Nested repositories of the last time that still are repositories. Where `.git` is gone, git would
 * still take the folder for a repository and not look inside. So the index has to forget it.
 */
async function dropDissolved(
  repo: Repository,
  indexFile: string,
  nested: readonly NestedRepository[],
): Promise<NestedRepository[]> {
  const linked = nested.filter(({ commit }) => commit !== null);
  const present = await Promise.all(
    linked.map(({ path }) => readFileSignature(join(repo.worktree, path, ".git"))),
  );
  const isPresent = (_: NestedRepository, at: number) => present[at] !== "absent";
  const dissolved = linked.filter((entry, at) => !isPresent(entry, at));
  await dropTracked(repo, indexFile, dissolved.map(({ path }) => path));
  return linked.filter(isPresent);
}
