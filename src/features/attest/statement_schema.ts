/** The form of a statement: in-toto Statement v1 with a predicate of this program. It checks what others wrote into notes. */
import { STEP } from "../../base/steps.ts";
import * as z from "zod";

/** The type of every in-toto statement. */
export const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
/** The type of the predicate: what a session verified of a commit. A change that older readers misread gets another number. */
export const PREDICATE_TYPE = "code-intel:verification/v1";

/** A text of bounded length. */
export const TEXT = z.string().max(20_000);
const TEXTS = z.array(TEXT).max(5_000);
/** A count. */
export const COUNT = z.number().int().min(0);
/** An id of git. */
export const OBJECT_ID = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

const TESTS = z.looseObject({
  runner: TEXT.describe("The test runner, as its output says"),
  unit: z.enum(["tests", "packages"]).describe("What is counted"),
  passed: COUNT,
  failed: COUNT,
  skipped: COUNT,
  errors: COUNT.describe("Files, suites or builds that broke before their tests"),
  isComplete: z.boolean().describe("Whether everything that failed is named"),
  failures: z.array(z.looseObject({ name: TEXT, line: TEXT })).max(1_000)
    .describe("What failed, by name, with the first line of its message"),
  failuresLeftOut: COUNT.describe("Failures that are not listed, to keep the statement small"),
});

/** A command that ran. */
export const COMMAND = z.looseObject({
  name: TEXT.describe("As in config.json"),
  run: TEXTS.describe("Program and arguments"),
  hash: TEXT.describe("SHA-256 of name and run as canonical JSON"),
  program: TEXT.nullable().describe("The file that was started; the home folder is written as ~"),
  set: TEXTS.describe("Variables that the server set"),
  exitCode: z.number().int().nullable(),
  failure: TEXT.nullable().describe("Why there is no exit code"),
  durationMs: COUNT,
  outputHash: TEXT.describe("SHA-256 of the whole output"),
  tests: TESTS.nullable().describe("What a known test runner said; null where none did"),
});

const JUDGED = COMMAND.extend({
  verdict: z.enum(["passed", "failed", "still_red", "unproven"]).nullable()
    .describe("Held against the untouched tree; null where the command was cancelled"),
  why: TEXT,
  newFailures: COUNT.describe("Failures that were not there before the work"),
});

const RUN = {
  startedAt: TEXT,
  finishedAt: TEXT,
  commandsHash: TEXT.describe("SHA-256 of all commands with the texts behind them, as allowed"),
  place: z.looseObject({
    kind: z.enum(["checkout", "worktree"]),
    tree: TEXT.optional().describe("The tree that was checked out"),
    lent: TEXTS.optional().describe("Ignored folders that were lent to the checkout"),
    why: TEXT.optional().describe("Why there was no clean checkout"),
  }).describe("Where the commands ran"),
};

const MUTANTS = z.looseObject({
  total: COUNT.describe("Wrong versions of changed lines that could be made"),
  killed: COUNT.describe("Those that a test noticed"),
  broken: COUNT.describe("Those that did not build"),
  survivors: z.array(z.looseObject({ path: TEXT, line: COUNT, change: TEXT })).max(1_000)
    .describe("Those that no test noticed"),
});

const COVERAGE = z.looseObject({
  ran: COUNT.describe("Changed lines of code that the commands ran"),
  notRun: COUNT,
  unknown: COUNT.describe("Changed lines of which nothing can be said"),
});

const PREDICATE = z.looseObject({
  verifier: z.looseObject({ name: TEXT, version: TEXT }),
  session: z.looseObject({ id: TEXT, startedAt: TEXT }),
  base: z.looseObject({ branch: TEXT.nullable(), commit: OBJECT_ID.nullable() })
    .describe("The branch on which the work began"),
  parents: z.array(OBJECT_ID).max(20).describe("Parents of the commit"),
  verified: TEXT.describe("The value of the trailer Code-Intel-Verified"),
  ran: TEXTS.describe("The values of the trailers Code-Intel-Run"),
  forced: TEXTS.optional()
    .describe("Issues that were open when the completion was forced; absent where it was not"),
  result: z.looseObject({
    at: TEXT,
    passed: z.boolean(),
    source: z.enum(["server", "self-reported", "baseline-red", "unproven"]),
    tree: OBJECT_ID.nullable().describe("Tree of the worktree when the commands began"),
    provesNothing: TEXTS.describe("Changed tests that pass without the change too"),
    differsFromTrust: TEXTS
      .describe("What differs in programs and variables from when the commands were allowed"),
  }).nullable().describe(`The result of ${STEP.POST_IMPL_VERIFY}; null where there was none`),
  run: z.looseObject({ ...RUN, commands: z.array(JUDGED).max(100) }).nullable()
    .describe("The run of the server; null where none is on record"),
  baseline: z.looseObject({ ...RUN, commands: z.array(COMMAND).max(100) }).nullable()
    .describe("The run on the untouched tree"),
  trust: z.looseObject({ by: TEXT, at: TEXT }).nullable()
    .describe("How and when a person allowed the commands"),
  findings: z.array(z.looseObject({ id: TEXT, what: TEXT, reason: TEXT })).max(5_000)
    .describe(
      "What weakens tests, changed installed dependencies or seems left behind, with the agent's reason",
    ),
  decisions: z.array(z.looseObject({
    at: TEXT,
    stage: TEXT,
    decision: TEXT,
    reason: TEXT,
    source: TEXT.describe("How the word came: terminal, asked, relayed"),
  })).max(1_000).describe("Words of the person"),
  personFiles: TEXTS.describe("Files whose changes by the person the commit took with their word"),
  evidence: z.looseObject({ mutants: MUTANTS.optional(), coverage: COVERAGE.optional() })
    .describe("What else the verification found, by the names in the session's state"),
});

/** What a statement is about. */
export const DIGESTED = z.looseObject({
  name: z.string(),
  digest: z.looseObject({ gitCommit: OBJECT_ID.optional(), gitTree: OBJECT_ID.optional() }),
});

const STATEMENT = z.looseObject({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.array(DIGESTED).min(1).max(20),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: PREDICATE,
});

/** A statement about one commit. */
export type Statement = z.infer<typeof STATEMENT>;
/** A command of a run, as a statement has it. */
export type AttestedCommand = z.infer<typeof COMMAND>;
/** The run of a statement. */
export type AttestedRun = NonNullable<Statement["predicate"]["run"]>;

/** A statement, or why the value is none. */
export type StatementResult =
  | { readonly kind: "statement"; readonly statement: Statement }
  | { readonly kind: "invalid"; readonly reason: string };

/** Checks a parsed text. */
export function parseStatement(value: unknown): StatementResult {
  const parsed = STATEMENT.safeParse(value);
  if (parsed.success) return { kind: "statement", statement: parsed.data };
  const [first] = parsed.error.issues;
  const at = (first?.path ?? []).map(String).join(".") || "the statement";
  return { kind: "invalid", reason: `${at}: ${first?.message ?? "it has another form"}` };
}

/** The JSON schema of a statement, for programs of others. */
export function buildStatementSchema(): Readonly<Record<string, unknown>> {
  return { ...z.toJSONSchema(STATEMENT), title: "code-intel: statement about a commit" };
}
