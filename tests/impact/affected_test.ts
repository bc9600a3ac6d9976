/** What must be looked at, what should be, and which tests are affected. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { toAffected } from "../../src/impact/affected.ts";
import type { Edge } from "../../src/impact/edges.ts";

function edge(path: string, rest: Partial<Edge> = {}): Edge {
  return { path, line: 1, kind: "call", confidence: "resolved", depth: 1, symbol: "f", ...rest };
}

const isTest = (path: string) => path.startsWith("tests/");

Deno.test("toAffected() must verify only what a proven direct link leads to, nearest first", () => {
  const { files } = toAffected({
    edges: [
      edge("z.ts", { depth: 2 }),
      edge("b.ts", { confidence: "name" }),
      edge("a.ts"),
      edge("b.ts", { line: 9, confidence: "name", kind: "read" }),
      edge("c.ts", { depth: 2 }),
      edge("c.ts", { confidence: "name" }),
      edge("target.ts"),
    ],
    targets: ["target.ts"],
    beside: [["a.md", "document"], ["c.ts", "document"]],
    namedTests: [],
    isWhole: true,
    isTest,
  });
  deepEqual(files.map(({ path, isMust }) => `${path} ${isMust}`), [
    "a.ts true",
    "b.ts false",
    "c.ts false",
    "z.ts false",
    "a.md false",
  ]);
  deepEqual(files[2]?.reasons, ["document"]);
});

Deno.test("toAffected() runs linked tests, changed tests, and those named for a file that nothing else tests", () => {
  const input = {
    targets: ["src/a.ts", "tests/own.ts"],
    beside: [],
    namedTests: ["tests/a.ts"],
    isTest,
  };
  const linked = [edge("tests/x.ts", { depth: 2 }), edge("tests/y.ts", { confidence: "name" })];
  const tests = (edges: readonly Edge[], isWhole: boolean) =>
    toAffected({ ...input, edges, isWhole }).tests;
  deepEqual(tests(linked, true), ["tests/a.ts", "tests/own.ts", "tests/x.ts"]);
  deepEqual(tests(linked, false), ["tests/own.ts", "tests/x.ts"]);
  deepEqual(tests([], false), ["tests/a.ts", "tests/own.ts"]);
});
