/** Brings the person's index to a new HEAD, for the files that were committed and no others. */
import { diffTrees } from "../trees/changes.ts";
import { splitNul, toNulInput } from "../git.ts";
import type { Repository } from "../repository.ts";
import { keepTree } from "../snapshots/snapshots.ts";

/** Which commit the index is brought to. */
export interface SyncIndexOptions {
  /** HEAD before the commit. */
  readonly from: string;
  /** HEAD now. */
  readonly to: string;
  /** Session under whose refs replaced entries are kept. */
  readonly sessionId: string;
}

/** What was done to the person's index. */
export interface SyncIndexResult {
  /** Committed paths that the person had staged otherwise: their version is in `keptAs`. */
  readonly replaced: readonly string[];
  /** Ref of the staged state before; null when nothing staged was replaced. */
  readonly keptAs: string | null;
  /** False when another git held the index; then `git status` shows the commit reversed as staged. */
  readonly isDone: boolean;
}

const LOCK_ATTEMPTS = 5;
const LOCK_PAUSE_MS = 60;

/** Sets the index entries of the files between two commits; all other entries stay. */
export async function syncRealIndex(
  repo: Repository,
  options: SyncIndexOptions,
): Promise<SyncIndexResult> {
  const changes = await diffTrees(repo, options.from, options.to, { withoutRenames: true });
  const paths = changes.map(({ path }) => path);
  if (paths.length === 0) return { replaced: [], keptAs: null, isDone: true };
  const [staged, done] = await Promise.all([
    listStaged(repo, options.from),
    listStaged(repo, options.to),
  ]);
  // What is staged as it was committed needs no keeping.
  const replaced = paths.filter((path) => staged.has(path) && done.has(path));
  const keptAs = replaced.length === 0 ? null : await keepStaged(repo, options.sessionId);
  const args = ["reset", "-q", "--pathspec-from-file=-", "--pathspec-file-nul", options.to];
  for (let attempt = 0; attempt < LOCK_ATTEMPTS; attempt++) {
    const stdin = toNulInput(paths);
    const result = await repo.git.run(["--literal-pathspecs", ...args], { stdin });
    if (result.code === 0) return { replaced, keptAs, isDone: true };
    if (!/index\.lock/.test(result.stderr)) break;
    await new Promise((resolve) => setTimeout(resolve, LOCK_PAUSE_MS * (attempt + 1)));
  }
  return { replaced, keptAs, isDone: false };
}

/** Paths whose index entry differs from a commit. */
async function listStaged(repo: Repository, commit: string): Promise<Set<string>> {
  const args = ["diff-index", "--cached", "--name-only", "-z", "--no-renames"];
  return new Set(splitNul(await repo.git.bytes([...args, commit, "--"])));
}

async function keepStaged(repo: Repository, sessionId: string): Promise<string | null> {
  // An index in the middle of a merge has no tree; its files are in the snapshots all the same.
  const tree = await repo.git.lineOrNull(["write-tree"]);
  if (tree === null) return null;
  const at = repo.clock.now();
  const name = `staged-${at.toISOString().replaceAll(/[-:.]/g, "")}`;
  return await keepTree(repo, { sessionId, name, tree, at });
}
