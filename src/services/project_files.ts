/** Lists the files of the project, by git or from the disk. A part of the composition root. */
import { relative } from "node:path";
import type { WalkCut } from "../backends/walk.ts";
import { walkFiles } from "../backends/walk.ts";
import { toFolder } from "../base/repo_path.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { OpenRepo } from "../git/repository_opener.ts";
import { readProjectFiles } from "../git/repository.ts";

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
  const folders = [...Map.groupBy(files, toFolder).values()];
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
    maxMs: LIMITS.walkMs.value,
    onCut: (found) => cut = found,
  });
  onListed({ cut, repositories: [] });
  return files;
}
