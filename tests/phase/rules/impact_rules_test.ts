/** Step 11: a decision for each file that must be verified; and what was promised and not done. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { findUnmodified, impactAnalysis } from "../../../src/phase/rules/impact_rules.ts";
import type { ImpactFinding } from "../../../src/phase/facts.ts";
import { toFacts, toState } from "../samples.ts";

type Decisions = Parameters<typeof impactAnalysis>[0]["impact_summary"]["decisions"];

function decideAll(decisions: Decisions, impact: readonly ImpactFinding[]) {
  return impactAnalysis({ impact_summary: { decisions } } as Parameters<typeof impactAnalysis>[0], {
    state: toState("IMPACT_ANALYSIS"),
    facts: toFacts({ impact }),
  });
}

const FOUND: ImpactFinding = {
  targets: ["src/a.ts"],
  mustVerify: ["src/b.ts", "tests/a_test.ts", "tests/b_test.ts"],
  shouldVerify: ["src/c.ts"],
};
const reason = "only reads it";

Deno.test("impactAnalysis() refuses while a file of must_verify has no decision, and names it with a hint", () => {
  const result = decideAll([{ path: "src/b.ts", status: "will_modify" }], [FOUND]);
  ok("problems" in result);
  const [problem] = result.problems;
  equal(problem?.code, "impact_undecided");
  ok(String(problem?.message).startsWith("2 of 3 files"), String(problem?.message));
  ok(String(problem?.hint).includes("tests/a_test.ts"));
});

Deno.test("impactAnalysis() names the first of many open files, and how many more there are", () => {
  const undecided = (count: number) => {
    const mustVerify = Array.from({ length: count }, (_, at) => `src/${at}.ts`);
    const result = decideAll([], [{ ...FOUND, mustVerify }]);
    ok("problems" in result);
    return String(result.problems[0]?.message);
  };
  ok(/^2 of 2 files .*: src\/0\.ts, src\/1\.ts$/.test(undecided(2)), undecided(2));
  const many = undecided(100);
  const named = many.split("no decision: ")[1]?.split(" and ")[0]?.split(", ") ?? [];
  ok(many.endsWith(`and ${100 - named.length} more`), many);
});

Deno.test("impactAnalysis() takes globs, keeps what was found, and names should_verify without enforcing it", () => {
  const result = decideAll([
    { path: "./src/b.ts", status: "will_modify" },
    { path: "tests/**", status: "no_change_needed", reason },
  ], [FOUND]);
  ok(!("problems" in result));
  equal(result.outcome, "done");
  deepEqual(result.patch?.impactFound, FOUND);
  deepEqual((result.reply?.["undecided_should_verify"] as { files: string[] }).files, ["src/c.ts"]);
});

Deno.test("impactAnalysis() wants one decision for a group, by its name or by each of its files", () => {
  const groups = [{ name: "other users", files: ["src/x.ts", "src/y.ts", "src/b.ts"] }];
  const found = { ...FOUND, mustVerify: ["src/b.ts"], groups };
  const [own, all, one, two] = ["src/b.ts", "other users", "src/x.ts", "src/[xy].ts"].map((
    path,
  ) => ({
    path,
    status: "no_change_needed" as const,
    reason,
  }));
  const decide = (...decisions: (typeof own)[]) =>
    decideAll(decisions.filter((decision) => decision !== undefined), [found]);
  for (const result of [decide(own), decide(own, one)]) {
    ok("problems" in result);
    ok(String(result.problems[0]?.message).startsWith("1 of 2 files"), "the group is open");
    ok(String(result.problems[0]?.hint).includes("other users"));
  }
  for (
    const result of [decide(own, all), decide(own, one, { ...own, path: "src/y.ts" } as typeof own)]
  ) {
    ok(!("problems" in result), "the group is decided");
  }
  const result = decide(own, all, two);
  ok(!("problems" in result));
  deepEqual(result.patch?.impactFound?.groups, [{
    name: "other users",
    files: ["src/x.ts", "src/y.ts"],
  }]);
});

Deno.test("impactAnalysis() joins all analyses of the visit; nothing found needs no decision", () => {
  const other = { targets: ["src/c.ts"], mustVerify: ["src/c.ts"], shouldVerify: ["src/b.ts"] };
  const all: Decisions = [
    { path: "src/**", status: "will_modify" },
    { path: "tests/**", status: "not_affected", reason },
  ];
  const result = decideAll(all, [FOUND, other]);
  ok(!("problems" in result));
  deepEqual(result.patch?.impactFound, {
    targets: ["src/a.ts", "src/c.ts"],
    mustVerify: ["src/b.ts", "tests/a_test.ts", "tests/b_test.ts", "src/c.ts"],
    shouldVerify: [],
  });
  ok(!("problems" in decideAll([], [])));
  ok(!("problems" in decideAll([], [{ targets: ["new.ts"], mustVerify: [], shouldVerify: [] }])));
});

Deno.test("impactAnalysis() takes a name with brackets as it is written", () => {
  const found = { targets: [], mustVerify: ["app/[id]/page.tsx"], shouldVerify: [] };
  ok(!("problems" in decideAll([{ path: "app/[id]/page.tsx", status: "will_modify" }], [found])));
});

Deno.test("findUnmodified() names promises that nothing was done for, globs by any file of theirs", () => {
  const impact = (["src/a.ts", "src/b.ts", "lib/**", "docs/*"] as const)
    .map((path) => ({ path, status: "will_modify" as const, reason: null }));
  const kept = { path: "src/kept.ts", status: "no_change_needed" as const, reason };
  deepEqual(
    findUnmodified({ impact: [...impact, kept] }, [{ path: "src/a.ts" }, { path: "lib/x/y.ts" }]),
    ["src/b.ts", "docs/*"],
  );
});
