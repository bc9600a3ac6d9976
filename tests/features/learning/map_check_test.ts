/** What the Map holds and what of it the code has left behind. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { checkMap } from "../../../src/features/learning/recall.ts";
import { SAMPLE_ID, sampleAgreement, sampleOutcome } from "./samples.ts";

const LIST = {
  agreements: [
    sampleAgreement({ name: "a.md", symbols: ["login"] }),
    sampleAgreement({ name: "b.md", symbols: ["login", "gone"] }),
    sampleAgreement({ name: "c.md", symbols: ["gone"] }),
    sampleAgreement({ name: "d.md", symbols: ["gone"], isRejected: true }),
  ],
  unreadable: [{ name: "e.md", reason: "it is too large" }],
  passedOver: 2,
};
const findLogin = (names: readonly string[]) =>
  Promise.resolve(new Set(names.filter((name) => name === "login")));

Deno.test("checkMap() tells agreements that the code has left from those that lost a symbol", async () => {
  const report = await checkMap(LIST, [], findLogin);
  deepEqual(report.stale, [{ id: "c.md", missing: ["gone"] }]);
  deepEqual(report.partlyStale, [{ id: "b.md", missing: ["gone"] }]);
  const { agreements, usable, leftOut, isChecked, unreadable, passedOver } = report;
  deepEqual([agreements, usable, leftOut, isChecked, passedOver], [4, 2, 1, true, 2]);
  equal(unreadable, LIST.unreadable);
});

Deno.test("checkMap() calls nothing stale where symbols cannot be looked up, and leaves out what failed", async () => {
  const unchecked = await checkMap(LIST, [], () => Promise.resolve(null));
  deepEqual([unchecked.isChecked, unchecked.usable, unchecked.stale.length], [false, 3, 0]);
  const failed = sampleOutcome({ sessionId: SAMPLE_ID, outcome: "failed", result: "failure" });
  const report = await checkMap(LIST, [failed], findLogin);
  deepEqual([report.usable, report.leftOut, report.stale.length], [0, 4, 0]);
});
