/** Lists files of the worktree as git knows them: of the project, ignored, uncommitted, or in the way of a write. */
import type { TreePath } from "../../base/paths.ts";
import { Git, limitTo, splitNul } from "../git.ts";
import type { Repository } from "../repository.ts";
import { join } from "node:path";

/** Those of the paths that git shows as changed or as new; what it ignores is left out. One start of git. */
export async function listUncommitted(
  repo: Repository,
  paths: readonly TreePath[],
): Promise<readonly string[]> {
  const limit = limitTo(paths);
  const kinds = ["--modified", "--others", "--exclude-standard"];
  const args = ["--literal-pathspecs", "ls-files", "-z", ...kinds, "--", ...limit.args];
  return [...new Set(splitNul(await repo.git.bytes(args)).filter((path) => limit.covers(path)))];
}

/** What git ignores in a worktree, relative to it; folders with a final slash. One start of git. */
export async function listIgnored(worktree: string): Promise<string[]> {
  return splitNul(
    await new Git(worktree).bytes([
      "ls-files",
      "-z",
      "--others",
      "--ignored",
      "--exclude-standard",
      "--directory",
    ]),
  );
}

/** The ignored folders of a worktree, relative to it, without a final slash; one start of git. */
export async function listIgnoredFolders(worktree: string): Promise<string[]> {
  return keepFolders(await listIgnored(worktree));
}

/** The folders among what {@link listIgnored} gave, without a final slash. */
export function keepFolders(ignored: readonly string[]): string[] {
  return ignored.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1));
}

/**
 * Tells which of the new paths would meet an untracked file: at the path, at one of its parents, or
 * inside a folder there. Git itself overwrites an ignored file when a tree has a file of that name.
 */
export async function findBlockingUntracked(
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
      for (const folder of listParents(file)) {
        const path = folders.get(folder);
        if (path !== undefined) hits.add(path);
      }
    }
  }
  return [...hits];
}

/** Ignored files that writing these paths would overwrite or remove; no snapshot has them. */
export async function listBlockingIgnored(
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
function listParents(path: TreePath): readonly string[] {
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

/** Which files {@link listProjectFiles} lists. */
export interface ListProjectFilesOptions {
  /** Only files below this folder, relative to the worktree; default all. */
  readonly under?: string;
  /** Ends the listing when the caller is cancelled. */
  readonly signal?: AbortSignal;
  /** True to list folders of submodules and nested repositories too, as one path each that ends with a slash; default false. */
  readonly hasRepositories?: boolean;
}

/**
 * Lists the files that exist and are not ignored, tracked or not, sorted, without those in
 * submodules and nested repositories; one start of git.
 */
export async function listProjectFiles(
  repo: Repository,
  options: ListProjectFilesOptions = {},
): Promise<string[]> {
  const { tracked, untracked } = await readProjectFiles(repo, options);
  return [...tracked, ...untracked].sort();
}

/** The same files by whether git tracks them, each list sorted. */
export async function readProjectFiles(
  repo: Repository,
  options: ListProjectFilesOptions = {},
): Promise<{ readonly tracked: string[]; readonly untracked: string[] }> {
  const { under: folder = "." } = options;
  const under = folder === "" || folder === "." ? [] : [folder];
  const output = await repo.git.bytes(
    [
      "--literal-pathspecs",
      "ls-files",
      "-z",
      "-t",
      "--stage",
      "--cached",
      "--others",
      "--deleted",
      "--exclude-standard",
      "--",
      ...under,
    ],
    options.signal === undefined ? {} : { signal: options.signal },
  );
  const found = new Set<string>();
  const untracked: string[] = [];
  const gone: string[] = [];
  for (const field of splitNul(output)) {
    const tag = field[0];
    const { path, isRepository } = parseListedPath(field);
    if (tag === "S" || (isRepository && options.hasRepositories !== true)) continue;
    const listed = isRepository ? `${path}/` : path;
    if (tag === "R") gone.push(listed);
    else if (tag === "?") untracked.push(listed);
    else found.add(listed);
  }
  for (const path of gone) found.delete(path);
  return { tracked: [...found].sort(), untracked: untracked.sort() };
}

/** Reads `H 100644 <oid> 0<TAB>path` or `? path`; a nested repository ends with a slash. */
function parseListedPath(field: string): { readonly path: string; readonly isRepository: boolean } {
  if (field.startsWith("? ")) {
    const isRepository = field.endsWith("/");
    return { path: field.slice(2, isRepository ? -1 : undefined), isRepository };
  }
  const tab = field.indexOf("\t");
  return { path: field.slice(tab + 1), isRepository: field.slice(2).startsWith("160000 ") };
}
