/**
 * Looks for the lock files of other git processes before anything is written in the git folder. The program commits and
 * merges through indexes of its own, so it would pass where git itself stops, and leave the person's index behind.
 */
import { join, relative } from "node:path";
import { CodeIntelError } from "../base/errors.ts";
import { SAME_CALL, say } from "../base/text/words.ts";
import { expectNoOperation } from "./operation.ts";
import type { Repository } from "./repository.ts";

/** What is about to be written, beside HEAD and the index. */
export interface LockedParts {
  /** Branches that move, appear or go. */
  readonly branches?: readonly string[];
  /** True where a branch is deleted, for which git also locks the packed refs. */
  readonly isDeleting?: boolean;
}

/** A lock is waited for until it is so old: most are held for some milliseconds (git's own patience is one second). */
const PATIENCE_MS = 3_000;
const PAUSE_MS = 50;

/**
 * Waits for a young lock to go, and refuses beside one that stays, or in the middle of a rebase, a merge and the like.
 *
 * @throws {CodeIntelError} `git_locked`, `git_under_way`
 */
export async function expectUnlocked(repo: Repository, parts: LockedParts = {}): Promise<void> {
  await expectNoOperation(repo);
  const paths = toLockPaths(repo, parts);
  const endMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const lock = await findLock(paths);
    if (lock === null) return;
    if (performance.now() >= endMs || lock.ageMs > PATIENCE_MS) {
      throw toLockedError(repo, lock.path);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Where git locks HEAD, the index and branches, whichever way the repository stores its refs. */
function toLockPaths(
  { gitDir, commonDir }: Repository,
  { branches = [], isDeleting = false }: LockedParts,
): readonly string[] {
  return [
    join(gitDir, "index.lock"),
    join(gitDir, "HEAD.lock"),
    ...branches.map((branch) => join(commonDir, "refs/heads", `${branch}.lock`)),
    ...(isDeleting ? [join(commonDir, "packed-refs.lock")] : []),
    ...[gitDir, commonDir].map((folder) => join(folder, "reftable/tables.list.lock")),
  ];
}

async function findLock(
  paths: readonly string[],
): Promise<{ readonly path: string; readonly ageMs: number } | null> {
  for (const path of paths) {
    const info = await Deno.lstat(path).catch(() => null);
    if (info !== null) return { path, ageMs: Date.now() - (info.mtime?.getTime() ?? 0) };
  }
  return null;
}

/** The refusal beside a lock that stays, with what to do about it. */
function toLockedError({ worktree }: Repository, path: string): CodeIntelError {
  const inside = relative(worktree, path);
  const shown = inside.startsWith("..") ? path : inside;
  return new CodeIntelError("git_locked", `Another git holds the lock "${shown}"`, {
    hint:
      say`Wait until that git is done (a commit that waits for its message, a git of the editor). Where none runs, a killed git left the file: ask the person to remove "${shown}". Then ${SAME_CALL} again.`,
    details: { lock: path },
  });
}

/** Adds what is done already to the failure of the rest, so that nobody takes it for undone. */
export function withMade(made: string, failure: unknown): unknown {
  if (!(failure instanceof CodeIntelError) || failure.details.made !== undefined) return failure;
  const { code, message, hint, details } = failure;
  const more = { ...details, made };
  return new CodeIntelError(code, `${made}. ${message}`, { hint, details: more, cause: failure });
}
