/**
 * Whether the block that a line declares a variable in has ended before another line, by the indentation of closing
 * lines: what a sibling block declares is another variable. Pure.
 */
import { indentOf } from "../../base/text/indent.ts";

/** The lines of a text, 1-based; undefined beyond its ends. */
export type ReadLine = (line: number) => string | undefined;

/** Which declaration is asked about, and where its name is used. */
export interface BlockQuestion {
  readonly name: string;
  /** 1-based line of the declaration. */
  readonly from: number;
  /** 1-based line of the place, after it. */
  readonly to: number;
}

/** A line that can end a block; text in several lines begins anyhow. */
const CLOSER = /^\s*(?:[}\]]|end\b)/;

/**
 * Whether a declaration is out of sight at a later line.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { hasBlockEnded } from "./block_ends.ts";
 * const lines = ["it(() => {", "  const app = new A();", "});", "it(() => {", "  app.go();", "});"];
 * const question = { name: "app", from: 2 };
 * const ask = (to: number) => hasBlockEnded((line) => lines[line - 1], { ...question, to });
 * deepEqual([ask(3), ask(5)], [false, true]);
 * ```
 */
export function hasBlockEnded(read: ReadLine, { name, from, to }: BlockQuestion): boolean {
  const declared = read(from);
  if (declared === undefined) return false;
  const own = indentOf(declared);
  // A parameter ends with the block that its own line opens.
  const isParameter = isInBrackets(declared, name);
  for (let at = from + 1; at < to; at++) {
    const line = read(at) ?? "";
    if (!CLOSER.test(line)) continue;
    const indent = indentOf(line);
    if (indent < own || isParameter && indent === own) return true;
  }
  return false;
}

function isInBrackets(line: string, name: string): boolean {
  const at = new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`).exec(line)?.index ?? 0;
  let open = 0;
  for (const char of line.slice(0, at)) open += char === "(" ? 1 : char === ")" ? -1 : 0;
  return open > 0;
}
