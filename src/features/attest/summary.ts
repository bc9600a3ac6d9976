/**
 * The answers about a range as text for a terminal and as Markdown for a pull request. What commits and notes say is
 * written by others: nothing of it moves a cursor, opens a link, or mentions somebody.
 */
import { formatCount } from "../../base/text/plain_text.ts";
import { clipLine } from "../../base/text/clip.ts";
import { formatCounts } from "../../evidence/runs/run_formats.ts";
import type { ChainRow } from "./chain.ts";
import type { ChainLevel } from "./chain_codes.ts";
import { CHAIN_CODES } from "./chain_codes.ts";
import type { Rerun } from "./rerun.ts";
import type { Statement } from "./statement_schema.ts";

/** A commit with what its repeated proof said; null where it was not repeated. */
export interface SummaryRow extends ChainRow {
  readonly rerun: Rerun | null;
}

/** What a summary is made of. */
export interface Summary {
  readonly rows: readonly SummaryRow[];
  readonly notices: readonly string[];
}

/** How much a commit weighs, with its repeated proof. */
export function chooseLevel({ level, rerun }: SummaryRow): ChainLevel {
  if (rerun === null || rerun.kind === "same" || level === "finding") return level;
  return rerun.kind === "nothing" ? "note" : "finding";
}

/** Number of commits that are a reason to fail. */
export function countFindings(rows: readonly SummaryRow[]): number {
  return rows.filter((row) => chooseLevel(row) === "finding").length;
}

/** One line on the whole, such as `3 of 4 commits attested, 1 finding`. */
export function formatHeadline(rows: readonly SummaryRow[]): string {
  const good = rows.filter((row) => chooseLevel(row) === "good").length;
  const findings = countFindings(rows);
  const end = findings === 0 ? "no finding" : formatCount(findings, "finding");
  return `${good} of ${formatCount(rows.length, "commit")} attested, ${end}`;
}

/** Lines for a terminal. */
export function formatText({ rows, notices }: Summary): readonly string[] {
  const lines = rows.flatMap((row) => [
    [
      row.commit.slice(0, 12),
      chooseWord(row).padEnd(15),
      plainText(row.verified ?? "-").padEnd(14),
      plainText(row.subject),
      ...formatSigner(row),
    ].join("  "),
    ...listDetails(row).map(({ text, theirs }) => `    ${text} ${plainText(theirs)}`.trimEnd()),
  ]);
  return [...lines, ...notices.map((notice) => `(${notice})`), formatHeadline(rows)];
}

/** A short Markdown summary, in lines. */
export function formatMarkdown({ rows, notices }: Summary): readonly string[] {
  const table = rows.map((row) =>
    `| ${formatCode(row.commit.slice(0, 12))} ${formatCode(row.subject)} | ${
      formatCode(row.verified ?? "-")
    } | ${chooseWord(row)} | ${formatSigner(row).map(formatCode).join("")} |`
  );
  const details = rows.flatMap((row) =>
    listDetails(row).map(({ text, theirs }) =>
      `- ${formatCode(row.commit.slice(0, 12))}: ${text}${
        theirs === "" ? "" : ` ${formatCode(theirs)}`
      }`
    )
  );
  return [
    `### code-intel: ${formatHeadline(rows)}`,
    "",
    "| commit | says it is verified | found | signed by |",
    "|---|---|---|---|",
    ...table,
    ...(details.length === 0 ? [] : ["", ...details]),
    ...notices.flatMap((notice) => ["", notice]),
  ];
}

/** Answers of repeated proofs, in the place of the answer about the note. */
const RERUN_WORDS: Readonly<Record<Rerun["kind"], string>> = {
  same: "rerun_same",
  differs: "rerun_differs",
  nothing: "rerun_nothing",
  commands_differ: "rerun_commands_differ",
  not_allowed: "rerun_not_allowed",
  no_checkout: "rerun_no_checkout",
};

/** The code that is shown of a commit. */
export function chooseWord({ code, rerun }: SummaryRow): string {
  return rerun === null || rerun.kind === "same" ? code : RERUN_WORDS[rerun.kind];
}

/** A sentence of this program, and what others wrote to it; empty where they did not. */
interface Detail {
  readonly text: string;
  readonly theirs: string;
}

/** What a repeated proof means; nothing where it says the same. */
function listRerunDetails(rerun: Rerun): readonly Detail[] {
  switch (rerun.kind) {
    case "same":
      return [];
    case "nothing":
      return [{
        text: "The statement has no run of the server, so there is nothing to repeat.",
        theirs: "",
      }];
    case "differs":
      return rerun.commands.flatMap(({ name, differences }) =>
        differences.map((difference) => ({
          text: "The repeated run differs:",
          theirs: `${name}: ${difference}`,
        }))
      );
    case "commands_differ":
      return [{
        text: "The commit's configuration does not have these commands:",
        theirs: rerun.why,
      }];
    case "not_allowed":
      return [
        ...rerun.commands.map(({ name, run }) => ({
          text: "Nobody allowed this command here:",
          theirs: `${name}: ${run.join(" ")}`,
        })),
        {
          text: "Look at the commands and at what they run, then allow exactly them:",
          theirs: `--allow-commands ${rerun.hash}`,
        },
      ];
    case "no_checkout":
      return [{ text: "There is no clean checkout:", theirs: rerun.why }];
  }
}

/** What a statement says in short: each command with its counts, where it ran, and what takes from it. */
export function formatProof({ predicate }: Statement): string {
  const { run, findings, result, decisions, evidence, forced = [] } = predicate;
  const { mutants, coverage } = evidence;
  const known = coverage === undefined ? 0 : coverage.ran + coverage.notRun;
  const nothing = result?.provesNothing.length ?? 0;
  const words = decisions.filter(({ decision }) => decision === "accept")
    .map(({ source }) => `taken as it was by a word of the person (${source})`);
  return [
    ...(run?.commands ?? []).map(({ name, tests, exitCode }) =>
      `${name}: ${tests === null ? `exit code ${exitCode}` : formatCounts(tests)}`
    ),
    run === null
      ? "the server ran nothing"
      : run.place.kind === "checkout"
      ? "in a clean checkout"
      : "in the worktree",
    ...(findings.length === 0 ? [] : [`${formatCount(findings.length, "finding")} answered`]),
    ...(nothing === 0 ? [] : [
      `${formatCount(nothing, "changed test passes", "changed tests pass")} without the change`,
    ]),
    ...(known === 0 ? [] : [`${coverage?.ran} of ${known} changed lines ran`]),
    ...(mutants === undefined || mutants.total === 0 ? [] : [formatMutants(mutants)]),
    ...words,
    ...(forced.length === 0 ? [] : [
      `completion forced with ${formatCount(forced.length, "open issue")}: ${forced.join("; ")}`,
    ]),
  ].join("; ");
}

/** What was not tried survives nothing and is killed by nothing. */
function formatMutants(
  { total, killed, broken, survivors }: {
    readonly total: number;
    readonly killed: number;
    readonly broken: number;
    readonly survivors: readonly unknown[];
  },
): string {
  const tried = killed + broken + survivors.length;
  if (tried === 0) return `none of ${total} wrong versions was tried`;
  const rest = tried < total ? ` that were tried, of ${total}` : "";
  return `${survivors.length} of ${tried} wrong versions survive${rest}`;
}

function listDetails(row: SummaryRow): readonly Detail[] {
  const { code, why, level, rerun } = row;
  const isPlain = level === "good" || code === "unclaimed" && level === "note";
  const { meaning: text } = CHAIN_CODES[code];
  const about = isPlain ? [] : [{ text, theirs: why }];
  const isProven = row.statement !== null && level !== "finding" && !code.startsWith("merge");
  const proof = isProven ? [{ text: "Says:", theirs: formatProof(row.statement) }] : [];
  const isRepeated = code === "merge_moved" && rerun?.kind === "same";
  const repeated = isRepeated ? [{ text: "Its commands pass on this tree now.", theirs: "" }] : [];
  return [...about, ...proof, ...repeated, ...(rerun === null ? [] : listRerunDetails(rerun))];
}

function formatSigner({ signer, fingerprint }: SummaryRow): readonly string[] {
  const name = signer ?? fingerprint;
  return name === null ? [] : [`signed by ${plainText(name)}`];
}

const MOST_CHARS = 300;

/** One line without characters that a terminal obeys or that turn the direction of writing. */
function plainText(text: string): string {
  return clipLine(text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "�"), MOST_CHARS);
}

/** A text that Markdown shows as it is, also in a table. */
function formatCode(text: string): string {
  return `\`${plainText(text).replaceAll("`", "'").replaceAll("|", "\\|")}\``;
}
