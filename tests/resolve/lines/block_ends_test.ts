/** Which declarations are out of sight at a later line. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { hasBlockEnded } from "../../../src/resolve/lines/local_types.ts";

/** Each row: a text with the name `v` declared in line `from`, and the lines from which it is still seen. */
const ROWS: readonly (readonly [text: string, from: number, seen: string])[] = [
  ["f(() => {\n  const v = new A();\n  v;\n});\ng(() => {\n  v;\n});", 2, "3 4"],
  ["const v = new A();\nf(() => {\n  v;\n});\nv;", 1, "2 3 4 5"],
  ["f((v: A) => {\n  v;\n});\nv;", 1, "2 3"],
  ["function f(\n  v: A,\n) {\n  v;\n}\nv;", 2, "3 4 5"],
  ["f(() => {\n  const v = new A();\n  g(`\ntext\n`);\n  v;\n});", 2, "3 4 5 6 7"],
  ["if a {\n\tv := New()\n\tv.Do()\n} else {\n\tv.Do()\n}", 2, "3 4"],
];

Deno.test("hasBlockEnded() goes by the lines that close blocks", () => {
  for (const [text, from, seen] of ROWS) {
    const lines = text.split("\n");
    const found = lines.map((_, at) => at + 1).filter((to) =>
      to > from && !hasBlockEnded((line) => lines[line - 1], { name: "v", from, to })
    );
    deepEqual(found.join(" "), seen, text);
  }
});
