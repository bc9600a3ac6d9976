/**
 * The rule that says which folder is the project of somebody who starts in a folder and names none: the package that was
 * set up in its repository, the top of the repository, the folder above that was set up, or the folder itself. Pure.
 */

/** Folders that belong to no single project. */
export type SharedFolder = "top" | "homes" | "home" | "temporary";

/** What is known of one folder. */
export interface FolderFacts {
  /** Absolute path without links. */
  readonly path: string;
  /** Null for an ordinary folder. */
  readonly shared: SharedFolder | null;
  /** Whether `init` or a session left files in its `.code-intel`; a folder of that name alone means nothing. */
  readonly isUsed: boolean;
  /** Whether `.code-intel` and these files belong to the account of this process. */
  readonly isOwn: boolean;
}

/** What the choice depends on. */
export interface RootFacts {
  /** The folder where the work starts. */
  readonly start: FolderFacts;
  /** The folders above it, the nearest first. */
  readonly above: readonly FolderFacts[];
  /** Path of the top of the git worktree that the start lies in; null where there is none. */
  readonly repository: string | null;
  /** Names of the first git repositories below the start. Asked for only where it matters. */
  readonly listRepositories: () => readonly string[];
}

/** The project, or why there is none. */
export type ProjectChoice =
  | { readonly kind: "project"; readonly root: string }
  | { readonly kind: "shared"; readonly path: string; readonly shared: SharedFolder }
  | { readonly kind: "several"; readonly path: string; readonly repositories: readonly string[] };

/**
 * Chooses the project.
 *
 * @example
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * const folder = (path: string, isUsed = false) => ({ path, isUsed, isOwn: true, shared: null });
 * const listRepositories = () => [];
 * const above = [folder("/w/app"), folder("/w", true)];
 * deepEqual(
 *   chooseProject({ start: folder("/w/app/src"), above, repository: "/w/app", listRepositories }),
 *   { kind: "project", root: "/w/app" },
 * );
 */
export function chooseProject(facts: RootFacts): ProjectChoice {
  return facts.repository === null ? chooseWithoutGit(facts) : chooseInRepository(facts);
}

function chooseInRepository({ start, above, repository }: RootFacts): ProjectChoice {
  const all = [start, ...above];
  const end = all.findIndex(({ path }) => path === repository);
  const top = all[end] ?? start;
  const chosen = all.slice(0, Math.max(end, 0)).find(({ isUsed }) => isUsed) ?? top;
  // A home folder may be kept by git. A repository in `/` or `/tmp` was hardly meant for all that lies below it.
  const { path, shared, isUsed } = chosen;
  const isMeant = shared === null || shared === "home" || isUsed;
  return isMeant ? { kind: "project", root: path } : { kind: "shared", path, shared };
}

function chooseWithoutGit({ start, above, listRepositories }: RootFacts): ProjectChoice {
  const { path, shared, isUsed, isOwn } = start;
  // Only a home folder may be one on purpose.
  const isMeant = shared === null || shared === "home" && isOwn;
  if (isUsed && isMeant) return { kind: "project", root: path };
  if (shared !== null) return { kind: "shared", path, shared };
  // Whatever lies in a shared folder says nothing of the folders below it.
  const end = above.findIndex((folder) => folder.shared !== null);
  const near = end < 0 ? above : above.slice(0, end);
  const found = near.find((folder) => folder.isUsed && folder.isOwn);
  if (found !== undefined) return { kind: "project", root: found.path };
  const repositories = listRepositories();
  return repositories.length > 1
    ? { kind: "several", path, repositories }
    : { kind: "project", root: path };
}
