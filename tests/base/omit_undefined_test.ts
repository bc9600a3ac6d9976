/** Holds `src/base/omit_undefined.ts` to rows of input and expected output. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { omitUndefined } from "../../src/base/text/json_record.ts";

Deno.test("omitUndefined() leaves undefined members out, and keeps null, false and empty ones", () => {
  const fields = { a: undefined, b: null, c: false, d: "", e: 0 };
  deepEqual(Object.entries(omitUndefined(fields)), [["b", null], ["c", false], ["d", ""], [
    "e",
    0,
  ]]);
});
