/**
 * Finds where lines of a file are after the file changed, because evidence follows its lines. Pure.
 */
import type { LineHunk, LineRange } from "../git/trees/changed_lines.ts";

/**
 * Where old lines are in the new file. `kept`: unchanged, with their neighbours. `changed`: some of
 * them are left, with what was added between them. `rewritten`: other lines stand in their place.
 * `gone`: none are left, or nobody can say which new lines replace them.
 */
export type CarriedRange =
  | {
    readonly kind: "kept" | "changed" | "rewritten";
    readonly start: number;
    readonly end: number;
  }
  | { readonly kind: "gone" };

/**
 * Lines this near to evidence count as beside it, because a removal is shown by the lines around
 * the gap.
 */
const BESIDE_LINES = 2;

/**
 * Follows a range through the hunks of a diff. The range that is returned begins and ends with a
 * line of the old range, or with one that replaced only lines of it, and it holds every old line
 * that is left.
 *
 * @param hunks from top to bottom, without context.
 * @param options `isLayout` where nothing but the layout of the file changed.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { carryRange } from "./carry_range.ts";
 * const insertion = { oldStart: 2, oldCount: 0, newStart: 3, newCount: 4 };
 * deepEqual(carryRange({ start: 8, end: 9 }, [insertion]), { kind: "kept", start: 12, end: 13 });
 * const removal = { oldStart: 8, oldCount: 2, newStart: 7, newCount: 0 };
 * deepEqual(carryRange({ start: 8, end: 9 }, [removal]), { kind: "gone" });
 * ```
 */
export function carryRange(
  range: LineRange,
  hunks: readonly LineHunk[],
  { isLayout = false }: { readonly isLayout?: boolean } = {},
): CarriedRange {
  const surviving: LineRange[] = [];
  const replacing: LineRange[] = [];
  let isTouched = false;
  let next = range.start;
  let offset = 0;
  for (const hunk of hunks) {
    // Added lines stand before the line that follows them, and replace none.
    const first = hunk.oldCount === 0 ? hunk.oldStart + 1 : hunk.oldStart;
    const last = first + hunk.oldCount - 1;
    isTouched ||= first <= range.end + BESIDE_LINES && last >= range.start - BESIDE_LINES;
    if (first > range.end) break;
    if (last >= range.start) {
      if (next < first) surviving.push({ start: next + offset, end: first - 1 + offset });
      // Where only the layout is other, the old lines are somewhere in the new ones.
      const isWithin = isLayout || (first >= range.start && last <= range.end);
      if (isWithin && hunk.oldCount > 0 && hunk.newCount > 0) replacing.push(toNewLines(hunk));
      next = last + 1;
    }
    offset += hunk.newCount - hunk.oldCount;
  }
  if (next <= range.end) surviving.push({ start: next + offset, end: range.end + offset });
  const lines = [...surviving, ...replacing];
  if (lines.length === 0) return { kind: "gone" };
  return {
    kind: surviving.length === 0 ? "rewritten" : isTouched ? "changed" : "kept",
    start: Math.min(...lines.map(({ start }) => start)),
    end: Math.max(...lines.map(({ end }) => end)),
  };
}

function toNewLines({ newStart, newCount }: LineHunk): LineRange {
  return { start: newStart, end: newStart + newCount - 1 };
}
