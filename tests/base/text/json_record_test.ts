/** Holds `src/base/text/json_record.ts` to rows of input and expected output. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { isRecord, toRecord } from "../../../src/base/text/json_record.ts";

Deno.test("isRecord() takes objects alone, and toRecord() an empty one for all else", () => {
  const values = [{ a: 1 }, {}, null, undefined, [], [1], "a", 1, true];
  deepEqual(values.map(isRecord), values.map((_, index) => index < 2));
  deepEqual(values.map(toRecord), [{ a: 1 }, ...values.slice(1).map(() => ({}))]);
});
