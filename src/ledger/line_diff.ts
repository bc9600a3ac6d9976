/**
 * Finds which lines of a new text are not in the old one; evidence is compared by it without git.
 * Pure.
 *
 * The npm library `diff` finds the same hunks, but for 20,000 lines it took 353 ms instead of 73 ms
 * with 300 changes, and had no answer after 20 s with 3,000.
 */
import type { LineHunk, LineRange } from "../git/trees/changed_lines.ts";

/** Lines of the new text that were added or rewritten, and places where lines were only removed. */
export interface LineDiff {
  /** Lines of the new text, from 1, both ends included. */
  readonly ranges: readonly LineRange[];
  /** Line of the new text after which lines are missing; 0 is the top. */
  readonly removals: readonly number[];
  /** The changes as hunks with the lines of both texts, from top to bottom. */
  readonly hunks: readonly LineHunk[];
}

/**
 * Most differing lines that are searched for common ones; beyond it the whole middle counts as
 * rewritten. The search takes time and memory in the square of this number (about 2 MiB at the
 * bound).
 */
const MOST_EDITS = 700;

/**
 * Compares two texts line by line. A last line with a line break and one without differ.
 *
 * @example
 * ```ts
 * import { deepStrictEqual } from "node:assert/strict";
 * import { diffLines } from "./line_diff.ts";
 * deepStrictEqual(diffLines("a\nb\n", "a\nx\nb\n").ranges, [{ start: 2, end: 2 }]);
 * ```
 */
export function diffLines(before: string, after: string): LineDiff {
  const [a, b] = [toLines(before), toLines(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  const room = Math.min(a.length, b.length) - start;
  while (end < room && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const old = a.slice(start, a.length - end);
  const fresh = b.slice(start, b.length - end);
  return toDiff(findKept(old, fresh), { oldCount: old.length, newCount: fresh.length, start });
}

function toLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** A line that both texts have: its place in the old and in the new one, from 0. */
type Kept = readonly [old: number, fresh: number];

/**
 * The longest common part, by the greedy method of Myers; empty where the texts differ too much.
 */
function findKept(old: readonly string[], fresh: readonly string[]): readonly Kept[] {
  if (old.length === 0 || fresh.length === 0) return [];
  const most = Math.min(old.length + fresh.length, MOST_EDITS);
  const reach = new Int32Array(2 * most + 3);
  const trail: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    trail.push(reach.slice());
    for (let k = -edits; k <= edits; k += 2) {
      let x = toStart(reach, { k, edits, most });
      let y = x - k;
      while (x < old.length && y < fresh.length && old[x] === fresh[y]) {
        x++;
        y++;
      }
      reach[k + most + 1] = x;
      if (x >= old.length && y >= fresh.length) {
        return walkBack(trail, { x: old.length, y: fresh.length, most });
      }
    }
  }
  return [];
}

/** Where diagonal `k` begins: one step down from `k + 1`, or one step right from `k - 1`. */
function toStart(
  reach: Int32Array,
  { k, edits, most }: { readonly k: number; readonly edits: number; readonly most: number },
): number {
  const below = reach[k + most] ?? 0;
  const above = reach[k + most + 2] ?? 0;
  return k === -edits || (k !== edits && below < above) ? above : below + 1;
}

function walkBack(
  trail: readonly Int32Array[],
  end: { readonly x: number; readonly y: number; readonly most: number },
): readonly Kept[] {
  const kept: Kept[] = [];
  let { x, y } = end;
  const { most } = end;
  for (let edits = trail.length - 1; edits >= 0; edits--) {
    const reach = trail[edits] ?? new Int32Array();
    const start = edits === 0 ? 0 : toStart(reach, { k: x - y, edits, most });
    while (x > start && y > 0) {
      x--;
      y--;
      kept.push([x, y]);
    }
    if (edits === 0) break;
    // A step right ends behind where the diagonal above ended.
    if (start === (reach[x - y + most + 2] ?? 0)) y--;
    else x--;
  }
  return kept.reverse();
}

function toDiff(
  kept: readonly Kept[],
  size: { readonly oldCount: number; readonly newCount: number; readonly start: number },
): LineDiff {
  const hunks: LineHunk[] = [];
  let [x, y] = [0, 0];
  for (const [nextX, nextY] of [...kept, [size.oldCount, size.newCount] as const]) {
    const [oldCount, newCount] = [nextX - x, nextY - y];
    // As in a patch, a side without lines names the line before its place.
    const [oldStart, newStart] = [
      size.start + x + Math.min(oldCount, 1),
      size.start + y + Math.min(newCount, 1),
    ];
    if (oldCount + newCount > 0) hunks.push({ oldStart, oldCount, newStart, newCount });
    [x, y] = [nextX + 1, nextY + 1];
  }
  return {
    hunks,
    ranges: hunks.filter(({ newCount }) => newCount > 0)
      .map(({ newStart, newCount }) => ({ start: newStart, end: newStart + newCount - 1 })),
    removals: hunks.filter(({ newCount }) => newCount === 0).map(({ newStart }) => newStart),
  };
}
