/**
 * Finds which lines of the new files differ between two trees: what evidence is checked against.
 */
import type { TreePath } from "../../base/paths.ts";
import type { Change } from "./changes.ts";
import { diffTrees, toChangeLimit, toSections } from "./changes.ts";
import { decode } from "../git.ts";
import type { Repository } from "../repository.ts";

/** Lines of a file, both ends included, counted from 1. */
export interface LineRange {
  /** First line. */
  readonly start: number;
  /** Last line, not before the first. */
  readonly end: number;
}

/**
 * One place of a file where lines were removed, added, or both, as a diff without context shows it.
 */
export interface LineHunk {
  /**
   * First removed line of the old file; where none was removed, the line after which others were
   * added.
   */
  readonly oldStart: number;
  readonly oldCount: number;
  /**
   * First added line of the new file; where none was added, the line after which others were
   * removed.
   */
  readonly newStart: number;
  readonly newCount: number;
}

/** What changed in one file. */
export interface LineChanges {
  /** The change of the whole file. */
  readonly change: Change;
  /** Lines of the new file that were added or rewritten. */
  readonly ranges: readonly LineRange[];
  /** Lines of the new file after which lines were only removed; 0 is the top of the file. */
  readonly removals: readonly number[];
  /** The changes with the lines of both files, from top to bottom. */
  readonly hunks: readonly LineHunk[];
  /** True where git shows no lines; then there are no ranges. */
  readonly isBinary: boolean;
}

/** Changed lines by present path, of the given paths or (without them) of all changed files. */
export async function changedLines(
  repo: Repository,
  from: string,
  to: string,
  paths?: readonly TreePath[],
): Promise<Map<string, LineChanges>> {
  const result = new Map<string, LineChanges>();
  const all = await diffTrees(repo, from, to);
  const wanted = paths === undefined ? null : new Set(paths);
  const changes = wanted === null
    ? all
    : all.filter(({ path, from: old }) =>
      wanted.has(path) || (old !== undefined && wanted.has(old))
    );
  const limit = toChangeLimit(changes);
  if (limit === null) return result;
  const isWhole = wanted === null || !limit.isExact;
  const output = await repo.git.bytes([
    "--literal-pathspecs",
    "diff-tree",
    "-r",
    "-p",
    "-U0",
    "--find-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--ignore-submodules=none",
    "--end-of-options",
    from,
    to,
    "--",
    ...(isWhole ? [] : limit.args),
  ]);
  const asked = new Set(changes);
  for (const { change, parts } of toSections(decode(output), isWhole ? all : changes)) {
    if (asked.has(change)) result.set(change.path, { change, ...parseHunks(parts.at(-1) ?? "") });
  }
  return result;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm;

/** Reads the hunk headers of one file in a patch that was made with `-U0`. */
export function parseHunks(section: string): Omit<LineChanges, "change"> {
  const hunks = [...section.matchAll(HUNK)].map((
    [, oldStart = "0", oldCount = "1", newStart = "0", newCount = "1"],
  ): LineHunk => ({
    oldStart: Number(oldStart),
    oldCount: Number(oldCount),
    newStart: Number(newStart),
    newCount: Number(newCount),
  }));
  return {
    hunks,
    ranges: hunks.filter(({ newCount }) => newCount > 0)
      .map(({ newStart, newCount }) => ({ start: newStart, end: newStart + newCount - 1 })),
    removals: hunks.filter(({ newCount }) => newCount === 0).map(({ newStart }) => newStart),
    isBinary: /^(?:Binary files |GIT binary patch)/m.test(section),
  };
}
