/** Holds `src/base/text/json_record.ts` to rows of input and expected output. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  asRecord,
  formatCanonicalJson,
  isRecord,
  measureJson,
} from "../../../src/base/text/json_record.ts";

Deno.test("formatCanonicalJson() depends on the value, not on the order of its keys", () => {
  const rows: readonly (readonly [value: unknown, expected: string])[] = [
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [{ a: { d: 1, c: [{ f: 1, e: 2 }] } }, '{"a":{"c":[{"e":2,"f":1}],"d":1}}'],
    [[3, 1, 2], "[3,1,2]"],
    [{ a: undefined, b: null }, '{"b":null}'],
    [JSON.parse('{"b":1,"__proto__":{"y":1,"x":2}}'), '{"__proto__":{"x":2,"y":1},"b":1}'],
    ["é\u2028", '"é\u2028"'],
    [null, "null"],
  ];
  for (const [value, expected] of rows) equal(formatCanonicalJson(value), expected);
});

Deno.test("measureJson() counts UTF-8 bytes of compact JSON", () => {
  equal(measureJson({ a: [1, "ä"] }), '{"a":[1,"ä"]}'.length + 1);
  equal(measureJson("😀"), 6);
});

Deno.test("isRecord() takes objects alone, and toRecord() an empty one for all else", () => {
  const values = [{ a: 1 }, {}, null, undefined, [], [1], "a", 1, true];
  deepEqual(values.map(isRecord), values.map((_, index) => index < 2));
  deepEqual(values.map(asRecord), [{ a: 1 }, ...values.slice(1).map(() => ({}))]);
});
