/** A report as Markdown for a pull request: under 60 lines, whatever the session was. Pure. */
import { toCode, toWords } from "./markdown_text.ts";
import type { ReportFile, SessionReport } from "./report_schema.ts";
import { toCountText, toDurationText, toTimeText } from "../../base/text/plain_text.ts";
import { toCoverageText, toMutantsText, toOutcomeText } from "./plain.ts";

/** Most lines of the whole text. */
export const MOST_MARKDOWN_LINES = 59;
const MOST_ROWS = 8;

/** Draws it; each list is cut as far as the whole needs it, and what is left out is counted. */
export function toReportMarkdown(report: SessionReport): string {
  let lines: readonly string[] = [];
  for (let most = MOST_ROWS; most > 0; most--) {
    lines = toLines(report, most);
    if (lines.length <= MOST_MARKDOWN_LINES) break;
  }
  return `${lines.slice(0, MOST_MARKDOWN_LINES).join("\n")}\n`;
}

function toLines(report: SessionReport, most: number): readonly string[] {
  const { session, overrides, notices, together } = report;
  const files = (report.files ?? []).filter((file) => !file.discarded);
  return [
    `## ${toWords(session.request)}`,
    "",
    `**${toOutcomeText(session)}**, ${toVerifiedText(report)}. ${toEffort(report)}`,
    ...toSection("Completion forced with open issues", report.forced.map(toWords), most),
    ...toSection("Overrides by the person", overrides.map(toOverrideLine), most),
    ...toSection("The request, and what was shown for it", report.clauses.map(toClauseLine), most),
    ...toSection("Verification", toVerificationLines(report, most), Infinity),
    ...toSection(
      "Findings, and the agent's answers",
      report.findings.map(({ what, reason }) => `${toWords(what)}: ${toWords(reason)}`),
      most,
    ),
    ...toSection("Tasks", report.tasks.map(toTaskLine), most),
    ...toSection(`Changed files (${files.length})`, files.map(toFileLine), most),
    ...toSection("Usually change with these, and did not", together.map(toTogetherLine), most),
    ...toSection("Learned", report.learned.map(toLearnedLine), most),
    ...(notices.length === 0 ? [] : ["", ...notices.slice(0, 3).map((one) => `> ${toWords(one)}`)]),
    "",
    `<sub>${toCode(session.id)}, ${toTimeText(session.started_at)}</sub>`,
  ];
}

function toOverrideLine(row: SessionReport["overrides"][number]): string {
  return `${toCode(row.decision)} at ${row.stage} (${row.source}): ${toWords(row.reason)}`;
}

function toClauseLine(
  { clause, showed, on_record: isProven }: SessionReport["clauses"][number],
): string {
  const word = showed === null || isProven !== false ? "" : " (the agent's word)";
  return `${toCode(clause)}: ${showed === null ? "**nothing was shown**" : toWords(showed)}${word}`;
}

const MOST_EVIDENCE = 3;

function toTaskLine({ description, items }: SessionReport["tasks"][number]): string {
  const done = items.filter(({ status }) => status === "done").length;
  const evidence = [...new Set(items.flatMap(({ evidence: text }) => text ?? []))];
  const shown = evidence.slice(0, MOST_EVIDENCE).map(toCode).join(", ");
  const rest = evidence.length - MOST_EVIDENCE;
  const places = shown === "" ? "" : `: ${shown}${rest > 0 ? ` and ${rest} more` : ""}`;
  return `${toWords(description)} (${done} of ${toCountText(items.length, "item")}${places})`;
}

function toFileLine({ path, kind, added, removed }: ReportFile): string {
  return `${toCode(path)} ${kind}${added === null ? "" : `, +${added} −${removed ?? 0}`}`;
}

function toTogetherLine(row: SessionReport["together"][number]): string {
  return `${toCode(row.path)}: in ${row.times} of ${toCountText(row.of, "commit")} that changed ${
    toCode(row.with)
  }`;
}

function toLearnedLine({ terms, symbols }: SessionReport["learned"][number]): string {
  return `${terms.map(toCode).join(", ")} means ${symbols.map(toCode).join(", ")}`;
}

/** How certainly the work is verified, in words. */
export function toVerifiedText({ session: { verified } }: SessionReport): string {
  switch (verified) {
    case null:
      return "not verified yet";
    case "yes":
      return "verified by the server in a clean checkout";
    case "yes (worktree)":
      return "verified by the server in the worktree";
    case "no":
      return "**not verified**";
    default:
      return `verified: ${verified}`;
  }
}

function toEffort({ timeline, session }: SessionReport): string {
  const refusals = timeline.flatMap(({ events }) => events)
    .filter(({ kind }) => kind === "refusal").length;
  const seconds = (Date.parse(session.last_at) - Date.parse(session.started_at)) / 1_000;
  const parts = [
    toCountText(timeline.length, "visit"),
    toCountText(refusals, "refusal"),
    toDurationText(Math.max(0, seconds)),
  ];
  return `${parts.join(", ")}.`;
}

function toVerificationLines(
  { verification }: SessionReport,
  most: number,
): readonly string[] {
  if (verification === null) return [];
  const { commands, proving, proves_nothing: nothing, coverage, mutants, lost } = verification;
  const rest = commands.length - most;
  return [
    ...commands.slice(0, most).map(({ text }) => toCode(text)),
    ...(rest > 0 ? [toCountText(rest, "more command")] : []),
    toWords(commands.length === 0 ? verification.details : verification.place),
    ...(proving === 0
      ? []
      : [`${toCountText(proving, "test fails", "tests fail")} without the change`]),
    ...nothing.slice(0, most).map((test) => `${toCode(test)} passes without the change too`),
    ...lost.slice(0, most).map((test) => `no longer runs: ${toWords(test)}`),
    ...(coverage === null ? [] : [toCoverageText(coverage)]),
    ...(mutants === null || mutants.total === 0 ? [] : [toMutantsText(mutants)]),
  ];
}

function toSection(title: string, rows: readonly string[], most: number): readonly string[] {
  if (rows.length === 0) return [];
  const rest = rows.length - most;
  return [
    "",
    `**${title}**`,
    ...rows.slice(0, most).map((row) => `- ${row}`),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
  ];
}
