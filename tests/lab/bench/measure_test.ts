/** The arithmetic of the benchmark. */
import { strictEqual as equal } from "node:assert/strict";
import { computeMedian, measurePairMs, RUNS } from "../../../lab/harness/measure.ts";

Deno.test("computeMedian() takes the middle value, of an even number the mean of the two", () => {
  const rows: readonly (readonly [values: readonly number[], expected: number])[] = [
    [[7], 7],
    [[9, 1, 5], 5],
    [[4, 1, 3, 2], 2.5],
    [[100, 1, 2, 3, 4], 3],
  ];
  for (const [values, expected] of rows) equal(computeMedian(values), expected);
});

Deno.test("measurePairMs() runs both in turn, and counts no warm-up", async () => {
  const order: string[] = [];
  let slow = 1000;
  const pair = await measurePairMs(async () => {
    await Promise.resolve(order.push("ours"));
    return slow;
  }, async () => {
    await Promise.resolve(order.push("theirs"));
    if (order.length >= 4) slow = 3; // The two runs of the warm-up are over.
    return 2;
  });
  equal(pair.ours, 3);
  equal(pair.theirs, 2);
  equal(order.slice(0, 4).join(" "), "ours theirs ours theirs");
  equal(order.length, 2 * (2 + RUNS));
});
