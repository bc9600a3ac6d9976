/** The command `attest verify`: checks commits against their notes, for CI and for people. */
import { resolve } from "node:path";
import { SYSTEM_CLOCK } from "../../base/clock.ts";
import { makeProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import { buildRefusal } from "../../base/reply.ts";
import { openServices, printReply } from "../../cli/answer.ts";
import type { Command, ExitCode, Invocation } from "../../cli/command.ts";
import { refuseWithoutGit } from "../../cli/commands/snapshots.ts";
import type { ProjectVerification } from "../../evidence/runs/project_verification.ts";
import type { Repository } from "../../git/repository.ts";
import type { Rerun } from "./rerun.ts";
import { rerun } from "./rerun.ts";
import type { SummaryRow } from "./summary.ts";
import {
  chooseLevel,
  chooseWord,
  countFindings,
  formatHeadline,
  formatMarkdown,
  formatText,
} from "./summary.ts";
import type { ChainReport } from "./verify_chain.ts";
import { verifyChain } from "./verify_chain.ts";

type Report = Extract<ChainReport, { readonly kind: "report" }>;

/** Checks a range; runs commands only with `--rerun`. */
export const ATTEST_VERIFY: Command = {
  usage: "[RANGE]",
  positionals: [0, 1],
  example: "code-intel attest verify origin/main..HEAD",
  options: [
    { name: "rerun", kind: "flag", summary: "Repeat the proof in a clean checkout, and compare" },
    {
      name: "allow-commands",
      kind: "list",
      value: "HASH",
      summary: "With --rerun: the commands with this hash may run here",
    },
    {
      name: "signer",
      kind: "list",
      value: "KEY",
      summary: "Only this key counts: its fingerprint, or the name of a known one",
    },
    {
      name: "allowed-signers",
      kind: "text",
      value: "FILE",
      summary: "Known SSH keys, in place of gpg.ssh.allowedSignersFile",
    },
    { name: "allow-unsigned", kind: "flag", summary: "Let notes pass that no known key signed" },
    {
      name: "value",
      kind: "list",
      value: "VALUE",
      summary: "Only this value of Code-Intel-Verified is good enough",
    },
    { name: "every-commit", kind: "flag", summary: "A commit without a session is a finding" },
    {
      name: "format",
      kind: "text",
      value: "FORMAT",
      values: ["text", "markdown"],
      summary: "markdown: a summary for a pull request",
    },
  ],
  async run(invocation) {
    const { verification, parts } = await openServices(invocation);
    const repo = await parts.openRepo();
    if (repo === null) return await refuse(refuseWithoutGit(), invocation);
    const report = await verifyChain(repo, readOptions(invocation));
    if (report.kind === "unknown_range") {
      const problem = makeProblem("unknown_range", report.said, {
        at: "range",
        hint: "Name commits that are here, such as origin/main..HEAD; a shallow clone lacks some.",
      });
      return await refuse(buildRefusal([problem], "invalid_arguments"), invocation);
    }
    const rows = await repeatAll(report, { repo, verification, invocation });
    await print({ rows, notices: report.notices }, invocation);
    return countFindings(rows) === 0 ? 0 : 1;
  },
};

/** Exit code 1 is the verdict about the commits alone. */
async function refuse(reply: Reply, invocation: Invocation): Promise<ExitCode> {
  const code = await printReply("attest", reply, invocation);
  return code === 1 ? 2 : code;
}

function readOptions({ positionals: [range = "HEAD"], options, projectDir }: Invocation) {
  const { "allowed-signers": file } = options;
  return {
    range,
    allowUnsigned: options["allow-unsigned"] === true,
    signers: readList(options["signer"]),
    values: readList(options["value"]),
    everyCommit: options["every-commit"] === true,
    ...(typeof file === "string" ? { allowedSigners: resolve(projectDir, file) } : {}),
  };
}

function readList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Repeats each proof once whose note holds, also on what merges made of it. */
async function repeatAll(
  { rows, claims }: Report,
  { repo, verification, invocation }: {
    readonly repo: Repository;
    readonly verification: ProjectVerification;
    readonly invocation: Invocation;
  },
): Promise<readonly SummaryRow[]> {
  if (invocation.options["rerun"] !== true) return rows.map((row) => ({ ...row, rerun: null }));
  const known = new Map<string, Rerun>();
  const repeated: SummaryRow[] = [];
  for (const [at, row] of rows.entries()) {
    const tree = claims[at]?.tree;
    // A statement that is not known to be about this commit proves nothing that could be repeated.
    if (row.level === "finding" || row.statement === null || tree === undefined) {
      repeated.push({ ...row, rerun: null });
      continue;
    }
    const isMoved = row.code === "merge_moved";
    const key = `${tree} ${isMoved} ${JSON.stringify(row.statement.predicate.run)}`;
    const result = known.get(key) ?? await rerun(row.statement, tree, {
      repo,
      verification,
      allowed: readList(invocation.options["allow-commands"]),
      isMoved,
      clock: SYSTEM_CLOCK,
      signal: invocation.signal,
      onCommand: (name) => invocation.terminal.err(`${row.commit.slice(0, 12)}: ${name}`),
    });
    known.set(key, result);
    repeated.push({ ...row, rerun: result });
  }
  return repeated;
}

async function print(
  summary: { readonly rows: readonly SummaryRow[]; readonly notices: readonly string[] },
  { isJson, terminal, options }: Invocation,
): Promise<void> {
  if (!isJson) {
    const lines = options["format"] === "markdown" ? formatMarkdown(summary) : formatText(summary);
    return await terminal.out(...lines);
  }
  const { rows, notices } = summary;
  const findings = countFindings(rows);
  const reply = {
    ok: true,
    passed: findings === 0,
    headline: formatHeadline(rows),
    findings,
    commits: rows.map((row) => ({
      commit: row.commit,
      subject: row.subject,
      session_id: row.session,
      verified: row.verified,
      code: chooseWord(row),
      note: row.code,
      level: chooseLevel(row),
      ...(row.why === "" ? {} : { why: row.why }),
      signer: row.signer,
      fingerprint: row.fingerprint,
      ...(row.rerun === null ? {} : { rerun: row.rerun }),
    })),
    ...(notices.length === 0 ? {} : { notices }),
  };
  await terminal.data(`${JSON.stringify(reply)}\n`);
}
