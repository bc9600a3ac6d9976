/** One text for one value. */
import { strictEqual as equal } from "node:assert/strict";
import { toCanonicalJson } from "../../../src/base/text/json_record.ts";

Deno.test("toCanonicalJson() depends on the value, not on the order of its keys", () => {
  const rows: readonly (readonly [value: unknown, expected: string])[] = [
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [{ a: { d: 1, c: [{ f: 1, e: 2 }] } }, '{"a":{"c":[{"e":2,"f":1}],"d":1}}'],
    [[3, 1, 2], "[3,1,2]"],
    [{ a: undefined, b: null }, '{"b":null}'],
    [JSON.parse('{"b":1,"__proto__":{"y":1,"x":2}}'), '{"__proto__":{"x":2,"y":1},"b":1}'],
    ["é\u2028", '"é\u2028"'],
    [null, "null"],
  ];
  for (const [value, expected] of rows) equal(toCanonicalJson(value), expected);
});
