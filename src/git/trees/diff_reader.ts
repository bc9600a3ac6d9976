/** The diffs of many files: several short ones with one start of git. */
import type { Repository } from "../repository.ts";
import type { Change } from "./changes.ts";
import { diffText } from "./changes.ts";

/** Lines of the diffs that are asked for at once, and their number: a reply shows a few hundred lines (guessed). */
const MOST_LINES = 1_000;
const MOST_AT_ONCE = 50;

/**
 * Makes a reader of diffs, which asks with the diff of a file for those of the files behind it, as far as they are short.
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
    const asked = takeShort(changes.slice(Math.max(0, changes.indexOf(change))));
    if (asked.length > 1) {
      const text = await diffText(repo, from, to, asked.map(({ path }) => path));
      const parts = toParts(text, asked);
      asked.forEach((one, at) => parts !== null && read.set(one, parts[at] ?? ""));
    }
    return read.get(change) ?? await diffText(repo, from, to, [change.path]);
  };
}

function takeShort(changes: readonly Change[]): readonly Change[] {
  let lines = 0;
  const end = changes.findIndex(({ addedLines = 0, removedLines = 0 }, at) =>
    at === MOST_AT_ONCE || (lines += addedLines + removedLines) > MOST_LINES
  );
  return end < 0 ? changes : changes.slice(0, end);
}

/** The part of each change; null where git sees other renames among these files than among all. */
function toParts(text: string, changes: readonly Change[]): readonly string[] | null {
  const sections = text.split(/^(?=diff --git )/m);
  const counts = changes.map(({ kind }) => kind === "type" ? 2 : 1);
  if (sections.length !== counts.reduce((sum, count) => sum + count, 0)) return null;
  let at = 0;
  return counts.map((count) => sections.slice(at, at += count).join(""));
}
