/** Adds notes of the records to a brief, and cuts texts for it. Pure. */
import { clip } from "../base/text/clip.ts";
import type { Problem } from "../base/problem.ts";
import { isRecord } from "../base/text/json_record.ts";
import { say } from "../base/text/words.ts";
import type { SessionState } from "../phase/state.ts";
import { formatSurvivor } from "../phase/rules/mutant_reports.ts";
import { formatCoverageLine } from "../phase/rules/ran_lines.ts";
import type { SessionRecord } from "./records.ts";

/** Longest line, in characters. */
const TEXT_CHARS = 400;

/**
 * Codes of notes about the session's own files, which an agent that lost its memory has to read
 * again.
 */
const NOTICE_CODES = [
  "checkpoint_accepted",
  "checkpoint_damaged",
  "seal_unchecked",
  "lock_taken_over",
];
const NOTICE_LINES = 3;

/**
 * Notices about the session's own files, newest first: those in the records and those not recorded
 * yet.
 */
export function buildNoticesField(
  records: readonly SessionRecord[],
  notices: readonly string[],
): { readonly notices?: readonly string[] } {
  const noted = records.flatMap((record) =>
    record.kind === "note" && NOTICE_CODES.includes(record.code) ? [record.text] : []
  );
  const lines = [...new Set([...noted, ...notices])].map((text) => clip(text, TEXT_CHARS));
  return lines.length === 0 ? {} : { notices: newestFirst(lines).slice(0, NOTICE_LINES) };
}

const BRING_BACK_LINES = 3;

/**
 * Command lines for changes that were put back: nobody knows who made them, and the user may want
 * them again.
 */
export function buildBringBackField(
  records: readonly SessionRecord[],
): { readonly bring_back?: readonly string[] } {
  const lines = records.flatMap((record) =>
    record.kind === "note" && record.code === "restored_change"
      ? [clip(record.text, TEXT_CHARS)]
      : []
  );
  return lines.length === 0 ? {} : { bring_back: newestFirst(lines).slice(0, BRING_BACK_LINES) };
}

/** The list in reverse order. */
export function newestFirst<T>(items: readonly T[]): readonly T[] {
  return items.toReversed();
}

const OUTPUT_CHARS = 1_000;

/** What the last verification ran, and where it failed what it said. */
export function summarizeVerification(
  { verification, workspace }: Pick<SessionState, "verification" | "workspace">,
): { readonly verification?: string; readonly verification_output?: string } {
  if (verification?.ran === undefined) return {};
  const { passed, source, ran, details, coverage, mutants } = verification;
  const isHooked = workspace.statement?.byHooks !== undefined;
  const result = `${passed ? source : `not verified, ${source}`}${
    isHooked ? ", then changed by git hooks" : ""
  }`;
  const lines = [
    ...ran,
    ...(coverage === undefined ? [] : [formatCoverageLine(coverage)]),
    ...(mutants?.survivors ?? []).map(formatSurvivor),
  ];
  return {
    verification: clip(`${result}: ${lines.join("; ")}`, TEXT_CHARS),
    ...(passed || details === "" ? {} : { verification_output: clip(details, OUTPUT_CHARS) }),
  };
}

const RULES_CHARS = 1_500;
const UNSETTLED_LINES = 5;

/** What holds whatever step it is: the project's rules, and what on the disk has to be settled first. */
export function buildProjectFields(
  { projectRules, unsettled = [] }: {
    readonly projectRules?: string | null;
    readonly unsettled?: readonly Pick<Problem, "message" | "hint">[];
  },
) {
  const items = unsettled.slice(0, UNSETTLED_LINES)
    .map(({ message, hint = "" }) => say`${message}. ${hint}`);
  return {
    ...(projectRules ? { project_rules: clip(projectRules, RULES_CHARS) } : {}),
    ...(items.length === 0
      ? {}
      : { unsettled: { shown: items.length, total: unsettled.length, items } }),
  };
}

/** A brief without the lists that have no entry: what is not there says that there is none. */
export function withoutEmpty<T extends object>(brief: T): T {
  const isEmpty = (value: unknown) => isRecord(value) && "items" in value && value["total"] === 0;
  return Object.fromEntries(Object.entries(brief).filter(([, value]) => !isEmpty(value))) as T;
}

/** A problem with its way out, in a line. */
export function formatProblem(problem: SessionState["lastProblems"][number]): string {
  return `${problem.code}: ${problem.message}${
    problem.hint === undefined ? "" : ` → ${problem.hint}`
  }`;
}

/** A decision with who took it and why, in a line. */
export function formatDecision(decision: SessionState["decisions"][number]): string {
  return `${decision.stage}: ${decision.decision} (${decision.source}): ${decision.reason}`;
}
