/** Edits of JSON text: where an insertion goes, and that a removal is its mirror. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import {
  appendItem,
  findItems,
  insertMember,
  isEqualJson,
  parseJsonText,
  readJsonValue,
  removeChild,
  replaceValue,
} from "../../../src/project/edits/json_edit.ts";

Deno.test("insertMember() follows the style of what is there", () => {
  const rows: readonly (readonly [before: string, after: string])[] = [
    ["", '{\n  "s": {\n    "x": 1\n  }\n}\n'],
    ["{}", '{\n  "s": {\n    "x": 1\n  }\n}'],
    ['{"a":1}', '{"a":1,"s":{"x":1}}'],
    ['{ "a": 1 }', '{ "a": 1, "s": {"x":1} }'],
    ['{\r\n\t"a": 1\r\n}', '{\r\n\t"a": 1,\r\n\t"s": {\r\n\t\t"x": 1\r\n\t}\r\n}'],
    ['{\n  "a": 1, // one\n}', '{\n  "a": 1, // one\n  "s": {\n    "x": 1\n  },\n}'],
    ['{\n  "a": 1 // one\n}', '{\n  "a": 1, // one\n  "s": {\n    "x": 1\n  }\n}'],
    ['{ "s": {} }', '{ "s": {\n  "x": 1\n} }'],
  ];
  for (const [before, after] of rows) {
    const result = insertMember(before, ["s", "x"], 1);
    equal(result.kind === "inserted" ? result.text : result.message, after, before);
  }
});

Deno.test("removeChild() takes out what insertMember() and appendItem() put in, and no more", () => {
  const texts = ["{}", "{ }\n", '{"a":1}', '{\n "a": [\n  1\n ], // x\n}\n', '{\n\t"l": []\n}'];
  for (const text of texts) {
    const member = insertMember(text, ["s", "x"], { y: [1] });
    ok(member.kind === "inserted");
    equal(removeChild(member.text, ["s", "x"], member), text);
    const item = appendItem(text, ["l"], { y: 1 });
    ok(item.kind === "inserted");
    const index = findItems(item.text, ["l"], (value) => isEqualJson(value, { y: 1 }))[0] ?? -1;
    equal(removeChild(item.text, ["l"], { ...item, index }), text);
  }
  const shared = '{\n  "s": {\n    "x": 1,\n    "mine": 2\n  }\n}\n';
  equal(
    removeChild(shared, ["s", "x"], { made: 1, tail: "" }),
    '{\n  "s": {\n    "mine": 2\n  }\n}\n',
  );
});

Deno.test("replaceValue() writes a member or an item anew in its place", () => {
  equal(replaceValue('{ "a": 1, "b": 2 }', ["a"], { value: [3] }), '{ "a": [3], "b": 2 }');
  equal(
    replaceValue('{\n  "l": [\n    { "a": 1 },\n    2\n  ]\n}', ["l"], { value: "x", index: 0 }),
    '{\n  "l": [\n    "x",\n    2\n  ]\n}',
  );
  equal(replaceValue("{}", ["a"], { value: 1 }), "{}");
});

Deno.test("parseJsonText() names the place of a fault, and reads the last of equal keys", () => {
  const parsed = parseJsonText('{\n  "a": [1,\n');
  match(parsed.kind === "fault" ? parsed.message : "", /at line 3, column 1/);
  equal(readJsonValue('{ "a": 1, "a": 2 }', ["a"]), 2);
  equal(readJsonValue("{}", ["a", "b"]), undefined);
  deepEqual(appendItem('{ "a": 1 }', ["a"], 2), { kind: "fault", message: "a is not an array" });
  deepEqual(insertMember('{ "a": 1 }', ["a"], 2), { kind: "fault", message: "a is there already" });
});
