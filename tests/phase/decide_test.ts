/** Rows of input and expected output for `src/phase/decide.ts`. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal, throws } from "node:assert/strict";
import { BUILT_IN_CONTRACT } from "../../src/phase/contract/contract.ts";
import type { Decision } from "../../src/phase/decide.ts";
import { decide, findSubmittedStage } from "../../src/phase/decide.ts";
import { parseSubmission } from "../../src/phase/payload/payloads.ts";
import { accept, PAYLOAD, settle, submit, toFacts, toRefusal, toState } from "./samples.ts";

function toReply(decision: Decision): Readonly<Record<string, unknown>> {
  return decision.kind === "perform" ? {} : decision.reply;
}

/** The protocol that notices a lost conversation: state before, count sent, count after, summaries? */
const COMPACTION: readonly (readonly [
  name: string,
  own: number,
  seen: boolean,
  sent: number | undefined,
  next: number,
  answersSummaries: boolean,
])[] = [
  ["the same count", 0, true, 0, 0, false],
  ["a higher count", 1, true, 2, 2, true],
  ["a much higher count", 0, true, 9, 9, true],
  ["a lower count", 3, true, 1, 1, true],
  ["no count before one was ever sent", 0, false, undefined, 0, false],
  ["no count after one was sent", 2, true, undefined, 3, true],
  ["the first count, equal", 0, false, 0, 0, false],
  ["the first count, different", 0, false, 1, 1, true],
];

for (const [name, own, seen, sent, next, answersSummaries] of COMPACTION) {
  Deno.test(`R17: decide() on ${name} ${answersSummaries ? "answers" : "sends no"} summaries`, () => {
    const summaries = { step_05_EXPLORATION: "found it" };
    const before = toState("Q1", { compactionCount: own, compactionSeen: seen, summaries });
    const count = sent === undefined ? {} : { compaction_count: sent };
    // An accepted payload, a refused one, and one that is no payload of the stage.
    for (
      const data of [PAYLOAD.Q1, { reason: "x" }, {
        back_to: "EXPLORATION",
        reason: "again, please",
      }]
    ) {
      const decision = submit(before, { ...data, ...count });
      equal(decision.state.compactionCount, next);
      equal(decision.state.compactionSeen, seen || sent !== undefined);
      const expected = answersSummaries ? summaries : undefined;
      deepEqual(toReply(decision).phase_summaries, expected);
    }
  });
}

Deno.test("R17: summaries answered by a decision with effects are in the reply after them", () => {
  const before = toState("MERGE", { summaries: { step_17_PRE_COMMIT: "ready" } });
  const first = submit(before, { ...PAYLOAD.MERGE, compaction_count: 4 });
  const done = settle(first);
  deepEqual(toReply(done).phase_summaries, { step_17_PRE_COMMIT: "ready" });
  const refused = decide(
    first.state,
    { type: "effect_refused", problem: { code: "base_moved", message: "m" } },
    BUILT_IN_CONTRACT,
  );
  deepEqual(toReply(refused).phase_summaries, { step_17_PRE_COMMIT: "ready" });
});

Deno.test("R17: decide() keeps the summary of every visit and every task under its own key", () => {
  let state = toState("READY_PLAN");
  const item = [{ item: "a", status: "pending" }];
  const plan = (...ids: readonly string[]) => ({
    summary: `plan ${ids.join(" ")}`,
    tools_used: [],
    tasks: ids.map((id) => ({ id, description: id, checklist: item })),
  });
  const report = (id: string) => ({
    summary: `did ${id}`,
    tools_used: [],
    task_id: id,
    checklist: [{ item: "a", status: "skipped", reason: "exists already" }],
  });
  state = accept(submit(state, plan("t1", "t2"))).state;
  state = accept(submit(state, plan("t1", "t2"))).state;
  state = accept(submit(state, report("t1"))).state;
  state = accept(submit(state, report("t2"))).state;
  state = accept(submit(state, { back_to: "EXPLORATION", reason: "missed a file" })).state;
  state = accept(submit(state, { ...PAYLOAD.EXPLORATION, summary: "one" })).state;
  state = accept(submit(state, { back_to: "EXPLORATION", reason: "missed a file" })).state;
  state = accept(submit(state, { ...PAYLOAD.EXPLORATION, summary: "two" })).state;
  deepEqual(state.summaries, {
    step_12_READY_PLAN: "plan t1 t2",
    "step_12_READY_PLAN#2": "plan t1 t2",
    "step_13_READY_IMPL.t1": "did t1",
    "step_13_READY_IMPL.t2": "did t2",
    step_05_EXPLORATION: "one",
    "step_05_EXPLORATION#2": "two",
  });
});

Deno.test("decide() keeps no summary of a refused payload", () => {
  deepEqual(submit(toState("Q1"), { summary: "s" }).state.summaries, {});
});

Deno.test("decide() changes neither the state nor the event that it is given", () => {
  const freeze = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
    Object.freeze(value);
    Object.values(value).forEach(freeze);
    return value;
  };
  for (const stage of ["Q1", "READY_PLAN", "READY_IMPL", "PRE_COMMIT", "MERGE"] as const) {
    const state = toState(stage);
    const event = {
      type: "submitted",
      parsed: parseSubmission(stage, PAYLOAD[stage]),
      data: PAYLOAD[stage],
      facts: toFacts(),
    } as const;
    freeze([state, event]);
    const decision = decide(state, event, BUILT_IN_CONTRACT);
    deepEqual(decision, decide(state, event, BUILT_IN_CONTRACT));
    if (decision.kind === "perform") settle(decision);
  }
});

Deno.test("decide() leaves what it is about to do in the state, ready for JSON", () => {
  const decision = submit(toState("READY_PLAN"), PAYLOAD.READY_PLAN);
  ok(decision.kind === "perform");
  deepEqual(decision.effects, [{ kind: "create_branch" }]);
  deepEqual(decision.state.pending?.effects, decision.effects);
  equal(decision.state.pending?.accepted.kind, "submission");
  equal(decision.state.stage, "READY_PLAN");
  deepEqual(decision.state.tasks, []);
  const stored = JSON.parse(JSON.stringify(decision.state));
  const results = [{ kind: "create_branch", workspace: { taskBranch: "b" } }] as const;
  const { state } = accept(settle({ ...decision, state: stored }, results));
  deepEqual([state.stage, state.pending, state.workspace.taskBranch, state.tasks.length], [
    "READY_IMPL",
    null,
    "b",
    1,
  ]);
});

Deno.test("decide() goes back to where it was when an effect is refused", () => {
  const before = toState("READY_PLAN");
  const decision = submit(before, PAYLOAD.READY_PLAN);
  const problem = { code: "branch_exists", message: "it exists", hint: "Remove it." };
  const refused = decide(decision.state, { type: "effect_refused", problem }, BUILT_IN_CONTRACT);
  deepEqual(toRefusal(refused), ["branch_exists"]);
  deepEqual(refused.state, { ...before, lastProblems: [problem] });
});

Deno.test("decide() takes nothing while effects are pending, and settles nothing when none are", () => {
  const waiting = submit(toState("MERGE"), PAYLOAD.MERGE).state;
  throws(() => submit(waiting, PAYLOAD.MERGE), /still pending/);
  const event = { type: "completed", results: [], facts: toFacts() } as const;
  throws(() => decide(toState("MERGE"), event, BUILT_IN_CONTRACT), /nothing is pending/);
});

Deno.test("a visit of READY implement lasts until the next accepted plan", () => {
  const first = toState("READY_PLAN", { workspace: toState("READY_IMPL").workspace });
  const planned = accept(submit(first, {
    ...PAYLOAD.READY_PLAN,
    tasks: ["task_1", "task_2"].map((id) => ({
      id,
      description: id,
      checklist: [{ item: "Add login() to src/auth.ts", status: "pending" }],
    })),
  })).state;
  const reported = accept(submit(planned, PAYLOAD.READY_IMPL)).state;
  equal(reported.visit, planned.visit);
  const complete = accept(submit(reported, { ...PAYLOAD.READY_IMPL, task_id: "task_2" })).state;
  deepEqual([complete.stage, complete.visit], ["READY_COMPLETE", planned.visit]);
  const again = accept(submit(complete, PAYLOAD.READY_COMPLETE, {
    facts: { stale: [{ taskId: "task_1", items: [0] }] },
  })).state;
  deepEqual([again.stage, again.visit], ["READY_IMPL", planned.visit]);
  const done = reported.tasks.filter(({ status }) => status === "completed");
  const replanned = accept(submit(reported, {
    ...PAYLOAD.READY_PLAN,
    tasks: [
      ...done.map(({ id, description, checklist }) => ({
        id,
        description,
        status: "completed",
        checklist,
      })),
      { id: "n", description: "n", checklist: [{ item: "a", status: "pending" }] },
    ],
  })).state;
  deepEqual([replanned.stage, replanned.visit], ["READY_IMPL", planned.visit + 1]);
  deepEqual(replanned.clearances, []);
  deepEqual(replanned.tasks[0], reported.tasks[0]);
});

Deno.test("decide() passes on what it ignored and cut", () => {
  const { reply } = accept(submit(toState("Q1"), {
    ...PAYLOAD.Q1,
    summary: "x".repeat(3_000),
    notes: "n",
  }));
  deepEqual(reply.ignored_fields, ["notes"]);
  equal((reply.notices as readonly string[]).length, 1);
});

Deno.test("findSubmittedStage() is the plan for a new plan at READY implement", () => {
  const state = toState("READY_IMPL");
  const { submission } = parseSubmission(state.stage, PAYLOAD.READY_PLAN);
  equal(findSubmittedStage(state, submission), "READY_PLAN");
  equal(findSubmittedStage(state, null), "READY_IMPL");
});

Deno.test("decide() takes nothing of a session that is over, by its status or its stage, and sends to a new one", () => {
  const over = [
    toState("Q1", { status: "ended" }),
    toState("SESSION_COMPLETE", { status: "active" }),
  ];
  for (const state of over) {
    const decision = submit(state, PAYLOAD.Q1);
    deepEqual(toRefusal(decision), ["session_ended"]);
    equal(decision.kind === "refused" && decision.error, "session_ended");
  }
});

Deno.test("decide() lets a parked session be abandoned and nothing else, and says so in the code of the reply", () => {
  const parked = toState("Q1", { status: "parked" });
  for (const data of [PAYLOAD.Q1, { park: true, reason: "later" }]) {
    const decision = submit(parked, data);
    equal(decision.kind === "refused" && decision.error, "session_parked");
  }
  const gone = submit(parked, { abandon: true, reason: "nobody needs it" });
  equal(accept(gone).state.end, "abandoned");
  // Beside another problem the code is that of the payload.
  const escalation = { cause: "back_limit", message: "m" } as const;
  const alone = submit(toState("Q1", { escalation }), PAYLOAD.Q1);
  equal(alone.kind === "refused" && alone.error, "user_decision_required");
  const other = submit(toState("MERGE"), { ...PAYLOAD.MERGE, on_conflict: "ours" });
  equal(other.kind === "refused" && other.error, "payload_mismatch");
});

Deno.test("decide() counts no lost conversation for a payload that was not sent in it", () => {
  const before = toState("Q1", {
    compactionCount: 2,
    compactionSeen: true,
    summaries: { step_05_EXPLORATION: "found it" },
  });
  const send = (data: Readonly<Record<string, unknown>>, isAside: boolean) =>
    decide(before, {
      type: "submitted",
      parsed: parseSubmission("Q1", data),
      data,
      facts: toFacts(),
      isAside,
    }, BUILT_IN_CONTRACT);
  const rows: readonly (readonly [count: number | undefined, isAside: boolean, next: number])[] = [
    [undefined, true, 2],
    [undefined, false, 3],
    // A count that is sent says what it says.
    [4, true, 4],
  ];
  for (const [count, isAside, next] of rows) {
    const data = { ...PAYLOAD.Q1, ...(count === undefined ? {} : { compaction_count: count }) };
    const decision = send(data, isAside);
    equal(decision.state.compactionCount, next);
    equal(toReply(decision).phase_summaries !== undefined, next !== 2);
  }
});
