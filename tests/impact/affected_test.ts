/** What must be looked at, what should be, and which tests are affected. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { Edge } from "../../src/impact/affected.ts";
import { rankAffectedFiles } from "../../src/impact/affected.ts";

function edge(path: string, rest: Partial<Edge> = {}): Edge {
  return { path, line: 1, kind: "call", confidence: "resolved", depth: 1, symbol: "f", ...rest };
}

const isTest = (path: string) => path.startsWith("tests/");

Deno.test("rankAffectedFiles() must verify only what a proven direct link leads to, nearest first", () => {
  const { files } = rankAffectedFiles({
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
    symbolTests: [],
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

Deno.test("rankAffectedFiles() runs linked tests, changed tests, and those named for a file that nothing else tests", () => {
  const input = {
    targets: ["src/a.ts", "tests/own.ts"],
    beside: [],
    namedTests: ["tests/a.ts"],
    symbolTests: [],
    isTest,
  };
  const linked = [edge("tests/x.ts", { depth: 2 }), edge("tests/y.ts", { confidence: "name" })];
  const tests = (edges: readonly Edge[], isWhole: boolean) =>
    rankAffectedFiles({ ...input, edges, isWhole }).tests;
  deepEqual(tests(linked, true), ["tests/own.ts", "tests/a.ts", "tests/x.ts"]);
  deepEqual(tests(linked, false), ["tests/own.ts", "tests/x.ts"]);
  deepEqual(tests([], false), ["tests/own.ts", "tests/a.ts"]);
});

Deno.test("rankAffectedFiles() sorted tests by their paths alone: the test of the file itself stood behind dozens", () => {
  const { tests } = rankAffectedFiles({
    edges: [
      edge("tests/a_far.ts", { depth: 3 }),
      edge("tests/b_near.ts", { depth: 2 }),
      edge("tests/c_user.ts"),
      edge("tests/d_user.ts", { depth: 2 }),
      edge("tests/d_user.ts", { line: 9 }),
      edge("tests/symbol.ts", { depth: 2 }),
      edge("tests/target.ts", { depth: 2 }),
    ],
    targets: ["src/target.ts"],
    beside: [],
    namedTests: ["tests/target.ts"],
    symbolTests: ["tests/symbol.ts", "tests/not_linked.ts"],
    isWhole: false,
    isTest,
  });
  deepEqual(tests, [
    "tests/target.ts",
    "tests/symbol.ts",
    "tests/c_user.ts",
    "tests/d_user.ts",
    "tests/b_near.ts",
    "tests/a_far.ts",
  ]);
});
