/** Leaves out of the changed lines those that only moved, or only have the new name of what was renamed. Pure. */
import type { LineHunk } from "../../git/trees/changed_lines.ts";
import type { ChangedRange } from "./walk_mutants.ts";
import { listDeclared } from "./mutant_rules.ts";

/** A changed file with its texts of before and after. */
export interface TextChange {
  readonly before: string;
  readonly after: string;
  readonly ranges: readonly ChangedRange[];
  readonly hunks: readonly LineHunk[];
}

/** A shorter line is often there again by chance. */
const LEAST_CHARS = 12;
const WORD = /[A-Za-z_]\w*/g;

/** The lines of each file that say something new, one a range. */
export function listNewLines(
  changes: readonly TextChange[],
): readonly (readonly ChangedRange[])[] {
  const before = changes.map((change) => change.before).join("\n");
  const after = changes.map((change) => change.after).join("\n");
  const [old, now] = [listDeclared(before), listDeclared(after)];
  const words = new Set(before.match(WORD));
  const gone = old.difference(now);
  const fresh = now.difference(words);
  const blur = (line: string) =>
    line.trim().replaceAll(WORD, (word) => gone.has(word) || fresh.has(word) ? "?" : word);
  const removed = new Map<string, number>();
  for (const { before, hunks } of changes) {
    const rows = before.split("\n");
    for (const { oldStart, oldCount } of hunks) {
      for (const row of rows.slice(oldStart - 1, oldStart - 1 + oldCount)) {
        removed.set(blur(row), (removed.get(blur(row)) ?? 0) + 1);
      }
    }
  }
  return changes.map(({ after, ranges }) => {
    const rows = after.split("\n");
    return ranges.flatMap(({ start, end }) =>
      Array.from({ length: end - start + 1 }, (_, at) => start + at).filter((line) => {
        const text = blur(rows[line - 1] ?? "");
        const left = text.length < LEAST_CHARS ? 0 : removed.get(text) ?? 0;
        if (left > 0) removed.set(text, left - 1);
        return left === 0;
      }).map((line) => ({ start: line, end: line }))
    );
  });
}
