/** Where lines say two things of a name, nothing is said of it. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { Family } from "../../../src/language/families.ts";
import { isRebound, isWholeCall } from "../../../src/resolve/lines/local_types.ts";
import { createImpactProject } from "../../impact/impact_project.ts";

Deno.test("isRebound() finds a second meaning of a name in the lines of a function", () => {
  const rows: readonly (readonly [family: Family, text: string, expected: boolean])[] = [
    ["rust", "fn f(v: &Cat) {\n  v.speak();\n}", false],
    ["rust", "fn f(v: &Cat) {\n  let v = Pup;\n}", true],
    ["rust", "fn f(v: Cat) {\n  if let Some(v) = x {", true],
    ["rust", "fn f(v: Cat) {\n  let c = |v: &Fish| v.speak();", true],
    ["rust", "fn f(v: Cat) {\n  for v in list {", true],
    ["rust", "fn f(v: Cat) {\n  match x {\n    Some(v) => v.speak(),", true],
    ["ruby", "def f(v)\n  v = 1\n  v = 2", false],
  ];
  for (const [family, text, expected] of rows) {
    const lines = text.split("\n");
    const read = (line: number) => lines[line - 1];
    equal(isRebound(read, { name: "v", from: 1, to: lines.length, family }), expected, text);
  }
});

Deno.test("isWholeCall() takes a call that is the whole value", () => {
  const rows: readonly (readonly [rest: string, expected: boolean])[] = [
    [")", true],
    ["", true],
    [")?;", true],
    [").unwrap();", true],
    [").dog()", false],
    ["), Dog()", false],
  ];
  for (const [rest, expected] of rows) equal(isWholeCall(rest), expected, rest);
});

Deno.test("findReferences() proved calls of Python and Rust by the first line that named a type", async () => {
  await using project = await createImpactProject({
    "a.py": "class Cat:\n    def speak(self): pass\n\nclass Dog:\n    def speak(self): pass\n",
    "b.py":
      "from a import Cat, Dog\n\ndef sure():\n    v = Cat()\n    v.speak()\n\ndef open_one(v: Cat | Dog):\n    v.speak()\n\n" +
      "def loop():\n    v = Cat()\n    for v in [Dog()]:\n        v.speak()\n\ndef pair():\n    v, w = Cat(), Dog()\n    w.speak()\n",
    "src/lib.rs":
      "pub struct Cat;\npub struct Dog;\nimpl Cat { pub fn purr(&self) {} pub fn of() -> Dog { Dog } }\nimpl Dog { pub fn purr(&self) {} }\n" +
      "pub fn sure(v: &Cat) {\n    v.purr();\n}\npub fn again(v: &Cat) {\n    let v = Dog;\n    v.purr();\n}\npub fn made() {\n    let v = Cat::of();\n    v.purr();\n}\n",
  });
  const rows: readonly (readonly [symbol: string, expected: readonly string[]])[] = [
    ["speak", ["b.py:5 a.py:2", "b.py:8 name", "b.py:13 name", "b.py:17 a.py:5"]],
    ["purr", ["src/lib.rs:6 src/lib.rs:3", "src/lib.rs:10 name", "src/lib.rs:14 src/lib.rs:4"]],
  ];
  for (const [symbol, expected] of rows) {
    const answer = await project.explorer.findReferences({
      symbol,
      includeText: false,
      maxResults: 50,
    });
    ok(answer.kind === "found");
    const calls = answer.references.filter(({ kind }) => kind === "call")
      .map(({ path, line, definedAt = "name" }) => `${path}:${line} ${definedAt}`);
    deepEqual(calls, expected, symbol);
  }
});
