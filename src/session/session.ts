/** The checkpoint of a session: its id, its form on disk, and the check when it is read. */
import * as z from "zod";
import { isRecord } from "../base/text/json_record.ts";
import type { Clock } from "../base/clock.ts";
import type { SessionState } from "../phase/state.ts";
import type { Stage } from "../phase/table/phases.ts";
import { STAGES } from "../phase/table/phases.ts";
import { INTENTS } from "../phase/table/flags.ts";

/** The format that this version writes. */
export const CHECKPOINT_FORMAT = 2;

/** Converts the body of one format into that of the next; it need not set `format`. */
export type Migration = (
  body: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>>;

/** The conversion from each format to the next; the first format is 1. */
export const MIGRATIONS: Readonly<Record<number, Migration>> = { 1: keepAccepted };

type Fields = Readonly<Record<string, unknown>>;

/**
 * Format 2 keeps the accepted submission in a field of its own; where a file of format 1 has only
 * the changes of the state, these are kept. A task of a merge conflict has the field `conflict`; in
 * format 1 only its id said so.
 */
function keepAccepted(body: Fields): Fields {
  const state = fieldsOrNull(body["state"]);
  if (state === null) return body;
  const pending = fieldsOrNull(state["pending"]);
  const deferred = fieldsOrNull(state["deferred"]);
  return {
    ...body,
    state: {
      ...state,
      ...(Array.isArray(state["tasks"]) ? { tasks: state["tasks"].map(migrateTask(state)) } : {}),
      ...(pending === null ? {} : { pending: migrateAccepted(pending) }),
      ...(deferred === null ? {} : { deferred: migrateAccepted(deferred) }),
    },
  };
}

function migrateTask(state: Fields): (task: unknown) => unknown {
  const conflict = fieldsOrNull(state["workspace"])?.["conflictTreePaths"] ?? [];
  return (task) => {
    const fields = fieldsOrNull(task);
    const isOfConflict = String(fields?.["id"]).startsWith("resolve_conflicts_");
    return fields === null || !isOfConflict ? task : { ...fields, conflict };
  };
}

function migrateAccepted({ outcome, patch, ...rest }: Fields): Fields {
  const changes = fieldsOrNull(patch) ?? {};
  const named = outcome === "done" ? EXIT_OUTCOMES[String(changes["status"])] : undefined;
  // Format 1 had no name of its own for a discard that leaves nothing to commit; it led to the same
  // step.
  const now = named ?? (outcome === "discarded" ? "emptied" : outcome);
  return { ...rest, accepted: { kind: "changes", outcome: now, patch: changes } };
}

/**
 * Format 1 had no outcome for leaving a session; the status among the changes tells which it was.
 */
const EXIT_OUTCOMES: Readonly<Record<string, string>> = { parked: "parked", ended: "abandoned" };

function fieldsOrNull(value: unknown): Fields | null {
  return isRecord(value) ? value : null;
}

/** A body of the wanted format, or why it cannot be made. */
export type MigrationResult =
  | { readonly kind: "body"; readonly body: Readonly<Record<string, unknown>> }
  | { readonly kind: "newer"; readonly format: number }
  | { readonly kind: "unknown"; readonly reason: string };

/** The table and the wanted format for {@link migrate}; tests give their own. */
export interface MigrateOptions {
  readonly migrations?: Readonly<Record<number, Migration>>;
  readonly target?: number;
}

/** Applies every conversion from the format of `value` to the wanted one. */
export function migrate(value: unknown, options: MigrateOptions = {}): MigrationResult {
  const { migrations = MIGRATIONS, target = CHECKPOINT_FORMAT } = options;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { kind: "unknown", reason: "it is not a JSON object" };
  }
  let body = value as Readonly<Record<string, unknown>>;
  const format = body["format"];
  if (typeof format !== "number" || !Number.isSafeInteger(format) || format < 1) {
    return { kind: "unknown", reason: "`format` is not a positive whole number" };
  }
  if (format > target) return { kind: "newer", format };
  for (let from = format; from < target; from++) {
    const step = migrations[from];
    if (step === undefined) {
      return { kind: "unknown", reason: `no migration leads from format ${from} to ${from + 1}` };
    }
    body = { ...step(body), format: from + 1 };
  }
  return { kind: "body", body };
}

/** One stored generation of a session. */
export interface Checkpoint {
  /** Number of the format, see `migrations.ts`. */
  readonly format: number;
  /** Number of the save, from 1. */
  readonly revision: number;
  /** ISO time of the save. */
  readonly savedAt: string;
  readonly state: SessionState;
  /** What other folders keep beside the state: JSON-ready values by the folder's own key. */
  readonly extras?: Readonly<Record<string, unknown>>;
}

/** A checkpoint, or why the value is none. */
export type CheckpointResult =
  | { readonly kind: "checkpoint"; readonly checkpoint: Checkpoint }
  | { readonly kind: "newer"; readonly format: number }
  | { readonly kind: "invalid"; readonly reason: string };

/** Source of random bytes; tests replace it. */
export type RandomBytes = (count: number) => Uint8Array;

/** The random source of the machine. */
export const SYSTEM_RANDOM: RandomBytes = (count) => crypto.getRandomValues(new Uint8Array(count));

const ID_PATTERN = /^session_\d{8}_\d{6}_[0-9a-f]{4}$/;

/** Makes an id such as `session_20260131_142530_9f3a`: UTC, with four random hex digits. */
export function createSessionId(clock: Clock, random: RandomBytes = SYSTEM_RANDOM): string {
  const digits = clock.now().toISOString().replaceAll(/[-:T]/g, "").slice(0, 14);
  const tail = [...random(2)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `session_${digits.slice(0, 8)}_${digits.slice(8)}_${tail}`;
}

/** True for a text that is a session id, and so a safe file name. */
export function isSessionId(text: string): boolean {
  return ID_PATTERN.test(text);
}

const TEXT = z.string();
const COUNT = z.number().int().min(0);
const TEXTS = z.array(TEXT);
const STAGE = z.enum(STAGES as readonly [Stage, ...Stage[]]);
const PROBLEM = z.looseObject({ code: TEXT, message: TEXT });

const ITEM = z.looseObject({
  item: TEXT,
  status: z.enum(["pending", "done", "skipped"]),
  evidence: TEXT.optional(),
  ran: z.enum(["all", "some", "none"]).optional(),
  accepted: z.looseObject({ evidence: TEXT, tree: TEXT }).optional(),
});
const TASK = z.looseObject({
  id: TEXT,
  description: TEXT,
  status: z.enum(["pending", "completed"]),
  checklist: z.array(ITEM),
  failureCount: COUNT,
  // A task without an evidence tree has evidence that is not followed through later changes.
  evidenceTree: TEXT.nullable().default(null),
  conflict: TEXTS.optional(),
});
const COVERAGE = z.looseObject({
  read: TEXTS,
  ran: COUNT,
  notRun: COUNT,
  unknown: COUNT,
  ranLines: z.record(TEXT, TEXT),
  notRunLines: z.record(TEXT, TEXT),
  unknownFiles: TEXTS,
  why: TEXTS,
  bound: z.number().nullable(),
});
const LEDGER = z.looseObject({
  tree: TEXT.nullable(),
  personPaths: TEXTS,
  gitFiles: z.record(TEXT, TEXT),
  texts: z.record(TEXT, TEXT).optional(),
  odd: z.record(TEXT, TEXT).optional(),
  taskTip: TEXT.nullable().optional(),
  baseTip: TEXT.nullable().optional(),
  mode: z.enum(["strict", "warn", "off"]),
});
const WORKSPACE = z.looseObject({
  hasGit: z.boolean(),
  baseBranch: TEXT.nullable(),
  taskBranch: TEXT.nullable(),
  personOverlaps: z.array(
    z.looseObject({ treePath: TEXT, before: TEXT.nullable(), after: TEXT.nullable() }),
  ).optional(),
  statement: z.looseObject({ verified: TEXT, byHooks: TEXTS.optional() }).nullable().optional(),
  commits: TEXTS,
});

const MUTANTS = z.looseObject({
  total: COUNT,
  killed: COUNT,
  broken: COUNT,
  survivors: z.array(z.looseObject({ path: TEXT, line: COUNT, change: TEXT })),
  tests: TEXTS,
  unknown: TEXT.nullable(),
});

const FACTS = z.looseObject({
  now: TEXT,
  limits: z.looseObject({}),
  offered: TEXTS,
  calls: z.array(z.looseObject({ tool: TEXT })),
  calledTools: TEXTS,
});
const PENDING = z.looseObject({
  accepted: z.discriminatedUnion("kind", [
    z.looseObject({
      kind: z.literal("submission"),
      submission: z.looseObject({ kind: TEXT }),
      facts: FACTS,
    }),
    z.looseObject({ kind: z.literal("changes"), outcome: TEXT, patch: z.looseObject({}) }),
  ]),
  effects: z.array(z.looseObject({ kind: TEXT })),
  expected: z.record(TEXT, TEXT),
  reply: z.looseObject({}),
  sentHash: TEXT.optional(),
  isTold: z.literal(true).optional(),
});

/** The fields that the engine cannot work without; later additions are optional. */
export const STATE_SHAPE = {
  sessionId: TEXT.regex(ID_PATTERN),
  query: TEXT,
  intent: z.enum(INTENTS),
  gateLevel: z.enum(["full", "auto"]),
  flags: z.record(TEXT, z.boolean()),
  docResearchPrompts: TEXTS,
  startedAt: TEXT,
  stage: STAGE,
  status: z.enum(["active", "parked", "ended"]),
  end: z.enum(["merged", "completed", "abandoned", "failed"]).nullable(),
  visit: COUNT,
  path: z.array(z.looseObject({ stage: STAGE, at: TEXT, by: z.literal("server").optional() })),
  counters: z.looseObject({
    verificationFailures: COUNT,
    interventions: COUNT,
    qualityReverts: COUNT,
    backs: COUNT,
  }),
  escalation: z.looseObject({ cause: TEXT, message: TEXT }).nullable(),
  decisions: z.array(z.looseObject({ at: TEXT, decision: TEXT, reason: TEXT, source: TEXT })),
  lastProblems: z.array(PROBLEM),
  compactionCount: COUNT,
  compactionSeen: z.boolean(),
  summaries: z.record(TEXT, TEXT),
  documents: TEXTS,
  rules: z.array(z.looseObject({ rule: TEXT, source: TEXT })),
  frame: z.looseObject({}).nullable(),
  risk: z.enum(["HIGH", "MEDIUM", "LOW"]).optional(),
  size: z.looseObject({ level: z.enum(["small", "usual", "large"]), because: TEXT }).optional(),
  evaluation: z.looseObject({ confidence: z.enum(["high", "low"]), missing: TEXTS }).optional(),
  reproduced: z.looseObject({ command: TEXT, showed: TEXT }).optional(),
  observed: z.record(TEXT, TEXT).optional(),
  sent: z.record(TEXT, z.unknown()).optional(),
  findings: TEXTS,
  hypotheses: TEXTS,
  answers: z.record(TEXT, z.looseObject({ answer: z.boolean() })),
  impact: z.array(z.looseObject({ path: TEXT, status: TEXT })),
  impactFound: z.looseObject({ targets: TEXTS, mustVerify: TEXTS, shouldVerify: TEXTS }).optional(),
  tasks: z.array(TASK),
  revertReason: TEXT.nullable(),
  clearances: z.array(z.looseObject({ path: TEXT, visit: COUNT })),
  workspace: WORKSPACE,
  ledger: LEDGER.optional(),
  fixedVerify: z.looseObject({
    verify: z.array(z.looseObject({ name: TEXT, run: TEXTS })),
    baseline: z.enum(["auto", "off"]),
    checkout: z.enum(["auto", "off"]).optional(),
    lend: TEXTS.optional(),
    coverage: z.looseObject({
      files: TEXTS,
      changedLines: z.number().nullable(),
      node: z.boolean(),
    }).optional(),
    faults: z.array(PROBLEM),
  }).optional(),
  maxSnapshotMb: z.number().positive().optional(),
  review: z.array(z.looseObject({ path: TEXT, decision: TEXT })),
  includedPerson: z.array(z.looseObject({ path: TEXT, oid: TEXT })).optional(),
  prepared: z.looseObject({ message: TEXT, paths: TEXTS }).nullable(),
  attempts: z.array(z.looseObject({ at: TEXT, hash: TEXT, done: TEXTS })).optional(),
  testFindings: z.array(z.looseObject({ id: TEXT, what: TEXT, reason: TEXT })).optional(),
  verification: z.looseObject({
    passed: z.boolean(),
    ran: TEXTS.optional(),
    lost: z.array(z.looseObject({ id: TEXT, what: TEXT })).optional(),
    ranOn: TEXT.nullable().optional(),
    checkout: TEXT.optional(),
    provesNothing: TEXTS.optional(),
    proving: COUNT.optional(),
    ranTests: TEXTS.optional(),
    checks: z.array(z.looseObject({ name: TEXT, state: TEXT, seconds: z.number() })).optional(),
    unrunRules: TEXTS.optional(),
    coverage: COVERAGE.optional(),
    differsFromTrust: TEXTS.optional(),
    mutants: MUTANTS.optional(),
    inWorktree: TEXT.optional(),
    tree: TEXT.nullable().optional(),
    baselineTree: TEXT.nullable().optional(),
    wrote: TEXTS.optional(),
  }).nullable(),
  quality: z.looseObject({ issues: TEXTS }).nullable(),
  forced: TEXTS.optional(),
  pending: PENDING.nullable(),
  deferred: PENDING.optional(),
  undone: z.array(z.looseObject({ at: TEXT, effects: TEXTS, code: TEXT, message: TEXT }))
    .optional(),
} satisfies Partial<Record<keyof SessionState, z.ZodType>>;

const CHECKPOINT = z.looseObject({
  format: COUNT,
  revision: z.number().int().min(1),
  savedAt: TEXT,
  state: z.looseObject(STATE_SHAPE),
  extras: z.record(TEXT, z.unknown()).optional(),
});

/** Reads a parsed file as a checkpoint of the present format; unknown fields are kept. */
export function parseCheckpoint(value: unknown, options: MigrateOptions = {}): CheckpointResult {
  const migrated = migrate(value, options);
  if (migrated.kind === "newer") return migrated;
  if (migrated.kind === "unknown") return { kind: "invalid", reason: migrated.reason };
  const parsed = CHECKPOINT.safeParse(migrated.body);
  if (!parsed.success) {
    const first = parsed.error.issues[0];
    const at = (first?.path ?? []).map(String).join(".") || "the file";
    return { kind: "invalid", reason: `${at}: ${first?.message ?? "it has another form"}` };
  }
  // The schema checks the fields that the engine reads first; the deeper parts were written by the
  // engine.
  return { kind: "checkpoint", checkpoint: parsed.data as unknown as Checkpoint };
}
