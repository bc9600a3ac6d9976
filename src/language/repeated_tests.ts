/** Finds tests that have the name of another one beside them, so that the later may take the place of the earlier. Pure. */
import { languageOfPath } from "./languages.ts";
import type { ReadTests } from "./test_blocks.ts";
import { readTests, toIndent } from "./test_blocks.ts";

/**
 * Names that stand for more tests than before the change: two tests of one name in the same block or class, or a test
 * whose name is given to something else later.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { findRepeated } from "./repeated_tests.ts";
 * const before = "def test_a():\n    assert f() == 1\n";
 * const after = `${before}\ndef test_a():\n    pass\n`;
 * deepEqual(findRepeated("test_f.py", { before, after }), ["test_a"]);
 * ```
 */
export function findRepeated(
  path: string,
  { before, after }: { readonly before: string; readonly after: string },
): readonly string[] {
  const then = countRepeated(path, before);
  return [...countRepeated(path, after)]
    .filter(([name, count]) => count > (then.get(name) ?? 0)).map(([name]) => name);
}

/** How often a name is given again in the block where it has a test already. */
function countRepeated(path: string, text: string): ReadonlyMap<string, number> {
  const read = readTests(path, text);
  const inBlocks = new Map<string, number>();
  for (const { name, line } of listNames(path, read)) {
    const key = `${findBlock(read, line)} ${name}`;
    inBlocks.set(key, (inBlocks.get(key) ?? 0) + 1);
  }
  const counts = new Map<string, number>();
  for (const [key, count] of inBlocks) {
    const name = key.slice(key.indexOf(" ") + 1);
    if (count > 1) counts.set(name, (counts.get(name) ?? 0) + count - 1);
  }
  return counts;
}

/** The names with the lines, counted from 0, in which they are given. */
function listNames(
  path: string,
  { tests, lines: { code } }: ReadTests,
): readonly { readonly name: string; readonly line: number }[] {
  // A title with a place in it is another one each time.
  const named = tests.flatMap(({ name, first }) =>
    name === null || name.includes("${") ? [] : [{ name, line: first - 1 }]
  );
  const replaces = languageOfPath(path)?.tests?.replaces;
  if (replaces === undefined) return named;
  const others = code.flatMap((text, line) =>
    [...text.matchAll(replaces)].flatMap((match) => {
      const name = match.slice(1).find((group) => group !== undefined);
      return name === undefined ? [] : [{ name, line }];
    })
  );
  return [...named, ...others];
}

/** The line that opens the block in which a line stands; -1 for the top of the file. */
function findBlock({ lines: { raw, code } }: ReadTests, line: number): number {
  const indent = toIndent(raw[line] ?? "");
  for (let at = line - 1; at >= 0 && indent > 0; at--) {
    if ((code[at] ?? "").trim() !== "" && toIndent(raw[at] ?? "") < indent) return at;
  }
  return -1;
}
