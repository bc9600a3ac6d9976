/** A decision that waits for its effects: what it keeps, and what follows from that when it is taken up. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { PAYLOADS } from "../../src/phase/payload/payloads.ts";
import { applyPending, RULES } from "../../src/phase/accepted.ts";
import type { Stage } from "../../src/phase/table/phases.ts";
import { accept, NOW, PAYLOAD, settle, submit, toFacts, toRefusal, toState } from "./samples.ts";
import { BUILT_IN_CONTRACT } from "../../src/phase/contract/contract.ts";
import { decide } from "../../src/phase/decide.ts";
import type { SessionState } from "../../src/phase/state.ts";

Deno.test("RULES has a rule for every stage that has a payload", () => {
  deepEqual(Object.keys(RULES).sort(), Object.keys(PAYLOADS).sort());
});

/** Where the sample payload leads in a default session. */
const NEXT: Readonly<Record<Exclude<Stage, "SESSION_COMPLETE">, Stage>> = {
  BRANCH_INTERVENTION: "DOCUMENT_RESEARCH",
  DOCUMENT_RESEARCH: "QUERY_FRAME",
  QUERY_FRAME: "EXPLORATION",
  EXPLORATION: "Q1",
  Q1: "Q2",
  SEMANTIC: "Q2",
  Q2: "Q3",
  VERIFICATION: "Q3",
  Q3: "READY_PLAN",
  IMPACT_ANALYSIS: "READY_PLAN",
  READY_PLAN: "READY_IMPL",
  READY_IMPL: "READY_COMPLETE",
  READY_COMPLETE: "POST_IMPL_VERIFY",
  POST_IMPL_VERIFY: "PRE_COMMIT",
  VERIFY_INTERVENTION: "READY_PLAN",
  PRE_COMMIT: "QUALITY_REVIEW",
  QUALITY_REVIEW: "MERGE",
  MERGE: "SESSION_COMPLETE",
};

for (const [stage, next] of Object.entries(NEXT) as [Stage, Stage][]) {
  Deno.test(`the sample payload of ${stage} leads to ${next}`, () => {
    equal(accept(submit(toState(stage), PAYLOAD[stage])).state.stage, next);
  });
}

const SKIPS = { begin: { flags: { no_quality: true } } };

/** Every stage that has effects, with a payload that leads to them. */
const WITH_EFFECTS: readonly (readonly [Stage, unknown, Parameters<typeof toState>[1]?])[] = [
  ["BRANCH_INTERVENTION", PAYLOAD.BRANCH_INTERVENTION],
  ["READY_PLAN", PAYLOAD.READY_PLAN],
  ["VERIFY_INTERVENTION", { ...PAYLOAD.VERIFY_INTERVENTION, restore_to: "plan" }],
  ["PRE_COMMIT", PAYLOAD.PRE_COMMIT, SKIPS],
  ["QUALITY_REVIEW", PAYLOAD.QUALITY_REVIEW],
  ["QUALITY_REVIEW", { user_decision: "accept", user_reason: "good enough" }, {
    lastProblems: [{ code: "too_few_tools", message: "one is not enough" }],
  }],
  ["MERGE", PAYLOAD.MERGE],
  ["EXPLORATION", { park: true, reason: "later, please" }],
  ["EXPLORATION", { abandon: true, reason: "not wanted", restore: true }],
];

function toWaiting(row: typeof WITH_EFFECTS[number]): SessionState {
  const [stage, payload, rest] = row;
  const decision = submit(toState(stage, rest), payload);
  ok(decision.kind === "perform", JSON.stringify(decision));
  return decision.state;
}

for (const row of WITH_EFFECTS) {
  const [stage, payload] = row;
  const sent = Object.keys(payload as object)[0];
  Deno.test(`a decision at ${stage} (${sent}) keeps the submission, and comes to the same from the disk`, () => {
    const waiting = toWaiting(row);
    const stored = JSON.parse(JSON.stringify(waiting)) as SessionState;
    deepEqual(Object.keys(stored.pending ?? {}), ["accepted", "effects", "expected", "reply"]);
    deepEqual(Object.keys(stored.pending?.accepted ?? {}), ["kind", "submission", "facts"]);
    const event = { type: "completed", results: [], facts: toFacts({ now: "later" }) } as const;
    deepEqual(
      decide(stored, event, BUILT_IN_CONTRACT),
      decide(waiting, event, BUILT_IN_CONTRACT),
    );
  });
}

Deno.test("what is noted between decision and resume survives it: the state is not put back", () => {
  const row = WITH_EFFECTS.find(([, payload]) => "user_decision" in (payload as object));
  ok(row !== undefined);
  const waiting = toWaiting(row);
  const parked = {
    at: NOW,
    stage: waiting.stage,
    decision: "park",
    reason: "a lock",
    source: "asked",
  } as const;
  const resumed = { ...waiting, decisions: [...waiting.decisions, parked] };
  const applied = applyPending(resumed);
  ok(applied.kind === "applied");
  deepEqual(applied.state.decisions.map(({ decision }) => decision), ["park", "accept"]);
});

Deno.test("the changes of a decision from format 1 are taken as they were kept", () => {
  const patch = { summaries: { step_17_PRE_COMMIT: "ready" } };
  const accepted = { kind: "changes", outcome: "reviewed", patch } as const;
  const effects = [{ kind: "commit", verified: "no" }] as const;
  const reply = { kept: 1 };
  const state = toState("PRE_COMMIT", {
    ...SKIPS,
    pending: { accepted, effects, expected: {}, reply },
  });
  const decision = accept(settle({ kind: "perform", state, effects }));
  deepEqual([decision.state.stage, decision.state.summaries, decision.state.pending], [
    "MERGE",
    patch.summaries,
    null,
  ]);
  equal(decision.reply.kept, 1);
});

Deno.test("a decision that this version would not accept any more is refused, and its step is due again", () => {
  const waiting = toWaiting(["READY_PLAN", PAYLOAD.READY_PLAN]);
  const { pending } = waiting;
  ok(pending?.accepted.kind === "submission" && pending.accepted.submission.kind === "payload");
  const submission = { ...pending.accepted.submission, data: { tasks: [] } };
  const state = {
    ...waiting,
    pending: { ...pending, accepted: { ...pending.accepted, submission } },
  };
  const decision = settle({ kind: "perform", state, effects: pending.effects });
  deepEqual(toRefusal(decision).length > 0, true);
  deepEqual([decision.state.stage, decision.state.pending], ["READY_PLAN", null]);
});
