/**
 * Limits a git command to some paths, for commands that take paths only as arguments (`ls-files`,
 * `ls-tree`, `diff-tree`). Where the list is too long for a command line, git answers for all
 * paths, and `covers` filters its answer.
 */
import { fitsCommandLine } from "../base/processes/arguments.ts";

/** A limit to paths of the worktree; a folder stands for everything below it. */
export interface PathLimit {
  /** Arguments at the end of the command; empty where git answers for everything. */
  readonly args: readonly string[];
  /** Whether git itself leaves out all other paths. */
  readonly isExact: boolean;
  /** Whether a path of git's answer was asked for. */
  readonly covers: (path: string) => boolean;
}

/** Makes the limit of some paths. */
export function limitTo(paths: readonly string[]): PathLimit {
  const wanted = new Set(paths.map((path) => path.replace(/\/$/, "")));
  const isExact = fitsCommandLine(paths);
  const covers = (path: string) => {
    if (wanted.has(path)) return true;
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      if (wanted.has(path.slice(0, at))) return true;
    }
    return false;
  };
  return { args: isExact ? paths : [], isExact, covers };
}
