/** Holds `src/base/text/json_bytes.ts` to rows of input and expected output. */
import { strictEqual as equal } from "node:assert/strict";
import { toJsonBytes } from "../../../src/base/text/json_record.ts";

Deno.test("toJsonBytes() counts UTF-8 bytes of compact JSON", () => {
  equal(toJsonBytes({ a: [1, "ä"] }), '{"a":[1,"ä"]}'.length + 1);
  equal(toJsonBytes("😀"), 6);
});
