/** What of a diff a brief review shows: how much changed, and the hunks that nobody has accounted for. */
import type { Change } from "../../git/trees/changes.ts";
import type { TestFinding } from "../../phase/check_findings.ts";
import { formatSurvivor } from "../../phase/rules/mutant_reports.ts";
import { listTestFindings } from "../../phase/rules/test_findings.ts";
import type { OpenSession, SessionContext } from "../context/sessions.ts";
import { buildLeftoverFields, listLeftovers } from "../../evidence/leftovers/leftover_findings.ts";
import { findWeakened } from "../../evidence/tests/weakened_findings.ts";
import type { ProjectPath } from "../../base/paths.ts";
import { parseLocations } from "../../evidence/location.ts";
import type { SessionState } from "../../phase/state.ts";

const MOST_FINDINGS = 20;

/** Says what became of the tests: one that expects something else is not weaker for it. */
function formatFindingsNote(findings: readonly TestFinding[]): string {
  const isOther = findings.every(({ id }) => /^(?:expectation|snapshot)_changed /.test(id));
  return `Tests ${
    isOther ? "expect something else" : "got weaker or fewer"
  }: put each back, or send ` +
    "test_findings: [{id, reason}] with a reason of its own for each.";
}

/** What weakens tests or seems left behind, first of all that is shown; step 17 asks for a reason for each. */
export async function buildFindingFields(
  context: SessionContext,
  { state }: OpenSession,
  { trees, changes, maxBytes }: {
    readonly trees: { readonly from: string; readonly to: string };
    readonly changes: readonly Change[];
    /** Of the whole reply; the lines of what was left behind take a part of it. */
    readonly maxBytes: number;
  },
): Promise<Readonly<Record<string, unknown>>> {
  const named = changes.map(({ path, kind }) => ({ path: context.paths.toProject(path), kind }));
  const [{ weakened }, leftovers] = await Promise.all([
    findWeakened(context, { ...trees, changes: named }),
    listLeftovers(context, { ...trees, changes: named }),
  ]);
  const findings = listTestFindings(state, { weakened });
  const { mutants } = state.verification ?? {};
  const survivors = mutants?.isGate === true ? [] : mutants?.survivors ?? [];
  return {
    ...(findings.length === 0 ? {} : {
      test_findings: findings.slice(0, MOST_FINDINGS),
      test_findings_note: formatFindingsNote(findings),
    }),
    ...(survivors.length === 0
      ? {}
      : { survivors: survivors.slice(0, MOST_FINDINGS).map(formatSurvivor) }),
    ...buildLeftoverFields(leftovers, maxBytes / 3),
  };
}

/** A range of lines, from 1, both ends included. */
type Range = readonly [start: number, end: number];

/** A diff in brief. */
export interface BriefDiff {
  readonly added: number;
  readonly removed: number;
  /** The hunks with lines on which no evidence stands; empty where there are none. */
  readonly diff: string;
  /** The lines without evidence in the file as it is now: `12-15`. */
  readonly places: readonly string[];
}

/** The lines of a file on which the evidence of completed tasks stands. */
export function listCoveredLines(
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
export function shortenHunks(diff: string, covered: readonly Range[]): BriefDiff {
  const hunks = diff.split(/^(?=@@ )/m).filter((part) => part.startsWith("@@ "));
  const count = (sign: string) =>
    hunks.reduce(
      (sum, hunk) => sum + hunk.split("\n").slice(1).filter((line) => line.startsWith(sign)).length,
      0,
    );
  const open = hunks.map((hunk) => ({ hunk, places: findUncovered(hunk, covered) }))
    .filter(({ places }) => places.length > 0);
  return {
    added: count("+"),
    removed: count("-"),
    diff: open.map(({ hunk }) => hunk).join(""),
    places: open.flatMap(({ places }) => places),
  };
}

/** The line of the file as it is now at which a hunk begins; 0 without a head. */
function readStart(hunk: string): number {
  const [, start] = /^@@ -\S+ \+(\d+)(?:,\d+)? @@/.exec(hunk) ?? [];
  return start === undefined ? 0 : Number(start);
}

/**
 * The changed lines on which no evidence stands, as `12-15`: added ones, and the places beside which lines were removed.
 * Blank lines belong to those around them, and what takes other files in needs no evidence: the code that uses it has some.
 */
function findUncovered(hunk: string, covered: readonly Range[]): readonly string[] {
  const [, ...lines] = hunk.split("\n");
  const counts = lines.some((line) => /^[+-].*\S/.test(line)) ? /^[+-].*\S/ : /^[+-]/;
  const imports = { "+": createImportReader(), "-": createImportReader() };
  const runs: { readonly start: number; end: number }[] = [];
  let isOpen = false;
  let at = readStart(hunk);
  for (const line of lines) {
    const current = at;
    const [sign, code] = [line.charAt(0), line.slice(1)];
    if (sign === "+" || sign === " ") at++;
    const isOld = sign !== "+" && imports["-"](code);
    const isImport = sign === "-" ? isOld : imports["+"](code);
    const isInside = covered.some(([from, to]) =>
      from <= current && to >= (sign === "-" ? current - 1 : current)
    );
    const run = isOpen ? runs.at(-1) : undefined;
    if (counts.test(line) && !isInside && !isImport) {
      if (run === undefined) runs.push({ start: current, end: current });
      else if (sign === "+") run.end = current;
      isOpen = true;
    } else if (counts.test(line) || sign === " ") isOpen = false;
  }
  return runs.map(({ start, end }) => start === end ? `${start}` : `${start}-${end}`);
}

/** How a statement begins that takes another file in, whatever the language. */
const IMPORT =
  /^\s*(?:import\b(?!\s*\(\s*\S)|from\s+\S+\s+import\b|(?:pub\s+)?use\s+[\w:{\\]|#\s*include\b|using\s+[\w.]+\s*;|require(?:_relative)?\b\s*\(?\s*["']|(?:const|let|var)\s[^=]+=\s*require\()/;

/** Tells of the lines of one text, from top to bottom, which belong to such a statement; it may take several lines. */
function createImportReader(): (line: string) => boolean {
  let depth = 0;
  return (line) => {
    const isImport = depth > 0 || IMPORT.test(line);
    if (!isImport) return false;
    const opened = line.match(/[({]/g)?.length ?? 0;
    const closed = line.match(/[)}]/g)?.length ?? 0;
    depth = Math.max(0, depth + opened - closed);
    return true;
  };
}
