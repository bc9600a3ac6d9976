/** What replies say of how much of the tests was recorded. */
import { strictEqual as equal } from "node:assert/strict";
import type { SeenExtent } from "../../src/index/seen_runs.ts";
import { formatExtent, isWholeExtent } from "../../src/index/seen_runs.ts";

const EXTENT: SeenExtent = {
  recorded: 812,
  counted: 1_010,
  unit: "test",
  recordedAt: "2026-01-01T00:00:00.000Z",
  commit: "0".repeat(40),
  commitsAgo: 3,
  changed: ["a.py"],
};

Deno.test("formatExtent() says how many tests were recorded, when, and what has changed since", () => {
  equal(
    formatExtent(EXTENT),
    "recorded for 812 of 1,010 tests, 3 commits ago, 1 file changed since",
  );
  const whole = { ...EXTENT, recorded: 1, counted: 1, unit: "file", commitsAgo: 0, changed: [] };
  equal(
    formatExtent({ ...whole, unit: "class", recorded: 2, counted: 2 } as SeenExtent),
    "recorded for 2 test classes",
  );
  equal(formatExtent(whole as SeenExtent), "recorded for 1 test file");
});

Deno.test("isWholeExtent() holds only where every counted test was recorded and nothing else changed", () => {
  equal(isWholeExtent(EXTENT, ["a.py"]), false);
  const all = { ...EXTENT, recorded: 1_010 };
  equal(isWholeExtent(all, ["a.py"]), true);
  equal(isWholeExtent(all), false);
  equal(isWholeExtent({ ...all, counted: null }, ["a.py"]), false);
});
