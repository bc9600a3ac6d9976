/**
 * What each stage accepts: one schema for each stage, whose findings become problems with JSON
 * paths. Pure. The same rows give the `expected_payload` of the built-in contract.
 */
import * as z from "zod";
import { LIMITS } from "../../base/settings/limits.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import {
  array,
  CITED_RULE,
  filled,
  ITEM,
  list,
  normaliseResult,
  projectPath,
  reason,
  REVIEWED,
  slot,
  TASK,
  text,
} from "./payload_fields.ts";
import { findTarget, makeSchemaProblems } from "./payload_problems.ts";
import type { Stage } from "../table/phases.ts";

/** What was run for each clause of the request, and what it showed. */
const OBSERVED = z.nullish(z.union([z.record(text, text), text]));

/** The schema of each stage, without the fields that all stages share. */
export const PAYLOADS = {
  BRANCH_INTERVENTION: z.object({ choice: z.enum(["delete", "merge", "continue"]) }),
  DOCUMENT_RESEARCH: z.object({
    documents_reviewed: list(projectPath),
    mandatory_rules: z.nullish(list(CITED_RULE)),
    no_documents_reason: z.nullish(text),
  }),
  QUERY_FRAME: z.object({
    action_type: z.nullish(filled),
    slots: z.nullish(z.object({
      target_feature: slot.optional(),
      trigger_condition: slot.optional(),
      observed_issue: slot.optional(),
      desired_action: slot.optional(),
    })),
    target_symbols: z.nullish(list(filled)),
    scope: z.nullish(text),
    constraints: z.nullish(list(filled)),
  }),
  EXPLORATION: z.object({
    explored_files: list(projectPath),
    findings: list(filled),
    gate_level: z.nullish(z.literal("full")),
    reproduced: z.nullish(z.union([z.object({ command: filled, showed: filled }), filled])),
  }),
  Q1: z.object({ needs_more_information: z.boolean(), reason }),
  SEMANTIC: z.object({
    search_query: filled,
    search_results: list(z.union([filled, z.object({ file: filled, why: z.nullish(text) })])),
  }),
  Q2: z.object({
    has_unverified_hypotheses: z.boolean(),
    reason,
    hypotheses: z.nullish(list(filled)),
  }),
  VERIFICATION: z.object({
    hypotheses_verified: list(z.object({
      hypothesis: filled,
      result: z.preprocess(normaliseResult, z.enum(["confirmed", "refuted"])),
      evidence: z.nullish(text),
    })),
  }),
  Q3: z.object({ needs_impact_analysis: z.boolean(), reason }),
  IMPACT_ANALYSIS: z.object({
    impact_summary: z.object({
      decisions: list(z.object({
        path: projectPath,
        status: z.enum(["will_modify", "no_change_needed", "not_affected"]),
        reason: z.nullish(text),
      })),
    }),
  }),
  READY_PLAN: z.object({ tasks: list(TASK) }),
  READY_IMPL: z.object({ task_id: filled, checklist: array(ITEM).min(1) }),
  READY_COMPLETE: z.object({ observed: OBSERVED }),
  // A report is needed only where the server runs no command; the rule of the step asks for it then.
  POST_IMPL_VERIFY: z.object({
    passed: z.nullish(z.boolean()),
    verifier_used: z.nullish(filled),
    failed_tasks: z.nullish(list(filled)),
    details: z.nullish(text),
    suggestion: z.nullish(text),
  }),
  VERIFY_INTERVENTION: z.object({
    prompt_used: filled,
    action_taken: filled,
    restore_to: z.nullish(z.enum(["none", "plan", "baseline"])),
    suggestion: z.nullish(text),
  }),
  PRE_COMMIT: z.object({
    reviewed_files: list(REVIEWED),
    rest: z.nullish(z.enum(["keep", "discard"])),
    findings: z.nullish(list(z.object({ id: filled, reason: text }))),
    test_findings: z.nullish(list(z.object({ id: filled, reason: text }))),
    include_person_changes: z.nullish(list(projectPath)),
    commit_message: filled,
    observed: OBSERVED,
    review_prompt_used: z.nullish(text),
  }),
  QUALITY_REVIEW: z.object({
    quality_score: filled,
    issues: list(z.union([filled, z.looseObject({})])),
    quality_prompt_used: z.nullish(text),
  }),
  MERGE: z.object({
    on_conflict: z.nullish(z.enum(["resolve", "park"])),
    merge_message: z.nullish(filled),
  }),
  SESSION_COMPLETE: z.object({}),
} as const satisfies Record<Stage, z.ZodObject>;

/** The checked payload of a stage. */
export type PayloadOf<S extends Stage> = z.infer<(typeof PAYLOADS)[S]>;

/** Fields that a payload of any stage may have. */
const COMMON = z.object({
  summary: z.string(),
  tools_used: z.array(z.string().max(200)).max(200).optional(),
  compaction_count: z.number().int().min(0).nullish(),
});

/** The same behind step 3, where rules can still be cited: what was cited wrongly, or overlooked. */
const COMMON_LATER = COMMON.extend({ mandatory_rules: z.nullish(list(CITED_RULE)) });

const COMMON_FORM =
  '"summary": "what this step found or did", "tools_used": ["search_text"], "compaction_count": 0';

/** How findings are resolved; allowed beside any payload, or alone. */
const RESOLUTION = z.object({
  path: projectPath,
  action: z.enum(["restore", "person", "authorize", "tool", "undo"]),
  reason: filled,
  until_end: z.boolean().optional(),
});

const RESOLUTION_FORM =
  'change_resolution [{"path": "src/a.ts", "action": "restore | person | authorize | tool | undo", "reason": "…"}]; "glob": "src/**" in the place of "path" names several';

/** How one finding is resolved, or a folder that the user works in. */
export type ChangeResolution = z.infer<typeof RESOLUTION>;

/** Reads `change_resolution` of a payload; empty where the payload has none. */
export function parseResolutions(
  data: unknown,
): { readonly rows: readonly ChangeResolution[]; readonly problems: readonly Problem[] } {
  const sent = (data as { readonly change_resolution?: unknown } | null)?.change_resolution;
  if (sent === undefined || sent === null) return { rows: [], problems: [] };
  const parsed = array(RESOLUTION).min(1).safeParse(
    Array.isArray(sent) ? sent.map(normaliseRow) : sent,
  );
  return parsed.success ? { rows: parsed.data, problems: [] } : {
    rows: [],
    problems: makeSchemaProblems(parsed.error, "data.change_resolution", RESOLUTION_FORM),
  };
}

/** A row may give its files as `glob` instead of `path`; a path may be a glob too. */
function normaliseRow(row: unknown): unknown {
  if (typeof row !== "object" || row === null || !("glob" in row) || "path" in row) return row;
  const { glob, ...rest } = row;
  return { path: glob, ...rest };
}

/** Payloads that every stage accepts in place of its own. */
const ANY_STAGE = {
  park: z.object({ park: z.literal(true), reason: filled }),
  abandon: z.object({
    abandon: z.literal(true),
    reason: filled,
    restore: z.boolean().default(false),
  }),
  // The stage says which of them it has; of those that lead elsewhere it says what does.
  back_to: z.object({ back_to: z.enum(["EXPLORATION", "READY"]), reason }),
  ask_person: z.object({
    ask_person: filled,
    choices: list(filled).default([]),
    answer: z.nullable(filled).default(null),
  }),
  user_decision: z.object({
    user_decision: z.enum(["continue", "accept", "park", "abandon"]),
    user_reason: filled,
  }),
} as const;

/** The written form of each payload of {@link ANY_STAGE}, which no `expected_payload` shows. */
const ANY_STAGE_FORMS: Readonly<Record<keyof typeof ANY_STAGE, string>> = {
  park: '{"park": true, "reason": "…"}',
  abandon: '{"abandon": true, "reason": "…", "restore": true | false}',
  back_to:
    `{"back_to": "EXPLORATION", "reason": "at least ${LIMITS.reasonMinChars.value} characters"}`,
  ask_person:
    '{"ask_person": "…", "choices": ["…"], "answer": "their words, where only you can ask"}',
  user_decision:
    '{"user_decision": "continue | accept | park | abandon", "user_reason": "the words of the person"}',
};

/** Stages whose payload needs no `tools_used`. */
const SUMMARY_ONLY: readonly Stage[] = ["READY_COMPLETE", "MERGE"];

/** The checked fields that every stage shares. */
export interface CommonPart {
  readonly summary: string;
  readonly toolsUsed: readonly string[];
  readonly compactionCount: number | null;
  /** Rules that are cited again behind step 3; absent where none is. */
  readonly rules?: readonly z.infer<typeof CITED_RULE>[];
}

/** What was submitted, in the form of one of the allowed payloads. */
export type Submission =
  | {
    readonly kind: "payload";
    readonly stage: Stage;
    readonly data: unknown;
    readonly common: CommonPart;
  }
  | { readonly kind: "park"; readonly reason: string }
  | { readonly kind: "abandon"; readonly reason: string; readonly restore: boolean }
  | { readonly kind: "back"; readonly to: "EXPLORATION" | "READY"; readonly reason: string }
  | {
    readonly kind: "ask";
    readonly question: string;
    readonly choices: readonly string[];
    /** The answer as the agent relays it, or as the user gave it in a form; null before there is one. */
    readonly answer: string | null;
  }
  | {
    readonly kind: "person";
    readonly decision: "continue" | "accept" | "park" | "abandon";
    readonly reason: string;
  };

/** A submission, and the problems of its form. */
export interface ParsedSubmission {
  /** The submission; null when its form is wrong. */
  readonly submission: Submission | null;
  readonly problems: readonly Problem[];
  readonly ignoredFields: readonly string[];
  readonly notices: readonly string[];
  /** The count that the agent sent; null when it sent none. */
  readonly compactionCount: number | null;
}

/** Reads what the agent sent at `stage`. Never throws; names every problem of the form at once. */
export function parseSubmission(stage: Stage, data: unknown): ParsedSubmission {
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    return refused([makeProblem("wrong_type", "data is not an object", {
      at: "data",
      hint: "Send the fields of expected_payload as one JSON object.",
    })]);
  }
  const record = data as Readonly<Record<string, unknown>>;
  const count =
    Number.isSafeInteger(record.compaction_count) && Number(record.compaction_count) >= 0
      ? Number(record.compaction_count)
      : null;
  for (const key of Object.keys(ANY_STAGE) as (keyof typeof ANY_STAGE)[]) {
    if (record[key] !== undefined && record[key] !== null && record[key] !== false) {
      return { ...parseAnyStage(key, record), compactionCount: count };
    }
  }
  const target = findTarget(stage, record);
  if (target.problem !== null) return { ...refused([target.problem]), compactionCount: count };
  return { ...parseStage(target.stage, record), compactionCount: count };
}

function parseAnyStage(
  key: keyof typeof ANY_STAGE,
  record: Readonly<Record<string, unknown>>,
): Omit<ParsedSubmission, "compactionCount"> {
  const schema = ANY_STAGE[key];
  const parsed = schema.safeParse(record);
  if (!parsed.success) {
    return refused(makeSchemaProblems(parsed.error, "data", ANY_STAGE_FORMS[key]));
  }
  const value = parsed.data;
  const known = new Set([...Object.keys(schema.shape), "compaction_count"]);
  const ignoredFields = Object.keys(record).filter((key) => !known.has(key));
  const common = { problems: [], ignoredFields, notices: [] };
  if ("park" in value) return { submission: { kind: "park", reason: value.reason }, ...common };
  if ("abandon" in value) {
    return {
      submission: { kind: "abandon", reason: value.reason, restore: value.restore },
      ...common,
    };
  }
  if ("ask_person" in value) {
    const { ask_person: question, ...rest } = value;
    return { submission: { kind: "ask", question, ...rest }, ...common };
  }
  if ("back_to" in value) {
    const { back_to: to, reason } = value;
    return { submission: { kind: "back", to, reason }, ...common };
  }
  return {
    submission: { kind: "person", decision: value.user_decision, reason: value.user_reason },
    ...common,
  };
}

/** Fields of a report of step 15; a payload with none of them leaves the verdict to the server's run. */
const REPORT_FIELDS = ["passed", "verifier_used", "failed_tasks", "details"];

/** A payload that reports nothing needs neither a summary nor tools. */
function fillSilentReport(
  stage: Stage,
  sent: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const isSilent = stage === "POST_IMPL_VERIFY" &&
    REPORT_FIELDS.every((field) => (sent[field] ?? null) === null);
  return isSilent ? { summary: "The server's run is the verdict.", tools_used: [], ...sent } : sent;
}

function parseStage(
  stage: Stage,
  sent: Readonly<Record<string, unknown>>,
): Omit<ParsedSubmission, "compactionCount"> {
  const record = fillSilentReport(stage, sent);
  const schema = PAYLOADS[stage];
  const own = schema.safeParse(record);
  const shared = stage === "DOCUMENT_RESEARCH" ? COMMON : COMMON_LATER;
  const common = shared.safeParse(record);
  const problems = [
    ...(own.success ? [] : makeSchemaProblems(own.error, "data")),
    ...(common.success ? [] : makeSchemaProblems(common.error, "data", COMMON_FORM)),
  ];
  const summary = typeof record.summary === "string" ? record.summary.trim() : null;
  if (summary === "") {
    problems.push(makeProblem("missing_field", "summary is blank", {
      at: "data.summary",
      hint: "Say in a few sentences what this step found or did.",
    }));
  }
  if (record.tools_used === undefined && !SUMMARY_ONLY.includes(stage)) {
    problems.push(makeProblem("missing_field", "tools_used is missing", {
      at: "data.tools_used",
      hint: "Send the names of the tools you called in this step; [] when there were none.",
    }));
  }
  const known = new Set([...Object.keys(schema.shape), ...Object.keys(shared.shape)]);
  const ignoredFields = Object.keys(record).filter((key) => !known.has(key));
  if (!own.success || !common.success || problems.length > 0) {
    return { ...refused(problems), ignoredFields };
  }
  return buildSubmission(stage, own.data, common.data, ignoredFields);
}

function buildSubmission(
  stage: Stage,
  data: unknown,
  common: z.infer<typeof COMMON> & Partial<z.infer<typeof COMMON_LATER>>,
  ignoredFields: readonly string[],
): Omit<ParsedSubmission, "compactionCount"> {
  const limit = LIMITS.summaryChars.value;
  const summary = common.summary.trim();
  const notices = summary.length > limit
    ? [`summary was cut from ${summary.length} to ${limit} characters`]
    : [];
  return {
    submission: {
      kind: "payload",
      stage,
      data,
      common: {
        summary: summary.slice(0, limit),
        toolsUsed: common.tools_used ?? [],
        compactionCount: common.compaction_count ?? null,
        ...((common.mandatory_rules ?? []).length === 0
          ? {}
          : { rules: common.mandatory_rules ?? [] }),
      },
    },
    problems: [],
    ignoredFields,
    notices,
  };
}

function refused(problems: readonly Problem[]): ParsedSubmission {
  return { submission: null, problems, ignoredFields: [], notices: [], compactionCount: null };
}
