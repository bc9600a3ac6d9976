/** Finds the other worktrees of a repository by its files alone, because a hook has no time to start git. */
import { basename, dirname, join, relative } from "node:path";
import { LIMITS } from "../base/settings/limits.ts";
import { readRegularText } from "../base/files/regular_file.ts";
import { findGitFolder, findGitFolderAt } from "./git_folder.ts";

/** More worktrees than anyone works in at once (guessed): each costs a hook a look at a folder. */
const MOST_WORKTREES = 50;

/**
 * The same folder in every other worktree of its repository, as absolute paths; empty without a repository. Whether the
 * folders exist is not checked.
 */
export function listTwinFolders(dir: string): readonly string[] {
  const own = findGitFolder(dir);
  if (own === null) return [];
  const { commonDir, worktree } = own;
  const main = basename(commonDir) === ".git" ? [dirname(commonDir)] : [];
  const all = [...main, ...listLinked(commonDir)].slice(0, MOST_WORKTREES);
  const inside = relative(worktree, dir);
  return all.filter((path) => path !== worktree).map((path) => join(path, inside));
}

/** Whether a folder is the top of another worktree of the repository that `dir` lies in. */
export function isTwin(dir: string, other: string): boolean {
  const found = findGitFolderAt(other);
  return found !== null && found.commonDir === findGitFolder(dir)?.commonDir;
}

/** The worktrees beside the main one, there or not: git keeps for each the path of its `.git`. */
export function listLinked(commonDir: string): readonly string[] {
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
