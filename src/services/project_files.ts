/** Lists the files of the project, by git or from the disk. A part of the composition root. */
import { relative } from "node:path";
import type { WalkCut } from "../backends/mod.ts";
import { walkFiles } from "../backends/mod.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { OpenRepo } from "../git/mod.ts";
import { listProjectFiles } from "../git/mod.ts";

/** Lists the files of the project, relative to it: by git where there is git. */
export type ListProject = (
  options?: { readonly signal?: AbortSignal },
) => Promise<readonly string[]>;

/** The lists of files for searching, and for the ledger without git; each call lists anew. */
export interface FileLists {
  readonly listFiles: ListProject;
  readonly listWithoutGit: (maxFiles: number) => Promise<string[]>;
}

/** Makes the lists of the project at `projectRoot`. */
export function createFileLists(projectRoot: string, openRepo: OpenRepo): FileLists {
  return {
    listFiles: createProjectLister(projectRoot, openRepo),
    listWithoutGit: (maxFiles) =>
      walkFiles(projectRoot, { includeLinks: true, enter: [".code-intel"], maxFiles }),
  };
}

/** How files are listed. */
export interface ListerOptions {
  /** True adds nested repositories. */
  readonly hasRepositories?: boolean;
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

/** Makes the list of the files that git knows, or without git of those in the folder, up to a bound. */
export function createProjectLister(
  projectRoot: string,
  openRepo: OpenRepo,
  { hasRepositories = false, onListed = () => {} }: ListerOptions = {},
): ListProject {
  return async (options = {}) => {
    const repo = await openRepo();
    if (repo === null) return await listPlainly(projectRoot, { ...options, onListed });
    const under = relative(repo.worktree, projectRoot).replaceAll("\\", "/");
    const listed = await listProjectFiles(repo, { under, hasRepositories, ...options });
    const paths = under === "" ? listed : listed.map((path) => path.slice(under.length + 1));
    const repositories = paths.filter((path) => path.endsWith("/")).map((path) =>
      path.slice(0, -1)
    );
    onListed({ cut: null, repositories });
    return paths;
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
