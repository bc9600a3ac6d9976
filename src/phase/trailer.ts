/**
 * What a commit's trailer says about its verification, and whether the user accepted the work as
 * it is. Pure.
 */
import { clipLine } from "../base/text/clip.ts";
import { formatCount } from "../base/text/plain_text.ts";
import { formatCoverageLine } from "./rules/ran_lines.ts";
import type { SessionState, UserDecision } from "./state.ts";
import type { VerifiedTrailer } from "./verification_state.ts";

/** How the commit says that it was verified. */
export function chooseTrailerValue(
  state: Pick<SessionState, "decisions" | "verification">,
): VerifiedTrailer {
  const override = findOverride(state);
  if (override !== undefined && isOverridden(state)) return `overridden (${override.source})`;
  const { passed = false, source = "unproven", inWorktree } = state.verification ?? {};
  if (!passed || source === "unproven") return "no";
  if (source !== "server") return source;
  return inWorktree === undefined ? "yes" : "yes (worktree)";
}

/** What the newest commit says of its verification; before there is one, what it would say. */
export function findTrailerValue(
  state: Pick<SessionState, "decisions" | "verification" | "workspace">,
): VerifiedTrailer {
  return state.workspace.statement?.verified ?? chooseTrailerValue(state);
}

/** What a commit says of issues that were open when it was made: `forced` with their number, and the first of them; nothing where none was. */
export function formatForcedLines(
  { forced = [] }: Pick<SessionState, "forced">,
): readonly string[] {
  if (forced.length === 0) return [];
  const clip = (text: string) =>
    clipLine(text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim() || "-", MOST_ISSUE_CHARS);
  const more = forced.length - MOST_ISSUES;
  return [
    `completion forced with ${formatCount(forced.length, "open issue")}`,
    ...forced.slice(0, MOST_ISSUES).map(clip),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

/** Bounds of what a commit message says of issues (guessed: it is read whole). */
const MOST_ISSUES = 5;
const MOST_ISSUE_CHARS = 200;

/** Most commands whose run the commit tells. */
const MOST_RUN_LINES = 5;

/** What the trailers of a commit say of the server's run: a line for each command, and one for the changed lines. */
export function formatRunLines(
  { verification }: Pick<SessionState, "verification">,
): readonly string[] {
  const { ran = [], coverage } = verification ?? {};
  const lines = coverage === undefined ? [] : [formatCoverageLine(coverage)];
  return [...ran.slice(0, MOST_RUN_LINES), ...lines]
    .map((line) => line.replaceAll(/\s+/g, " ").trim());
}

/** The same as fields of a reply. */
export function buildForcedFields(
  state: Pick<SessionState, "forced">,
): Readonly<Record<string, unknown>> {
  const [first, ...issues] = formatForcedLines(state);
  return first === undefined ? {} : {
    forced_completion: true,
    open_issues: issues,
    forced_note:
      "Tell the person: the review still found issues, and the work was completed all the same.",
  };
}

/** Whether the last verification failed; one that only proves nothing has not. */
export function hasFailedRun(
  { verification }: Pick<SessionState, "verification">,
): boolean {
  return verification?.passed === false && verification.source !== "unproven";
}

/** Whether the commit will be called verified, by a result that a later change can take away. */
export function isCalledVerified(
  state: Pick<SessionState, "decisions" | "verification">,
): boolean {
  return state.verification?.passed === true && !isOverridden(state);
}

/** Whether the user took the work as it is, and no verification has passed since. */
export function isOverridden(state: Pick<SessionState, "decisions" | "verification">): boolean {
  const override = findOverride(state);
  const isVerifiedSince = override !== undefined && state.verification?.passed === true &&
    state.verification.at > override.at;
  return override !== undefined && !isVerifiedSince;
}

function findOverride({ decisions }: Pick<SessionState, "decisions">): UserDecision | undefined {
  return decisions.findLast(({ decision }) => decision === "accept");
}
