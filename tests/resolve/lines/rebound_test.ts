/** Where lines say two things of a name, nothing is said of it. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { isWholeCall } from "../../../src/resolve/lines/local_types.ts";
import { createImpactProject } from "../../impact/impact_project.ts";

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
      "pub fn sure(v: &Cat) {\n    v.purr();\n}\npub fn again(v: &Cat) {\n    let v = Dog;\n    v.purr();\n}\npub fn made() {\n    let v = Cat::of();\n    v.purr();\n}\n" +
      "pub fn bound(v: &Cat, all: Vec<Dog>, one: Option<Dog>) {\n    if let Some(v) = one { v.purr(); }\n    for v in all {\n        v.purr();\n    }\n    v.purr();\n    let _ = |v: &Dog| v.purr();\n}\n" +
      "pub struct Pet<'a> { cat: &'a Cat }\nimpl<'a> Pet<'a> {\n    fn go(&self) { self.cat.purr(); }\n}\n",
  });
  const rows: readonly (readonly [symbol: string, expected: readonly string[]])[] = [
    ["speak", ["b.py:5 a.py:2", "b.py:8 name", "b.py:13 name", "b.py:17 a.py:5"]],
    ["purr", [
      "src/lib.rs:6 src/lib.rs:3",
      "src/lib.rs:10 name",
      "src/lib.rs:14 src/lib.rs:4",
      "src/lib.rs:17 name",
      "src/lib.rs:19 name",
      "src/lib.rs:21 src/lib.rs:3",
      "src/lib.rs:22 src/lib.rs:4",
      "src/lib.rs:26 src/lib.rs:3",
    ]],
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
