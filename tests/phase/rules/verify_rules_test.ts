/** Rows of input and expected output for `src/phase/rules/verify_rules.ts`. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { ServerRun } from "../../../src/phase/facts.ts";
import type { SessionState } from "../../../src/phase/state.ts";
import { accept, NOW, PAYLOAD, submit, toDoneTask, toState } from "../samples.ts";

const FAILED = { ...PAYLOAD.POST_IMPL_VERIFY, passed: false, details: "2 failed" };

/** A run of one command. */
function toRun(verdict: ServerRun["verdict"], more: Partial<ServerRun> = {}): ServerRun {
  const isBad = verdict !== "passed";
  return {
    verdict,
    failed: verdict === "failed" ? ["unit"] : [],
    stillRed: verdict === "still_red" ? ["unit"] : [],
    results: [{
      name: "unit",
      line: "CI=true npm test",
      exitCode: isBad ? 1 : 0,
      durationMs: 5,
      summary: isBad ? "1 passed, 2 failed (jest); exit code 1; 0.0 s" : "3 passed (jest); 0.0 s",
      failures: isBad ? ["a: no", "b: no"] : [],
      failureCount: isBad ? 2 : 0,
      freshCount: verdict === "failed" ? 1 : 0,
      outputTail: "the end",
      outputHash: "",
    }],
    ...more,
  };
}

Deno.test("postImplVerify() takes the verdict of the server's run, whatever the client reports", () => {
  const rows: readonly (readonly [ServerRun, boolean, boolean, string, string])[] = [
    // run, the client's word, verified, source, stage
    [toRun("passed"), false, true, "server", "PRE_COMMIT"],
    [toRun("still_red"), false, true, "baseline-red", "PRE_COMMIT"],
    [toRun("failed"), true, false, "server", "READY_PLAN"],
    [toRun("unproven"), true, false, "unproven", "PRE_COMMIT"],
    [toRun("unproven"), false, false, "unproven", "READY_PLAN"],
    [toRun("unproven", { isNothingNew: true }), false, false, "unproven", "PRE_COMMIT"],
  ];
  for (const [serverRun, passed, verified, source, stage] of rows) {
    const payload = { ...PAYLOAD.POST_IMPL_VERIFY, passed };
    const { state, reply } = accept(
      submit(toState("POST_IMPL_VERIFY"), payload, { facts: { serverRun } }),
    );
    deepEqual(
      [reply.verified, reply.verification_source, state.stage],
      [verified, source, stage],
      `${serverRun.verdict} ${passed}`,
    );
  }
});

Deno.test("postImplVerify() needs no report where the server's run is the verdict, and one where nothing else is", () => {
  const rows: readonly (readonly [run: ServerRun | null, missing: readonly string[]])[] = [
    [toRun("passed"), []],
    [toRun("failed"), []],
    [toRun("unproven", { isNothingNew: true }), []],
    [toRun("unproven"), ["data.passed"]],
    [null, ["data.passed", "data.verifier_used", "data.details"]],
  ];
  for (const [serverRun, missing] of rows) {
    const decision = submit(toState("POST_IMPL_VERIFY"), {}, { facts: { serverRun } });
    const found = decision.kind === "refused" ? decision.problems.map(({ at }) => at) : [];
    deepEqual(found, missing, `${serverRun?.verdict}`);
  }
});

Deno.test("postImplVerify() says in the instruction what failed, and keeps what ran", () => {
  const answer = (serverRun: ServerRun) =>
    accept(submit(toState("POST_IMPL_VERIFY"), PAYLOAD.POST_IMPL_VERIFY, { facts: { serverRun } }));
  const red = answer(toRun("failed"));
  match(
    `${red.reply.announcement}`,
    /^The server's run FAILED: unit: 1 passed, 2 failed .*\[a; b\]/,
  );
  deepEqual(red.reply.commands, [{
    name: "unit",
    ran: "CI=true npm test",
    exit_code: 1,
    result: "1 passed, 2 failed (jest); exit code 1; 0.0 s",
    failures: ["NEW a: no", "b: no"],
    output_tail: "the end",
  }]);
  const green = answer(toRun("passed"));
  equal("announcement" in green.reply, false);
  deepEqual(green.state.verification?.ran, ["unit: 3 passed (jest); 0.0 s"]);
  equal(green.state.verification?.details, "unit: 3 passed (jest); 0.0 s");
  match(`${answer(toRun("unproven")).reply.announcement}`, /proves nothing: .*commit will say no/);
  match(`${answer(toRun("still_red")).reply.announcement}`, /^Nothing new fails: /);
});

Deno.test("postImplVerify() keeps the result and the reason of the revert with its details", () => {
  const { state, reply } = accept(
    submit(toState("POST_IMPL_VERIFY"), { ...FAILED, failed_tasks: ["task_1"] }),
  );
  deepEqual(state.verification, {
    at: NOW,
    passed: false,
    verifier: "npm test",
    details: "2 failed",
    failedTasks: ["task_1"],
    source: "self-reported",
    ranOn: null,
    tree: "tree_1",
    baselineTree: state.workspace.baselineTree,
  });
  const reason = "Verification failed (npm test): 2 failed";
  deepEqual([state.stage, state.revertReason], ["READY_PLAN", reason]);
  deepEqual([state.tasks[0]?.failureCount, state.tasks[0]?.revertReason], [1, reason]);
  deepEqual(state.tasks[0]?.status, "completed");
  deepEqual([reply.verified, reply.sent_back, reply.reason], [false, true, reason]);
});

Deno.test("R8: failures of a task add up until an intervention, across other tasks' failures", () => {
  const tasks = [toDoneTask("task_1", { failureCount: 2 }), toDoneTask("task_2")];
  const other = submit(toState("POST_IMPL_VERIFY", { tasks }), {
    ...FAILED,
    failed_tasks: ["task_2"],
  });
  equal(accept(other).state.stage, "READY_PLAN");
  const third = submit(toState("POST_IMPL_VERIFY", { tasks }), {
    ...FAILED,
    failed_tasks: ["task_1"],
  });
  equal(accept(third).state.stage, "VERIFY_INTERVENTION");
});

for (const flags of [{ no_intervention: true }, { quick: true }]) {
  Deno.test(`R8: with ${Object.keys(flags)[0]} the third failure asks the person`, () => {
    const tasks = [toDoneTask("task_1", { failureCount: 2 })];
    const before = toState("POST_IMPL_VERIFY", { tasks, begin: { flags } });
    const { state, reply } = accept(submit(before, { ...FAILED, failed_tasks: ["task_1"] }));
    deepEqual([state.stage, state.escalation?.cause], ["POST_IMPL_VERIFY", "verification_limit"]);
    equal(reply.sent_back, false);
  });
}

Deno.test("R8: failed runs count for the session, whatever new task is named, and a repeated failure says so", () => {
  const serverRun = toRun("failed", { failureHash: "same" });
  const red = (done: readonly string[], more = {}) => {
    const tasks = done.map((id) => toDoneTask(id));
    const before = { ...toState("POST_IMPL_VERIFY", { tasks }), ...more };
    const payload = { ...FAILED, failed_tasks: [done.at(-1)] };
    return accept(submit(before, payload, { facts: { serverRun } }));
  };
  const first = red(["task_1"]);
  equal(`${first.reply.announcement}`.includes("exactly as"), false);
  const { attempts, counters } = first.state;
  const second = red(["task_1", "fix_1"], { attempts, counters });
  match(
    `${second.reply.announcement}`,
    /It fails exactly as in attempt 1, so this did not reach the cause: attempt 2: fix_1 \(/,
  );
  equal(second.state.stage, "READY_PLAN");
  const third = red(["task_1", "fix_1", "fix_2"], {
    attempts: second.state.attempts,
    counters: second.state.counters,
  });
  equal(third.state.stage, "VERIFY_INTERVENTION");
});

Deno.test("R8: a passed run ends the row of failed ones, and the tasks keep the failure in a line", () => {
  const serverRun = toRun("failed", { failureHash: "a" });
  serverRun.results.forEach((result) => Object.assign(result, { outputTail: "x".repeat(500) }));
  const red = accept(
    submit(toState("POST_IMPL_VERIFY"), { ...FAILED, failed_tasks: ["task_1"] }, {
      facts: { serverRun },
    }),
  ).state;
  equal((red.tasks[0]?.revertReason ?? "").length, 200);
  equal((red.revertReason ?? "").length > 500, true);
  const green = accept(
    submit({ ...red, stage: "POST_IMPL_VERIFY" }, PAYLOAD.POST_IMPL_VERIFY, {
      facts: { serverRun: toRun("passed") },
    }),
  ).state;
  deepEqual([green.attempts, green.counters.verificationFailures], [[], 0]);
});

Deno.test("R8: a passed run takes back the failed runs before it, and no failure that the agent reported", () => {
  const facts = {
    limits: { verificationFailures: 4, interventions: 2, qualityReverts: 3, backs: 3 },
  };
  const send = (before: SessionState, payload: object, serverRun: ServerRun | null) =>
    accept(
      submit({ ...before, stage: "POST_IMPL_VERIFY" }, payload, { facts: { ...facts, serverRun } }),
    ).state;
  const run = toRun("failed", { failureHash: "a" });
  const reported = send(toState("POST_IMPL_VERIFY"), FAILED, null);
  const once = send(reported, FAILED, run);
  const twice = send(once, FAILED, run);
  deepEqual([twice.stage, twice.counters.verificationFailures], ["READY_PLAN", 3]);
  const green = send(twice, PAYLOAD.POST_IMPL_VERIFY, toRun("passed"));
  equal(green.counters.verificationFailures, 1);
  // The row begins anew: two more failed runs are no limit, and neither is like one of the old row.
  const third = send(green, FAILED, run);
  equal(third.attempts?.length, 1);
  equal(send(third, FAILED, run).stage, "READY_PLAN");
  equal(send(send(third, FAILED, run), FAILED, run).stage, "VERIFY_INTERVENTION");
  // Without a failed run before it, a passed one takes nothing back.
  equal(send(reported, PAYLOAD.POST_IMPL_VERIFY, toRun("passed")).counters.verificationFailures, 1);
});

Deno.test("postImplVerify() says once what rules ask to be run and no command runs", () => {
  const unrunRules = ["CONTRIBUTING.md:12 asks for -race"];
  const submitTo = (state: ReturnType<typeof toState>) =>
    accept(submit(state, PAYLOAD.POST_IMPL_VERIFY, {
      facts: { serverRun: toRun("failed", { unrunRules }) },
    }));
  const first = submitTo(toState("POST_IMPL_VERIFY"));
  match(String(first.reply.unrun_rules), /^CONTRIBUTING\.md:12 asks for -race: no command/);
  const { verification } = first.state;
  equal(submitTo({ ...toState("POST_IMPL_VERIFY"), verification }).reply.unrun_rules, undefined);
});
