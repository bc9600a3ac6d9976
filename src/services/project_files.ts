/** Lists the files of the project, by git or from the disk, and says where its index lies. A part of the composition root. */
import { readProjectFiles } from "../git/trees/file_lists.ts";
import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import { hasSettings } from "../place/project_root.ts";
import type { WalkCut } from "../backends/regular_files.ts";
import { walkFiles } from "../backends/regular_files.ts";
import { folderOf } from "../base/repo_path.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { OpenRepo } from "../git/private_repository.ts";

/** The index folder that all worktrees of a repository share; without git that of the project alone. */
export function toIndexDir(
  repo: { readonly commonDir: string } | null,
  { plainIndexDir }: { readonly plainIndexDir: string },
): string {
  return repo === null ? plainIndexDir : join(repo.commonDir, "code-intel");
}

/**
 * The index folder of a project without git: its own folder where the project was set up. Else it
 * lies in the user's state folder, because a question leaves nothing in a folder that nobody set
 * up.
 */
export function toPlainIndexDir(stateDir: string | null, projectRoot: string): string {
  const own = join(projectRoot, ".code-intel");
  return hasSettings(own) ? own : toProjectIndexDir(stateDir, projectRoot) ?? own;
}

/**
 * The index folder within the user's state folder, also for a project that cannot be written to; null without a state
 * folder.
 */
export function toProjectIndexDir(stateDir: string | null, projectRoot: string): string | null {
  const name = createHash("sha256").update(projectRoot).digest("hex").slice(0, 16);
  return stateDir === null ? null : join(stateDir, "index", name);
}

/** Lists the files of the project, relative to it: by git where there is git. */
export type ListProject = (
  options?: { readonly signal?: AbortSignal },
) => Promise<readonly string[]>;

/** How files are listed. */
export interface ListerOptions {
  /** True adds nested repositories. */
  readonly hasRepositories?: boolean;
  /** Most untracked files of a repository, default all. */
  readonly maxUntracked?: number;
  /** Called after each list. */
  readonly onListed?: (missing: Missing) => void;
}

/** What a list of the project's files does not hold. */
export interface Missing {
  /** What a bound left out; null for nothing. */
  readonly cut: WalkCut | null;
  /** Folders of repositories inside the project, submodules among them; known where they are listed. */
  readonly repositories: readonly string[];
}

/**
 * Makes the list of the files that git knows, tracked ones first, or without git of those in the folder, up to a bound.
 */
export function createProjectLister(
  projectRoot: string,
  openRepo: OpenRepo,
  { hasRepositories = false, maxUntracked = Infinity, onListed = () => {} }: ListerOptions = {},
): ListProject {
  return async (options = {}) => {
    const repo = await openRepo();
    if (repo === null) return await listPlainly(projectRoot, { ...options, onListed });
    const under = relative(repo.worktree, projectRoot).replaceAll("\\", "/");
    const found = await readProjectFiles(repo, { under, hasRepositories, ...options });
    const untracked = pickUntracked(found.untracked, maxUntracked);
    const listed = [...found.tracked, ...untracked.picked];
    const paths = under === "" ? listed : listed.map((path) => path.slice(under.length + 1));
    const repositories = paths.filter((path) => path.endsWith("/")).map((path) =>
      path.slice(0, -1)
    );
    onListed({ cut: untracked.cut, repositories });
    return paths;
  };
}

/**
 * Those in folders of few files come first: a folder of many that nobody tracks has data, and the file that somebody has
 * just written lies beside few others.
 */
function pickUntracked(
  paths: readonly string[],
  maxFiles: number,
): { readonly picked: readonly string[]; readonly cut: WalkCut | null } {
  if (paths.length <= maxFiles) return { picked: paths, cut: null };
  const files = paths.filter((path) => !path.endsWith("/"));
  const repositories = paths.filter((path) => path.endsWith("/"));
  const folders = [...Map.groupBy(files, folderOf).values()];
  const picked = folders.sort((one, other) => one.length - other.length).flat().slice(0, maxFiles);
  const cut = { files: picked.length, untracked: files.length, isLate: false };
  return {
    picked: [...picked.sort(), ...repositories],
    cut: picked.length < files.length ? cut : null,
  };
}

async function listPlainly(
  projectRoot: string,
  { onListed, ...options }:
    & Required<Pick<ListerOptions, "onListed">>
    & { readonly signal?: AbortSignal },
): Promise<readonly string[]> {
  let cut: WalkCut | null = null;
  const files = await walkFiles(projectRoot, {
    ...options,
    maxFiles: LIMITS.plainFiles.value,
    maxMs: LIMITS.answerPartMs.value,
    onCut: (found) => cut = found,
  });
  onListed({ cut, repositories: [] });
  return files;
}
