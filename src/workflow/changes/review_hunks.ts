/** What of a diff a brief review shows: how much changed, and the hunks that nobody has accounted for. */
import type { ProjectPath } from "../../base/paths.ts";
import { parseLocations } from "../../evidence/mod.ts";
import type { SessionState } from "../../phase/mod.ts";

/** A range of lines, from 1, both ends included. */
type Range = readonly [start: number, end: number];

/** A diff in brief. */
export interface BriefDiff {
  readonly added: number;
  readonly removed: number;
  /** The hunks with lines on which no evidence stands; empty where there are none. */
  readonly diff: string;
  /** Their lines in the file as it is now: `12-15`. */
  readonly places: readonly string[];
}

/** The lines of a file on which the evidence of completed tasks stands. */
export function toCovered(
  tasks: SessionState["tasks"],
  path: ProjectPath,
): readonly Range[] {
  return tasks.flatMap(({ checklist }) => checklist)
    .flatMap(({ evidence }) => parseLocations(evidence ?? ""))
    .flatMap((place): Range[] =>
      place.kind === "lines" && place.path === path ? [[place.start, place.end]] : []
    );
}

/**
 * Counts the lines of a diff and keeps the hunks in which a changed line is not covered.
 *
 * @param diff hunks of one file, each with its `@@` line, with at most a head of other lines.
 * @param covered ranges of the file as it is now.
 */
export function toBriefDiff(diff: string, covered: readonly Range[]): BriefDiff {
  const hunks = diff.split(/^(?=@@ )/m).filter((part) => part.startsWith("@@ "));
  const count = (sign: string) =>
    hunks.reduce(
      (sum, hunk) => sum + hunk.split("\n").slice(1).filter((line) => line.startsWith(sign)).length,
      0,
    );
  const open = hunks.filter((hunk) => !isCovered(hunk, covered));
  return {
    added: count("+"),
    removed: count("-"),
    diff: open.join(""),
    places: open.flatMap((hunk) => toPlace(hunk) ?? []),
  };
}

/** Where a hunk begins in the file as it is now, and how many of its lines it has; null without a head. */
function readHead(hunk: string): { readonly start: number; readonly count: number } | null {
  const [, start, count = "1"] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(hunk) ?? [];
  return start === undefined ? null : { start: Number(start), count: Number(count) };
}

function toPlace(hunk: string): string | null {
  const head = readHead(hunk);
  if (head === null) return null;
  const { start, count } = head;
  return count < 2 ? `${start}` : `${start}-${start + count - 1}`;
}

/**
 * True where evidence stands on every added line, and beside every place where lines were removed; blank lines belong to
 * those around them.
 */
function isCovered(hunk: string, covered: readonly Range[]): boolean {
  const [, ...lines] = hunk.split("\n");
  const counts = lines.some((line) => /^[+-].*\S/.test(line)) ? /^[+-].*\S/ : /^[+-]/;
  let at = readHead(hunk)?.start ?? 0;
  for (const line of lines) {
    const current = at;
    if (line.startsWith("+") || line.startsWith(" ")) at++;
    const isInside = covered.some(([from, to]) =>
      line.startsWith("-") ? from <= current && to >= current - 1 : from <= current && to >= current
    );
    if (counts.test(line) && !isInside) return false;
  }
  return true;
}
