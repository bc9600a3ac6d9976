/** Finds untracked files, ignored ones included, that writing other files would overwrite or remove. */
import { join } from "node:path";
import { splitNul } from "./git.ts";
import type { Repository } from "./repository.ts";

/**
 * git itself gives up ignored files when a tree has a file of their name. Answers which of the new
 * paths would meet an untracked file: at the path, at one of its parents, or inside a folder there.
 */
export async function findUntrackedInTheWay(
  repo: Repository,
  newPaths: readonly string[],
): Promise<string[]> {
  const suspects = new Map<string, string>();
  const folders = new Map<string, string>();
  for (const path of newPaths) {
    const found = await findObstacle(repo.worktree, path);
    if (found === null) continue;
    (found.isFolder ? folders : suspects).set(found.path, path);
  }
  const hits = new Set<string>();
  if (suspects.size > 0) {
    const args = ["--literal-pathspecs", "ls-files", "-z", "--", ...suspects.keys()];
    const tracked = new Set(splitNul(await repo.git.bytes(args)));
    for (const [obstacle, path] of suspects) if (!tracked.has(obstacle)) hits.add(path);
  }
  if (folders.size > 0) {
    const args = ["--literal-pathspecs", "ls-files", "-z", "--others", "--", ...folders.keys()];
    for (const file of splitNul(await repo.git.bytes(args))) {
      for (const [folder, path] of folders) if (file.startsWith(`${folder}/`)) hits.add(path);
    }
  }
  return [...hits];
}

interface Obstacle {
  readonly path: string;
  readonly isFolder: boolean;
}

/** The first thing on the way down to a path that is no plain folder, or a folder at its end. */
async function findObstacle(worktree: string, path: string): Promise<Obstacle | null> {
  const parts = path.split("/");
  for (let depth = 1; depth <= parts.length; depth++) {
    const part = parts.slice(0, depth).join("/");
    const info = await Deno.lstat(join(worktree, part)).catch(() => null);
    if (info === null) return null;
    if (!info.isDirectory) return { path: part, isFolder: false };
  }
  return { path, isFolder: true };
}
