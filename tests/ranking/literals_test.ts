/** Which names of a text are meant as they stand, and what files have of them. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { createLiteralScale, findLiterals } from "../../src/ranking/query_kind.ts";

Deno.test("findLiterals() takes what is written as code, and neither words nor what stands between apostrophes", () => {
  const rows: readonly (readonly [text: string, names: readonly string[]])[] = [
    ["Fix the redirect of users", []],
    ["let a schema's error map cover its own checks' issues", []],
    ["Let `redirect` and 'secure' do as \"strict\"", ["redirect", "secure", "strict"]],
    ["call res.cookie(), Foo::bar and Reply#send", [
      "res",
      "cookie",
      "Foo",
      "bar",
      "Reply",
      "send",
    ]],
    ["maxAge, max_age and HTTPServer", ["maxAge", "max_age", "HTTPServer"]],
    ["`a` `if` of x.y is too short, `maxAge` stands `maxAge` once", ["maxAge"]],
  ];
  for (const [text, names] of rows) deepEqual(findLiterals(text), names, text);
  equal(findLiterals(Array.from({ length: 40 }, (_, at) => `\`name${at}\``).join(" ")).length, 16);
});

Deno.test("createLiteralScale() weighs names by how few files have them, and as a share of another set", () => {
  const sets = [["a", "b"], ["a"], ["a"], []].map((names) => new Set(names));
  const weigh = createLiteralScale(sets);
  equal(weigh(new Set(["a", "b"])), 1);
  ok(weigh(new Set(["b"])) > weigh(new Set(["a"])));
  deepEqual([weigh(new Set(["a"]), new Set(["a"])), weigh(new Set(["b"]), new Set(["a"]))], [1, 0]);
  equal(weigh(new Set(["a"]), new Set()), 0);
  equal(createLiteralScale([])(new Set()), 0);
});
