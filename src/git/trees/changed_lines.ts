/** Reads which lines differ between two trees, and the diffs of many short files with few starts of git. */
import type { Repository } from "../repository.ts";
import type { Change } from "./changes.ts";
import { diffText, diffTrees, limitToChanges, readPatch, splitByChange } from "./changes.ts";
import type { TreePath } from "../../base/paths.ts";

/** Lines of the diffs that are asked for at once, and their number: a reply shows a few hundred lines (guessed). */
const MOST_LINES = 1_000;
const MOST_AT_ONCE = 50;

/**
 * Makes a reader of diffs. With the diff of a file it also asks for those of the next files, as
 * long as they are short.
 *
 * @param changes with line counts, in the order of their comparison, which is the order in which they are asked for.
 */
export function createDiffReader(
  repo: Repository,
  { from, to }: { readonly from: string; readonly to: string },
  changes: readonly Change[],
): (change: Change) => Promise<string> {
  const read = new Map<Change, string>();
  return async (change) => {
    const known = read.get(change);
    if (known !== undefined) return known;
    const asked = takeBatch(changes.slice(Math.max(0, changes.indexOf(change))));
    if (asked.length > 1) {
      const text = await diffText(repo, from, to, asked.map(({ path }) => path));
      const parts = splitPatch(text, asked);
      asked.forEach((one, at) => parts !== null && read.set(one, parts[at] ?? ""));
    }
    return read.get(change) ?? await diffText(repo, from, to, [change.path]);
  };
}

function takeBatch(changes: readonly Change[]): readonly Change[] {
  let lines = 0;
  const end = changes.findIndex(({ addedLines = 0, removedLines = 0 }, at) =>
    at === MOST_AT_ONCE || (lines += addedLines + removedLines) > MOST_LINES
  );
  return end < 0 ? changes : changes.slice(0, end);
}

/** The part of each change; null where git sees other renames among these files than among all. */
function splitPatch(text: string, changes: readonly Change[]): readonly string[] | null {
  const sections = text.split(/^(?=diff --git )/m);
  const counts = changes.map(({ kind }) => kind === "type" ? 2 : 1);
  if (sections.length !== counts.reduce((sum, count) => sum + count, 0)) return null;
  let at = 0;
  return counts.map((count) => sections.slice(at, at += count).join(""));
}

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
  const limit = limitToChanges(changes);
  if (limit === null) return result;
  const isWhole = wanted === null || !limit.isExact;
  const shown = isWhole ? { paths: [], changes: all } : { paths: limit.args, changes };
  const patch = await readPatch(repo, { from, to }, ["-U0"], shown);
  const asked = new Set(changes);
  for (const { change, parts } of splitByChange(patch, shown.changes)) {
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
