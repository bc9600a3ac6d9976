/** Which declarations are out of sight at a later line. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { hasBlockEnded } from "../../src/resolve/block_ends.ts";
import type { Family } from "../../src/language/mod.ts";

/** Each row: a text with the name `v` declared in line `from`, and the lines from which it is still seen. */
const ROWS: readonly (readonly [family: Family, text: string, from: number, seen: string])[] = [
  ["script", "f(() => {\n  const v = new A();\n  v;\n});\ng(() => {\n  v;\n});", 2, "3 4"],
  ["script", "const v = new A();\nf(() => {\n  v;\n});\nv;", 1, "2 3 4 5"],
  ["script", "f((v: A) => {\n  v;\n});\nv;", 1, "2 3"],
  ["script", "function f(\n  v: A,\n) {\n  v;\n}\nv;", 2, "3 4 5"],
  ["script", "f(() => {\n  const v = new A();\n  g(`\ntext\n`);\n  v;\n});", 2, "3 4 5 6 7"],
  ["go", "if a {\n\tv := New()\n\tv.Do()\n} else {\n\tv.Do()\n}", 2, "3 4"],
  ["python", "def f():\n    v = A()\n\n    v\n# said\ndef g():\n    v", 2, "3 4 5 6"],
  ["python", "def f(v: A):\n    v\nv\nv", 1, "2 3"],
];

Deno.test("hasBlockEnded() goes by the lines that close blocks, and for Python by any code", () => {
  for (const [family, text, from, seen] of ROWS) {
    const lines = text.split("\n");
    const found = lines.map((_, at) => at + 1).filter((to) =>
      to > from && !hasBlockEnded((line) => lines[line - 1], { name: "v", from, to, family })
    );
    deepEqual(found.join(" "), seen, text);
  }
});
