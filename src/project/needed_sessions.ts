/**
 * Which sessions are unfinished anywhere in a repository. Snapshots are shared by all its worktrees and
 * projects, while each of these knows only sessions of its own.
 */
import { join } from "node:path";
import type { Repository } from "../git/mod.ts";
import { listIgnoredFolders, listWorktrees } from "../git/mod.ts";

/** `.code-intel` as a whole, or the part of it that its own ignore file names. */
const SESSIONS_FOLDER = /(?:^|\/)\.code-intel(?:\/sessions)?$/;

/** Those of the ids whose checkpoint lies in some project of some worktree, archives left out. */
export async function findNeededSessions(
  repo: Repository,
  sessionIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const needed = new Set<string>();
  for (const folder of await listSessionFolders(repo)) {
    for (const id of sessionIds) {
      const found = await Deno.stat(join(folder, `${id}.json`)).catch(() => null);
      if (found !== null) needed.add(id);
    }
  }
  return needed;
}

/** The folders of sessions of all projects in all worktrees, absolute; some need not exist. */
export async function listSessionFolders(repo: Repository): Promise<readonly string[]> {
  const folders: string[] = [];
  for (const worktree of await listWorktrees(repo)) folders.push(...await listIn(worktree));
  return folders;
}

async function listIn(worktree: string): Promise<readonly string[]> {
  // A worktree whose folder is gone holds no sessions any more.
  const exists = await Deno.stat(worktree).then(({ isDirectory }) => isDirectory, () => false);
  if (!exists) return [];
  const ignored = (await listIgnoredFolders(worktree)).filter((path) => SESSIONS_FOLDER.test(path));
  return [...new Set([".code-intel", ...ignored])].map((path) => {
    const folder = join(worktree, path);
    return path.endsWith("/sessions") ? folder : join(folder, "sessions");
  });
}
