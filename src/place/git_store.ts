/**
 * Finds the folder in which git keeps a repository, where somebody starts in it: a bare repository, or the `.git` of a
 * worktree. No file in there is one of the project.
 */
import { basename, dirname, join, parse, relative } from "node:path";
import { LIMITS } from "../base/settings/limits.ts";
import { readRegularText } from "../base/files/regular_file.ts";
import { findGitFolder, findGitFolderAt, isThere, listFoldersUp } from "./git_folder.ts";
import { CodeIntelError } from "../base/errors.ts";
import { quoteShellWord } from "../base/text/plain_text.ts";
import { parseConfig } from "../base/text/git_config.ts";

/** More worktrees than anyone works in at once (guessed): each costs a hook a look at a folder. */
const MOST_WORKTREES = 50;

/**
 * The same folder in every other worktree of its repository, as absolute paths; empty without a repository. Whether the
 * folders exist is not checked.
 */
export function listWorktreeFolders(dir: string): readonly string[] {
  const own = findGitFolder(dir);
  if (own === null) return [];
  const { commonDir, worktree } = own;
  const main = basename(commonDir) === ".git" ? [dirname(commonDir)] : [];
  const all = [...main, ...listLinkedWorktrees(commonDir)].slice(0, MOST_WORKTREES);
  const inside = relative(worktree, dir);
  return all.filter((path) => path !== worktree).map((path) => join(path, inside));
}

/** Whether a folder is the top of another worktree of the repository that `dir` lies in. */
export function isSiblingWorktree(dir: string, other: string): boolean {
  const found = findGitFolderAt(other);
  return found !== null && found.commonDir === findGitFolder(dir)?.commonDir;
}

/** The worktrees beside the main one, there or not: git keeps for each the path of its `.git`. */
export function listLinkedWorktrees(commonDir: string): readonly string[] {
  try {
    const names = [...Deno.readDirSync(join(commonDir, "worktrees"))].map(({ name }) => name)
      .sort();
    return names.slice(0, MOST_WORKTREES).flatMap((name) => {
      const bounds = { within: commonDir, maxBytes: LIMITS.refFileBytes.value };
      const text = readRegularText(join(commonDir, "worktrees", name, "gitdir"), bounds) ?? "";
      return text.trimEnd() === "" ? [] : [dirname(text.trimEnd())];
    });
  } catch {
    return [];
  }
}

/** A git folder in whose reach a folder lies without being in a worktree. */
export interface GitStore {
  /** The git folder. */
  readonly path: string;
  /** The worktree whose `.git` it is; null for a bare repository. */
  readonly worktree: string | null;
}

/** The git folder that a folder is, lies in, or leads to by a `.git` of a bare repository; null for any other folder. */
export function findGitStore(dir: string): GitStore | null {
  let inside: string | null = null;
  for (const folder of listFoldersUp(dir)) {
    const found = findGitFolderAt(folder);
    if (found !== null) {
      const { gitDir, commonDir } = found;
      // A second worktree of a bare repository has files.
      if (gitDir === commonDir && isMarkedBare(gitDir)) return { path: gitDir, worktree: null };
      return inside === null ? null : { path: inside, worktree: folder };
    }
    if (!isGitStore(folder)) continue;
    if (basename(folder) !== ".git" || isMarkedBare(folder)) {
      return { path: folder, worktree: null };
    }
    inside = folder;
  }
  return null;
}

/** Whether git takes a folder for one in which it keeps a repository. */
export function isGitStore(folder: string): boolean {
  return ["HEAD", "objects", "refs"].every((name) => isThere(join(folder, name)));
}

function isMarkedBare(gitDir: string): boolean {
  const bounds = { within: parse(gitDir).root, maxBytes: LIMITS.stateFileBytes.value };
  const text = ["config", "config.worktree"]
    .map((name) => readRegularText(join(gitDir, name), bounds) ?? "").join("\n");
  const setting = parseConfig(text).findLast(({ key }) => key === "core.bare");
  return /^(?:true|yes|on|1)$/i.test(setting?.value ?? "");
}

const MOST_NAMED = 8;

/** What a git folder is, and where to work instead. */
export function makeGitStoreError({ path, worktree }: GitStore): CodeIntelError {
  if (worktree !== null) {
    return new CodeIntelError("not_a_project", `"${path}" is the git folder of "${worktree}"`, {
      hint: `Start in that worktree, or name it: --project ${quoteShellWord(worktree)}.`,
    });
  }
  const worktrees = listLinkedWorktrees(path).filter(isThere);
  const [first] = worktrees;
  const git = `git -C ${quoteShellWord(path)}`;
  const isMain = basename(path) === ".git";
  const instead = first === undefined
    ? `Make a worktree (\`${git} worktree add FOLDER\`) and start in it.`
    : `Start in a worktree, or name it: --project ${quoteShellWord(first)}.`;
  const way = isMain
    ? `Where "${
      dirname(path)
    }" is meant to have files: \`${git} config core.bare false\`. Else: ${instead}`
    : instead;
  return new CodeIntelError(
    "not_a_project",
    `"${path}" is a bare repository, which has no files to work on${formatWorktrees(worktrees)}`,
    { hint: way },
  );
}

function formatWorktrees(worktrees: readonly string[]): string {
  if (worktrees.length === 0) return " and no worktree";
  const shown = worktrees.slice(0, MOST_NAMED).map((path) => `"${path}"`).join(", ");
  const rest = worktrees.length - MOST_NAMED;
  return `; its worktrees are ${shown}${rest > 0 ? ` and ${rest} more` : ""}`;
}
