/** The verdict about a change: what breaks it, what leaves it open, and what proves it. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { judgeRun } from "../../src/evidence/runs/judge_run.ts";
import type { CheckState, JudgedRun, ProofFacts } from "../../src/prove/verdict.ts";
import { buildProof } from "../../src/prove/verdict.ts";

const RESULT = {
  name: "test",
  run: ["pytest"],
  exitCode: 0,
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 1,
  outputTail: "",
  outputHash: "",
  outputBytes: 0,
  timedOut: false,
  cancelled: false,
  isStarted: true,
  failure: null,
  treeAtStart: "t",
};
const REPORT = {
  runner: "pytest",
  unit: "tests" as const,
  passed: 9,
  failed: 0,
  skipped: 0,
  errors: 0,
  failures: [],
  isComplete: true,
};

function judge(failures: readonly string[] = [], before: readonly string[] = []): JudgedRun {
  const toResult = (names: readonly string[]) => ({
    ...RESULT,
    exitCode: names.length === 0 ? 0 : 1,
    report: {
      ...REPORT,
      failed: names.length,
      failures: names.map((name) => ({ name, line: "expected 1" })),
    },
  });
  const results = [toResult(failures)];
  const verdict = judgeRun({ baseline: [toResult(before)], run: results });
  return { verdict, results, ran: 9, place: { kind: "checkout", tree: "t", lent: [] } };
}

const TESTS = { nothing: [], proving: 1, unknown: null, tests: ["a_test.py: one"] };
const VERSIONS = { total: 3, killed: 3, broken: 0, survivors: [], tests: [], unknown: null };
const survivor = { path: "a.py", line: 7, change: "`<=` for `<`" };
const FACTS: ProofFacts = { isEmpty: false, hasSources: true, commands: judge() };

function verdictOf(facts: Partial<ProofFacts>, checks: readonly CheckState[] = []) {
  const { verdict, line } = buildProof({ ...FACTS, ...facts }, checks);
  return [verdict, line.slice(line.indexOf(": ") + 2)] as const;
}

Deno.test("a change is proven by a test that fails without it, or by tests that notice its wrong versions", () => {
  equal(verdictOf({ changedTests: TESTS })[0], "proven");
  equal(verdictOf({ wrongVersions: VERSIONS })[0], "proven");
  equal(verdictOf({})[0], "not proven");
  match(verdictOf({})[1], /no test is known to fail without the change/);
  equal(verdictOf({ changedTests: TESTS, commands: judge(["a"], ["a"]) })[0], "proven");
});

Deno.test("what fails by the change breaks it, whatever else is good", () => {
  const [verdict, why] = verdictOf({ changedTests: TESTS, commands: judge(["a", "b"], ["b"]) });
  equal(verdict, "broken");
  equal(why, "a fails with the change and not without it: expected 1");
});

Deno.test("secrets, weaker tests, tests that prove nothing and unnoticed wrong versions leave it open", () => {
  const rows: readonly (readonly [Partial<ProofFacts>, RegExp])[] = [
    [
      { leftovers: [{ id: "secret a.py:3", path: "a.py", what: "what looks like a secret" }] },
      /^a\.py:3 looks left behind: what looks like a secret$/,
    ],
    [
      { weakened: [{ id: "assertions_removed a_test.py", what: "assertions are gone: 1" }] },
      /^a_test\.py assertions are gone/,
    ],
    [
      { changedTests: { ...TESTS, proving: 0, nothing: ["a_test.py: one"] } },
      /^a_test\.py: one passes without the change too$/,
    ],
    [
      { wrongVersions: { ...VERSIONS, killed: 2, survivors: [survivor] } },
      /^a\.py:7 no test fails with `<=` for `<`$/,
    ],
  ];
  for (const [facts, why] of rows) {
    const [verdict, said] = verdictOf({ changedTests: TESTS, ...facts });
    equal(verdict, "not proven", said);
    match(said, why);
  }
  // Debug output may be meant, and one of many wrong versions is often as right as the change.
  const leftovers = [{ id: "debug_output a.py:3", path: "a.py", what: "output for debugging" }];
  equal(verdictOf({ changedTests: TESTS, leftovers })[0], "proven");
  const many = { ...VERSIONS, total: 9, killed: 8, survivors: [survivor] };
  equal(verdictOf({ changedTests: TESTS, wrongVersions: many })[0], "proven");
  // Beside a test that shows the change, one that passes without it may guard what has to stay.
  const guard = { ...TESTS, nothing: ["a_test.py: guard"] };
  deepEqual(buildProof({ ...FACTS, changedTests: guard }, []).findings, []);
});

Deno.test("a test that only needs a new name proves nothing until it fails with a version that does nothing", () => {
  const missing = { tests: TESTS.tests, names: ["clip"], hollow: "no function is new" };
  const onlyName = verdictOf({ changedTests: TESTS, missing });
  equal(onlyName[0], "unknown");
  match(onlyName[1], /the changed tests prove that a name is new, not what it does$/);
  const noted = buildProof({ ...FACTS, changedTests: TESTS, missing }, []).findings;
  match(noted[0]?.what ?? "", /only since clip is missing there: it proves that the name is new/);
  equal(verdictOf({ changedTests: TESTS, missing, wrongVersions: VERSIONS })[0], "proven");
  const hollow = (passing: readonly string[]) => ({
    ...missing,
    hollow: { functions: ["clip"], passing },
  });
  const empty = verdictOf({ changedTests: TESTS, missing: hollow(TESTS.tests) });
  deepEqual(empty, [
    "not proven",
    "a_test.py: one passes with a version of clip that does nothing",
  ]);
  equal(verdictOf({ changedTests: TESTS, missing: hollow([]) })[0], "proven");
});

Deno.test("a test that proves nothing by its form leaves the change open, whatever else is good", () => {
  const form = { place: "a_test.py: one", what: "asserts a constant", settle: "" };
  deepEqual(verdictOf({ changedTests: TESTS, forms: [form] }), [
    "not proven",
    "a_test.py: one asserts a constant",
  ]);
  const mild = { ...form, isOfPassing: true } as const;
  equal(verdictOf({ changedTests: TESTS, forms: [mild] })[0], "proven");
  const nothing = { ...TESTS, nothing: ["a_test.py: one"] };
  equal(verdictOf({ changedTests: nothing, forms: [mild] })[0], "not proven");
});

Deno.test("a change that keeps what the code does is proven by tests that notice its wrong versions", () => {
  const kept = { ...TESTS, proving: 0, nothing: TESTS.tests };
  equal(verdictOf({ changedTests: kept })[0], "not proven");
  equal(verdictOf({ changedTests: kept, wrongVersions: VERSIONS })[0], "proven");
  // Of a version that could not be built nobody knows whether a test would notice it.
  equal(verdictOf({ wrongVersions: { ...VERSIONS, killed: 2, broken: 1 } })[0], "not proven");
  const unknown = { ...VERSIONS, killed: 0, unknown: "the tests fail without any change" };
  const [verdict, why] = verdictOf({ changedTests: TESTS, wrongVersions: unknown });
  equal(verdict, "proven");
  match(why, /; not all wrong versions were tried: the tests fail without any change$/);
});

Deno.test("what works in one worktree alone is not proven", () => {
  const commands = { ...judge(), isInCheckout: false, onlyHere: "test: no module named local" };
  const [verdict, why] = verdictOf({ changedTests: TESTS, commands });
  equal(verdict, "not proven");
  match(why, /^works only in this worktree: test: no module named local/);
});

Deno.test("nothing is claimed where nothing was looked at", () => {
  equal(verdictOf({ isEmpty: true })[1], "nothing changed");
  equal(verdictOf({ hasSources: false })[0], "unknown");
  const { commands: _commands, ...bare } = FACTS;
  equal(buildProof(bare, []).line, "unknown: no command ran");
  equal(verdictOf({ commands: { ...judge(), ran: 0 } })[1], "no test ran");
  const unknown = { ...TESTS, proving: 0, unknown: "the run without the change took too long" };
  equal(verdictOf({ changedTests: unknown })[0], "unknown");
  const skipped = [{
    name: "commands",
    state: "skipped",
    seconds: 0,
    why: "the time is up",
  }] as const;
  match(verdictOf({ changedTests: TESTS }, skipped)[1], /; the time is up, not reached: commands$/);
  const near = buildProof({ ...bare, nearest: judge(), changedTests: TESTS }, skipped);
  match(near.line, /only the nearest tests were run/);
});

Deno.test("the line has at most 300 characters, and findings come the worst first", () => {
  const weakened = [{ id: "assertions_removed a_test.py", what: "x".repeat(900) }];
  const { line, findings } = buildProof({ ...FACTS, weakened, commands: judge(["a"]) }, []);
  ok(line.length <= 300);
  deepEqual(findings.map(({ weight }) => weight), ["breaks", "doubts"]);
  equal(buildProof({ ...FACTS, weakened }, []).line.length, 300);
});

Deno.test("a version that no test could tell apart weighs more than one that may be equal", () => {
  const versions = (survivors: readonly { readonly isMet?: boolean }[]) => ({
    ...VERSIONS,
    total: 12 + survivors.length,
    killed: 12,
    survivors: survivors.map((one) => ({ ...survivor, ...one })),
  });
  const ask = (survivors: readonly { readonly isMet?: boolean }[], more = {}) =>
    verdictOf({ changedTests: TESTS, wrongVersions: versions(survivors), ...more })[0];
  equal(ask([{ isMet: false }]), "not proven");
  equal(ask([{}, {}]), "proven");
  equal(ask([{}, {}, {}, {}]), "not proven");
  equal(ask([{ isMet: true }, { isMet: true }, { isMet: true }, { isMet: true }]), "proven");
  const many = (one: { readonly isMet: boolean; readonly isPart?: true }) =>
    ask([], { wrongVersions: { ...versions([one]), killed: 40, total: 41 } });
  equal(many({ isMet: false }), "proven");
  equal(many({ isMet: false, isPart: true }), "not proven");
  const alone = { changedTests: { ...TESTS, proving: 0 } };
  equal(ask([{ isMet: true }, { isMet: true }], alone), "proven");
  equal(ask([{}, {}], alone), "not proven");
});

Deno.test("a lost test that moved is no finding, one whose code is gone a note, another one a doubt; so are variables that steer runs a note", () => {
  const lost = [{ kind: "gone" as const, tests: ["a.py::test_label[one-2]", "a.py::test_labels"] }];
  const run = judge();
  const commands = {
    ...run,
    verdict: {
      ...run.verdict,
      commands: run.verdict.commands.map((command) => ({ ...command, lost })),
    },
  };
  const block = { name: "test_label", first: 1, last: 2, block: 0, isOff: false };
  const find = (how: "moved" | "left") =>
    buildProof(
      { ...FACTS, commands, moved: [{ path: "a.py", block, how }], steering: ["GOFLAGS"] },
      [],
    )
      .findings.map(({ weight, place, what }) => `${weight} ${place} ${what}`);
  const doubt = "doubts test tests do not run any more: a.py::test_labels";
  const set = "notes GOFLAGS is set, and changes what test runners do";
  deepEqual(find("moved"), [doubt, set]);
  deepEqual(find("left"), [
    doubt,
    "notes test tests do not run any more: a.py::test_label[one-2]",
    set,
  ]);
});
