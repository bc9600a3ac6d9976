/**
 * Finds which sessions are unfinished anywhere in a repository. All its worktrees and projects
 * share the snapshots, while each of them knows only its own sessions.
 */
import { join } from "node:path";
import type { Repository } from "../git/repository.ts";
import { listWorktrees } from "../git/repository.ts";
import { listIgnoredFolders } from "../git/trees/file_lists.ts";

/** Matches `.code-intel`, or its `sessions` folder, which its own ignore file names. */
const SESSIONS_FOLDER = /(?:^|\/)\.code-intel(?:\/sessions)?$/;

/**
 * Those of the ids that have a checkpoint in some project of some worktree; archived sessions do
 * not count.
 */
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

/** Absolute paths of the session folders of all projects in all worktrees; some need not exist. */
export async function listSessionFolders(repo: Repository): Promise<readonly string[]> {
  const folders: string[] = [];
  for (const worktree of await listWorktrees(repo)) folders.push(...await listIn(worktree));
  return folders;
}

async function listIn(worktree: string): Promise<readonly string[]> {
  // A worktree whose folder is gone has no sessions.
  const exists = await Deno.stat(worktree).then(({ isDirectory }) => isDirectory, () => false);
  if (!exists) return [];
  const ignored = (await listIgnoredFolders(worktree)).filter((path) => SESSIONS_FOLDER.test(path));
  const folders = [".code-intel", ...ignored].map((path) => {
    const folder = join(worktree, path);
    return path.endsWith("/sessions") ? folder : join(folder, "sessions");
  });
  // A project's folder and its sessions may both be ignored.
  return [...new Set(folders)];
}
