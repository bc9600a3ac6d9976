/** What differs between what a runner said before the work and after it. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { compareFailures, findLostTests } from "../../../src/evidence/runs/compare_reports.ts";
import { toReport } from "./test_reports.ts";

Deno.test("compareFailures() compares by name, not by number", () => {
  const rows = [
    // before, now, fresh, same, mended
    [["a", "b"], ["a", "b"], [], 2, 0],
    [["a", "b"], ["a", "c"], ["c"], 1, 1],
    [["a", "b"], ["b"], [], 1, 1],
  ] as const;
  for (const [before, now, fresh, same, mended] of rows) {
    const change = compareFailures(toReport({ failed: before }), toReport({ failed: now }));
    deepEqual(
      { ...change, fresh: change.fresh.map(({ name }) => name) },
      { fresh, same, mended, isKnown: true },
    );
  }
});

Deno.test("compareFailures() knows nothing where failures are not named", () => {
  const some = { ...toReport({ failed: ["a"] }), isComplete: false };
  deepEqual(compareFailures(some, toReport({ failed: ["a"] })).isKnown, false);
  deepEqual(compareFailures(toReport({}), toReport({ failed: ["a"] })).isKnown, false);
});

Deno.test("findLostTests() names tests that are gone or skipped now, and counts where no name is known", () => {
  const before = toReport({ passed: ["a", "b", "c"], skipped: ["d"], failed: ["e"] });
  deepEqual(findLostTests(before, before), []);
  deepEqual(findLostTests(before, toReport({ passed: ["a", "e"], skipped: ["b", "d"] })), [
    { kind: "gone", tests: ["c"] },
    { kind: "skipped", tests: ["b"] },
  ]);
  deepEqual(findLostTests(before, toReport({ passed: ["a", "d"], failed: ["b", "c", "e"] })), []);
  const { names: _names, ...unnamed } = before;
  const files = (passed: number) => ({ "t/a.py": { passed, failed: 0, skipped: 0 } });
  deepEqual(findLostTests({ ...unnamed, files: files(4) }, { ...unnamed, files: files(3) }), [
    { kind: "fewer", tests: ["t/a.py: 4 ran before the work, 3 now"] },
  ]);
  deepEqual(findLostTests(unnamed, { ...unnamed, passed: 1 }), [
    { kind: "fewer", tests: ["all tests: 4 ran before the work, 2 now"] },
  ]);
  deepEqual(findLostTests(unnamed, { ...unnamed, unit: "packages", passed: 1 }), []);
});
