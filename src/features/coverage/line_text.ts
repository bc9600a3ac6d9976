/** Writes numbers of lines as a short text, and reads them again. Pure. */

/**
 * Lines as `1-3 7`.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
 * import { readLineText, toLineText } from "./line_text.ts";
 * equal(toLineText([7, 2, 1, 3]), "1-3 7");
 * deepEqual([...readLineText("1-3 7")], [1, 2, 3, 7]);
 * ```
 */
export function toLineText(lines: readonly number[]): string {
  const parts: { start: number; end: number }[] = [];
  for (const line of [...lines].sort((a, b) => a - b)) {
    const last = parts.at(-1);
    if (last !== undefined && line <= last.end + 1) last.end = line;
    else parts.push({ start: line, end: line });
  }
  return parts.map(({ start, end }) => start === end ? `${start}` : `${start}-${end}`).join(" ");
}

/** The lines of such a text. */
export function readLineText(text: string): ReadonlySet<number> {
  const lines = new Set<number>();
  for (const [, start = "0", end = start] of text.matchAll(/(\d+)(?:-(\d+))?/g)) {
    for (let line = Number(start); line <= Number(end); line++) lines.add(line);
  }
  return lines;
}
