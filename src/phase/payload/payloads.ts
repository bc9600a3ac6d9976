/**
 * What each stage accepts: one schema for each stage, whose findings become problems with JSON
 * paths. Pure. The same rows give the `expected_payload` of the built-in contract.
 */
import * as z from "zod";
import { LIMITS } from "../../base/settings/limits.ts";
import { getOrInsert } from "../../base/once.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import type { JsonRecord } from "../../base/text/json_record.ts";
import { asRecord, isRecord } from "../../base/text/json_record.ts";
import {
  CITED_RULE,
  EVIDENCE,
  EXACT,
  filled,
  fillRepeated,
  fitFields,
  IMPACT_DECISION,
  ITEM,
  list,
  numberTasks,
  projectPath,
  reason,
  RESULT,
  REVIEWED,
  slot,
  TASK,
  text,
} from "./payload_fields.ts";
import { findTarget, makeSchemaProblems } from "./payload_problems.ts";
import type { Stage } from "../table/phases.ts";
import { PHASES } from "../table/phases.ts";

/** What was run for each clause of the request, and what it showed. */
const OBSERVED = z.nullish(z.union([z.record(text, text), text]));
const ANSWERED = z.nullish(list(z.object({ id: filled, reason: text })));

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
    gate_level: z.nullish(z.literal("full")).meta(EXACT),
    reproduced: z.nullish(z.union([z.object({ command: filled, showed: filled }), filled])),
  }),
  Q1: z.object({ needs_more_information: z.boolean(), reason }),
  SEMANTIC: z.object({
    search_query: z.nullish(text),
    search_results: list(z.union([
      filled.meta({ holds: "path" }),
      z.object({ file: filled.meta({ aliases: ["path"] }), why: z.nullish(text) }),
    ])),
  }),
  Q2: z.object({
    has_unverified_hypotheses: z.boolean(),
    reason,
    hypotheses: z.nullish(list(filled)),
  }),
  VERIFICATION: z.object({
    hypotheses_verified: list(z.object({
      hypothesis: filled.meta({ aliases: ["text", "claim", "statement", "id"] }),
      result: RESULT,
      evidence: EVIDENCE.meta({ aliases: ["proof", "source", "location", "where"] }),
    })),
  }),
  Q3: z.object({ needs_impact_analysis: z.boolean(), reason }),
  IMPACT_ANALYSIS: z.object({
    impact_summary: z.object({
      decisions: list(IMPACT_DECISION).meta({ aliases: ["files"] }),
    }),
  }),
  READY_PLAN: z.object({ tasks: z.preprocess(numberTasks, list(TASK)) }),
  READY_IMPL: z.object({
    task_id: filled.meta({ aliases: ["id", "task"] }),
    checklist: list(ITEM).min(1).meta({ aliases: ["items", "results"] }),
  }),
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
    prompt_used: z.nullish(text),
    action_taken: filled,
    restore_to: z.nullish(z.enum(["none", "plan", "baseline"])).meta(EXACT),
    suggestion: z.nullish(text),
  }),
  PRE_COMMIT: z.object({
    reviewed_files: list(REVIEWED),
    rest: z.nullish(z.enum(["keep", "discard"])),
    findings: ANSWERED,
    test_findings: ANSWERED,
    include_person_changes: z.nullish(list(projectPath)).meta(EXACT),
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

/** Fields that a payload of any stage may have. Which tools were called the server knows itself. */
const COMMON = z.object({
  summary: z.string(),
  tools_used: z.array(z.string().max(200)).max(200).nullish(),
  compaction_count: z.number().int().min(0).nullish(),
});

/** The same behind step 3, where rules can still be cited: what was cited wrongly, or overlooked. */
const COMMON_LATER = COMMON.extend({ mandatory_rules: z.nullish(list(CITED_RULE)) });

/** How findings are resolved; allowed beside any payload, or alone. */
const RESOLUTION = z.object({
  path: projectPath.meta({ aliases: ["glob", "file"] }),
  action: z.enum(["restore", "person", "authorize", "tool", "undo"]),
  reason: filled,
  until_end: z.boolean().optional(),
});

const RESOLUTIONS = z.object({ change_resolution: list(RESOLUTION).min(1).meta(EXACT) });

const RESOLUTION_FORM =
  'change_resolution [{"path": "src/a.ts", "action": "restore | person | authorize | tool | undo", "reason": "…"}]; "glob": "src/**" in the place of "path" names several';

/** How one finding is resolved, or a folder that the user works in. */
export type ChangeResolution = z.infer<typeof RESOLUTION>;

/** Reads `change_resolution` of a payload; empty where the payload has none. */
export function parseResolutions(
  data: unknown,
): { readonly rows: readonly ChangeResolution[]; readonly problems: readonly Problem[] } {
  const { record } = fitFields(RESOLUTIONS, asRecord(data));
  const { change_resolution: sent = null } = record;
  if (sent === null) return { rows: [], problems: [] };
  const parsed = RESOLUTIONS.safeParse(record);
  return parsed.success ? { rows: parsed.data.change_resolution, problems: [] } : {
    rows: [],
    problems: makeSchemaProblems(parsed.error, "data", RESOLUTION_FORM),
  };
}

/** A payload of any stage: its check, its written form, which no `expected_payload` shows, and what it submits. */
function anyStage<T extends z.ZodObject>(
  schema: T,
  form: string,
  read: (value: z.infer<T>) => Submission,
) {
  // The check gave the value its type.
  return { schema, form, read: read as (value: unknown) => Submission };
}

/** Payloads that every stage accepts in place of its own. */
const ANY_STAGE = {
  park: anyStage(
    z.object({ park: z.literal(true), reason: filled }),
    '{"park": true, "reason": "…"}',
    ({ reason }) => ({ kind: "park", reason }),
  ),
  abandon: anyStage(
    z.object({ abandon: z.literal(true), reason: filled, restore: z.boolean().default(false) }),
    '{"abandon": true, "reason": "…", "restore": true | false}',
    ({ reason, restore }) => ({ kind: "abandon", reason, restore }),
  ),
  // The stage says which of them it has; of those that lead elsewhere it says what does.
  back_to: anyStage(
    z.object({ back_to: z.enum(["EXPLORATION", "READY"]), reason }),
    `{"back_to": "EXPLORATION", "reason": "at least ${LIMITS.reasonMinChars.value} characters"}`,
    ({ back_to: to, reason }) => ({ kind: "back", to, reason }),
  ),
  ask_person: anyStage(
    z.object({
      ask_person: filled,
      choices: list(filled).default([]),
      answer: z.nullable(filled).default(null),
    }),
    '{"ask_person": "…", "choices": ["…"], "answer": "their words, where only you can ask"}',
    ({ ask_person: question, choices, answer }) => ({ kind: "ask", question, choices, answer }),
  ),
  user_decision: anyStage(
    z.object({
      user_decision: z.enum(["continue", "accept", "park", "abandon"]),
      user_reason: filled,
    }),
    '{"user_decision": "continue | accept | park | abandon", "user_reason": "the words of the person"}',
    ({ user_decision: decision, user_reason: reason }) => ({ kind: "person", decision, reason }),
  ),
} as const;

/** The names of those payloads, and of the count that any payload may have. */
const ANY_FIELDS = z.object(
  Object.fromEntries(Object.keys(ANY_STAGE).map((key) => [key, z.unknown().meta(EXACT)])),
);
const COUNTED = z.object({ compaction_count: z.number().nullish() });

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
  if (!isRecord(data)) {
    return refused([makeProblem("wrong_type", "data is not an object", {
      at: "data",
      hint: "Send the fields of expected_payload as one JSON object.",
    })]);
  }
  const { compaction_count: sentCount = null } = fitFields(COUNTED, data).record;
  const count = typeof sentCount === "number" && Number.isSafeInteger(sentCount) && sentCount >= 0
    ? sentCount
    : null;
  const own = fitFields(ANY_FIELDS, data).record;
  for (const key of Object.keys(ANY_STAGE) as (keyof typeof ANY_STAGE)[]) {
    if (own[key] !== undefined && own[key] !== null && own[key] !== false) {
      return { ...parseAnyStage(key, data), compactionCount: count };
    }
  }
  const target = findTarget(stage, data);
  if (target.problem !== null) return { ...refused([target.problem]), compactionCount: count };
  return { ...parseStage(target.stage, data), compactionCount: count };
}

function parseAnyStage(
  key: keyof typeof ANY_STAGE,
  sent: JsonRecord,
): Omit<ParsedSubmission, "compactionCount"> {
  const { schema, form, read } = ANY_STAGE[key];
  const { record } = fitFields(schema, sent);
  const parsed = schema.safeParse(record);
  if (!parsed.success) return refused(makeSchemaProblems(parsed.error, "data", form));
  const known = new Set([...Object.keys(schema.shape), "compaction_count"]);
  const ignoredFields = Object.keys(record).filter((key) => !known.has(key));
  return { submission: read(parsed.data), problems: [], ignoredFields, notices: [] };
}

/** Where no field is needed, a payload without any would go on by mistake. */
const SILENT = makeProblem("missing_field", "The payload says nothing", {
  at: "data.summary",
  hint: "Send what you know of expected_payload, and in a sentence what this step found or did.",
});

/** Stages of which a summary alone says that all is done. */
const SUMMARY_ONLY: readonly Stage[] = ["READY_COMPLETE", "MERGE"];

const FULL = new Map<Stage, z.ZodObject>();

/** All fields of a stage. The rules of step 3 are its own field; later ones correct them. */
function getFullSchema(stage: Stage): z.ZodObject {
  const shape: z.ZodRawShape = PAYLOADS[stage].shape;
  return getOrInsert(
    FULL,
    stage,
    () => z.object({ ...shape, ...COMMON_LATER.shape, ...shape }),
  );
}

/** What was sent under the names of the fields of a stage, in their form; other fields stay as they are. */
export function readFields(stage: Stage, sent: JsonRecord): JsonRecord {
  return fitFields(getFullSchema(stage), sent).record;
}

function parseStage(stage: Stage, sent: JsonRecord): Omit<ParsedSubmission, "compactionCount"> {
  const { shape } = PAYLOADS[stage];
  const full = getFullSchema(stage);
  const { record: fitted, renamed } = fitFields(full, sent);
  const word = SUMMARY_ONLY.includes(stage) ? "summary" : "tools_used";
  const isSilent = (fitted[word] ?? null) === null &&
    !Object.keys(shape).some((one) => one in fitted);
  if (isSilent && PHASES[stage].mayBeEmpty && stage !== "POST_IMPL_VERIFY") {
    return refused([SILENT]);
  }
  const record = fillRepeated(fitted, Object.keys(shape));
  const known = new Set([...Object.keys(shape), ...Object.keys(COMMON_LATER.shape)]);
  const ignoredFields = Object.keys(record).filter((key) => !known.has(key));
  const parsed = full.safeParse(record);
  if (!parsed.success) {
    return { ...refused(makeSchemaProblems(parsed.error, "data")), ignoredFields };
  }
  const limit = LIMITS.summaryChars.value;
  const data = parsed.data as z.infer<typeof COMMON_LATER>;
  const summary = data.summary.trim();
  const rules = stage === "DOCUMENT_RESEARCH" ? [] : data.mandatory_rules ?? [];
  const own = Object.entries(data).filter(([key]) => Object.hasOwn(shape, key));
  return {
    submission: {
      kind: "payload",
      stage,
      data: Object.fromEntries(own),
      common: {
        summary: summary.slice(0, limit),
        toolsUsed: data.tools_used ?? [],
        compactionCount: data.compaction_count ?? null,
        ...(rules.length === 0 ? {} : { rules }),
      },
    },
    problems: [],
    ignoredFields,
    notices: [
      ...renamed.length === 0 ? [] : [`Read by another name: ${renamed.join(", ")}.`],
      ...summary.length > limit
        ? [`summary was cut from ${summary.length} to ${limit} characters`]
        : [],
    ],
  };
}

function refused(problems: readonly Problem[]): ParsedSubmission {
  return { submission: null, problems, ignoredFields: [], notices: [], compactionCount: null };
}
