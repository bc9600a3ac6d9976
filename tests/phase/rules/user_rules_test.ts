/** Rows of input and expected output for `src/phase/rules/user_rules.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { EscalationCause, SessionState } from "../../../src/phase/state.ts";
import type { Stage } from "../../../src/phase/table/phases.ts";
import { accept, NOW, PAYLOAD, submit, toDoneTask, toRefusal, toState } from "../samples.ts";

const word = (decision: string) => ({ user_decision: decision, user_reason: "they said so" });
const AGAIN = { back_to: "EXPLORATION", reason: "looked in the wrong place" };

/** Where each answer to each question leads; null where it is not offered. */
const ANSWERS: readonly (readonly [
  cause: EscalationCause,
  stage: Stage,
  flags: SessionState["flags"],
  afterContinue: Stage,
  afterAccept: Stage | null,
])[] = [
  ["verification_limit", "POST_IMPL_VERIFY", { no_intervention: true }, "READY_PLAN", "PRE_COMMIT"],
  ["verification_limit", "POST_IMPL_VERIFY", { quick: true }, "READY_PLAN", "SESSION_COMPLETE"],
  ["intervention_limit", "VERIFY_INTERVENTION", {}, "READY_PLAN", "PRE_COMMIT"],
  ["back_limit", "READY_IMPL", {}, "EXPLORATION", null],
  ["back_limit", "Q1", {}, "EXPLORATION", null],
  ["hook_limit", "PRE_COMMIT", {}, "READY_PLAN", null],
  ["hook_limit", "QUALITY_REVIEW", {}, "READY_PLAN", null],
  ["message_limit", "PRE_COMMIT", {}, "PRE_COMMIT", null],
  ["message_limit", "QUALITY_REVIEW", {}, "PRE_COMMIT", null],
];

for (const [cause, stage, flags, afterContinue, afterAccept] of ANSWERS) {
  const name = `${cause} at ${stage}`;
  const asked = () =>
    toState(stage, {
      begin: { flags },
      escalation: { cause, message: "what now?" },
      counters: { verificationFailures: 3, interventions: 2, qualityReverts: 1, backs: 3 },
      tasks: [toDoneTask("task_1", { failureCount: 3 })],
    });

  Deno.test(`R5: continue leads out of ${name} with fresh counters`, () => {
    const { state } = accept(submit(asked(), word("continue")));
    deepEqual([state.stage, state.escalation], [afterContinue, null]);
    equal(state.tasks[0]?.failureCount, 0);
    const { verificationFailures, interventions, backs } = state.counters;
    deepEqual([verificationFailures, interventions, backs], [0, 0, 0]);
  });

  Deno.test(`accept ${afterAccept === null ? "is not offered" : "leads out"} of ${name}`, () => {
    const decision = submit(asked(), word("accept"));
    if (afterAccept === null) {
      deepEqual(toRefusal(decision), ["decision_not_offered data.user_decision"]);
      return;
    }
    const { state, reply } = accept(decision);
    deepEqual([state.stage, state.escalation, reply.override], [afterAccept, null, true]);
    deepEqual(state.decisions.at(-1), {
      at: NOW,
      stage,
      decision: "accept",
      reason: "they said so",
      source: "relayed",
    });
  });

  Deno.test(`park and abandon lead out of ${name}`, () => {
    const parked = accept(submit(asked(), word("park"))).state;
    deepEqual([parked.status, parked.stage, parked.escalation?.cause], ["parked", stage, cause]);
    const abandoned = accept(submit(asked(), word("abandon"))).state;
    deepEqual([abandoned.status, abandoned.end, abandoned.escalation], [
      "ended",
      "abandoned",
      null,
    ]);
  });

  Deno.test(`nothing but the person's word leads out of ${name}`, () => {
    for (const data of [PAYLOAD[stage], AGAIN]) {
      const decision = submit(asked(), data);
      equal(decision.kind === "refused" ? decision.error : "", "user_decision_required");
      equal(decision.state.escalation?.cause, cause);
      equal(decision.state.stage, stage);
    }
  });
}

const ACCEPTS: readonly (readonly [stage: Stage, after: Stage | null])[] = [
  ["EXPLORATION", null],
  ["Q1", null],
  ["READY_PLAN", null],
  ["READY_IMPL", "PRE_COMMIT"],
  ["READY_COMPLETE", "PRE_COMMIT"],
  ["POST_IMPL_VERIFY", "PRE_COMMIT"],
  ["VERIFY_INTERVENTION", "PRE_COMMIT"],
  ["PRE_COMMIT", null],
  ["QUALITY_REVIEW", "MERGE"],
  ["MERGE", null],
];

/** A payload of the step was refused, so that the person may be asked. */
const REFUSED = { lastProblems: [{ code: "too_few_tools", message: "one is not enough" }] };

for (const [stage, after] of ACCEPTS) {
  Deno.test(`an override at ${stage} ${after === null ? "is refused" : `leads to ${after}`}`, () => {
    const decision = submit(toState(stage, REFUSED), word("accept"));
    if (after === null) deepEqual(toRefusal(decision), ["decision_not_offered data.user_decision"]);
    else equal(accept(decision).state.stage, after);
  });
}

Deno.test("an override that nothing asks for is refused: no payload was, and no verification failed", () => {
  const refusal = ["no_escalation data.user_decision"];
  for (const stage of ["READY_IMPL", "READY_COMPLETE", "QUALITY_REVIEW"] as const) {
    const first = submit(toState(stage), word("accept"));
    deepEqual(toRefusal(first), refusal, stage);
    // The refusal of the word itself is no question.
    deepEqual(toRefusal(submit(first.state, word("accept"))), refusal, stage);
  }
  const run = { at: NOW, verifier: "npm test", details: "", failedTasks: [] } as const;
  const verified = (passed: boolean) => ({
    verification: { ...run, passed, source: "self-reported" as const },
  });
  const judged = "POST_IMPL_VERIFY";
  deepEqual(toRefusal(submit(toState(judged, verified(true)), word("accept"))), refusal);
  equal(accept(submit(toState(judged, verified(false)), word("accept"))).state.stage, "PRE_COMMIT");
  const calm = accept(submit(toState(judged, REFUSED), word("accept")));
  deepEqual(calm.state.lastProblems, []);
});

Deno.test("an override of the quality review commits as overridden before it merges", () => {
  const decision = submit(toState("QUALITY_REVIEW", REFUSED), word("accept"));
  deepEqual(decision.kind === "perform" ? decision.effects : [], [
    { kind: "commit", verified: "overridden (relayed)" },
  ]);
});

Deno.test("a question of the agent's own is kept with its answer at any stage, and leads nowhere", () => {
  for (const stage of ["EXPLORATION", "READY_IMPL", "MERGE"] as const) {
    const before = toState(stage);
    const open = accept(submit(before, { ask_person: "Which unit?" }));
    deepEqual([open.reply.ask_the_person, open.state.decisions], ["Which unit?", []]);
    const { state, reply } = accept(submit(before, { ask_person: "Which unit?", answer: "days" }));
    deepEqual([reply.person_answer, reply.decided_by], ["days", "relayed"]);
    deepEqual([state.stage, state.visit, state.path], [stage, before.visit, before.path]);
    equal(state.decisions.at(-1)?.reason, "Which unit? days");
  }
});

Deno.test("continue without a question is refused", () => {
  deepEqual(toRefusal(submit(toState("Q1"), word("continue"))), [
    "no_escalation data.user_decision",
  ]);
});

const BACK: readonly Stage[] = [
  "Q1",
  "SEMANTIC",
  "Q2",
  "VERIFICATION",
  "Q3",
  "IMPACT_ANALYSIS",
  "READY_PLAN",
  "READY_IMPL",
  "READY_COMPLETE",
];
const NO_WAY_BACK: readonly Stage[] = [
  "BRANCH_INTERVENTION",
  "DOCUMENT_RESEARCH",
  "QUERY_FRAME",
  "EXPLORATION",
  "POST_IMPL_VERIFY",
  "VERIFY_INTERVENTION",
  "PRE_COMMIT",
  "QUALITY_REVIEW",
  "MERGE",
];

for (const stage of BACK) {
  Deno.test(`going back from ${stage} keeps results, tasks and branch, and ends writing`, () => {
    const before = toState(stage, {
      findings: ["a"],
      clearances: [{ path: "a.ts", visit: 1, taskId: null }],
    });
    const { state } = accept(submit(before, AGAIN));
    deepEqual([state.stage, state.counters.backs, state.clearances], ["EXPLORATION", 1, []]);
    deepEqual([state.findings, state.tasks, state.workspace], [
      before.findings,
      before.tasks,
      before.workspace,
    ]);
  });
}

for (const stage of NO_WAY_BACK) {
  Deno.test(`${stage} has no way back`, () => {
    const decision = submit(toState(stage), AGAIN);
    equal(decision.kind === "refused" ? decision.error : "", "back_not_allowed");
    // What mends work at the review is named; nothing names a move that is refused too.
    const hint = decision.kind === "refused" ? decision.problems[0]?.hint ?? "" : "";
    equal(
      /issues.* leads back to the plan/.test(String(hint)),
      /^(PRE_COMMIT|QUALITY_REVIEW)$/.test(stage),
    );
  });
}

Deno.test("going back works three times, then the person is asked", () => {
  let state = toState("Q1");
  for (const count of [1, 2, 3]) {
    const { state: next, reply } = accept(submit({ ...state, stage: "Q1" }, AGAIN));
    deepEqual([next.stage, reply.back_count], ["EXPLORATION", count]);
    state = next;
  }
  const { state: asked } = accept(submit({ ...state, stage: "READY_PLAN" }, AGAIN));
  deepEqual([asked.stage, asked.escalation?.cause, asked.counters.backs], [
    "READY_PLAN",
    "back_limit",
    3,
  ]);
});

Deno.test("abandon takes the tree back only when asked to, and touches nothing without git", () => {
  const effects = (state: SessionState, data: object) => {
    const decision = submit(state, data);
    return decision.kind === "perform" ? decision.effects : [];
  };
  const state = toState("READY_IMPL");
  const plain = { abandon: true, reason: "not needed" };
  deepEqual(effects(state, plain), [{ kind: "leave_branch", restore: false }]);
  deepEqual(effects(state, { ...plain, restore: true }), [{ kind: "leave_branch", restore: true }]);
  const bare = { ...state, workspace: { ...state.workspace, hasGit: false } };
  deepEqual(effects(bare, plain), []);
});
