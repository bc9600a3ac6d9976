/** Rows of input and expected output for `src/phase/payload/payloads.ts`. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { Stage } from "../../../src/phase/table/phases.ts";
import { parseSubmission, PAYLOADS } from "../../../src/phase/payload/payloads.ts";
import { PAYLOAD, toLines } from "../samples.ts";

const STAGES = (Object.keys(PAYLOAD) as Stage[]).filter((stage) => stage !== "SESSION_COMPLETE");
const COMMON = { summary: "s", tools_used: [] };

function check(stage: Stage, data: unknown, expected: readonly string[]): void {
  deepEqual(toLines(parseSubmission(stage, data).problems), expected);
}

for (const stage of STAGES) {
  Deno.test(`parseSubmission() accepts the sample payload of ${stage} without a remark`, () => {
    const parsed = parseSubmission(stage, PAYLOAD[stage]);
    deepEqual(parsed.problems, []);
    deepEqual(parsed.ignoredFields, []);
    deepEqual(parsed.notices, []);
    equal(parsed.submission?.kind, "payload");
  });
}

/** What an empty object lacks, by stage: `summary` and `tools_used` are filled in. */
const REQUIRED: readonly (readonly [stage: Stage, ...fields: readonly string[]])[] = [
  ["BRANCH_INTERVENTION", "choice"],
  ["DOCUMENT_RESEARCH", "documents_reviewed"],
  ["EXPLORATION", "explored_files", "findings"],
  ["Q1", "needs_more_information", "reason"],
  ["SEMANTIC", "search_results"],
  ["Q2", "has_unverified_hypotheses", "reason"],
  ["VERIFICATION", "hypotheses_verified"],
  ["Q3", "needs_impact_analysis", "reason"],
  ["IMPACT_ANALYSIS", "impact_summary"],
  ["READY_PLAN", "tasks"],
  ["READY_IMPL", "task_id", "checklist"],
  ["VERIFY_INTERVENTION", "action_taken"],
  ["PRE_COMMIT", "reviewed_files", "commit_message"],
  ["QUALITY_REVIEW", "quality_score", "issues"],
];

for (const [stage, ...fields] of REQUIRED) {
  Deno.test(`parseSubmission() names every missing field of ${stage} at once`, () => {
    const problems = parseSubmission(stage, {}).problems;
    // A choice that is missing is no allowed value; everything else is missing.
    const lines = toLines(problems).map((line) => line.replace("invalid_value", "missing_field"));
    deepEqual(lines, fields.map((field) => `missing_field data.${field}`));
    for (const { hint } of problems) equal(String(hint ?? "").length > 0, true);
  });
}

Deno.test("parseSubmission() takes an empty payload at POST_IMPL_VERIFY, and none of another step", () => {
  check("POST_IMPL_VERIFY", {}, []);
  check("POST_IMPL_VERIFY", { passed: true }, []);
  check("POST_IMPL_VERIFY", { quality_score: "good", issues: [] }, [
    "payload_mismatch data.quality_score",
  ]);
});

for (const stage of ["READY_COMPLETE", "MERGE"] as const) {
  Deno.test(`parseSubmission() asks ${stage} for one word`, () => {
    check(stage, {}, ["missing_field data.summary"]);
    check(stage, { compaction_count: 0, notes: 1 }, ["missing_field data.summary"]);
    check("QUERY_FRAME", { summary: "s" }, ["missing_field data.summary"]);
    check("QUERY_FRAME", { slots: null }, []);
    check(stage, { summary: "s" }, []);
    check(stage, { summary: "s", tools_used: ["x"] }, []);
  });
}

Deno.test("parseSubmission() takes a text for a list of one, none for an empty one, and a boolean for a result", () => {
  const rows: readonly (readonly [stage: Stage, own: object, expected: object])[] = [
    ["DOCUMENT_RESEARCH", { documents_reviewed: "docs/a.md", mandatory_rules: "none" }, {
      documents_reviewed: ["docs/a.md"],
      mandatory_rules: [],
    }],
    ["QUERY_FRAME", { constraints: "keep the format", target_symbols: "" }, {
      constraints: ["keep the format"],
      target_symbols: [],
    }],
    ["VERIFICATION", { hypotheses_verified: [{ hypothesis: "h", result: false }] }, {
      hypotheses_verified: [{ hypothesis: "h", result: "refuted" }],
    }],
  ];
  for (const [stage, own, expected] of rows) {
    const { submission, problems } = parseSubmission(stage, { ...COMMON, ...own });
    deepEqual(problems, []);
    ok(submission?.kind === "payload");
    const data = submission.data as Readonly<Record<string, unknown>>;
    for (const [field, value] of Object.entries(expected)) deepEqual(data[field], value);
  }
});

/** Wrong values with the path that the problem names. */
const WRONG: readonly (readonly [stage: Stage, own: object, expected: readonly string[]])[] = [
  ["BRANCH_INTERVENTION", { choice: "drop" }, ["invalid_value data.choice"]],
  [
    "DOCUMENT_RESEARCH",
    { documents_reviewed: ["a", {}], mandatory_rules: [{ rule: "r" }] },
    ["wrong_type data.documents_reviewed[1]", "missing_field data.mandatory_rules[0].source"],
  ],
  [
    "QUERY_FRAME",
    { slots: { target_feature: ["a", 3, {}] }, target_symbols: [{}] },
    ["wrong_type data.slots.target_feature", "wrong_type data.target_symbols[0]"],
  ],
  ["EXPLORATION", { explored_files: [{ why: "x" }], findings: 7 }, [
    "wrong_type data.explored_files[0]",
  ]],
  [
    "Q1",
    { needs_more_information: "perhaps", reason: "  short    " },
    ["wrong_type data.needs_more_information", "invalid_value data.reason"],
  ],
  [
    "Q2",
    { has_unverified_hypotheses: 2, reason: "because it is" },
    ["wrong_type data.has_unverified_hypotheses"],
  ],
  [
    "Q3",
    { needs_impact_analysis: null, reason: "123456789" },
    ["wrong_type data.needs_impact_analysis", "invalid_value data.reason"],
  ],
  [
    "SEMANTIC",
    { search_results: [{ why: "x" }, true, ""] },
    ["missing_field data.search_results[0].file", "wrong_type data.search_results[1]"],
  ],
  [
    "VERIFICATION",
    { hypotheses_verified: [{ hypothesis: "h", result: "confirmed | refuted" }] },
    ["invalid_value data.hypotheses_verified[0].result"],
  ],
  [
    "IMPACT_ANALYSIS",
    { impact_summary: { decisions: [{ path: "a", status: "maybe" }] } },
    ["invalid_value data.impact_summary.decisions[0].status"],
  ],
  ["IMPACT_ANALYSIS", { impact_summary: {} }, ["missing_field data.impact_summary.decisions"]],
  [
    "READY_IMPL",
    { task_id: "t", checklist: [{ item: "x", status: "maybe" }] },
    ["invalid_value data.checklist[0].status"],
  ],
  ["READY_IMPL", { task_id: "t", checklist: [] }, ["invalid_value data.checklist"]],
  [
    "POST_IMPL_VERIFY",
    { passed: "nearly", verifier_used: "", failed_tasks: { t: 1 }, details: {} },
    [
      "wrong_type data.passed",
      "invalid_value data.verifier_used",
      "wrong_type data.failed_tasks",
      "wrong_type data.details",
    ],
  ],
  [
    "VERIFY_INTERVENTION",
    { prompt_used: "p", action_taken: "a", restore_to: "head" },
    ["invalid_value data.restore_to"],
  ],
  ["QUALITY_REVIEW", { quality_score: "g", issues: [true] }, ["wrong_type data.issues[0]"]],
  ["MERGE", { on_conflict: "ours" }, ["invalid_value data.on_conflict"]],
];

for (const [stage, own, expected] of WRONG) {
  Deno.test(`parseSubmission() refuses ${JSON.stringify(own)} at ${stage}, with its path`, () => {
    check(stage, { ...COMMON, ...own }, expected);
  });
}

Deno.test("parseSubmission() names the field inside a union, not just the union", () => {
  const entries = [{ path: "a", decision: "drop" }, { decision: "keep" }, " ", true];
  const { problems } = parseSubmission("PRE_COMMIT", {
    ...COMMON,
    reviewed_files: entries,
    commit_message: "m",
  });
  deepEqual(toLines(problems), [
    "invalid_value data.reviewed_files[0].decision",
    "missing_field data.reviewed_files[1].path",
    "wrong_type data.reviewed_files[2]",
  ]);
  equal(/keep.*discard/.test(String(problems[0]?.message ?? "")), true);
  equal(/string or object/.test(String(problems[2]?.message ?? "")), true);
});

Deno.test("R7: a plan or a report without a checklist, or with an unknown status, is refused", () => {
  check("READY_PLAN", { ...COMMON, tasks: [{ id: "a", description: "b" }] }, [
    "missing_field data.tasks[0].checklist",
  ]);
  check("READY_PLAN", { ...COMMON, tasks: [{ id: "a", description: "b", checklist: [] }] }, [
    "invalid_value data.tasks[0].checklist",
  ]);
  check("READY_IMPL", { ...COMMON, task_id: "a" }, ["missing_field data.checklist"]);
  const checklist = [{ item: "x", status: "nearly" }];
  check("READY_IMPL", { ...COMMON, task_id: "a", checklist }, [
    "invalid_value data.checklist[0].status",
  ]);
});

Deno.test("R27: parseSubmission() reads a text as the answer that it says, and takes nothing else for one", () => {
  for (
    const [stage, field] of [
      ["Q1", "needs_more_information"],
      ["Q2", "has_unverified_hypotheses"],
      ["Q3", "needs_impact_analysis"],
    ] as const
  ) {
    for (const value of ["perhaps", "true or false", 2, null, [], {}]) {
      check(stage, { ...COMMON, [field]: value, reason: "ten letters" }, [
        `wrong_type data.${field}`,
      ]);
    }
    for (const [sent, read] of [[false, false], ["false", false], ["No.", false], ["yes", true]]) {
      const { submission } = parseSubmission(stage, {
        ...COMMON,
        [String(field)]: sent,
        reason: "1234567890",
      });
      ok(submission?.kind === "payload");
      equal((submission.data as Readonly<Record<string, unknown>>)[field], read);
    }
  }
});

for (const data of [null, undefined, 3, "x", [], [{}]]) {
  Deno.test(`parseSubmission() refuses ${JSON.stringify(data)} in place of an object`, () => {
    check("EXPLORATION", data, ["wrong_type data"]);
  });
}

Deno.test("parseSubmission() cuts a long summary with a notice and fills in a blank one", () => {
  const long = parseSubmission("MERGE", { summary: ` ${"x".repeat(2_001)} ` });
  deepEqual(long.problems, []);
  equal(long.notices.length, 1);
  const { submission } = long;
  equal(submission?.kind === "payload" ? submission.common.summary.length : 0, 2_000);
  deepEqual(parseSubmission("MERGE", { summary: "x".repeat(2_000) }).notices, []);
  check("Q1", { ...PAYLOAD.Q1, summary: "  \n " }, []);
  check("MERGE", { summary: true }, ["wrong_type data.summary"]);
});

Deno.test("parseSubmission() names the fields that it ignores, of every kind of payload", () => {
  const extra = { ...PAYLOAD.Q1, notes: 1, zeal: 2 };
  deepEqual(parseSubmission("Q1", extra).ignoredFields, ["notes", "zeal"]);
  const park = parseSubmission("Q1", { park: true, reason: "later", findings: [] });
  deepEqual(park.ignoredFields, ["findings"]);
  equal(park.submission?.kind, "park");
});

const ANYWHERE: readonly (readonly [data: object, expected: readonly string[]])[] = [
  [{ park: true }, ["missing_field data.reason"]],
  [{ park: "perhaps", reason: "r" }, ["invalid_value data.park"]],
  [{ Park: "yes", reason: "r" }, []],
  [{ abandon: true, reason: " " }, ["invalid_value data.reason"]],
  [{ abandon: true, reason: "r", restore: "some" }, ["wrong_type data.restore"]],
  [{ back_to: "MERGE", reason: "r" }, ["invalid_value data.back_to", "invalid_value data.reason"]],
  [
    { user_decision: "yes" },
    ["invalid_value data.user_decision", "missing_field data.user_reason"],
  ],
  [{ park: true, reason: "r" }, []],
  [{ abandon: true, reason: "r" }, []],
  [{ back_to: "EXPLORATION", reason: "wrong place" }, []],
  [{ user_decision: "accept", user_reason: "fine" }, []],
];

for (const [data, expected] of ANYWHERE) {
  Deno.test(`parseSubmission() reads ${JSON.stringify(data)} at every stage`, () => {
    for (const stage of STAGES) check(stage, data, expected);
  });
}

Deno.test("parseSubmission() gives the count of an agent even with a payload that it refuses", () => {
  equal(parseSubmission("Q1", { compaction_count: 4 }).compactionCount, 4);
  equal(parseSubmission("Q1", { park: true, compaction_count: 2 }).compactionCount, 2);
  equal(parseSubmission("Q1", { ...PAYLOAD.Q1, compaction_count: "4" }).compactionCount, 4);
  for (const count of ["four", -1, 1.5, null, undefined]) {
    equal(parseSubmission("Q1", { ...PAYLOAD.Q1, compaction_count: count }).compactionCount, null);
  }
});

Deno.test("PAYLOADS bound every list and every text", () => {
  const files = Array.from({ length: 2_001 }, () => "a.ts");
  check("EXPLORATION", { ...PAYLOAD.EXPLORATION, explored_files: files }, [
    "invalid_value data.explored_files",
  ]);
  check("PRE_COMMIT", { ...PAYLOAD.PRE_COMMIT, commit_message: "x".repeat(20_001) }, [
    "invalid_value data.commit_message",
  ]);
  deepEqual(Object.keys(PAYLOADS).sort(), Object.keys(PAYLOAD).sort());
});
