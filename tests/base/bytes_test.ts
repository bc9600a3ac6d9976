/** Bytes joined and compared. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { concatBytes, isSameBytes } from "../../src/base/bytes.ts";

const bytes = (...values: readonly number[]) => Uint8Array.from(values);

Deno.test("concatBytes() copies all parts in their order, empty ones and views too", () => {
  const part = bytes(1, 2, 3);
  const all = concatBytes([part.subarray(1), bytes(), bytes(9)]);
  deepEqual(all, bytes(2, 3, 9));
  part[1] = 7;
  deepEqual(all, bytes(2, 3, 9));
  deepEqual(concatBytes([]), bytes());
});

Deno.test("isSameBytes() tells other lengths and other bytes apart", () => {
  equal(isSameBytes(bytes(1, 2), bytes(1, 2)), true);
  equal(isSameBytes(bytes(), bytes()), true);
  equal(isSameBytes(bytes(1, 2), bytes(1, 2, 3)), false);
  equal(isSameBytes(bytes(1, 2, 3), bytes(1, 2)), false);
  equal(isSameBytes(bytes(1, 2), bytes(1, 3)), false);
});
