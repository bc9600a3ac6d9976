/** Lists on command lines: what fits, and parts that do. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { fitsCommandLine, toArgumentBatches } from "../../../src/base/processes/arguments.ts";

Deno.test("fitsCommandLine() bounds number and length", () => {
  equal(fitsCommandLine([]), true);
  equal(fitsCommandLine(Array(1_000).fill("a")), true);
  equal(fitsCommandLine(Array(1_001).fill("a")), false);
  equal(fitsCommandLine(Array(1_000).fill("a".repeat(4_000))), false);
});

Deno.test("toArgumentBatches() keeps every value in its order, a long one alone", () => {
  const values = Array.from({ length: 50_000 }, (_, at) => `some/folder/file_${at}.ts`);
  const batches = [...toArgumentBatches(values)];
  ok(batches.length > 1);
  deepEqual(batches.flat(), values);
  deepEqual([...toArgumentBatches([])], []);
  const long = "x".repeat(1_000_000);
  deepEqual([...toArgumentBatches(["a", long, "b"])], [["a"], [long], ["b"]]);
});
