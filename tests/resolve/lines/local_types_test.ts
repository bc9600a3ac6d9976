/** Which types a text gives its variables, language by language. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { readLocalTypes, readResultType } from "../../../src/resolve/lines/local_types.ts";
import type { Family } from "../../../src/language/families.ts";

const ROWS: readonly (readonly [family: Family, text: string, expected: string])[] = [
  ["jvm", "private final Foo foo;", "foo type Foo"],
  ["jvm", "val k: Key = Key()", "k type Key, k call Key"],
  ["c_sharp", "var h = new Foo();", "h type Foo"],
  ["php", "function m(User $u) { $p = new Post(); }", "u type User, p type Post"],
  ["rust", "fn go(c: &'a Client) { let d = Db::new(); }", "c type Client, d call Db::new"],
  ["dart", "final _Handler one;", "one type _Handler"],
  ["ruby", "coin = Coin.new", "coin type Coin"],
  ["c", "Foo* g = make();", "g type Foo"],
  ["lua", "local x = y()", ""],
  ["python", "x = Y()", ""],
];

Deno.test("readLocalTypes() reads declarations, parameters and calls that make values", () => {
  for (const [family, text, expected] of ROWS) {
    const found = readLocalTypes(text, family)
      .filter(({ name, of }) => name !== "n" && of !== "int")
      .map(({ name, kind, of }) => `${name} ${kind} ${of}`);
    for (const one of expected.split(", ").filter((part) => part !== "")) {
      equal(found.includes(one), true, `${text}: ${one} not in ${found.join(", ")}`);
    }
    if (expected === "") deepEqual(found, []);
  }
});

Deno.test("readResultType() reads the end of a signature", () => {
  const rows: readonly (readonly [signature: string, expected: string | undefined])[] = [
    ["(opts ...Func) *Engine", "Engine"],
    ["(a: A): Promise<Box>", "Box"],
    ["(self) -> Flask", "Flask"],
    ["(a)", undefined],
  ];
  for (const [signature, expected] of rows) equal(readResultType(signature), expected, signature);
});
