/**
 * The statement about a proof without a session: which tree was proven against which one, by which commands, on which
 * platform, with what verdict. It checks what others wrote into notes. Pure.
 */
import * as z from "zod";
import { PROGRAM_NAME, VERSION } from "../../base/version.ts";
import type { VerificationResultRow } from "../../evidence/runs/verification.ts";
import type { ProofAnswer } from "../../prove/answers.ts";
import type { CheckName, Proof } from "../../prove/verdict.ts";
import { buildCommand, readSubject } from "./statement.ts";
import { COMMAND, COUNT, DIGESTED, OBJECT_ID, STATEMENT_TYPE, TEXT } from "./statement_schema.ts";

/** The type of the predicate. A change that older readers misread gets another number. */
const PROOF_TYPE = "code-intel:proof/v1";

const FINDING = z.looseObject({
  check: TEXT,
  weight: z.enum(["breaks", "doubts", "notes"]),
  place: TEXT,
  what: TEXT,
  settle: TEXT,
  answer: z.looseObject({ reason: TEXT, by: z.enum(["person", "agent"]), at: TEXT }).optional(),
});

const PREDICATE = z.looseObject({
  verifier: z.looseObject({ name: TEXT, version: TEXT }),
  at: z.iso.datetime().describe("When it was proven"),
  base: OBJECT_ID.describe("The tree of before"),
  platform: TEXT.describe("System, architecture, and the runtimes of the commands"),
  commandsHash: TEXT.describe("SHA-256 of all commands with the texts behind them"),
  proof: z.looseObject({
    verdict: z.enum(["proven", "not proven", "broken", "unknown"]),
    line: TEXT,
    findings: z.array(FINDING).max(1_000),
    checks: z.array(z.looseObject({
      name: TEXT,
      state: z.enum(["done", "needless", "skipped", "failed"]),
      seconds: z.number().min(0),
      why: TEXT,
    })).max(100),
  }),
  commands: z.array(COMMAND.extend({ exitCode: z.literal(0), durationMs: COUNT })).max(100)
    .describe("Whole commands that passed in a clean checkout of the tree"),
});

const STATEMENT = z.looseObject({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.array(DIGESTED).min(1).max(20),
  predicateType: z.literal(PROOF_TYPE),
  predicate: PREDICATE,
});

/** A statement about one tree. */
export type ProofStatement = z.infer<typeof STATEMENT>;

/** What is on record of a proof. */
export interface ProofStatementInput {
  readonly tree: string;
  readonly base: string;
  /** ISO time. */
  readonly at: string;
  readonly platform: string;
  readonly commandsHash: string;
  readonly proof: Proof;
  /** Whole commands that passed in a clean checkout of the tree. */
  readonly results: readonly VerificationResultRow[];
  /** The user's home folder, which is not to be shown; null for none. */
  readonly home: string | null;
}

/** Makes the statement. */
export function buildProofStatement(input: ProofStatementInput): ProofStatement {
  const { tree, base, at, platform, commandsHash, proof, results, home } = input;
  const rows = results.map((result) => ({
    ...buildCommand(result, home, 0),
    exitCode: 0 as const,
  }));
  const findings = proof.findings.slice(0, 1_000).map(({ answer, ...one }) => ({
    ...one,
    ...(answer && { answer: { ...answer } }),
  }));
  const checks = proof.checks.map((one) => ({ ...one }));
  return {
    _type: STATEMENT_TYPE,
    subject: [{ name: "tree", digest: { gitTree: tree } }],
    predicateType: PROOF_TYPE,
    predicate: {
      verifier: { name: PROGRAM_NAME, version: VERSION },
      ...{ at, base, platform, commandsHash },
      proof: { ...proof, findings, checks },
      commands: rows,
    },
  };
}

/** Checks a parsed text; null where it is no statement about a proof. */
export function parseProofStatement(value: unknown): ProofStatement | null {
  return STATEMENT.safeParse(value).data ?? null;
}

/** What a statement must be about to count. */
export interface WantedProof {
  readonly tree: string;
  readonly platform: string;
  readonly commandsHash: string;
  readonly now: Date;
}

/** What a run depends on beside the tree, such as installed packages, changes with the time (guessed). */
const LONGEST_DAYS = 7;
const DAY_MS = 86_400_000;

/** Why a statement with a good signature does not count for a tree, as the end of a sentence; empty where it does. */
export function findMismatch(
  statement: ProofStatement,
  { tree, platform, commandsHash, now }: WantedProof,
): string {
  const { predicate } = statement;
  const days = (now.getTime() - Date.parse(predicate.at)) / DAY_MS;
  if (readSubject(statement).tree !== tree) return "it is about another tree";
  if (predicate.commandsHash !== commandsHash) return "the commands have changed since";
  if (predicate.platform !== platform) return `it is of ${predicate.platform}, not ${platform}`;
  if (days < 0) return "it is of a time to come";
  return days > LONGEST_DAYS ? `it is older than ${LONGEST_DAYS} days` : "";
}

/** The results of its commands, as a run here would give them. */
export function readResults(
  { predicate, ...statement }: ProofStatement,
): readonly VerificationResultRow[] {
  const { tree } = readSubject(statement);
  return predicate.commands.map(({ name, run, program, set, durationMs, outputHash, tests }) => ({
    ...{ name, run, program, set, durationMs, outputHash, exitCode: 0, treeAtStart: tree },
    ...{ startedAt: predicate.at, outputTail: "", outputBytes: 0, failure: null },
    ...{ timedOut: false, cancelled: false, isStarted: true },
    report: tests === null ? null : { ...tests, failures: [] },
  }));
}

/** What was answered to its findings. */
export function readAnswers({ predicate }: ProofStatement): readonly ProofAnswer[] {
  return predicate.proof.findings.flatMap(({ check, place, what, answer }) =>
    answer === undefined ? [] : [{ ...answer, finding: { check: check as CheckName, place, what } }]
  );
}

/** Signed lines of known keys that hold now: git itself asks whether a key held when it signed, by a time of the signer. */
export function keepPresentSigners(text: string, now: Date): string {
  const today = now.toISOString().replaceAll(/\D/g, "").slice(0, 14);
  return text.split("\n").filter((line) => {
    const end = /(?:^|[\s,])valid-before="?(\d{8,14})/i.exec(line)?.[1];
    return end === undefined || end.padEnd(14, "0") > today;
  }).join("\n");
}
