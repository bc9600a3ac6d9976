/** JSON as people write it, with the places of faults and members. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { parseJsonc } from "../../../src/base/text/jsonc.ts";

Deno.test("parseJsonc() reads JSON with comments and trailing commas, and leaves strings alone", () => {
  const rows: readonly (readonly [text: string, expected: unknown])[] = [
    ['{"a": 1}', { a: 1 }],
    ['// head\n{"a": 1, // one\n /* two */ "b": [1, 2,],\n}\n', { a: 1, b: [1, 2] }],
    ['{"url": "http://x/*y*/", "b": "a,]"}', { url: "http://x/*y*/", b: "a,]" }],
    ['{"q": "a\\"// b", "c": "\\\\",}', { q: 'a"// b', c: "\\" }],
    ["[1, /* a */ // b\n ]", [1]],
    // A brace in a comment behind a comma once made the comma a trailing one.
    ['{"a": 1, // , "n" }\n "b": 2}', { a: 1, b: 2 }],
    ['{"a": 1, /* } */ /* x */ "b": 2}', { a: 1, b: 2 }],
    ['{"a": 1, // }\n}', { a: 1 }],
    ["\uFEFFnull", null],
    ['"text"', "text"],
    ['{"__proto__": {"a": 1}}', JSON.parse('{"__proto__": {"a": 1}}')],
  ];
  for (const [text, expected] of rows) {
    const result = parseJsonc(text);
    ok(result.kind === "value", text);
    deepEqual(result.value, expected);
  }
});

Deno.test("parseJsonc() says where a text stops being JSON", () => {
  const rows: readonly (readonly [text: string, line: number, column: number])[] = [
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['{"a": tru}', 1, 7],
    ['{"a": "b:,", "c": }', 1, 19],
    ["{a: 1}", 1, 2],
    ['{\n // comment\n "a": [1, 2\n', 4, 1],
    ["", 1, 1],
    ['{"a": 1,, "b": 2}', 1, 9],
  ];
  for (const [text, line, column] of rows) {
    const result = parseJsonc(text);
    ok(result.kind === "fault", text);
    deepEqual(result.place, { line, column }, text);
    ok(result.message.length > 0);
    ok(!/position|line/.test(result.message), result.message);
  }
  const result = parseJsonc('{"a": 1 "b"}');
  if (result.kind === "fault") match(result.message, /^Expected/);
});

Deno.test("locate() finds members in objects and lists, and the nearest one above", () => {
  const text = `{
  // the first
  "a": { "x": 1, "y": [ { "z": 0 }, { "z": 5 } ] },
  "b": [10,
    20],
  "x": 3
}`;
  const result = parseJsonc(text);
  ok(result.kind === "value");
  const rows: readonly (readonly [path: readonly PropertyKey[], place: string])[] = [
    [["a"], "3:3"],
    [["a", "x"], "3:10"],
    [["a", "y", 1, "z"], "3:39"],
    [["b", 0], "4:9"],
    [["b", 1], "5:5"],
    [["x"], "6:3"],
    [["a", "missing"], "3:3"],
    [["missing"], "1:1"],
    [[], "1:1"],
  ];
  for (const [path, expected] of rows) {
    const { line, column } = result.locate(path);
    equal(`${line}:${column}`, expected, path.join("."));
  }
});

Deno.test("parseJsonc() reads a text of a hundred thousand brackets, closed or not", () => {
  const depth = 100_000;
  equal(parseJsonc(`${"[".repeat(depth)}${"]".repeat(depth)}`).kind, "value");
  equal(parseJsonc("[".repeat(depth)).kind, "fault");
});
