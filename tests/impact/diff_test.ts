/** What of a project differs from the last commit, where the project is a folder of a larger repository. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { readChangedTexts } from "../../src/impact/diff.ts";
import { createIndexedProject } from "../explore/indexed_project.ts";
import { createImpactProject } from "./impact_project.ts";

const TEXT = "export function carry() {\n  return [1, 2, 3].map((one) => one * 2);\n}\n";

Deno.test("readChangedTexts() took a file that came from beside the project for one of its own that is gone", async () => {
  await using project = await createIndexedProject({
    files: { "library/a.ts": TEXT, "app/b.ts": TEXT.replace("carry", "keep") },
  });
  const { temp, index } = project;
  await temp.write({ "app/a.ts": TEXT, "app/c.ts": TEXT.replace("carry", "keep") });
  await temp.remove("library/a.ts", "app/b.ts");
  const texts = await readChangedTexts(temp.repo, { under: "app", index });
  deepEqual(
    texts.map((
      { path, from, changes, before },
    ) => [path, from, changes.change.kind, before.length]),
    [
      ["a.ts", "a.ts", "added", 0],
      ["c.ts", "b.ts", "renamed", 1],
    ],
  );
  equal(texts[1]?.before[0]?.path, "b.ts");
});

Deno.test("analyze() named the last of several definitions on a changed line, and missed a removed overload", async () => {
  const java = (rest: string) => `class T {\n  int go(int n) { return n; }\n${rest}}\n`;
  await using project = await createImpactProject({
    "a.ts":
      "export const a = 1, b = 2;\nexport class Tank { area() { return 9; } describe() { return 8; } }\n",
    "T.java": java("  int go(String s) {\n    return 1;\n  }\n"),
    "foo.h": "class Foo {\n public:\n  Foo(int n);\n  void only();\n};\n",
    "foo.cpp": '#include "foo.h"\nFoo::Foo(int n) {}\nvoid Foo::only() {}\n',
    "U.java": 'class U {\n  void f(T t) {\n    t.go("x");\n  }\n}\n',
  });
  await project.temp.write({
    "a.ts":
      "export const a = 7, b = 2;\nexport class Tank { area() { return 10; } describe() { return 8; } }\n",
    "T.java": java(""),
    "foo.cpp": '#include "foo.h"\nFoo::Foo(int n) {}\nvoid Foo::only() { go(); }\n',
  });
  const { targets } = await project.ask({ isDiff: true });
  deepEqual(targets.map(({ path, symbols }) => [path, ...symbols.toSorted()]), [
    ["T.java", "T.go"],
    ["a.ts", "Tank.area", "Tank.describe", "a", "b"],
    ["foo.cpp", "Foo.only"],
  ]);
});
