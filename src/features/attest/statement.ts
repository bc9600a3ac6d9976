/** Makes the statement about a commit from what a session has on record: the same record gives the same bytes. */
import { createHash } from "node:crypto";
import { LIMITS } from "../../base/settings/limits.ts";
import { formatCanonicalJson } from "../../base/text/json_record.ts";
import { clip } from "../../base/text/clip.ts";
import { PROGRAM_NAME, VERSION } from "../../base/version.ts";
import type { TestReport } from "../../runners/report.ts";
import type { CommandResult } from "../../evidence/runs/run_command.ts";
import type { TrustEntry } from "../../evidence/runs/trust.ts";
import type { VerificationRun } from "../../evidence/runs/verification.ts";
import { judgeRun } from "../../evidence/runs/judge_run.ts";
import type { SessionState } from "../../phase/state.ts";
import type { VerifiedTrailer } from "../../phase/verification_state.ts";
import type { AttestedCommand, Statement, StatementResult } from "./statement_schema.ts";
import { parseStatement, PREDICATE_TYPE, STATEMENT_TYPE } from "./statement_schema.ts";

/** What is on record of a commit. */
export interface StatementInput {
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
  /** The value of the trailer that the commit has. */
  readonly verified: VerifiedTrailer;
  /** The values of its trailers about runs. */
  readonly ran: readonly string[];
  /** The session when the commit was made. */
  readonly state: SessionState;
  /** The run by which it was judged; null where the server ran nothing. */
  readonly run: VerificationRun | null;
  /** The run on the untouched tree; null where it is not known, or proves nothing. */
  readonly baseline: VerificationRun | null;
  /** How the commands were allowed; null where that is not on record. */
  readonly trust: Pick<TrustEntry, "by" | "at"> | null;
  /** The user's home folder, which is not to be shown; null for none. */
  readonly home: string | null;
}

const MOST_CHARS = 2_000;
const MOST_ROWS = 1_000;
/** Most failures of a command that are named; fewer where the statement would be too large. */
const MOST_FAILURES = [200, 20, 0] as const;

/** What is left of the bound for the signature. */
const MOST_BYTES = LIMITS.noteBytes.value - 16 * 1024;

/** Makes the statement. */
export function buildStatement(input: StatementInput): Statement {
  for (const most of MOST_FAILURES) {
    const statement = build(input, most);
    // A part of the session's state that has another form by now is left out rather than the whole refused by readers.
    const isRead = parseStatement(statement).kind === "statement";
    if (isRead && countBytes(formatPayload(statement)) < MOST_BYTES) return statement;
  }
  const last = build(input, 0);
  return { ...last, predicate: { ...last.predicate, evidence: {}, baseline: null } };
}

/** The text that is signed: canonical JSON, so that a statement has one text only. */
export function formatPayload(statement: object): string {
  return `${formatCanonicalJson(statement)}\n`;
}

/** Reads a text that was signed; any other spelling of the same JSON is refused. */
export function parsePayload(text: string): StatementResult {
  const value = readCanonical(text);
  return value === undefined
    ? { kind: "invalid", reason: "it is no JSON in canonical form" }
    : parseStatement(value);
}

/** The value of a JSON text in canonical form; undefined for any other text. */
export function readCanonical(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // Of a key that comes twice another reader might take the other value.
    return `${formatCanonicalJson(value)}\n` === text ? value : undefined;
  } catch {
    // Also where it is nested more deeply than this program can follow.
    return undefined;
  }
}

/** The commit and the tree that a statement is about; empty texts where it names none, or several. */
export function readSubject({ subject }: Pick<Statement, "subject">): {
  readonly commit: string;
  readonly tree: string;
} {
  const only = (key: "gitCommit" | "gitTree") => {
    const ids = subject.flatMap(({ digest }) => digest[key] ?? []);
    return ids.length === 1 ? ids[0] ?? "" : "";
  };
  return { commit: only("gitCommit"), tree: only("gitTree") };
}

/** The hash of one command, by which a statement and a configuration are compared. */
export function hashCommand({ name, run }: Pick<CommandResult, "name" | "run">): string {
  return createHash("sha256").update(formatCanonicalJson({ name, run })).digest("hex");
}

function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

function build(input: StatementInput, mostFailures: number): Statement {
  const { state, run, baseline, trust } = input;
  const { workspace, decisions, testFindings = [], includedPerson = [], forced = [] } = state;
  const toRow = (result: CommandResult) => buildCommand(result, input.home, mostFailures);
  return {
    _type: STATEMENT_TYPE,
    subject: [
      { name: "commit", digest: { gitCommit: input.commit } },
      { name: "tree", digest: { gitTree: input.tree } },
    ],
    predicateType: PREDICATE_TYPE,
    predicate: {
      verifier: { name: PROGRAM_NAME, version: VERSION },
      session: { id: state.sessionId, startedAt: state.startedAt },
      base: { branch: workspace.baseBranch, commit: workspace.baseCommit },
      parents: [...input.parents],
      verified: input.verified,
      ran: [...input.ran],
      ...(forced.length === 0 ? {} : { forced: forced.map((issue) => clip(issue, MOST_CHARS)) }),
      ...buildResult(state.verification),
      run: run === null
        ? null
        : { ...buildRun(run), commands: judgeCommands(run, baseline, toRow) },
      baseline: baseline === null
        ? null
        : { ...buildRun(baseline), commands: baseline.results.map(toRow) },
      trust: trust === null ? null : { by: trust.by, at: trust.at },
      findings: testFindings.slice(0, MOST_ROWS).map(({ id, what, reason }) => ({
        id: clip(id, MOST_CHARS),
        what: clip(what, MOST_CHARS),
        reason: clip(reason, MOST_CHARS),
      })),
      decisions: decisions.slice(-MOST_ROWS).map(({ at, stage, decision, reason, source }) => ({
        at,
        stage,
        decision,
        reason: clip(reason, MOST_CHARS),
        source,
      })),
      personFiles: includedPerson.slice(0, MOST_ROWS).map(({ path }) => path),
    },
  };
}

/** The result of step 15; what this version does not know of it goes along as evidence. */
function buildResult(
  verification: SessionState["verification"],
): Pick<Statement["predicate"], "result" | "evidence"> {
  if (verification === null) return { result: null, evidence: {} };
  const {
    at,
    passed,
    source,
    ranOn = null,
    provesNothing = [],
    differsFromTrust = [],
    // What the run and the findings say stands there; the words of the agent prove nothing.
    verifier: _verifier,
    details: _details,
    failedTasks: _tasks,
    ran: _ran,
    lost: _lost,
    checkout: _checkout,
    inWorktree: _inWorktree,
    wrote: _wrote,
    tree: _tree,
    baselineTree: _baselineTree,
    ...evidence
  } = verification;
  return {
    result: {
      at,
      passed,
      source,
      tree: ranOn,
      provesNothing: provesNothing.slice(0, MOST_ROWS).map((line) => clip(line, MOST_CHARS)),
      differsFromTrust: differsFromTrust.map((line) => clip(line, MOST_CHARS)),
    },
    evidence: evidence as Readonly<Record<string, unknown>>,
  };
}

function buildRun({ startedAt, finishedAt, commandsHash, place }: VerificationRun) {
  return { startedAt, finishedAt, commandsHash, place: buildPlace(place) };
}

function buildPlace(
  place: VerificationRun["place"],
): NonNullable<Statement["predicate"]["run"]>["place"] {
  if (place === undefined) return { kind: "worktree" };
  return place.kind === "checkout"
    ? { kind: "checkout", tree: place.tree, lent: [...place.lent] }
    : { kind: "worktree", why: clip(place.why, MOST_CHARS) };
}

function judgeCommands(
  run: VerificationRun,
  baseline: VerificationRun | null,
  toRow: (result: CommandResult) => AttestedCommand,
) {
  const judged = judgeRun({ baseline: baseline?.results ?? null, run: run.results });
  const byName = new Map(judged.commands.map((command) => [command.name, command]));
  return run.results.map((result) => {
    const { verdict = null, why = "", freshCount = 0 } = byName.get(result.name) ?? {};
    return { ...toRow(result), verdict, why, newFailures: freshCount };
  });
}

/** The row of a command. */
export function buildCommand(
  result: CommandResult,
  home: string | null,
  mostFailures: number,
): AttestedCommand {
  const { name, run, program = null, set = [], report = null } = result;
  return {
    name,
    run: [...run],
    hash: hashCommand(result),
    program: program === null ? null : withoutHome(program, home),
    set: [...set],
    exitCode: result.exitCode,
    failure: result.failure,
    durationMs: result.durationMs,
    outputHash: result.outputHash,
    tests: report === null ? null : buildTests(report, mostFailures),
  };
}

function buildTests(
  report: TestReport,
  mostFailures: number,
): NonNullable<AttestedCommand["tests"]> {
  const { runner, unit, passed, failed, skipped, errors, isComplete, failures } = report;
  return {
    ...{ runner, unit, passed, failed, skipped, errors, isComplete },
    failures: failures.slice(0, mostFailures).map(({ name, line }) => ({ name, line })),
    failuresLeftOut: Math.max(0, failures.length - mostFailures),
  };
}

function withoutHome(path: string, home: string | null): string {
  return home !== null && home !== "" && path.startsWith(`${home}/`)
    ? `~${path.slice(home.length)}`
    : path;
}
