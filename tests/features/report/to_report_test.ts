/** What a report says of a session, from its state and its records. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { TestReport } from "../../../src/runners/report.ts";
import { buildSessionReport, toTimeline } from "../../../src/features/report/to_report.ts";
import { sampleState } from "../../session/sample_state.ts";
import { buildReportSchema, isReport } from "../../../src/features/report/report_schema.ts";
import {
  at,
  failedSession,
  hostileSession,
  longSession,
  sampleOverview,
  shortSession,
} from "./sample_sessions.ts";

Deno.test("reports have the form of their schema, and the schema knows both kinds", () => {
  const all = [shortSession(), longSession(), failedSession(), hostileSession(), sampleOverview()];
  for (const report of all) ok(isReport(JSON.parse(JSON.stringify(report))));
  equal(isReport({ ...shortSession(), clauses: null }), false);
  match(JSON.stringify(buildReportSchema()), ['"const":"session"', '"const":"overview"']);
});

function match(text: string, parts: readonly string[]): void {
  for (const part of parts) ok(text.includes(part), part);
}

Deno.test("a clause without an observation is open, others say what was shown", () => {
  deepEqual(longSession().clauses.map(({ showed }) => showed === null), [true, false]);
  ok(shortSession().clauses.every(({ showed }) => showed !== null));
  const [own] = shortSession().clauses.slice(-1);
  deepEqual([own?.clause, own?.showed, own?.on_record], ["eslint .", "0 problems", false]);
});

Deno.test("each event stands in the visit during which it happened", () => {
  const { timeline } = longSession();
  const found = timeline.flatMap(({ stage, events }) =>
    events.map(({ kind, text }) => [stage, kind, text.split(":")[0]])
  );
  deepEqual(found, [
    ["EXPLORATION", "refusal", "exploration_incomplete"],
    ["READY_IMPL", "call_refused", "check_write_target login"],
    ["READY_IMPL", "refusal", "evidence_out_of_diff"],
    ["VERIFY_INTERVENTION", "question", "Verification failed three times. Go on, or leave it?"],
    ["VERIFY_INTERVENTION", "answer", "continue"],
  ]);
  equal(timeline.find(({ stage }) => stage === "EXPLORATION")?.tools[0]?.calls, 30);
  equal(timeline[0]?.seconds, 310);
  equal(timeline.at(-1)?.seconds, 0);
});

Deno.test("an event before the first stage or after the last one is not lost", () => {
  const { timeline } = failedSession();
  const kinds = timeline.map(({ events }) => events.map(({ kind }) => kind));
  deepEqual(kinds.flat(), ["question", "answer"]);
  ok(at(1_500) > at(1_400));
});

Deno.test("summaries of repeated visits and of tasks go to their visit", () => {
  const stages = [
    "READY_PLAN",
    "READY_IMPL",
    "POST_IMPL_VERIFY",
    "READY_PLAN",
    "READY_IMPL",
  ] as const;
  const timeline = toTimeline({
    state: sampleState({
      path: stages.map((stage, index) => ({ stage, at: at(index) })),
      summaries: {
        step_12_READY_PLAN: "a",
        "step_13_READY_IMPL.task_1": "b",
        "step_13_READY_IMPL.task_1b": "c",
        step_15_POST_IMPL_VERIFY: "d",
        "step_12_READY_PLAN#2": "e",
        "step_13_READY_IMPL.task_2": "f",
      },
    }),
    records: [],
  });
  deepEqual(timeline.map(({ summaries }) => summaries.join("")), ["a", "bc", "d", "e", "f"]);
  equal(timeline.at(-1)?.seconds, null);
});

Deno.test("dependents carry the decision that was made about them, and agreements are the session's own", () => {
  const { dependents, learned } = longSession();
  const decided = dependents?.filter(({ decision }) => decision !== null);
  deepEqual(decided?.map(({ path, reason }) => [path, reason]), [
    ["src/export/csv.ts", "it reads sums only"],
  ]);
  equal(learned.length, 1);
});

Deno.test("commands come from the run behind the commit with this very result, with times and failures, else from step 15", () => {
  const tests: TestReport = {
    ...{ runner: "TAP", unit: "tests" as const, passed: 3, failed: 1, skipped: 0, errors: 0 },
    ...{ isComplete: true, failures: [{ name: "a test", line: "expected 1" }] },
  };
  const command = { name: "test", exitCode: 1, failure: null, durationMs: 1200, tests };
  const draw = (time: string) => {
    const verification = {
      ...{ at: time, passed: true, verifier: "test", details: "", failedTasks: [], ran: ["kept"] },
      source: "server",
    } as const;
    const facts = {
      state: sampleState({ verification }),
      savedAt: time,
      runs: [{ at: at(1), commands: [command] }],
    };
    const none = { records: [], notices: [], files: null, dependents: null, together: [] };
    return buildSessionReport({ ...facts, ...none, learned: [] }).verification?.commands;
  };
  deepEqual(draw(at(9_999)), [{ text: "kept", seconds: null, failures: [] }]);
  deepEqual(draw(at(1)), [
    { text: "test: 3 passed, 1 failed (TAP)", seconds: 1.2, failures: ["a test: expected 1"] },
  ]);
});
