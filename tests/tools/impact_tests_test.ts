/** The field `affected_tests`: what was seen, how far the records reach, and nothing of it without a record. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { ImpactFound } from "../../src/impact/analyze.ts";
import type { SeenExtent } from "../../src/index/seen_runs.ts";
import { buildTests } from "../../src/tools/impact_tests.ts";

const EXTENT: SeenExtent = {
  recorded: 812,
  counted: 1_010,
  unit: "test",
  recordedAt: "2026-01-01T00:00:00.000Z",
  commit: null,
  commitsAgo: 3,
  changed: [],
};
const COMMAND = { command: "pytest tests/test_0.py", from: [] };

function build(seen: ImpactFound["seen"], { files = 1, isBrief = false, offset = 0 } = {}) {
  const names = Array.from({ length: files }, (_, at) => `tests/test_${at}.py`);
  const testProofs = names.map((file) =>
    ({ file, proof: "seen", tests: 3, nearest: ["test_a", "x".repeat(200), "test_c"] }) as const
  );
  const found = { tests: names, testRun: COMMAND, testProofs, seen } as unknown as ImpactFound;
  return buildTests(found, { isBrief, offset });
}

Deno.test("buildTests() says how far the records reach, and calls the tests complete only where they are", () => {
  const part = build({
    extent: EXTENT,
    tests: [],
    callerTests: [],
    isAtImport: false,
    isComplete: false,
    run: 30,
  });
  equal(part["runs"], "recorded for 812 of 1,010 tests, 3 commits ago");
  equal("complete" in part, false);
  equal(
    build({
      extent: EXTENT,
      tests: [],
      callerTests: [],
      isAtImport: false,
      isComplete: true,
      run: 1,
    })["complete"],
    true,
  );
  deepEqual(build(null), { total: 1, command: COMMAND.command });
});

Deno.test("buildTests() shows few names of few files, and says where the command runs the nearest files alone", () => {
  const seen = {
    extent: EXTENT,
    tests: [],
    callerTests: [],
    isAtImport: false,
    isComplete: false,
    run: 30,
  };
  const { proofs, command_runs: runs } = build(seen, { files: 40 });
  const [first, ...rest] = proofs as readonly { readonly nearest: readonly string[] }[];
  equal(rest.length, 9);
  deepEqual(first?.nearest.map((name) => name.length), [6, 100]);
  equal(runs, "the nearest 30 of 40 files");
  const brief = build(seen, { files: 40, isBrief: true })["proofs"] as readonly unknown[];
  ok(JSON.stringify(brief).length < 400, JSON.stringify(brief));
  equal("proofs" in build(seen, { offset: 10 }), false);
});
