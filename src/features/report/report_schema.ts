/** The form of a report as JSON: of one session, and of all of them. The other forms are drawn from it. */
import { STEP } from "../../base/steps.ts";
import * as z from "zod";

/** Number of the form; a change that older readers misread gets another one. */
export const REPORT_FORMAT = 1;

const TEXT = z.string();
const TEXTS = z.array(TEXT);
const COUNT = z.number().int().min(0);
const TIME = TEXT.describe("ISO 8601 time");

const SESSION = z.object({
  id: TEXT,
  request: TEXT.describe("The words of the person"),
  intent: TEXT,
  gate_level: TEXT,
  flags: TEXTS,
  status: z.enum(["active", "parked", "ended"]),
  end: z.enum(["merged", "completed", "abandoned", "failed"]).nullable(),
  started_at: TIME,
  last_at: TIME.describe("When the session was saved last"),
  step: COUNT.describe("Present or last step, 1 to 19"),
  phase: TEXT,
  risk: TEXT.nullable(),
  size: z.object({ level: TEXT, because: TEXT }).nullable(),
  base_branch: TEXT.nullable(),
  task_branch: TEXT.nullable(),
  commits: TEXTS,
  verified: TEXT.nullable()
    .describe(
      `The value of the commit trailer Code-Intel-Verified; null before ${STEP.POST_IMPL_VERIFY}`,
    ),
});

const EVENT = z.object({
  kind: z.enum(["refusal", "failure", "question", "answer", "call_refused", "note"]),
  at: TIME,
  text: TEXT,
  source: TEXT.optional().describe("How the person's word came: terminal, asked, relayed"),
});

const VISIT = z.object({
  step: COUNT,
  stage: TEXT,
  at: TIME,
  seconds: z.number().nullable().describe("Until the next visit; null for the present one"),
  summaries: TEXTS.describe("The agent's words"),
  tools: z.array(z.object({ tool: TEXT, calls: COUNT })),
  events: z.array(EVENT),
});

const ITEM = z.object({
  item: TEXT,
  status: z.enum(["pending", "done", "skipped"]),
  evidence: TEXT.nullable(),
  reason: TEXT.nullable(),
  ran: z.enum(["all", "some", "none"]).nullable()
    .describe("How much of the evidence the last verification ran; null where that is not known"),
});

const TASK = z.object({
  id: TEXT,
  description: TEXT,
  status: z.enum(["pending", "completed"]),
  failures: COUNT.describe("Failed verifications"),
  items: z.array(ITEM),
});

const VERIFICATION = z.object({
  at: TIME,
  passed: z.boolean(),
  source: z.enum(["server", "self-reported", "baseline-red", "unproven"]),
  details: TEXT,
  place: TEXT.describe("Where the commands ran"),
  commands: z.array(z.object({
    text: TEXT.describe("The command with its counts"),
    seconds: z.number().nullable(),
    failures: TEXTS,
  })),
  proving: COUNT.describe("Tests that fail without the change"),
  proves_nothing: TEXTS.describe("Changed tests that pass without the change too"),
  lost: TEXTS.describe("Tests that ran before the work and no longer run"),
  coverage: z.object({ ran: COUNT, not_run: COUNT, unknown: COUNT, places: TEXTS }).nullable()
    .describe("Changed lines; places are those that did not run"),
  mutants: z.object({
    total: COUNT,
    killed: COUNT,
    survivors: TEXTS.describe("Wrong versions that no test notices"),
  }).nullable(),
  differs_from_trust: TEXTS,
});

const FILE = z.object({
  path: TEXT,
  kind: z.enum(["added", "modified", "deleted", "renamed", "type"]),
  from: TEXT.nullable(),
  added: COUNT.nullable().describe("Lines; null for a binary file"),
  removed: COUNT.nullable(),
  diff: TEXT.nullable().describe("Unified hunks; null for a binary file, or where it is too long"),
  discarded: z.boolean(),
  not_run: z.array(COUNT).optional()
    .describe("Numbers of added lines in functions that no recorded test runs"),
});

const DEPENDENT = z.object({
  path: TEXT,
  on: TEXTS.describe("Changed files that a place in it leads to"),
  is_proven: z.boolean().describe("False where only the name is the same"),
  decision: TEXT.nullable().describe(`What ${STEP.IMPACT_ANALYSIS} decided about it`),
  reason: TEXT.nullable(),
});

const SESSION_REPORT = z.object({
  format: z.literal(REPORT_FORMAT),
  kind: z.literal("session"),
  program: z.object({ name: TEXT, version: TEXT }),
  notices: TEXTS.describe("What is missing from the record, or cannot be vouched for"),
  session: SESSION,
  reproduced: z.object({ command: TEXT, showed: TEXT }).nullable(),
  clauses: z.array(z.object({
    clause: TEXT,
    showed: TEXT.nullable(),
    on_record: z.boolean().optional()
      .describe(
        "Whether what was shown names a test that the server ran; else it is the agent's word",
      ),
  }))
    .describe("Clauses of the request, each with what was run after the work and what it showed"),
  overrides: z.array(z.object({
    at: TIME,
    stage: TEXT,
    decision: TEXT,
    reason: TEXT,
    source: TEXT,
  })).describe("Words of the person that changed the flow"),
  timeline: z.array(VISIT),
  tasks: z.array(TASK),
  verification: VERIFICATION.nullable(),
  findings: z.array(z.object({ what: TEXT, reason: TEXT }))
    .describe("What weakens tests or seems left behind, with the agent's reason for each"),
  files: z.array(FILE).nullable().describe("Null where the texts are not kept any more"),
  recorded: TEXT.optional()
    .describe("How much of the tests was recorded that `not_run` rests on; absent where none was"),
  dependents: z.array(DEPENDENT).nullable().describe("Null where the index cannot tell"),
  together: z.array(z.object({ path: TEXT, with: TEXT, times: COUNT, of: COUNT }))
    .describe("Files that usually change with a changed one, and did not"),
  quality: z.object({ score: TEXT, issues: TEXTS }).nullable(),
  forced: TEXTS.describe("Issues that were open when the completion was forced; mostly none"),
  learned: z.array(z.object({ file: TEXT, terms: TEXTS, symbols: TEXTS })),
});

const RESULTS = z.object({ total: COUNT, success: COUNT, partial: COUNT, failure: COUNT });

const OVERVIEW = z.object({
  format: z.literal(REPORT_FORMAT),
  kind: z.literal("overview"),
  program: z.object({ name: TEXT, version: TEXT }),
  notices: TEXTS,
  all: RESULTS,
  sessions: z.array(z.object({
    id: TEXT,
    at: TIME,
    request: TEXT,
    outcome: TEXT.describe("How it ended, or its status where it did not"),
    result: z.enum(["success", "partial", "failure"]).nullable(),
    phase: TEXT.nullable().describe("The last stage with work in it"),
    cause: TEXT.nullable(),
  })).describe("Newest first"),
  by_month: z.array(RESULTS.extend({ month: TEXT })).describe("Oldest first"),
  by_phase: z.array(RESULTS.extend({ phase: TEXT })).describe("By the last stage with work in it"),
  failures: z.array(z.object({ phase: TEXT, failures: COUNT, causes: TEXTS })),
  prices: z.array(z.object({
    name: TEXT,
    runs: COUNT,
    seconds: z.number().min(0),
    paid: COUNT.describe("Findings that led to a change"),
    overridden: COUNT.describe("Findings that were answered, or committed as they were"),
    once_in_ten: z.boolean(),
  })).optional().describe("What each check of proofs cost"),
});

/** The report of one session. */
export type SessionReport = z.infer<typeof SESSION_REPORT>;
/** One stay at a stage. */
export type ReportVisit = z.infer<typeof VISIT>;
/** One changed file. */
export type ReportFile = z.infer<typeof FILE>;
/** A file that depends on changed ones. */
export type ReportDependent = z.infer<typeof DEPENDENT>;
/** The result of step 15, as a report tells it. */
export type ReportVerification = z.infer<typeof VERIFICATION>;
/** All sessions of a project. */
export type OverviewReport = z.infer<typeof OVERVIEW>;

/** The JSON schema of a report, for programs of others. */
export function buildReportSchema(): Readonly<Record<string, unknown>> {
  const either = z.discriminatedUnion("kind", [SESSION_REPORT, OVERVIEW]);
  // Readers pass over fields that a later version adds.
  return {
    ...z.toJSONSchema(either, { io: "input" }),
    title: "code-intel: report about one session or all",
  };
}

/** Checks a value against the form, for tests and readers. */
export function isReport(value: unknown): boolean {
  return z.discriminatedUnion("kind", [SESSION_REPORT, OVERVIEW]).safeParse(value).success;
}
