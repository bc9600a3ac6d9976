/** Which files are documents, and that every key of the configuration with globs reads the same ones. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  blankOwnBlock,
  compileDocumentTest,
  DOCUMENT_GLOB,
  isDocument,
  OWN_BLOCK,
} from "../../../src/base/text/document_files.ts";
import { parseGlob } from "../../../src/base/text/glob.ts";
import { parseVerifyCommands, selectCommands } from "../../../src/evidence/runs/verify_commands.ts";
import { createFileRules } from "../../../src/index/scan/scanner.ts";

Deno.test("blankOwnBlock() empties the block and keeps the number of each other line", () => {
  for (const end of ["\n", "\r\n"]) {
    const text = ["# Mine", OWN_BLOCK.begin, "ours", OWN_BLOCK.end, "mine"].join(end);
    equal(blankOwnBlock(text), ["# Mine", "", "", "", "mine"].join(end));
  }
});

Deno.test("blankOwnBlock() takes nothing out where the block does not end", () => {
  const text = `${OWN_BLOCK.begin}\nmine\n`;
  equal(blankOwnBlock(text), text);
});

Deno.test("isDocument() takes prose of all kinds, and no text that a program reads", () => {
  for (const path of ["README.md", "docs/a.mdx", "docs/api.rst", "guide.adoc", "docs/notes.txt"]) {
    equal(isDocument(path), true, path);
  }
  const data = ["CMakeLists.txt", "web/robots.txt", "requirements-dev.txt", "requirements/dev.txt"];
  for (const path of [...data, "src/a.ts", "a.md.ts"]) equal(isDocument(path), false, path);
});

Deno.test("compileDocumentTest() names globs that cannot be read, and the glob of the set-up takes every kind", () => {
  const read = compileDocumentTest({
    include_patterns: ["docs/**", "a{b"],
    exclude_patterns: ["[x"],
  });
  deepEqual([read.test("docs/a.md"), read.test("b.md")], [true, false]);
  deepEqual(read.faults.map(({ at, glob }) => [at, glob]), [
    ["document_search.include_patterns.1", "a{b"],
    ["document_search.exclude_patterns.0", "[x"],
  ]);
  const all = compileDocumentTest({ include_patterns: [DOCUMENT_GLOB], exclude_patterns: [] });
  deepEqual(["a.md", "docs/b.rst", "x/c.adoc", "d.txt"].filter((path) => !all.test(path)), []);
});

// `document_search.*` (step 3 and impact), `exclude_patterns`, `verify[].paths` and `verify[].writes` read
// globs; the tools' own (`globs` of a search) are read by parseGlob() itself.
Deno.test("every key of the configuration with globs reads the same ones", () => {
  const rows: readonly (readonly [glob: string, path: string, expected: boolean])[] = [
    ["**/*.{md,mdx}", "docs/deep/a.mdx", true],
    ["**/*.{md,mdx}", "docs/a.rst", false],
    ["docs/[a-c].md", "docs/b.md", true],
    ["docs/[!a-c].md", "docs/b.md", false],
    ["docs/?.md", "docs/b.md", true],
    ["*.md", "docs/b.md", true],
    ["./docs/*.md", "docs/b.md", true],
    ["/docs/*.md", "docs/b.md", true],
  ];
  for (const [glob, path, expected] of rows) {
    const parsed = parseGlob(glob);
    equal(parsed.kind === "glob" && parsed.test(path), expected, `${glob} ${path}`);
    const only = compileDocumentTest({ include_patterns: [glob], exclude_patterns: [] });
    equal(only.test(path), expected, `include_patterns ${glob}`);
    const without = compileDocumentTest({ include_patterns: [], exclude_patterns: [glob] });
    equal(without.test(path), !expected, `document_search.exclude_patterns ${glob}`);
    const rules = createFileRules({ sourceDirs: [], excludePatterns: [glob], ignoreText: "" });
    equal(rules.leaveOut(path) !== null, expected, `exclude_patterns ${glob}`);
    const row = { name: "x", run: ["x"], paths: [glob], writes: [glob], timeout_s: 1 };
    const { commands } = parseVerifyCommands([row]);
    equal(selectCommands(commands, [path]).length === 1, expected, `verify ${glob}`);
  }
});
