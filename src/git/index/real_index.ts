/** Updates the user's index to a new HEAD, only for the files that were committed. */
import type { TreePath } from "../../base/paths.ts";
import { diffTrees } from "../trees/changes.ts";
import { joinNul, makeGitError, splitNul } from "../git.ts";
import { expectUnlocked } from "../locks.ts";
import type { Repository } from "../repository.ts";
import { readHead } from "../repository.ts";
import { keepTree } from "../snapshots/snapshots.ts";

/** From which commit to which the index is updated. */
export interface SyncIndexOptions {
  /** HEAD before the commit. */
  readonly from: string;
  /** HEAD now. */
  readonly to: string;
  /** Session under whose refs replaced entries are kept. */
  readonly sessionId: string;
}

/** What was changed in the user's index. */
export interface SyncIndexResult {
  /** Committed paths for which the user had staged another version, which `keptAs` holds. */
  readonly replaced: readonly string[];
  /** Ref of the staged state before; null when nothing staged was replaced. */
  readonly keptAs: string | null;
}

/** Another git may take the lock between the look and the write. */
const LOCK_ATTEMPTS = 3;

/**
 * Sets the index entries of the files between two commits; all other entries stay.
 *
 * @throws {CodeIntelError} `git_locked` where another git holds the index, `git_failed`: then nothing was set, and
 * `git status` would show the commit reversed as staged.
 */
export async function syncRealIndex(
  repo: Repository,
  options: SyncIndexOptions,
): Promise<SyncIndexResult> {
  const changes = await diffTrees(repo, options.from, options.to, { withoutRenames: true });
  const paths = changes.map(({ path }) => path);
  if (paths.length === 0) return { replaced: [], keptAs: null };
  const staged = await listStaged(repo, options.from);
  const touched = paths.filter((path) => staged.has(path));
  // A version that was staged as it was committed need not be kept.
  const done = touched.length === 0 ? staged : await listStaged(repo, options.to);
  const replaced = touched.filter((path) => done.has(path));
  const keptAs = replaced.length === 0 ? null : await keepStaged(repo, options.sessionId);
  const args = ["reset", "-q", "--pathspec-from-file=-", "--pathspec-file-nul", options.to];
  for (let attempt = 1;; attempt++) {
    await expectUnlocked(repo);
    const stdin = joinNul(paths);
    const result = await repo.git.run(["--literal-pathspecs", ...args], { stdin });
    if (result.code === 0) return { replaced, keptAs };
    if (!/index\.lock/.test(result.stderr) || attempt === LOCK_ATTEMPTS) {
      throw makeGitError(args, result);
    }
  }
}

/** Those of the files whose entry in the user's index differs from HEAD; none without a commit. */
export async function listStagedFiles(
  repo: Repository,
  paths: readonly TreePath[],
): Promise<readonly TreePath[]> {
  const { commit } = await readHead(repo);
  if (commit === null || paths.length === 0) return [];
  const staged = await listStaged(repo, commit);
  return paths.filter((path) => staged.has(path));
}

/** Paths whose index entry differs from a commit. */
async function listStaged(repo: Repository, commit: string): Promise<Set<string>> {
  const args = ["diff-index", "--cached", "--name-only", "-z", "--no-renames"];
  return new Set(splitNul(await repo.git.bytes([...args, commit, "--"])));
}

async function keepStaged(repo: Repository, sessionId: string): Promise<string | null> {
  // An index during a merge has no tree; its files are in the snapshots anyway.
  const tree = await repo.git.lineOrNull(["write-tree"]);
  if (tree === null) return null;
  const at = repo.clock.now();
  const name = `staged-${at.toISOString().replaceAll(/[-:.]/g, "")}`;
  return await keepTree(repo, { sessionId, name, tree, at });
}
