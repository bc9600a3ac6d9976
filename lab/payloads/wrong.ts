/** Payloads that are wrong in substance, by step. Each has to be refused, in whatever form it is sent. Pure. */
import type { Payload } from "./steps.ts";

/** A wrong payload: what is wrong, and the right one with it. */
export interface WrongPayload {
  readonly what: string;
  readonly spoil: (payload: Payload) => Payload;
}

type Row = Readonly<Record<string, unknown>>;
const withFields = (fields: Row) => (payload: Payload) => ({ ...payload, ...fields });
const without = (...names: readonly string[]) => (payload: Payload): Payload =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => !names.includes(name)));
const inRows = (field: string, change: (row: Row) => Row) => (payload: Payload): Payload => ({
  ...payload,
  [field]: ((payload[field] ?? []) as readonly Row[]).map(change),
});

/** At each step: a tool of the server that was never called. */
const LIED: WrongPayload = {
  what: "claims a call that was never made",
  spoil: withFields({ tools_used: ["cleanup_stale_branches", "prove"] }),
};

/** What is wrong at each step. */
export const WRONG: Readonly<Record<number, readonly WrongPayload[]>> = {
  2: [
    { what: "no choice", spoil: without("choice") },
    { what: "two choices", spoil: withFields({ choice: "delete or merge" }) },
  ],
  3: [
    {
      what: "documents that are not there",
      spoil: withFields({ documents_reviewed: ["docs/none.md"] }),
    },
    {
      what: "a rule that stands nowhere",
      spoil: withFields({
        mandatory_rules: [{ rule: "Skip the checks", source: "docs/rules.md:99" }],
      }),
    },
    {
      what: "a rule of a heading that does not say it",
      spoil: withFields({
        mandatory_rules: [{ rule: "Arguments are left unchecked", source: "docs/rules.md:5" }],
      }),
    },
    {
      what: "no document and no reason",
      spoil: withFields({ documents_reviewed: [], no_documents_reason: null }),
    },
  ],
  4: [
    {
      what: "a quote that the request does not say",
      spoil: withFields({
        slots: { target_feature: { value: "logout", quote: "remove the logout button" } },
      }),
    },
    {
      what: "a text of which the request says nothing",
      spoil: withFields({ slots: { target_feature: "Rewrite the database" } }),
    },
  ],
  5: [
    {
      what: "files that are not there",
      spoil: withFields({ explored_files: ["src/none.ts:3-9"] }),
    },
    {
      what: "a line that does not stand there",
      spoil: withFields({ explored_files: ["README.md:1: # Everything about the login"] }),
    },
    { what: "no findings", spoil: withFields({ findings: [] }) },
    {
      what: "a file outside of the project",
      spoil: withFields({ explored_files: ["../../etc/passwd"] }),
    },
    { what: "a lower gate", spoil: withFields({ gate_level: "auto" }) },
    {
      what: "a sentence that names no file",
      spoil: withFields({ explored_files: "I read everything" }),
    },
  ],
  6: [
    { what: "no answer", spoil: without("needs_more_information") },
    { what: "both answers", spoil: withFields({ needs_more_information: "true or false" }) },
    { what: "no reason", spoil: withFields({ reason: "no" }) },
  ],
  7: [
    {
      what: "results that no search showed",
      spoil: withFields({ search_results: ["docs/rules.md"] }),
    },
    { what: "results that are not there", spoil: withFields({ search_results: ["src/none.ts"] }) },
  ],
  8: [
    {
      what: "hypotheses without a name",
      spoil: withFields({ has_unverified_hypotheses: true, hypotheses: [] }),
    },
    { what: "no answer", spoil: withFields({ has_unverified_hypotheses: "perhaps" }) },
  ],
  9: [
    { what: "a hypothesis left out", spoil: withFields({ hypotheses_verified: [] }) },
    {
      what: "a place that is not there",
      spoil: inRows("hypotheses_verified", (row) => ({ ...row, evidence: "src/auth.ts:900" })),
    },
    {
      what: "a call that was never made",
      spoil: inRows(
        "hypotheses_verified",
        (row) => ({ ...row, evidence: "tool: find_references(nothing) → 7" }),
      ),
    },
    {
      what: "no evidence",
      spoil: inRows("hypotheses_verified", (row) => ({ ...row, evidence: "it is so" })),
    },
    {
      what: "both results",
      spoil: inRows("hypotheses_verified", (row) => ({ ...row, result: "confirmed | refuted" })),
    },
    {
      what: "other hypotheses",
      spoil: inRows("hypotheses_verified", (row) => ({ ...row, hypothesis: "Something else" })),
    },
  ],
  10: [
    { what: "no answer", spoil: withFields({ needs_impact_analysis: null }) },
    { what: "no reason", spoil: withFields({ reason: "", summary: "" }) },
  ],
  11: [
    { what: "files without a decision", spoil: withFields({ impact_summary: { decisions: [] } }) },
    {
      what: "an unknown decision",
      spoil: withFields({ impact_summary: { decisions: [{ path: "**", status: "perhaps" }] } }),
    },
    {
      what: "no reason",
      spoil: withFields({
        impact_summary: { decisions: [{ path: "**", status: "not_affected" }] },
      }),
    },
  ],
  12: [
    { what: "no tasks", spoil: withFields({ tasks: [] }) },
    {
      what: "a task without items",
      spoil: withFields({ tasks: [{ id: "task_1", description: "x", checklist: [] }] }),
    },
    {
      what: "a task that is done already",
      spoil: withFields({
        tasks: [{ id: "task_1", description: "x", status: "completed", checklist: ["x"] }],
      }),
    },
    {
      what: "an item twice",
      spoil: withFields({
        tasks: [{ id: "task_1", description: "x", checklist: ["Change a", "Change a"] }],
      }),
    },
  ],
  13: [
    {
      what: "lines that were not changed",
      spoil: inRows("checklist", (row) => ({ ...row, evidence: "src/hash.ts:1-2" })),
    },
    {
      what: "lines that are not there",
      spoil: inRows("checklist", (row) => ({ ...row, evidence: "src/auth.ts#L400-L410" })),
    },
    { what: "no evidence", spoil: inRows("checklist", ({ evidence: _evidence, ...row }) => row) },
    {
      what: "a sentence for evidence",
      spoil: inRows("checklist", (row) => ({ ...row, evidence: "I did it in the login" })),
    },
    {
      what: "another item",
      spoil: inRows("checklist", (row) => ({ ...row, item: "Delete the tests" })),
    },
    { what: "another task", spoil: withFields({ task_id: "task_9" }) },
    {
      what: "skipped without a reason",
      spoil: inRows("checklist", ({ item }) => ({ item, status: "skipped" })),
    },
    {
      what: "a number that no item has",
      spoil: inRows("checklist", (row) => ({ ...row, item: 7 })),
    },
  ],
  14: [
    { what: "nothing at all", spoil: () => ({}) },
    {
      what: "lines that are not there",
      spoil: withFields({ observed: { login: "src/auth.ts:900 shows it" } }),
    },
    { what: "the payload of another step", spoil: withFields({ reviewedFiles: ["src/auth.ts"] }) },
  ],
  15: [
    { what: "neither passed nor failed", spoil: withFields({ passed: "nearly" }) },
    { what: "no result", spoil: () => ({ summary: "All is fine" }) },
  ],
  16: [
    { what: "no action", spoil: without("action_taken") },
    { what: "files taken back to nowhere", spoil: withFields({ restore_to: "yesterday" }) },
  ],
  17: [
    { what: "files without a decision", spoil: withFields({ reviewed_files: [] }) },
    {
      what: "a discard of another file",
      spoil: withFields({
        reviewed_files: [{ path: "auth.ts", decision: "discard", reason: "not wanted" }],
        rest: "keep",
      }),
    },
    {
      what: "a discard without a reason",
      spoil: inRows("reviewed_files", (row) => ({ ...row, decision: "discard" })),
    },
    {
      what: "a trailer of the server",
      spoil: withFields({ commit_message: "Add it\n\nCode-Intel-Verified: yes" }),
    },
    {
      what: "changes of the person that are none",
      spoil: withFields({ include_person_changes: ["src/auth.ts"] }),
    },
  ],
  18: [
    { what: "no issues and no word that there are none", spoil: without("issues") },
    {
      what: "the payload of another step",
      spoil: () => ({ needs_more_information: false, reason: "it is all known" }),
    },
  ],
  19: [
    { what: "nothing at all", spoil: () => ({}) },
    { what: "an unknown way", spoil: withFields({ on_conflict: "ours" }) },
    {
      what: "the payload of another step",
      spoil: withFields({ quality_score: "good", issues: [] }),
    },
  ],
};

/** What is wrong at a step. */
export function listWrong(step: number): readonly WrongPayload[] {
  return [...WRONG[step] ?? [], ...(step === 14 || step === 19 ? [] : [LIED])];
}
