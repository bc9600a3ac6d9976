/**
 * Finds untracked files, also ignored ones, that would be overwritten or removed by writing other
 * files.
 */
import type { TreePath } from "../../base/paths.ts";
import { join } from "node:path";
import { splitNul } from "../git.ts";
import { limitTo } from "../path_limit.ts";
import type { Repository } from "../repository.ts";

/**
 * Tells which of the new paths would meet an untracked file: at the path, at one of its parents, or
 * inside a folder there. Git itself overwrites an ignored file when a tree has a file of that name.
 */
export async function findUntrackedInTheWay(
  repo: Repository,
  newPaths: readonly TreePath[],
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
    const limit = limitTo([...suspects.keys()]);
    const args = ["--literal-pathspecs", "ls-files", "-z", "--", ...limit.args];
    const tracked = new Set(splitNul(await repo.git.bytes(args)));
    for (const [obstacle, path] of suspects) if (!tracked.has(obstacle)) hits.add(path);
  }
  if (folders.size > 0) {
    const limit = limitTo([...folders.keys()]);
    const args = ["--literal-pathspecs", "ls-files", "-z", "--others", "--", ...limit.args];
    for (const file of splitNul(await repo.git.bytes(args))) {
      for (const folder of toFolders(file)) {
        const path = folders.get(folder);
        if (path !== undefined) hits.add(path);
      }
    }
  }
  return [...hits];
}

/** Ignored files that writing these paths would overwrite or remove; no snapshot has them. */
export async function listIgnoredInTheWay(
  repo: Repository,
  paths: readonly TreePath[],
): Promise<string[]> {
  const obstacles = new Set<string>();
  for (const path of paths) {
    const found = await findObstacle(repo.worktree, path);
    if (found !== null) obstacles.add(found.path);
  }
  if (obstacles.size === 0) return [];
  const args = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard"];
  const limit = limitTo([...obstacles]);
  const listed = splitNul(
    await repo.git.bytes(["--literal-pathspecs", ...args, "--", ...limit.args]),
  );
  return listed.filter((file) => !file.endsWith("/") && limit.covers(file));
}

/** The folders above a path, the nearest first. */
function toFolders(path: TreePath): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, parts.length - at).join("/"));
}

interface Obstacle {
  readonly path: TreePath;
  readonly isFolder: boolean;
}

/**
 * The first thing on the way to a path that is no plain folder, or the folder at the path itself.
 */
async function findObstacle(worktree: string, path: TreePath): Promise<Obstacle | null> {
  const parts = path.split("/");
  for (let depth = 1; depth <= parts.length; depth++) {
    const part = parts.slice(0, depth).join("/");
    const info = await Deno.lstat(join(worktree, part)).catch(() => null);
    if (info === null) return null;
    if (!info.isDirectory) return { path: part, isFolder: false };
  }
  return { path, isFolder: true };
}
