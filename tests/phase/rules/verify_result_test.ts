/** What step 15 makes of a run: when it is refused, what of it is kept and told, and when a kept result lets the work go on. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { CommandRun, LineCoverage, ServerRun } from "../../../src/phase/facts.ts";
import type { SessionState } from "../../../src/phase/state.ts";
import type { Answer } from "../../workflow/project_fixture.ts";
import { accept, PAYLOAD, submit, toDoneTask, toRefusal, toState } from "../samples.ts";

const COMMAND: CommandRun = {
  name: "unit",
  exitCode: 0,
  durationMs: 5,
  summary: "3 passed (jest); 0.0 s",
  outputTail: "the end",
  outputHash: "",
};

/** A run of one command, and what differs from a plain pass. */
function toRun(
  verdict: ServerRun["verdict"],
  more: Partial<ServerRun> = {},
  command: Partial<CommandRun> = {},
): ServerRun {
  const bad: Partial<CommandRun> = verdict === "passed" ? {} : { exitCode: 1 };
  return {
    verdict,
    failed: verdict === "failed" ? ["unit"] : [],
    stillRed: [],
    results: [{ ...COMMAND, ...bad, ...command }],
    ...more,
  };
}

const PASSED = PAYLOAD.POST_IMPL_VERIFY;
const FAILED = { ...PASSED, passed: false };
const ONLY_VERIFY = { begin: { flags: { only_verify: true } } };

function send(
  serverRun: ServerRun | null,
  payload: object = PASSED,
  state: SessionState = toState("POST_IMPL_VERIFY"),
) {
  return submit({ ...state, stage: "POST_IMPL_VERIFY" }, payload, { facts: { serverRun } });
}

function answer(...sent: Parameters<typeof send>): Answer {
  const { state, reply } = accept(send(...sent));
  return { ...reply, state };
}

Deno.test("postImplVerify() refuses a run that did not end, whatever the client reports", () => {
  for (const payload of [PASSED, FAILED, {}]) {
    deepEqual(toRefusal(send(toRun("incomplete"), payload)), [
      "verification_incomplete data.passed",
    ]);
  }
});

Deno.test("postImplVerify() holds the report to the tasks, and takes any name where there are none", () => {
  const payload = { ...FAILED, failed_tasks: ["none"] };
  deepEqual(toRefusal(send(null, payload)), ["unknown_task data.failed_tasks"]);
  equal(answer(null, { ...FAILED, failed_tasks: [] }).state.stage, "READY_PLAN");
  const bare = toState("POST_IMPL_VERIFY", { ...ONLY_VERIFY, tasks: [] });
  equal(answer(null, payload, bare).state.end, "failed");
});

Deno.test("postImplVerify() sees a contradiction only where the report is the verdict", () => {
  const odd = { ...PASSED, failed_tasks: ["task_1"] };
  deepEqual(toRefusal(send(null, odd)), ["contradiction data.passed"]);
  equal(answer(toRun("passed"), odd).verified, true);
  equal(answer(toRun("failed"), odd).verified, false);
});

Deno.test("postImplVerify() alone says so where no command applies, and ends with a failure without a way back", () => {
  const alone = toState("POST_IMPL_VERIFY", ONLY_VERIFY);
  match(answer(null, PASSED, alone).note, /your own word/);
  equal(answer(toRun("passed"), PASSED, alone).note, undefined);
  equal(answer(null).note, undefined);
  const { state, sent_back: sentBack, verified } = answer(toRun("failed"), FAILED, alone);
  deepEqual([state.status, state.end, sentBack, verified], ["ended", "failed", undefined, false]);
});

Deno.test("postImplVerify() blames the environment only where no failing command names a new failure", () => {
  const row = (name: string, freshCount: number) => ({ ...COMMAND, name, exitCode: 1, freshCount });
  const rows: readonly (readonly [run: ServerRun | null, isEnvironment: boolean])[] = [
    [toRun("failed", {}, { freshCount: 1 }), false],
    [toRun("failed", {}, { freshCount: 0 }), true],
    [toRun("failed", { failed: ["a", "b"], results: [row("a", 1), row("b", 0)] }), true],
    [toRun("failed", { failed: ["a"], results: [row("a", 1), row("b", 0)] }), false],
    [null, true],
  ];
  for (const [run, isEnvironment] of rows) {
    equal(answer(run, FAILED).nothing_to_change !== undefined, isEnvironment, JSON.stringify(run));
  }
});

const COVERAGE: LineCoverage = {
  read: ["coverage/lcov.info (LCOV)"],
  ran: 8,
  notRun: 2,
  unknown: 0,
  ranLines: { "src/a.ts": "1-8" },
  notRunLines: { "src/a.ts": "9-10" },
  unknownFiles: [],
  why: [],
  bound: null,
};

Deno.test("postImplVerify() sends work back of which fewer lines ran than the project asks for, whatever else passes", () => {
  const bounded = (bound: number | null, more: Partial<LineCoverage> = {}) => ({
    coverage: { ...COVERAGE, bound, ...more },
  });
  const rows: readonly (readonly [run: ServerRun, verified: boolean, stage: string])[] = [
    [toRun("passed", bounded(0.8)), true, "PRE_COMMIT"],
    [toRun("passed", bounded(0.81)), false, "READY_PLAN"],
    [toRun("still_red", bounded(0.81)), false, "READY_PLAN"],
    [toRun("unproven", { isNothingNew: true, ...bounded(0.81) }), false, "READY_PLAN"],
    [toRun("unproven", bounded(0.8)), false, "PRE_COMMIT"],
    [toRun("passed", bounded(0.81, { ran: 0, notRun: 0 })), true, "PRE_COMMIT"],
  ];
  for (const [run, verified, stage] of rows) {
    const { state, verified: told } = answer(run);
    deepEqual([told, state.stage], [verified, stage], JSON.stringify(run));
  }
  const short = answer(toRun("passed", bounded(0.81)));
  match(short.announcement, /^Only 8 of 10 changed lines ran/);
});

Deno.test("postImplVerify() keeps of a run what step 17 and the commit need, and nothing that says nothing", () => {
  const plain = answer(toRun("passed", { lost: [], wrote: [] })).state.verification;
  const shared = [
    ...["at", "failedTasks", "ranOn", "tree", "baselineTree", "passed", "verifier"],
    ...["details", "source", "ran"],
  ];
  deepEqual(Object.keys(plain), shared);
  const lost = [{ id: "lost unit gone", what: "tests are gone: a" }];
  const mutants = { total: 3, killed: 2, broken: 0, survivors: [], tests: [], unknown: null };
  const proof = { nothing: ["a_test.ts: a"], proving: 2, tests: ["a_test.ts: a"], unknown: null };
  const line = "not proven: a_test.ts: a passes without the change too";
  const said = {
    isProven: false,
    line,
    findings: ["a_test.ts: a: passes without the change too"],
    checks: [{ name: "commands", state: "done", seconds: 4.2 }],
  };
  const run = toRun("passed", {
    lost,
    wrote: ["dist/a.js"],
    tree: "tree_2",
    place: { kind: "checkout", tree: "tree_3", lent: [] },
    tests: proof,
    mutants,
    said,
    coverage: COVERAGE,
    differsFromTrust: ["node is another one"],
    unrunRules: ["CONTRIBUTING.md:12 asks for -race"],
  });
  const { state, ...reply } = answer(run);
  const { at: _at, failedTasks: _tasks, tree: _tree, baselineTree: _base, ...kept } =
    state.verification;
  deepEqual(kept, {
    ranOn: "tree_2",
    wrote: ["dist/a.js"],
    passed: true,
    verifier: "unit",
    details: "unit: 3 passed (jest); 0.0 s",
    source: "server",
    ran: ["unit: 3 passed (jest); 0.0 s", "mutants: 2 of 3 tried, 2 noticed by tests, 0 by none"],
    lost,
    checkout: "tree_3",
    provesNothing: ["a_test.ts: a"],
    proving: 2,
    ranTests: ["a_test.ts: a"],
    checks: said.checks,
    mutants,
    coverage: COVERAGE,
    differsFromTrust: ["node is another one"],
    unrunRules: ["CONTRIBUTING.md:12 asks for -race"],
  });
  deepEqual(
    [reply.proof, reply.proof_findings, reply.ran_in, reply.differs_from_trust],
    [said.line, said.findings, undefined, ["node is another one"]],
  );
  match(reply.announcement, /^not proven: a_test\.ts: a passes without the change too\./);
  const proven = answer(toRun("passed", { said: { ...said, isProven: true } }));
  deepEqual([proven.proof, proven.announcement], [said.line, undefined]);
});

Deno.test("postImplVerify() says where the commands ran when that is not the rule", () => {
  const why = "No clean checkout works here";
  const worktree = (differs: boolean) => ({ kind: "worktree", why, differs }) as const;
  const alone = answer(toRun("passed", { place: worktree(true) }));
  equal(alone.ran_in, `the worktree. ${why}`);
  match(
    alone.announcement,
    /^It passes in the worktree alone, so the commit will say yes \(worktree\)/,
  );
  equal(alone.state.verification.inWorktree, why);
  equal(answer(toRun("passed", { place: worktree(false) })).announcement, undefined);
  const lent = { kind: "checkout", tree: "t", lent: ["node_modules"] } as const;
  equal(answer(toRun("passed", { place: lent })).ran_in, "a clean checkout, lent: node_modules");
  const clean = { kind: "checkout", tree: "t", lent: [] } as const;
  match(answer(toRun("failed", { place: clean }), FAILED).announcement, /ran in a clean checkout/);
  const other = answer(toRun("failed", { place: worktree(false) }), FAILED);
  equal(/clean checkout of/.test(other.announcement), false);
});

Deno.test("postImplVerify() tells of a command that passed in a line, and of one that failed by its work with its output", () => {
  const passed = { ...COMMAND, name: "lint", changedTests: ["a_test.ts: 2 passed"] };
  const silent = { ...COMMAND, name: "types", summary: undefined } as unknown as CommandRun;
  const run = toRun("failed", { results: [{ ...COMMAND, exitCode: 0 }, passed, silent] });
  deepEqual(answer(run, FAILED).commands, [
    // Its status says that it passed; the comparison says that tests of it are gone.
    { name: "unit", exit_code: 0, result: "3 passed (jest); 0.0 s", output_tail: "the end" },
    "lint: 3 passed (jest); 0.0 s; a_test.ts: 2 passed",
    { name: "types", exit_code: 0, duration_ms: 5 },
  ]);
  const red = answer(toRun("still_red", { stillRed: ["unit"] }, { summary: "1 failed" }));
  deepEqual(red.commands, [{ name: "unit", exit_code: 1, result: "1 failed", red_before: true }]);
});

Deno.test("a failure is called repeated by what failed alone, with what each attempt did since", () => {
  const fail = (state: SessionState, failureHash: string | null, ids: readonly string[]) =>
    answer(toRun("failed", { failureHash }), { ...FAILED, failed_tasks: [] }, {
      ...state,
      escalation: null,
      counters: { ...state.counters, verificationFailures: 0 },
      tasks: ids.map((id) =>
        toDoneTask(id, id === "idle" ? { checklist: [{ item: "x", status: "skipped" }] } : {})
      ),
    });
  const first = fail(toState("POST_IMPL_VERIFY"), "same", ["a"]);
  const other = fail(first.state, "other", ["a", "idle"]);
  const third = fail(other.state, "same", ["a", "idle"]);
  equal(/exactly as/.test(`${first.announcement} ${other.announcement}`), false);
  match(
    third.announcement,
    /It fails exactly as in attempt 1, so this did not reach the cause: attempt 2: idle \(no change\); attempt 3: nothing new\./,
  );
  // Of failures without a hash nobody knows whether they are the same.
  const unknown = fail(toState("POST_IMPL_VERIFY"), null, ["a"]);
  equal(/exactly as/.test(fail(unknown.state, null, ["a", "b"]).announcement), false);
});
