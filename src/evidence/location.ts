/** Reads evidence that is given as text, and compares it with what a session changed. Pure. */
import type { ProjectPath, TreePath } from "../base/paths.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import type { LineRange } from "../git/trees/changed_lines.ts";

/** Evidence without lines: what happened to the whole file. */
export type WholeFile = "deleted" | "renamed" | "mode" | "binary";

/** A place that a claim names. */
export type Location =
  | {
    readonly kind: "lines";
    readonly path: ProjectPath;
    readonly start: number;
    readonly end: number;
  }
  | { readonly kind: WholeFile; readonly path: ProjectPath };

/**
 * Reads `path:line`, `path:start-end` or `path:deleted|renamed|mode|binary`. The last part decides, so
 * any path that git can hold is possible.
 *
 * @returns null when the text has none of these forms.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
 * import { parseLocation } from "./location.ts";
 * deepEqual(parseLocation("src/a b.ts:3-9"), { kind: "lines", path: "src/a b.ts", start: 3, end: 9 });
 * equal(parseLocation("src/a.ts"), null);
 * ```
 */
export function parseLocation(text: string): Location | null {
  const match = /^([\s\S]+):(?:(\d{1,9})(?:-(\d{1,9}))?|(deleted|renamed|mode|binary))$/.exec(
    text.trim(),
  );
  if (match === null) return null;
  const [, path = "", start, end, whole] = match;
  if (whole !== undefined) return { kind: whole as WholeFile, path };
  return { kind: "lines", path, start: Number(start), end: Number(end ?? start) };
}

/** A further range of the file before it. */
const RANGE = /^(\d{1,9})(?:-(\d{1,9}))?$/;

/**
 * Reads one place or several: further ranges of a file behind a comma, other files behind a comma or semicolon. Where the
 * parts are no places, the whole text is one, since a path may hold a comma too.
 *
 * @returns empty when the text names no place.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { parseLocations, formatLocations } from "./location.ts";
 * const places = parseLocations("src/a.ts:3-9, 12; src/b.ts:deleted");
 * deepEqual(places.length, 3);
 * deepEqual(formatLocations(places), "src/a.ts:3-9,12; src/b.ts:deleted");
 * deepEqual(parseLocations("src/a,b.ts:3").length, 1);
 * ```
 */
export function parseLocations(text: string): readonly Location[] {
  const places: Location[] = [];
  for (const part of text.trim().split(/\s*[,;]\s*/)) {
    const before = places.at(-1);
    const range = RANGE.exec(part);
    const place = range !== null && before?.kind === "lines"
      ? { ...before, start: Number(range[1]), end: Number(range[2] ?? range[1]) }
      : parseLocation(part);
    if (place === null) {
      const whole = parseLocation(text);
      return whole === null ? [] : [whole];
    }
    places.push(place);
  }
  return places;
}

/** Places as one text that {@link parseLocations} reads. */
export function formatLocations(places: readonly Location[]): string {
  return places.map((place, at) => {
    const before = places[at - 1];
    const isSame = place.kind === "lines" && before?.kind === "lines" && before.path === place.path;
    const text = formatPlace(place);
    if (isSame) return `,${text.slice(place.path.length + 1)}`;
    return at === 0 ? text : `; ${text}`;
  }).join("");
}

/** What a session did to one file. */
export interface FileFacts {
  /** False when the file does not exist now. */
  readonly exists: boolean;
  /** Present number of lines. */
  readonly lines: number;
  /** How the session changed the file; null when it did not. */
  readonly change: "added" | "modified" | "deleted" | "renamed" | "type" | null;
  readonly modeChanged: boolean;
  readonly isBinary: boolean;
  /** Changed ranges of the present file. */
  readonly changed: readonly LineRange[];
  /** Lines of the present file after which something was removed: each is the line before a gap. */
  readonly removedAt: readonly number[];
}

/** Whether two ranges have a line in common. */
export function overlaps(one: LineRange, other: LineRange): boolean {
  return one.start <= other.end && one.end >= other.start;
}

/** Whether the gap after a line is in a range, or just before or behind it. */
export function isGapOf(line: number, { start, end }: LineRange): boolean {
  return line + 1 >= start - 1 && line <= end + 1;
}

/** All problems with one piece of evidence; empty when it holds. */
export function checkLocation(
  location: Location,
  facts: FileFacts,
  at: string,
): readonly Problem[] {
  const { path } = location;
  const { change, isBinary, changed, removedAt } = facts;
  const refuse = (code: string, message: string, hint = proposeEvidence(path, facts)) => [
    makeProblem(`checklist_evidence_${code}`, message, { at, hint, path }),
  ];
  if (location.kind !== "lines") {
    const holds: Readonly<Record<WholeFile, boolean>> = {
      deleted: change === "deleted",
      renamed: change === "renamed",
      mode: facts.modeChanged,
      binary: isBinary && change !== null && change !== "deleted",
    };
    if (holds[location.kind]) return [];
    return refuse("not_changed", `"${path}" is not ${location.kind} by this session`);
  }
  const { start, end } = location;
  if (!facts.exists) {
    const hint = change === null ? "Name the file that you changed." : proposeEvidence(path, facts);
    return refuse("file_not_found", `"${path}" does not exist`, hint);
  }
  // An editor shows one line of an empty file; as evidence that line proves that the file was
  // emptied.
  const lastLine = Math.max(facts.lines, 1);
  if (start < 1 || end < start || end > lastLine) {
    const message = `${path}:${start}-${end} does not lie within lines 1–${lastLine}`;
    return refuse("line_out_of_range", message);
  }
  if (change === null) return refuse("not_changed", `"${path}" was not changed in this session`);
  if (isBinary) return refuse("binary", `"${path}" is binary`);
  const touches = facts.lines === 0 || changed.some((range) => overlaps(range, location)) ||
    removedAt.some((line) => isGapOf(line, location));
  const message = `${path}:${start}-${end} holds no line that this session changed`;
  return touches ? [] : refuse("not_changed", message);
}

/** What would be evidence of what the session did to a file. */
export function proposeEvidence(path: string, facts: FileFacts): string {
  const { change, isBinary, modeChanged } = facts;
  if (change === null) {
    return "Name lines that you changed, or send the item as skipped with a reason.";
  }
  const places = isBinary ? [] : listChangedRanges(facts);
  const whole = [
    ...(change === "deleted" ? ["deleted"] : isBinary ? ["binary"] : []),
    ...(change === "renamed" ? ["renamed"] : []),
    ...(modeChanged ? ["mode"] : []),
  ].map((kind) => `"${path}:${kind}"`);
  const more = places.length > 8 ? ` and ${places.length - 8} more ranges` : "";
  const ranges = places.slice(0, 8).map(formatRange).join(", ");
  return [
    ...(places.length === 0 ? [] : [`Changed there, counted from 1: ${ranges}${more}.`]),
    ...(whole.length === 0 ? [] : [`Send ${whole.join(" or ")}.`]),
  ].join(" ") || "Give path:start-end of the lines that you changed.";
}

/** The changed ranges, and for each gap in unchanged lines the line before it; at the top the first line. */
function listChangedRanges({ changed, removedAt, lines }: FileFacts): readonly LineRange[] {
  const gaps = removedAt.map((line) => Math.min(Math.max(line, 1), Math.max(lines, 1)))
    .filter((line) => !changed.some(({ start, end }) => start - 1 <= line && line <= end + 1))
    .map((line) => ({ start: line, end: line }));
  return [...changed, ...gaps].sort((one, other) => one.start - other.start);
}

/** A range as a person writes it: one number for one line. */
export function formatRange({ start, end }: LineRange): string {
  return start === end ? `${start}` : `${start}-${end}`;
}

/** A place that an item claims. */
export interface LocationClaim {
  readonly at: string;
  readonly location: Location;
  /** The file, however its path was written. */
  readonly path: TreePath;
}

/**
 * Problems of items that claim the same place, or a place within the place of another item that has
 * no other change left.
 */
export function checkDistinct(
  claims: readonly LocationClaim[],
  facts: ReadonlyMap<TreePath, Pick<FileFacts, "changed">> = new Map(),
): readonly Problem[] {
  return claims.flatMap((claim, index) => {
    const rival = claims.find((other, at) =>
      other.at !== claim.at && holds(other, claim) &&
      (holds(claim, other) ? at < index : !hasOwnChange(other, claims, facts.get(other.path)))
    );
    return rival === undefined ? [] : [describeRepeated(claim, rival)];
  });
}

/** Whether a claim has changed lines that lie in no smaller claim of another item. */
function hasOwnChange(
  outer: LocationClaim,
  claims: readonly LocationClaim[],
  { changed }: Pick<FileFacts, "changed"> = { changed: [] },
): boolean {
  const { location } = outer;
  if (location.kind !== "lines") return false;
  const inner = claims.filter((other) =>
    other.at !== outer.at && holds(outer, other) && !holds(other, outer)
  ).flatMap((other) => other.location.kind === "lines" ? [other.location] : []);
  return changed.some(({ start, end }) => {
    for (let line = Math.max(start, location.start); line <= Math.min(end, location.end); line++) {
      if (!inner.some((one) => one.start <= line && line <= one.end)) return true;
    }
    return false;
  });
}

/** Whether the place of a claim has all of that of another one. */
function holds(outer: LocationClaim, inner: LocationClaim): boolean {
  if (outer.path !== inner.path) return false;
  const [a, b] = [outer.location, inner.location];
  if (a.kind !== "lines" || b.kind !== "lines") return a.kind === b.kind;
  return b.start <= b.end && a.start <= b.start && a.end >= b.end;
}

function describeRepeated(claim: LocationClaim, rival: LocationClaim): Problem {
  const [inner, outer] = [claim.location, rival.location];
  const [own, other] = [formatPlace(inner), formatPlace(outer)];
  const isSame = holds(claim, rival);
  // What is left of the outer range without the inner one.
  const left = isSame || inner.kind !== "lines" || outer.kind !== "lines"
    ? []
    : [{ start: outer.start, end: inner.start - 1 }, { start: inner.end + 1, end: outer.end }]
      .filter(({ start, end }) => start <= end)
      .map((range) => formatPlace({ ...outer, ...range }));
  const more = left.length === 0 ? "" : `, and could take ${left.join(" or ")}`;
  return makeProblem(
    "checklist_evidence_repeated",
    isSame
      ? `"${own}" is the evidence of two items`
      : `"${own}" lies within "${other}", the evidence of another item`,
    {
      at: claim.at,
      hint: `Give each item the lines of its own change; ${rival.at} has these already${more}.`,
    },
  );
}

function formatPlace(location: Location): string {
  return `${location.path}:${location.kind === "lines" ? formatRange(location) : location.kind}`;
}
