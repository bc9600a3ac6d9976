/** The files that payloads name: `src/request/named_files.ts`. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { findKnownFiles, listNamedTexts, readFilesOf } from "../../src/request/named_files.ts";

const FILES = ["src/range.py", "src/mod.py", "docs/rules.md", "tests/test_range.py", "a/b.py"];
const KNOWN = findKnownFiles(FILES, {
  isPlain: (path) => path === "dist/out.js",
  toProject: (path) => path.replace(/^(?:\/p\/|\.\/)/, ""),
});

const CASES: readonly (readonly [data: object, read: object, told?: readonly string[]])[] = [
  [{ explored_files: ["src/range.py:36-48", "/p/src/mod.py", "./src"] }, {
    explored_files: ["src/range.py", "src/mod.py", "src"],
  }],
  [{ explored_files: ["src/range.py and mod.py", "I read test_range.py#L3-L9"] }, {
    explored_files: ["src/range.py", "src/mod.py", "tests/test_range.py"],
  }, [
    "src/range.py and mod.py → src/range.py, src/mod.py",
    "I read test_range.py#L3-L9 → tests/test_range.py",
  ]],
  [{ explored_files: ["src/range.py:3: def parse", "none.py", "dist/out.js"] }, {
    explored_files: ["src/range.py:3: def parse", "none.py", "dist/out.js"],
  }],
  [{ search_results: [{ file: "src/mod.py:3", why: "x" }, "src/range.py"] }, {
    search_results: [{ file: "src/mod.py", why: "x" }, "src/range.py"],
  }],
  [{
    mandatory_rules: [{ rule: "r", source: "docs/rules.md#L3-L5" }, {
      rule: "s",
      source: "rules.md",
    }],
  }, {
    mandatory_rules: [{ rule: "r", source: "docs/rules.md:3-5" }, {
      rule: "s",
      source: "docs/rules.md",
    }],
  }, ["rules.md → docs/rules.md"]],
  // A file that is decided about is not guessed.
  [{ reviewed_files: ["/p/src/mod.py", { path: "range.py", decision: "discard" }, "src/*.py"] }, {
    reviewed_files: ["src/mod.py", { path: "range.py", decision: "discard" }, "src/*.py"],
  }],
  [{ impact_summary: { decisions: [{ path: "./src/mod.py", status: "will_modify" }] } }, {
    impact_summary: { decisions: [{ path: "src/mod.py", status: "will_modify" }] },
  }],
];

for (const [data, read, told = []] of CASES) {
  Deno.test(`readFilesOf() reads ${JSON.stringify(data)}`, () => {
    deepEqual(readFilesOf(data, KNOWN), { data: read, read: told });
  });
}

Deno.test("listNamedTexts() lists every text that names a file", () => {
  deepEqual(
    listNamedTexts({
      explored_files: ["a"],
      search_results: [{ file: "b" }],
      mandatory_rules: [{ rule: "r", source: "c:3" }],
      findings: ["d"],
    }),
    ["a", "b", "c"],
  );
});
