/** What replies say of how much of the tests was recorded. */
import { strictEqual as equal } from "node:assert/strict";
import type { SeenExtent, SeenFunction, SeenTest } from "../../src/index/seen_runs.ts";
import { formatExtent, formatRunBy, isWholeExtent } from "../../src/index/seen_runs.ts";

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
    formatExtent({ ...whole, unit: "group", recorded: 2, counted: 2 } as SeenExtent),
    "recorded for 2 neighbouring tests",
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

Deno.test("formatRunBy() says how many tests ran a function and the nearest, in the words of what was recorded", () => {
  const test = (name: string, unit: SeenTest["unit"]): SeenTest => ({
    ...{ name, unit, functions: 1, ms: 1, isCurrent: true },
    file: "tests/a_test.ts",
  });
  const say = (seen: SeenFunction, tests: readonly SeenTest[], isCurrent = true) =>
    formatRunBy({ tests, functions: [{ seen, isCurrent }] });
  const [named, file] = [test("adds one", "test"), test("tests/a_test.ts", "file")];
  equal(say("run by tests", [named]), "run by 1 test, nearest `a_test.ts: adds one`");
  equal(say("run by tests", [file, file]), "run by 2 test files, nearest `a_test.ts`");
  equal(say("run by tests", [file, named]), "run by 2 tests, nearest `a_test.ts`");
  const go = test("example.com/shop/v5.TestAdd/a.b", "test");
  equal(say("run by tests", [go]), "run by 1 test, nearest `a_test.ts: TestAdd/a.b`");
  equal(say("run by tests", []), "run by tests");
  equal(say("run at import", []), "run at import");
  equal(say("not run", [], false), "not run by any recorded test; its file changed since");
  equal(say("not recorded", []), null);
  equal(say("run by tests", [test("x".repeat(200), "test")])?.length, 115);
});
