/** Judges whether claimed lines are the work of their item: near to what changed, and no empty implementation. */
import { formatCount } from "../base/text/plain_text.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import type { RangeVerdict } from "./empty/empty_body.ts";
import { findFunctions, judgeRanges, judgeRemoval, NO_CODE } from "./empty/empty_body.ts";
import type { LineRange } from "../git/trees/changed_lines.ts";
import type { KnownFile } from "./file_facts.ts";
import type { ProjectPath, TreePath } from "../base/paths.ts";
import type { ItemTopic } from "./item_topic.ts";
import { isDocumentFile } from "./item_topic.ts";
import { isMark } from "./empty/empty_wording.ts";
import { formatRange, isGapOf, overlaps } from "./location.ts";

const MARGIN_LINES = LIMITS.evidenceMarginLines.value;
const MOST_PROPOSALS = 4;

/**
 * The problem of a range that holds lines far from every change in it. Lines of a function with a change are near, and
 * so are the lines just around such a function.
 */
export async function checkBounds(
  claim: ClaimedLines,
  file: KnownFile,
): Promise<readonly Problem[]> {
  const changes = listChanges(claim, file);
  if (file.text === null || changes.length === 0 || isCovered(claim, changes)) return [];
  const functions = await findFunctions({ path: claim.path, text: file.text }, changes);
  if (isCovered(claim, [...changes, ...functions])) return [];
  const { shown, start, end, at } = claim;
  const count = changes.reduce((sum, change) => sum + change.end - change.start + 1, 0);
  const proposals = groupNear(changes).slice(0, MOST_PROPOSALS)
    .map((cluster) => `${shown}:${formatRange(cluster)}`);
  const more = proposals.length > 1 ? "; several go into one text, with commas between them" : "";
  return [makeProblem(
    "checklist_evidence_too_wide",
    `${shown}:${start}-${end} has ${
      formatCount(end - start + 1, "line")
    }, and ${count} of them changed`,
    { at, path: shown, hint: `Send ${proposals.join(" or ")}: the lines of this item${more}.` },
  )];
}

/** The changed lines of a range from top to bottom; a gap stands for the lines beside it. */
function listChanges(claim: LineRange, { changed, removedAt, lines }: KnownFile): LineRange[] {
  const gaps = removedAt.map((line) => ({
    start: Math.max(line, 1),
    end: Math.min(line + 1, lines),
  }));
  return clipTo(claim, [...changed, ...gaps]).sort((a, b) => a.start - b.start);
}

/** The parts of ranges that lie in another one. */
function clipTo(claim: LineRange, ranges: readonly LineRange[]): LineRange[] {
  return ranges.filter((range) => overlaps(range, claim)).map(({ start, end }) => ({
    start: Math.max(start, claim.start),
    end: Math.min(end, claim.end),
  }));
}

/** Whether each line of a range is near one of the spans. */
function isCovered(claim: LineRange, spans: readonly LineRange[]): boolean {
  let next = claim.start;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (start - MARGIN_LINES > next) return false;
    next = Math.max(next, end + MARGIN_LINES + 1);
  }
  return next > claim.end;
}

/** Changes that are near one another as one range each, the largest first. */
function groupNear(changes: readonly LineRange[]): readonly LineRange[] {
  const clusters: LineRange[] = [];
  for (const change of changes) {
    const last = clusters.at(-1);
    if (last !== undefined && change.start - last.end <= MARGIN_LINES) {
      clusters[clusters.length - 1] = { start: last.start, end: Math.max(last.end, change.end) };
    } else clusters.push(change);
  }
  return clusters.sort((a, b) => b.end - b.start - (a.end - a.start));
}

/** Lines that an item claims, which exist and of which some changed. */
export interface ClaimedLines extends LineRange {
  /** Where the claim stands in the payload. */
  readonly at: string;
  readonly path: TreePath;
  /** The path as the agent knows it. */
  readonly shown: ProjectPath;
  readonly about: ItemTopic;
}

/** A file whose text is known. */
type FileWithText = KnownFile & { readonly text: string };

/** What is wrong with a claim: an empty implementation, or changes that are not the item's work. */
type Verdict = RangeVerdict | { readonly kind: "documents" | "layout" };

const PROBLEMS = {
  documents: {
    code: "checklist_evidence_comments_only",
    message: "changed in its comments only, and the item is about code",
    hint: "Name the lines that do the work. Where the comment is the work, send with the item " +
      '"reason": what is documented.',
  },
  layout: {
    code: "checklist_evidence_layout_only",
    message: "holds lines that only moved, or changed in nothing that has an effect",
    hint:
      "Name the lines that do the work. Where the move or another name is the work, send with " +
      'the item "reason": what is moved or renamed and why.',
  },
} as const;

/** Problems of a claim whose changed lines do no work, or none that the item asks for. */
export async function checkWork(
  claim: ClaimedLines,
  { text, ...file }: KnownFile,
): Promise<readonly Problem[]> {
  if (text === null || text === "") return [];
  const verdict = await judge(claim, { ...file, text });
  if (verdict.kind === "real") return [];
  const { shown, start, end, at } = claim;
  const { code, message, hint } = verdict.kind === "empty"
    ? {
      code: "checklist_evidence_empty_impl",
      message: `is an empty implementation: ${verdict.reason} (judged by its ${
        verdict.judgedBy === "syntax" ? "syntax tree" : "text, for want of a grammar"
      })`,
      hint: "Write what the item promises, or name the lines that do the work; " +
        "an item that needs none is sent as skipped with a reason.",
    }
    : PROBLEMS[verdict.kind];
  return [makeProblem(code, `${shown}:${start}-${end} ${message}`, { at, path: shown, hint })];
}

async function judge(claim: ClaimedLines, file: FileWithText): Promise<Verdict> {
  const { own } = file;
  const isMeant = claim.about.isLayout || claim.about.isDocuments;
  const spans = clipTo(claim, file.changed);
  const gaps = file.removedAt.filter((line) => isGapOf(line, claim));
  const ownGaps = own === null ? gaps : gaps.filter((line) => own.gaps.has(line));
  const ownSpans = own === null
    ? spans
    : spans.filter(({ start, end }) =>
      own.lines.values().some((line) => start <= line && line <= end)
    );
  // Where lines were only removed, the lines beside the gap are older than the session.
  const verdict = spans.length === 0
    ? await judgeGaps(claim, file, gaps)
    : await judgeWritten(claim, file, ownSpans.length === 0 ? spans : ownSpans);
  if (verdict.kind === "real") {
    const isLayout = ownSpans.length === 0 && ownGaps.length === 0;
    return isLayout && !isMeant ? { kind: "layout" } : verdict;
  }
  const isWithoutCode = verdict.kind === "documents" || verdict.reason === NO_CODE;
  // Code that was taken out beside a comment is the work.
  return spans.length > 0 && isWithoutCode && ownGaps.length > 0
    ? await judgeGaps(claim, file, ownGaps)
    : verdict;
}

/**
 * Judges only the changed lines of a claim, so that older lines beside them do not cover for a stub.
 * Comments are the work of an item that is about documents.
 */
async function judgeWritten(
  claim: ClaimedLines,
  file: FileWithText,
  spans: readonly LineRange[],
): Promise<RangeVerdict | { readonly kind: "documents" }> {
  const judged = { path: claim.path, text: file.text, createdRanges: file.created };
  const [whole = NOTHING, ...verdicts] = await judgeRanges(judged, [claim, ...spans]);
  if (verdicts.some(({ kind }) => kind === "real")) return whole;
  const stub = verdicts.find((verdict) => verdict.kind === "empty" && verdict.reason !== NO_CODE);
  if (stub !== undefined) return whole.kind === "empty" ? whole : stub;
  const lines = file.text.split("\n");
  const changed = spans.flatMap(({ start, end }) => lines.slice(start - 1, end))
    .filter((line) => line.trim() !== "");
  if (changed.length === 0) return verdicts[0] ?? whole;
  // Brackets belong to what is between them.
  if (!changed.some((line) => /\p{L}/u.test(line))) return whole;
  const isDocument = changed.some((line) => /\p{L}{2}/u.test(line) && !isMark(line));
  if (!isDocument) return verdicts[0] ?? whole;
  const isMeant = claim.about.isDocuments || isDocumentFile(claim.shown);
  return isMeant ? { kind: "real" } : { kind: "documents" };
}

const NOTHING: RangeVerdict = { kind: "real" };

async function judgeGaps(
  { path }: ClaimedLines,
  { text }: FileWithText,
  gaps: readonly number[],
): Promise<RangeVerdict> {
  const verdicts = await Promise.all(gaps.map((line) => judgeRemoval({ path, text }, line)));
  return verdicts.find(({ kind }) => kind === "real") ?? verdicts[0] ?? NOTHING;
}
