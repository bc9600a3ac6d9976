/** Rows of input and expected output for `src/phase/rules/explore_rules.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Facts } from "../../../src/phase/facts.ts";
import type { SessionState } from "../../../src/phase/state.ts";
import type { Stage } from "../../../src/phase/table/phases.ts";
import { accept, PAYLOAD, submit, toRefusal, toState } from "../samples.ts";

interface Case {
  readonly name: string;
  readonly stage: Stage;
  readonly payload?: object;
  readonly facts?: Partial<Facts>;
  readonly state?: Partial<SessionState>;
  /** Problems; none where the answer must pass. */
  readonly problems?: readonly string[];
}

const DECISIONS = (...decisions: readonly object[]) => ({ impact_summary: { decisions } });
const EVIDENCE = (evidence: string | null) => ({
  hypotheses_verified: [{ hypothesis: "tokens expire", result: "refuted", evidence }],
});
const NO_CALLS = { calls: [] };

const CASES: readonly Case[] = [
  {
    name: "R10: no documents pass when the project has none",
    stage: "DOCUMENT_RESEARCH",
    payload: { documents_reviewed: [] },
    facts: { documents: { enabled: true, total: 0 }, ...NO_CALLS },
  },
  {
    name: "R10: no documents pass when the research is switched off",
    stage: "DOCUMENT_RESEARCH",
    payload: { documents_reviewed: [], mandatory_rules: [] },
    facts: { documents: { enabled: false, total: 9 }, ...NO_CALLS },
  },
  {
    name: "R10: no fitting document passes with a reason and a search",
    stage: "DOCUMENT_RESEARCH",
    payload: { documents_reviewed: [], mandatory_rules: [], no_documents_reason: "none fits" },
  },
  {
    name: "no document without a reason",
    stage: "DOCUMENT_RESEARCH",
    payload: { documents_reviewed: [], mandatory_rules: [] },
    problems: ["no_documents_reviewed data.documents_reviewed"],
  },
  {
    name: "no document with a reason and without a search",
    stage: "DOCUMENT_RESEARCH",
    payload: { documents_reviewed: [], mandatory_rules: [], no_documents_reason: "none fits" },
    facts: NO_CALLS,
    problems: ["no_documents_reviewed data.documents_reviewed"],
  },
  {
    name: "documents and sources that do not exist",
    stage: "DOCUMENT_RESEARCH",
    payload: {
      documents_reviewed: ["docs/auth.md", "docs/none.md", "../up.ts"],
      mandatory_rules: [{ rule: "r", source: "docs/lost.md:3-4" }],
    },
    problems: [
      "path_not_found data.mandatory_rules[0].source",
      "path_not_found data.documents_reviewed[1]",
      "path_outside data.documents_reviewed[2]",
    ],
  },
  {
    name: "R10: slots that are unknown pass as null",
    stage: "QUERY_FRAME",
    payload: { slots: null, target_symbols: null, scope: null, constraints: null },
  },
  {
    name: "a quote that is not in the request",
    stage: "QUERY_FRAME",
    facts: {
      frame: {
        slots: {},
        problems: [{ code: "quote_not_found", message: "m", at: "data.slots.target_feature" }],
      },
    },
    problems: ["quote_not_found data.slots.target_feature"],
  },
  {
    name: "R10: empty lists pass in a project without source files",
    stage: "EXPLORATION",
    payload: { explored_files: [], findings: [] },
    facts: { hasSourceFiles: false, ...NO_CALLS },
  },
  {
    name: "empty lists in a project with source files",
    stage: "EXPLORATION",
    payload: { explored_files: [], findings: [] },
    problems: ["empty_list data.explored_files", "empty_list data.findings"],
  },
  {
    name: "explored files that do not exist, in an empty project too",
    stage: "EXPLORATION",
    payload: { explored_files: ["src/none.ts"], findings: [] },
    facts: { hasSourceFiles: false, ...NO_CALLS },
    problems: ["path_not_found data.explored_files[0]"],
  },
  {
    name: "R10: nothing relevant found by meaning passes after one search",
    stage: "SEMANTIC",
    payload: { search_results: [] },
  },
  {
    name: "nothing found by meaning, and nothing searched",
    stage: "SEMANTIC",
    payload: { search_results: [] },
    facts: { ...NO_CALLS, offered: ["search_text"] },
    problems: ["no_search_recorded data.search_results"],
  },
  {
    name: "search results that do not exist, as text and as objects",
    stage: "SEMANTIC",
    payload: { search_results: ["a.ts", { file: "b.ts" }] },
    problems: ["path_not_found data.search_results[0]", "path_not_found data.search_results[1]"],
  },
  {
    name: "hypotheses of which none is named",
    stage: "Q2",
    payload: { has_unverified_hypotheses: true },
    problems: ["missing_field data.hypotheses"],
  },
  {
    name: "R10: a refuted hypothesis with a place as evidence passes",
    stage: "VERIFICATION",
    state: { hypotheses: ["tokens expire"] },
  },
  {
    name: "R10: a refuted hypothesis with a recorded call as evidence passes",
    stage: "VERIFICATION",
    payload: EVIDENCE("tool: find_references(refresh) → 0"),
    facts: { calls: [{ tool: "find_references", subject: "refresh", total: 0 }] },
  },
  ...["symbol: refresh", "`refresh`", '"refresh", path=src'].map((sent): Case => ({
    name: `evidence of a recorded call that is written as ${sent}`,
    stage: "VERIFICATION",
    payload: EVIDENCE(`tool: find_references(${sent}) → 0, as expected`),
    facts: { calls: [{ tool: "find_references", subject: "refresh", total: 0 }] },
  })),
  ...["e", "refreshToken", "fresh", "Auth.refresh"].map((sent): Case => ({
    name: `a recorded call about refresh is no evidence about ${sent}`,
    stage: "VERIFICATION",
    payload: EVIDENCE(`tool: find_references(${sent}) → 0`),
    facts: { calls: [{ tool: "find_references", subject: "refresh", total: 0 }] },
    problems: ["tool_not_recorded data.hypotheses_verified[0].evidence"],
  })),
  {
    name: "a recorded search with brackets in its pattern is evidence",
    stage: "VERIFICATION",
    payload: EVIDENCE("tool: search_text(login\\(name\\)) → 2"),
    facts: { calls: [{ tool: "search_text", subject: "login\\(name\\)", total: 2 }] },
  },
  {
    name: "R10: nothing to verify passes when no hypothesis is on record",
    stage: "VERIFICATION",
    payload: { hypotheses_verified: [] },
  },
  {
    name: "hypotheses on record and none verified",
    stage: "VERIFICATION",
    payload: { hypotheses_verified: [] },
    state: { hypotheses: ["tokens expire"] },
    problems: ["hypotheses_unverified data.hypotheses_verified"],
  },
  {
    name: "one of two hypotheses on record left out",
    stage: "VERIFICATION",
    state: { hypotheses: ["tokens expire", "sessions are shared"] },
    problems: ["hypotheses_unverified data.hypotheses_verified"],
  },
  {
    name: "evidence at a line that the file does not have",
    stage: "VERIFICATION",
    payload: EVIDENCE("src/token.ts:9999"),
    facts: { lines: { "src/token.ts": 40 } },
    problems: ["line_out_of_range data.hypotheses_verified[0].evidence"],
  },
  {
    name: "R16: a recorded call with another result than the one that is claimed",
    stage: "VERIFICATION",
    payload: EVIDENCE("tool: find_references(refresh) → 0"),
    facts: { calls: [{ tool: "find_references", subject: "refresh", total: 3 }] },
    problems: ["tool_not_recorded data.hypotheses_verified[0].evidence"],
  },
  {
    name: "R16: a recorded call without a word of what was asked",
    stage: "VERIFICATION",
    payload: EVIDENCE("tool: find_references() → 0"),
    facts: { calls: [{ tool: "find_references", subject: "refresh", total: 0 }] },
    problems: ["tool_not_recorded data.hypotheses_verified[0].evidence"],
  },
  ...(["", "  ", null] as const).map((evidence): Case => ({
    name: `evidence that is ${JSON.stringify(evidence)}`,
    stage: "VERIFICATION",
    payload: EVIDENCE(evidence),
    problems: ["evidence_missing data.hypotheses_verified[0].evidence"],
  })),
  {
    name: "evidence in prose",
    stage: "VERIFICATION",
    payload: EVIDENCE("I looked at it"),
    problems: ["evidence_form data.hypotheses_verified[0].evidence"],
  },
  {
    name: "evidence in a file that does not exist",
    stage: "VERIFICATION",
    payload: EVIDENCE("src/none.ts:3"),
    problems: ["path_not_found data.hypotheses_verified[0].evidence"],
  },
  {
    name: "R16: evidence of a call that the server did not record",
    stage: "VERIFICATION",
    payload: EVIDENCE("tool: find_references(refresh) → 0"),
    problems: ["tool_not_recorded data.hypotheses_verified[0].evidence"],
  },
  {
    name: "R10: an impact analysis of files that do not exist yet passes empty",
    stage: "IMPACT_ANALYSIS",
    payload: DECISIONS(),
  },
  {
    name: "R27: a file that is not modified needs a reason",
    stage: "IMPACT_ANALYSIS",
    payload: DECISIONS(
      { path: "a.ts", status: "will_modify" },
      { path: "b.ts", status: "no_change_needed" },
      { path: "c.ts", status: "not_affected", reason: " " },
    ),
    problems: [
      "reason_missing data.impact_summary.decisions[1].reason",
      "reason_missing data.impact_summary.decisions[2].reason",
    ],
  },
  {
    name: "a decision about a path outside the project",
    stage: "IMPACT_ANALYSIS",
    payload: DECISIONS({ path: "/etc/x", status: "will_modify" }),
    problems: ["path_invalid data.impact_summary.decisions[0].path"],
  },
];

for (const { name, stage, payload, facts, state, problems } of CASES) {
  const verb = problems === undefined ? "passes" : "refuses";
  Deno.test(`decide() ${verb} at ${stage}: ${name}`, () => {
    const decision = submit(toState(stage, state), { ...PAYLOAD[stage], ...payload }, {
      ...(facts === undefined ? {} : { facts }),
    });
    deepEqual(toRefusal(decision), problems ?? []);
    equal(decision.kind, problems === undefined ? "accepted" : "refused");
  });
}

Deno.test("documentResearch() keeps the mandatory rules whole", () => {
  const { state } = accept(submit(toState("DOCUMENT_RESEARCH"), PAYLOAD.DOCUMENT_RESEARCH));
  deepEqual(state.rules, [{ rule: "Services own business logic", source: "docs/auth.md:12" }]);
  deepEqual(state.documents, ["docs/auth.md"]);
});

Deno.test("queryFrame() keeps the slots that the server checked, not those that were sent", () => {
  const slot = { value: "login", quote: "login form", source: "HYPOTHESIS" } as const;
  const { state } = accept(submit(toState("QUERY_FRAME"), PAYLOAD.QUERY_FRAME, {
    facts: { frame: { slots: { target_feature: slot }, problems: [] } },
  }));
  deepEqual(state.frame, {
    actionType: "modify",
    slots: {
      target_feature: slot,
      trigger_condition: null,
      observed_issue: null,
      desired_action: null,
    },
    targetSymbols: ["AuthService"],
    scope: "src/auth",
    constraints: [],
  });
});

Deno.test("exploration() makes the risk HIGH where nobody made the defect show", () => {
  const slot = { value: "v", quote: "q", source: "FACT" } as const;
  const frame = {
    actionType: "fix",
    slots: {
      target_feature: slot,
      trigger_condition: null,
      observed_issue: slot,
      desired_action: slot,
    },
    targetSymbols: [],
    scope: null,
    constraints: [],
  };
  const first = toState("EXPLORATION", { frame, risk: "MEDIUM" });
  const explore = (reproduced: unknown) =>
    accept(submit(first, { ...PAYLOAD.EXPLORATION, reproduced }));
  const seen = { command: "npm test", showed: "1 failed" };
  const shown = explore(seen);
  deepEqual([shown.state.risk, shown.state.reproduced, shown.reply.not_reproduced], [
    "MEDIUM",
    seen,
    undefined,
  ]);
  const unseen = [null, "not reproduced: no such device", { ...seen, command: "not reproduced" }];
  for (const reproduced of unseen) {
    const { state, reply } = explore(reproduced);
    deepEqual([state.risk, state.reproduced], ["HIGH", undefined]);
    equal(typeof reply.not_reproduced, "string");
  }
  const other = accept(submit(toState("EXPLORATION", { risk: "LOW" }), PAYLOAD.EXPLORATION));
  equal(other.state.risk, "LOW", "no defect is named");
});

Deno.test("answers of Q1–Q3 are recorded with their trimmed reasons, in gate full too", () => {
  for (const gateLevel of ["auto", "full"] as const) {
    const first = toState("Q1", { begin: { gateLevel } });
    const reason = "  one candidate only  ";
    const { state } = accept(submit(first, { ...PAYLOAD.Q1, reason }));
    deepEqual(state.answers, { Q1: { answer: false, reason: "one candidate only" } });
    equal(state.stage, gateLevel === "full" ? "SEMANTIC" : "Q2");
  }
});

Deno.test("impactAnalysis() keeps every decision with its reason", () => {
  const { state } = accept(submit(toState("IMPACT_ANALYSIS"), PAYLOAD.IMPACT_ANALYSIS));
  deepEqual(state.impact, [
    { path: "src/auth.ts", status: "will_modify", reason: null },
    { path: "src/legacy/**", status: "not_affected", reason: "never imported" },
  ]);
});

Deno.test("semantic() and verification() add to the findings", () => {
  const semantic = submit(toState("SEMANTIC", { findings: ["a"] }), PAYLOAD.SEMANTIC);
  deepEqual(accept(semantic).state.findings, ["a", "src/session.ts: it refreshes"]);
  const verified = submit(toState("VERIFICATION", { findings: ["a"] }), PAYLOAD.VERIFICATION);
  deepEqual(accept(verified).state.findings, ["a", "tokens expire: refuted (src/token.ts:9)"]);
});

Deno.test("branchIntervention() leaves the branches to git", () => {
  for (const choice of ["delete", "merge", "continue"] as const) {
    const first = toState("BRANCH_INTERVENTION");
    const decision = submit(first, { ...PAYLOAD.BRANCH_INTERVENTION, choice });
    deepEqual(decision.kind === "perform" ? decision.effects : [], [
      { kind: "resolve_stale", choice },
    ]);
  }
});
