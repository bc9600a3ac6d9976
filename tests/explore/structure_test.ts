/** What files, texts and folders are made of. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { FileStructure, FolderStructure } from "../../src/explore/explorer.ts";
import { createIndexedProject } from "./indexed_project.ts";

const PAGE = { maxResults: 50 };
const FILES = {
  "src/a.ts":
    "import { b, c as d } from './b.ts';\nimport './side.ts';\n\n/** Holds a name. */\nexport class Ä {\n" +
    "  /** Says it. */\n  say(word: string): string {\n    return word;\n  }\n}\n\nfunction inner() {}\n",
  "src/deep/b.py": "def one():\n    def two():\n        pass\n    return two\n",
  "src/data.json": '{ "key": 1 }\n',
};

Deno.test("analyzeStructure() of a file: nested symbols, imports, exports, whatever the letters", async () => {
  await using project = await createIndexedProject({ files: FILES });
  const answer = await project.explorer.analyzeStructure({ ...PAGE, path: "src/a.ts" });
  ok(answer.kind === "found" && answer.of === "file");
  const file: FileStructure = answer;
  deepEqual(file.symbols.map(({ name, depth, kind }) => [name, depth, kind]), [
    ["Ä", 0, "class"],
    ["say", 1, "method"],
    ["inner", 0, "function"],
  ]);
  equal(file.symbols[1]?.doc, "Says it.");
  ok(file.symbols[1]?.signature?.includes("word: string"));
  deepEqual(file.imports, [
    { module: "./b.ts", line: 1, names: ["b", "d"] },
    { module: "./side.ts", line: 2, names: [] },
  ]);
  deepEqual(file.exports, ["Ä"]);
  deepEqual(file.summary, { functions: 2, classes: 1, imports: 2 });
  deepEqual([file.language, file.lines, file.source], ["TypeScript", 12, "index"]);
  // What has just been written is read before the answer.
  await project.temp.write({ "src/a.ts": "function only() {}\n" });
  const later = await project.explorer.analyzeStructure({ ...PAGE, path: "src/a.ts" });
  ok(later.kind === "found" && later.of === "file");
  deepEqual(later.symbols.map(({ name }) => name), ["only"]);
});

Deno.test("analyzeStructure() of code needs its language, and says what is wrong with it", async () => {
  await using project = await createIndexedProject({ files: FILES });
  const ask = (language?: string) =>
    project.explorer.analyzeStructure({
      ...PAGE,
      code: "class A:\n    def b(self): pass\n",
      ...(language === undefined ? {} : { language }),
    });
  const answer = await ask("py");
  ok(answer.kind === "found" && answer.of === "file");
  deepEqual(answer.symbols.map(({ name }) => name), ["A", "b"]);
  deepEqual([answer.source, answer.freshness, answer.path], ["tree-sitter", "live", undefined]);
  const without = await ask();
  equal(without.kind === "refused" && without.problems[0]?.code, "missing_field");
  const wrong = await ask("pyhton");
  ok(wrong.kind === "refused" && String(wrong.problems[0]?.hint).includes("Python"));
});

Deno.test("analyzeStructure() of a folder lists its files with what stands at their top", async () => {
  await using project = await createIndexedProject({ files: FILES });
  const answer = await project.explorer.analyzeStructure({ ...PAGE, path: "src" });
  ok(answer.kind === "found" && answer.of === "folder");
  const folder: FolderStructure = answer;
  deepEqual(folder.files, [
    {
      path: "src/a.ts",
      language: "TypeScript",
      lines: 12,
      symbols: ["class Ä:5", "function inner:12"],
    },
    { path: "src/deep/b.py", language: "Python", lines: 4, symbols: ["function one:1"] },
  ]);
  const page = await project.explorer.analyzeStructure({ path: "src", maxResults: 1, offset: 1 });
  ok(page.kind === "found" && page.of === "folder");
  deepEqual([page.files.map(({ path }) => path), page.total], [["src/deep/b.py"], 2]);
});

Deno.test("analyzeStructure() reads an ignored file now, and refuses what is no text", async () => {
  await using project = await createIndexedProject({
    files: { ...FILES, ".gitignore": "out/\n" },
  });
  await project.temp.write({ "out/x.js": "function built() {}\n" });
  const answer = await project.explorer.analyzeStructure({ ...PAGE, path: "out/x.js" });
  ok(answer.kind === "found" && answer.of === "file");
  deepEqual([answer.source, answer.total], ["tree-sitter", 1]);
  await project.temp.write({ "out/x.bin": "\0\0\0" });
  const binary = await project.explorer.analyzeStructure({ ...PAGE, path: "out/x.bin" });
  equal(binary.kind === "refused" && binary.problems[0]?.code, "not_text");
});
