/** Bounds evidence to what changed: a range that is wider than its work shows nothing. */
import { toCountText } from "../base/text/plain_text.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { Problem } from "../base/problem.ts";
import { toProblem } from "../base/problem.ts";
import type { ClaimedLines } from "./claimed_work.ts";
import { findFunctions } from "./empty/empty_body.ts";
import type { LineSpan } from "./empty/empty_tree.ts";
import type { KnownFile } from "./file_facts.ts";

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
  const changes = toChanges(claim, file);
  if (file.text === null || changes.length === 0 || isCovered(claim, changes)) return [];
  const functions = await findFunctions({ path: claim.path, text: file.text }, changes);
  if (isCovered(claim, [...changes, ...functions])) return [];
  const { shown, start, end, at } = claim;
  const count = changes.reduce((sum, change) => sum + change.end - change.start + 1, 0);
  const proposals = toClusters(changes).slice(0, MOST_PROPOSALS)
    .map((cluster) => `${shown}:${toText(cluster)}`);
  const more = proposals.length > 1 ? "; several go into one text, with commas between them" : "";
  return [toProblem(
    "checklist_evidence_too_wide",
    `${shown}:${start}-${end} has ${
      toCountText(end - start + 1, "line")
    }, and ${count} of them changed`,
    { at, path: shown, hint: `Send ${proposals.join(" or ")}: the lines of this item${more}.` },
  )];
}

/** The changed lines of a range from top to bottom; a gap stands for the lines beside it. */
function toChanges(claim: LineSpan, { changed, removedAt, lines }: KnownFile): LineSpan[] {
  const gaps = removedAt.map((line) => [Math.max(line, 1), Math.min(line + 1, lines)] as const);
  return [...changed, ...gaps]
    .filter(([first, last]) => first <= claim.end && last >= claim.start)
    .map(([first, last]) => ({
      start: Math.max(first, claim.start),
      end: Math.min(last, claim.end),
    }))
    .sort((a, b) => a.start - b.start);
}

/** Whether each line of a range is near one of the spans. */
function isCovered(claim: LineSpan, spans: readonly LineSpan[]): boolean {
  let next = claim.start;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (start - MARGIN_LINES > next) return false;
    next = Math.max(next, end + MARGIN_LINES + 1);
  }
  return next > claim.end;
}

/** Changes that are near one another as one range each, the largest first. */
function toClusters(changes: readonly LineSpan[]): readonly LineSpan[] {
  const clusters: LineSpan[] = [];
  for (const change of changes) {
    const last = clusters.at(-1);
    if (last !== undefined && change.start - last.end <= MARGIN_LINES) {
      clusters[clusters.length - 1] = { start: last.start, end: Math.max(last.end, change.end) };
    } else clusters.push(change);
  }
  return clusters.sort((a, b) => b.end - b.start - (a.end - a.start));
}

function toText({ start, end }: LineSpan): string {
  return start === end ? `${start}` : `${start}-${end}`;
}
