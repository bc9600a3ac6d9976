/** Reads evidence that is given as text, and compares it with what a session changed. Pure. */
import type { ProjectPath, TreePath } from "../base/paths.ts";
import type { Problem } from "../base/problem.ts";
import { toProblem } from "../base/problem.ts";

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
 * import { parseLocations, toLocationsText } from "./location.ts";
 * const places = parseLocations("src/a.ts:3-9, 12; src/b.ts:deleted");
 * deepEqual(places.length, 3);
 * deepEqual(toLocationsText(places), "src/a.ts:3-9,12; src/b.ts:deleted");
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
export function toLocationsText(places: readonly Location[]): string {
  return places.map((place, at) => {
    const before = places[at - 1];
    const isSame = place.kind === "lines" && before?.kind === "lines" && before.path === place.path;
    const text = toPlace(place);
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
  /** Changed ranges of the present file, from 1, both ends included. */
  readonly changed: readonly (readonly [number, number])[];
  /** Lines of the present file after which something was removed: each is the line before a gap. */
  readonly removedAt: readonly number[];
}

/** All problems with one piece of evidence; empty when it holds. */
export function checkLocation(
  location: Location,
  facts: FileFacts,
  at: string,
): readonly Problem[] {
  const refuse = (code: string, message: string, hint: string) => [
    toProblem(code, message, { at, hint, path: location.path }),
  ];
  if (location.kind !== "lines") return checkWholeFile(location, facts, at);
  const { path, start, end } = location;
  if (!facts.exists) {
    return refuse(
      "checklist_evidence_file_not_found",
      `"${path}" does not exist`,
      facts.change === null ? "Name the file that you changed." : toProposal(path, facts),
    );
  }
  // An editor shows one line of an empty file; as evidence that line proves that the file was
  // emptied.
  const lastLine = Math.max(facts.lines, 1);
  if (start < 1 || end < start || end > lastLine) {
    return refuse(
      "checklist_evidence_line_out_of_range",
      `${path}:${start}-${end} does not lie within lines 1–${lastLine}`,
      toProposal(path, facts),
    );
  }
  if (facts.change === null) {
    return refuse(
      "checklist_evidence_not_changed",
      `"${path}" was not changed in this session`,
      toProposal(path, facts),
    );
  }
  if (facts.isBinary) {
    return refuse("checklist_evidence_binary", `"${path}" is binary`, toProposal(path, facts));
  }
  const touches = facts.lines === 0 ||
    facts.changed.some(([first, last]) => first <= end && last >= start) ||
    facts.removedAt.some((line) => line + 1 >= start - 1 && line <= end + 1);
  return touches ? [] : refuse(
    "checklist_evidence_not_changed",
    `${path}:${start}-${end} holds no line that this session changed`,
    toProposal(path, facts),
  );
}

function checkWholeFile(
  location: Extract<Location, { readonly kind: WholeFile }>,
  facts: FileFacts,
  at: string,
): readonly Problem[] {
  const holds: Readonly<Record<WholeFile, boolean>> = {
    deleted: facts.change === "deleted",
    renamed: facts.change === "renamed",
    mode: facts.modeChanged,
    binary: facts.isBinary && facts.change !== null && facts.change !== "deleted",
  };
  return holds[location.kind] ? [] : [
    toProblem(
      "checklist_evidence_not_changed",
      `"${location.path}" is not ${location.kind} by this session`,
      { at, path: location.path, hint: toProposal(location.path, facts) },
    ),
  ];
}

/** What would be evidence of what the session did to a file. */
export function toProposal(path: string, facts: FileFacts): string {
  const { change, isBinary, modeChanged } = facts;
  const places = listPlaces(facts);
  if (change === null) {
    return "Name lines that you changed, or send the item as skipped with a reason.";
  }
  const whole = [
    ...(change === "deleted" ? ["deleted"] : []),
    ...(isBinary && change !== "deleted" ? ["binary"] : []),
    ...(change === "renamed" ? ["renamed"] : []),
    ...(modeChanged ? ["mode"] : []),
  ].map((kind) => `"${path}:${kind}"`);
  const lines = isBinary || places.length === 0
    ? []
    : [`Changed there, counted from 1: ${toRanges(places)}.`];
  return [...lines, ...(whole.length === 0 ? [] : [`Send ${whole.join(" or ")}.`])].join(" ") ||
    "Give path:start-end of the lines that you changed.";
}

/** The changed ranges, and for each gap in unchanged lines the line before it; at the top the first line. */
function listPlaces(
  { changed, removedAt, lines }: FileFacts,
): readonly (readonly [number, number])[] {
  const gaps = removedAt.map((line) => Math.min(Math.max(line, 1), Math.max(lines, 1)))
    .filter((line) => !changed.some(([first, last]) => first - 1 <= line && line <= last + 1))
    .map((line) => [line, line] as const);
  return [...changed, ...gaps].sort(([a], [b]) => a - b);
}

function toRanges(ranges: readonly (readonly [number, number])[]): string {
  const shown = ranges.slice(0, 8).map(([first, last]) =>
    first === last ? first : `${first}-${last}`
  );
  return `${shown.join(", ")}${ranges.length > 8 ? ` and ${ranges.length - 8} more ranges` : ""}`;
}

/** A place that an item claims. */
export interface PlaceClaim {
  readonly at: string;
  readonly location: Location;
  /** The file, however its path was written. */
  readonly path: TreePath;
}

/**
 * Problems of items that claim the same place, or a place within that of another item to which no change of its own is
 * left.
 */
export function checkDistinct(
  claims: readonly PlaceClaim[],
  facts: ReadonlyMap<TreePath, Pick<FileFacts, "changed">> = new Map(),
): readonly Problem[] {
  return claims.flatMap((claim, index) => {
    const rival = claims.find((other, at) =>
      at !== index && other.at !== claim.at && holds(other, claim) &&
      (holds(claim, other) ? at < index : !hasOwnChange(other, claims, facts.get(other.path)))
    );
    return rival === undefined ? [] : [toRepeated(claim, rival)];
  });
}

/** Whether a claim has changed lines that lie in no smaller claim of another item. */
function hasOwnChange(
  outer: PlaceClaim,
  claims: readonly PlaceClaim[],
  { changed }: Pick<FileFacts, "changed"> = { changed: [] },
): boolean {
  const { location } = outer;
  if (location.kind !== "lines") return false;
  const inner = claims.filter((other) =>
    other.at !== outer.at && holds(outer, other) && !holds(other, outer)
  ).map((other) => other.location);
  return changed.some(([first, last]) => {
    for (let line = Math.max(first, location.start); line <= Math.min(last, location.end); line++) {
      const isTaken = inner.some((one) =>
        one.kind === "lines" && one.start <= line && line <= one.end
      );
      if (!isTaken) return true;
    }
    return false;
  });
}

/** Whether the place of a claim has all of that of another one. */
function holds(outer: PlaceClaim, inner: PlaceClaim): boolean {
  if (outer.path !== inner.path) return false;
  const [a, b] = [outer.location, inner.location];
  if (a.kind !== "lines" || b.kind !== "lines") return a.kind === b.kind;
  return b.start <= b.end && a.start <= b.start && a.end >= b.end;
}

function toRepeated(claim: PlaceClaim, rival: PlaceClaim): Problem {
  const [own, other] = [toPlace(claim.location), toPlace(rival.location)];
  const isSame = holds(claim, rival);
  const left = isSame ? [] : toRest(claim.location, rival.location);
  return toProblem(
    "checklist_evidence_repeated",
    isSame
      ? `"${own}" is the evidence of two items`
      : `"${own}" lies within "${other}", the evidence of another item`,
    {
      at: claim.at,
      hint: `Give each item the lines of its own change; ${rival.at} has these already${
        left.length === 0 ? "" : `, and could take ${left.join(" or ")}`
      }.`,
    },
  );
}

/** What is left of an outer range without the inner one. */
function toRest(inner: Location, outer: Location): readonly string[] {
  if (inner.kind !== "lines" || outer.kind !== "lines") return [];
  return [[outer.start, inner.start - 1] as const, [inner.end + 1, outer.end] as const]
    .filter(([start, end]) => start <= end)
    .map(([start, end]) => toPlace({ ...outer, start, end }));
}

function toPlace(location: Location): string {
  if (location.kind !== "lines") return `${location.path}:${location.kind}`;
  const { path, start, end } = location;
  return start === end ? `${path}:${start}` : `${path}:${start}-${end}`;
}
