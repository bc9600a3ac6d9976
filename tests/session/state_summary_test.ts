/** The brief: whole where it fits, cut with exact totals where it does not. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { SessionState } from "../../src/phase/state.ts";
import { buildStateSummary } from "../../src/session/state_summary.ts";
import type { SessionRecord } from "../../src/session/records.ts";
import { SAMPLE_ID, sampleState } from "./sample_state.ts";

const AT = "2026-01-31T14:25:30.000Z";
const BUDGET_BYTES = 10 * 1024;

function sizeOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

function explored(paths: readonly string[]): SessionRecord {
  return { kind: "explored", at: AT, visit: 1, paths, via: "payload" };
}

Deno.test("buildStateSummary() has the output of a verification that failed, and of one that passed what ran", () => {
  const verification = {
    at: AT,
    passed: false,
    verifier: "unit",
    details: "unit ended with 1:\na: no",
    failedTasks: [],
    source: "server",
    ran: ["unit: 1 failed"],
  } as const;
  const red = buildStateSummary(sampleState({ verification }), []);
  deepEqual([red.verification, red.verification_output], [
    "not verified, server: unit: 1 failed",
    "unit ended with 1:\na: no",
  ]);
  const green = buildStateSummary(
    sampleState({ verification: { ...verification, passed: true } }),
    [],
  );
  deepEqual([green.verification, green.verification_output], ["server: unit: 1 failed", undefined]);
});

Deno.test("buildStateSummary() holds everything of a small session", () => {
  const state = sampleState({
    lastProblems: [{ code: "missing_field", message: "summary is missing", hint: "Add it." }],
    decisions: [{ at: AT, stage: "Q1", decision: "continue", reason: "go on", source: "asked" }],
  });
  deepEqual(
    buildStateSummary(state, [explored(["a.ts", "b.ts"])], { instruction: "Do next_task." }),
    {
      session_id: SAMPLE_ID,
      request: "add a login form",
      intent: "IMPLEMENT",
      gate_level: "auto",
      flags: ["no_quality"],
      status: "active",
      phase: "READY",
      step: 13,
      next: { call: "submit_phase", task_id: "task_1", instruction: "Do next_task." },
      task_branch: "llm_task_x_from_main",
      base_branch: "main",
      risk: "MEDIUM",
      tasks_completed: 0,
      open_items_total: 1,
      mandatory_rules: {
        shown: 1,
        total: 1,
        items: ["Services own business logic (docs/auth.md:12)"],
      },
      tasks: {
        shown: 1,
        total: 1,
        items: [{
          id: "task_1",
          description: "the form",
          status: "pending",
          open_items: { shown: 1, total: 1, items: ["Add login() to src/auth.ts"] },
        }],
      },
      last_problems: {
        shown: 1,
        total: 1,
        items: ["missing_field: summary is missing → Add it."],
      },
      decisions: { shown: 1, total: 1, items: ["Q1: continue (asked): go on"] },
      findings: {
        shown: 1,
        total: 1,
        items: ["AuthService.login issues the token (src/auth.ts:40)"],
      },
      explored_files: { shown: 2, total: 2, items: ["b.ts", "a.ts"] },
      done_steps: { shown: 1, total: 1, items: ["step_03_DOCUMENT_RESEARCH: read docs/auth.md"] },
    },
  );
});

Deno.test("buildStateSummary() leaves out lists without an entry", () => {
  const state = sampleState({
    rules: [],
    findings: [],
    lastProblems: [],
    summaries: {},
    tasks: [],
  });
  const empty = Object.keys(buildStateSummary(state, [])).filter((name) =>
    /rules|tasks$|problems|decisions|findings|files|steps/.test(name)
  );
  deepEqual(empty, []);
});

Deno.test("buildStateSummary() names the next call of each status", () => {
  const rows: readonly (readonly [patch: Partial<SessionState>, expected: object])[] = [
    [{ stage: "Q1" }, { call: "submit_phase" }],
    [{ status: "parked" }, { call: "get_session_status", session_id: SAMPLE_ID }],
    [{ status: "ended", stage: "SESSION_COMPLETE" }, { call: "start_session" }],
  ];
  for (const [patch, expected] of rows) {
    deepEqual(buildStateSummary(sampleState(patch), []).next, expected);
  }
});

Deno.test("buildStateSummary() says where a base is that others moved, until the work has it", () => {
  const ledger = { tree: null, head: null, personPaths: [], foundTree: null, gitFiles: {} };
  const rows: readonly (readonly [tip: string | undefined, expected: string | undefined])[] = [
    [undefined, undefined],
    ["c".repeat(40), "c".repeat(12)],
    ["a".repeat(40), undefined],
  ];
  for (const [baseTip, expected] of rows) {
    const tip = baseTip === undefined ? {} : { baseTip };
    const state = sampleState({ ledger: { ...ledger, mode: "strict", ...tip } });
    equal(buildStateSummary(state, []).base_moved_to, expected);
  }
});

function hugeState(textChars: number): SessionState {
  const text = "é".repeat(textChars);
  return sampleState({
    query: `${text} request`,
    rules: Array.from({ length: 100 }, (_, n) => ({ rule: `rule ${n} ${text}`, source: "d.md:1" })),
    tasks: Array.from({ length: 200 }, (_, n) => ({
      id: `task_${n}`,
      description: `${n} ${text}`,
      status: n < 50 ? "completed" : "pending",
      checklist: Array.from({ length: 6 }, (_, m) => ({
        item: `item ${m} ${text}`,
        status: n < 50 ? "done" : "pending",
      })),
      failureCount: 1,
      revertReason: null,
      evidenceTree: null,
    })),
    findings: Array.from({ length: 300 }, (_, n) => `finding ${n} ${text}`),
    summaries: Object.fromEntries(
      Array.from({ length: 80 }, (_, n) => [`step_${n}`, `summary ${n} ${text}`]),
    ),
    lastProblems: Array.from({ length: 30 }, () => ({ code: "c", message: text })),
    decisions: Array.from({ length: 30 }, () => ({
      at: AT,
      stage: "Q1",
      decision: "continue",
      reason: text,
      source: "asked",
    })),
  });
}

Deno.test("buildStateSummary() fits its budget whatever the session holds, and keeps its totals exact", () => {
  const files = Array.from({ length: 5000 }, (_, n) => `src/deep/folder/file_${n}.ts`);
  for (const textChars of [0, 3, 40, 400, 2000, 20_000]) {
    const brief = buildStateSummary(hugeState(textChars), [explored(files)]);
    const label = `texts of ${textChars} characters`;
    ok(sizeOf(brief) <= BUDGET_BYTES, `${label}: ${sizeOf(brief)} bytes`);
    deepEqual(JSON.parse(JSON.stringify(brief)), brief, label);
    const totals = [
      brief.mandatory_rules?.total,
      brief.tasks?.total,
      brief.tasks_completed,
      brief.open_items_total,
      brief.explored_files?.total,
      brief.findings?.total,
      brief.done_steps?.total,
    ];
    deepEqual(totals, [100, 150, 50, 900, 5000, 300, 80], label);
    const [next] = brief.tasks?.items ?? [];
    equal(next?.id, "task_50", label);
    ok((next?.open_items.shown ?? 0) >= 3, `${label}: the next task keeps open items`);
    equal(next?.open_items.total, 6, label);
    deepEqual(brief.next, { call: "submit_phase", task_id: "task_50" });
  }
});

Deno.test("buildStateSummary() leaves out old summaries before explored files, and those before findings", () => {
  const files = Array.from({ length: 40 }, (_, n) => `src/file_${n}.ts`);
  const state = sampleState({
    summaries: Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [`step_${n}`, "s".repeat(300)]),
    ),
    findings: Array.from({ length: 12 }, (_, n) => `finding ${n} ${"f".repeat(100)}`),
  });
  const whole = sizeOf(buildStateSummary(state, [explored(files)], { budgetBytes: 100_000 }));
  const little = buildStateSummary(state, [explored(files)], { budgetBytes: whole - 100 });
  equal(little.done_steps?.shown, 11);
  ok(little.done_steps?.items[0]?.startsWith("step_11:"), "the newest stays");
  equal(little.explored_files?.shown, 40);
  equal(little.findings?.shown, 12);
  const more = buildStateSummary(state, [explored(files)], { budgetBytes: whole - 3_000 });
  equal(more.done_steps?.shown, 3);
  ok((more.explored_files?.shown ?? 40) < 40);
  equal(more.findings?.shown, 12);
});

Deno.test("buildStateSummary() keeps its totals in a budget that is far too small", () => {
  const brief = buildStateSummary(hugeState(20), [], { budgetBytes: 1 });
  equal(brief.tasks?.total, 150);
  equal(brief.mandatory_rules?.total, 100);
  ok(sizeOf(brief) < 2_500, `${sizeOf(brief)} bytes`);
});

Deno.test("buildStateSummary() names the newest lines that bring back what was put back", () => {
  const note = (code: string, text: string): SessionRecord => ({
    kind: "note",
    at: AT,
    code,
    text,
  });
  equal(buildStateSummary(sampleState(), [note("other", "x")]).bring_back, undefined);
  const records = ["1", "2", "3", "4"].map((text) => note("restored_change", text));
  deepEqual(buildStateSummary(sampleState(), records).bring_back, ["4", "3", "2"]);
});
