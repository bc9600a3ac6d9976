/** Sessions on record as reports are made of them: a short, a long, a failed one, and one whose every text is hostile. */
import type { OverviewReport, SessionReport } from "../../../src/features/report/report_schema.ts";
import type { ReportFacts } from "../../../src/features/report/to_report.ts";
import { buildSessionReport } from "../../../src/features/report/to_report.ts";
import type { SessionState } from "../../../src/phase/state.ts";
import type { Stage } from "../../../src/phase/table/phases.ts";
import { STAGES } from "../../../src/phase/table/phases.ts";
import { sampleState } from "../../session/sample_state.ts";
import type { SessionRecord } from "../../../src/session/records.ts";
import { REPORT_NOTES } from "../../../src/session/records.ts";

const START = Date.parse("2026-01-31T14:25:30.000Z");

/** The time so many seconds after the start of the samples. */
export function at(seconds: number): string {
  return new Date(START + seconds * 1_000).toISOString();
}

/** Texts that would break a page, a terminal or a reader if they were taken for more than text. */
export const HOSTILE = [
  "</script><script>alert(1)</script>",
  `"><img src=x onerror=alert(1)>`,
  "مرحبا \u202etxt.exe\u202c 👩‍👩‍👧‍👦 שלום",
  "</style><style>*{display:none}",
  "&lt;b&gt; `code` [link](javascript:alert(1)) @everyone https://evil.example \u001b[31m",
] as const;

const DIFF = `@@ -1,4 +1,7 @@ export function login
 export function login(name) {
-  return open(name);
+  if (name === "") {
+    throw new Error("a name is needed");
+  }
+  return open(name);
 }
 
`;

const FILE = {
  path: "src/auth.ts",
  kind: "modified",
  from: null,
  added: 4,
  removed: 1,
  diff: DIFF,
} as const;

function toPath(stages: readonly Stage[], each = 42): SessionState["path"] {
  return stages.map((stage, index) => ({ stage, at: at(index * each) }));
}

function toCall(tool: string, seconds: number, ok = true): SessionRecord {
  const empty = { files: [], symbols: [], argsHash: "0".repeat(16), total: 1, durationMs: 5 };
  const stage = "EXPLORATION";
  return {
    ...empty,
    ...{ kind: "call", at: at(seconds), visit: 3, stage, tool, subject: "login", ok, via: "mcp" },
  } as SessionRecord;
}

function toNote(code: string, seconds: number, text: string): SessionRecord {
  return { kind: "note", at: at(seconds), code, text };
}

function toFacts(state: SessionState, rest: Partial<ReportFacts> = {}): ReportFacts {
  return {
    state,
    savedAt: state.path.at(-1)?.at ?? state.startedAt,
    ...{ records: [], notices: [], runs: [], files: [], dependents: [], together: [] },
    learned: [],
    ...rest,
  };
}

/** A small session that was merged without a word of the person. */
export function shortSession(): SessionReport {
  const stages: readonly Stage[] = [
    "QUERY_FRAME",
    "EXPLORATION",
    "READY_PLAN",
    "READY_IMPL",
    "POST_IMPL_VERIFY",
    "PRE_COMMIT",
    "MERGE",
    "SESSION_COMPLETE",
  ];
  const state = sampleState({
    query: "Refuse an empty name in login. It opens a session for nobody today.",
    ...{ stage: "SESSION_COMPLETE", status: "ended", end: "merged", path: toPath(stages) },
    size: { level: "small", because: "1 definition in 1 file, 2 users, tests near" },
    frame: toFrame("Refuse an empty name in login", "It opens a session for nobody today"),
    observed: {
      "Refuse an empty name in login": 'login("") throws "a name is needed" (auth.test.ts:12)',
      "It opens a session for nobody today": "before: a session with the id null; now: none",
      "eslint .": "0 problems",
    },
    reproduced: { command: "node -e 'login(\"\")'", showed: "{ id: null }" },
    summaries: {
      step_04_QUERY_FRAME: "The request names one function and one wrong case.",
      step_05_EXPLORATION: "login() in src/auth.ts is called from two places.",
      "step_13_READY_IMPL.task_1": "Refused the empty name and tested it.",
    },
    tasks: [{
      ...task("Refuse the empty name", "completed"),
      checklist: [
        {
          item: "Throw for an empty name",
          status: "done",
          evidence: "src/auth.ts:2-4",
          ran: "all",
        },
        { item: "Test it", status: "done", evidence: "src/auth.test.ts:1-9", ran: "all" },
      ],
    }],
    verification: verified({ ran: ["test: 14 passed (node:test)"], checkout: "c".repeat(40) }),
    workspace: { ...sampleState().workspace, commits: ["d".repeat(40)] },
  });
  return buildSessionReport(toFacts(state, {
    records: [toCall("find_definitions", 50), toCall("find_references", 60)],
    files: [FILE, { ...FILE, path: "src/auth.test.ts", kind: "added", added: 9, removed: 0 }],
    dependents: [
      { path: "src/routes.ts", on: ["src/auth.ts"], isProven: true },
      { path: "src/cli.ts", on: ["src/auth.ts"], isProven: false },
    ],
    together: [{ path: "docs/auth.md", with: "src/auth.ts", times: 5, of: 6 }],
  }));
}

/** The short one where runs of its tests were recorded. */
export function recordedSession(): SessionReport {
  const short = shortSession();
  const files = (short.files ?? []).map((file, at) =>
    at === 0 ? { ...file, not_run: [2, 3] } : file
  );
  return { ...short, files, recorded: "recorded for 12 of 14 tests, 1 file changed since" };
}

/** A session that went through every step, some of them again, with refusals, questions and an override. */
export function longSession(): SessionReport {
  const once = STAGES.filter((stage) => stage !== "VERIFY_INTERVENTION");
  const again: readonly Stage[] = ["READY_PLAN", "READY_IMPL", "POST_IMPL_VERIFY"];
  const stages = [
    ...once.slice(0, 14),
    "VERIFY_INTERVENTION" as const,
    ...again,
    ...once.slice(14),
  ];
  const files = Array.from({ length: 16 }, (_, index) => ({
    ...FILE,
    path: `src/billing/parts/with_a_long_name/invoice_part_${index}.ts`,
    diff: index < 12 ? DIFF : null,
  }));
  const state = sampleState({
    query: "Split invoices into parts that can be paid one by one.\nKeep old invoices readable.",
    ...{ stage: "SESSION_COMPLETE", status: "ended", end: "merged", path: toPath(stages, 310) },
    risk: "HIGH",
    frame: toFrame("Split invoices into parts", "Keep old invoices readable"),
    observed: { "Split invoices into parts": "POST /invoices/7/parts pays one part of three" },
    summaries: Object.fromEntries(
      stages.map((stage, index) => [`step_${index}`, `Did ${stage}`]),
    ),
    tasks: Array.from({ length: 9 }, (_, index) => ({
      ...task(`Part ${index} of the invoice can be paid`, "completed"),
      failureCount: index === 3 ? 1 : 0,
      checklist: Array.from({ length: 4 }, (_item, number) => ({
        item: `Change ${number} of part ${index}`,
        ...(number === 3
          ? { status: "skipped", reason: "The old code does this already, as its test shows." }
          : {
            status: "done",
            evidence: `src/billing/parts/with_a_long_name/invoice_part_${index}.ts:2-4`,
            ran: number === 2 ? "none" : "all",
          }),
      } as SessionState["tasks"][number]["checklist"][number])),
    })),
    decisions: [{
      at: at(4_700),
      stage: "VERIFY_INTERVENTION",
      decision: "continue",
      reason: "The slow test is known to fail on this machine; go on.",
      source: "asked",
    }],
    verification: verified({
      ran: ["unit: 412 passed, 3 skipped (vitest)", "lint: exit code 0", "types: exit code 0"],
      inWorktree: "the commands need a database that lies beside the checkout",
      provesNothing: ["src/billing/parts.test.ts: keeps the sum"],
      coverage: {
        ...{ read: ["coverage/lcov.info (LCOV)"], ran: 181, notRun: 9, unknown: 4 },
        ranLines: {},
        notRunLines: { "src/billing/parts/with_a_long_name/invoice_part_2.ts": "14-18 22-25" },
        ...{ unknownFiles: [], why: [], bound: 0.9 },
      },
      mutants: {
        ...{ total: 24, killed: 21, broken: 1, tests: [], unknown: null },
        survivors: [{ path: "src/billing/parts/sum.ts", line: 41, change: "`>` for `>=`" }],
      },
    }),
    testFindings: [{
      id: "switched_off src/billing/old.test.ts",
      what: "A test was switched off in src/billing/old.test.ts",
      reason: "It tests the sum of an invoice without parts, which is gone by the request.",
    }],
    impact: [{
      path: "src/export/csv.ts",
      status: "no_change_needed",
      reason: "it reads sums only",
    }],
    quality: { score: "good", issues: ["The name Part says little beside InvoicePart."] },
    workspace: { ...sampleState().workspace, commits: ["e".repeat(40)] },
  });
  return buildSessionReport(toFacts(state, {
    notices: ["Left out: 2 lines of the record, unreadable or with a wrong seal."],
    records: [
      ...Array.from({ length: 30 }, (_, index) => toCall("search_text", 950 + index)),
      toCall("check_write_target", 3_500, false),
      toNote(
        REPORT_NOTES.refused,
        1_000,
        "exploration_incomplete: No use of InvoicePart was shown",
      ),
      toNote(REPORT_NOTES.refused, 3_600, "evidence_out_of_diff: sum.ts:90 was not changed"),
      toNote(REPORT_NOTES.asked, 4_500, "Verification failed three times. Go on, or leave it?"),
    ],
    files,
    dependents: Array.from({ length: 34 }, (_, index) => ({
      path: index === 0 ? "src/export/csv.ts" : `src/export/writer_${index}.ts`,
      on: files.slice(index % 5, index % 5 + 1 + index % 3).map(({ path }) => path),
      isProven: index < 20,
    })),
    learned: [{ name: "part--invoice-part.md", terms: ["part"], symbols: ["InvoicePart"] }],
  }));
}

/** A session that failed: the verification is red and nothing was merged. */
export function failedSession(): SessionReport {
  const stages: readonly Stage[] = [
    ...["QUERY_FRAME", "EXPLORATION", "READY_PLAN", "READY_IMPL", "POST_IMPL_VERIFY"] as const,
    ...["READY_PLAN", "READY_IMPL", "POST_IMPL_VERIFY", "SESSION_COMPLETE"] as const,
  ];
  const state = sampleState({
    query: "Make the nightly export twice as fast",
    ...{ stage: "SESSION_COMPLETE", status: "ended", end: "failed", path: toPath(stages, 200) },
    tasks: [{
      ...task("Write rows in batches", "pending"),
      failureCount: 3,
      checklist: [
        { item: "Batch the writer", status: "done", evidence: "src/auth.ts:2-4", ran: "some" },
        { item: "Measure it", status: "pending" },
      ],
    }],
    verification: verified({
      passed: false,
      proving: 0,
      details:
        "unit failed: 2 new failures\nexport.test.ts: the last batch is lost\nexpected 1001 rows, got 1000",
      ran: ["unit: 96 passed, 2 failed (jest)"],
    }),
    decisions: [{
      at: at(1_500),
      stage: "POST_IMPL_VERIFY",
      decision: "abandon",
      reason: "Not worth it: the export runs at night.",
      source: "terminal",
    }],
  });
  return buildSessionReport(toFacts(state, {
    records: [toNote(REPORT_NOTES.asked, 1_400, "Verification failed three times. What now?")],
    files: [FILE],
  }));
}

/** A session in which every text of others tries to be more than text. */
export function hostileSession(): SessionReport {
  const all = HOSTILE.join(" ");
  const clause = HOSTILE[0];
  const state = sampleState({
    query: all,
    ...{ frame: toFrame(clause, HOSTILE[1]), observed: { [clause]: all } },
    summaries: { step_03_DOCUMENT_RESEARCH: all },
    tasks: [{
      ...task(all, "pending"),
      checklist: [{ item: all, status: "done", evidence: `${HOSTILE[1]}:1-4`, reason: all }],
    }],
    decisions: [{
      at: at(1),
      stage: "READY_IMPL",
      decision: "continue",
      reason: all,
      source: "asked",
    }],
    verification: verified({ passed: false, details: all, ran: [all], provesNothing: [all] }),
  });
  return buildSessionReport(toFacts(state, {
    ...{ notices: [all], records: [toNote(REPORT_NOTES.refused, 2, all)] },
    files: HOSTILE.map((path) => ({
      ...FILE,
      path,
      diff: `@@ -1 +1,2 @@ ${all}\n+${all}\n-${all}\n`,
    })),
    dependents: HOSTILE.map((path) => ({ path: `x${path}`, on: [path], isProven: false })),
    together: [{ path: all, with: all, times: 3, of: 3 }],
  }));
}

/** An overview with outcomes over several months. */
export function sampleOverview(): OverviewReport {
  const months = [[3, 1, 1], [6, 2, 0], [9, 1, 2], [14, 3, 1]] as const;
  return {
    ...{ format: 1, kind: "overview", program: { name: "code-intel", version: "0" }, notices: [] },
    all: { total: 43, success: 32, partial: 7, failure: 4 },
    sessions: Array.from({ length: 12 }, (_, index) => ({
      id: `session_20260131_1425${10 + index}_9f3a`,
      at: at(-index * 90_000),
      request: index === 2 ? HOSTILE.join(" ") : `Request number ${index} of the project`,
      outcome: index === 0 ? "active" : index % 5 === 2 ? "failed" : "merged",
      result: index === 0 ? null : index % 5 === 2 ? "failure" : "success",
      phase: "MERGE",
      cause: index % 5 === 2 ? "unit failed: the last batch is lost" : null,
    })),
    by_month: months.map(([success, partial, failure], index) => ({
      month: `2026-0${index + 1}`,
      ...{ total: success + partial + failure, success, partial, failure },
    })),
    by_phase: [{ phase: "MERGE", total: 39, success: 32, partial: 7, failure: 0 }],
    failures: [
      { phase: "POST_IMPL_VERIFY", failures: 3, causes: ["the last batch is lost", HOSTILE[0]] },
      { phase: "MERGE", failures: 1, causes: [] },
    ],
  };
}

function task(description: string, status: "pending" | "completed"): SessionState["tasks"][number] {
  const [first] = sampleState().tasks;
  if (first === undefined) throw new Error("the sample has a task");
  return { ...first, description, status };
}

function toFrame(desired: string, observed: string): SessionState["frame"] {
  const slot = (quote: string) => ({ value: quote, quote, source: "FACT" as const });
  return {
    actionType: "fix",
    slots: {
      target_feature: null,
      trigger_condition: null,
      observed_issue: slot(observed),
      desired_action: slot(desired),
    },
    ...{ targetSymbols: ["login"], scope: null, constraints: [] },
  };
}

function verified(
  patch: Partial<NonNullable<SessionState["verification"]>>,
): NonNullable<SessionState["verification"]> {
  return {
    ...{ at: at(300), passed: true, verifier: "test", details: "", failedTasks: [] },
    ...{ source: "server", proving: 2 },
    ...patch,
  };
}
