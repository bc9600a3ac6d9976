/**
 * Holds the coverage of a run against the lines that a session changed. A line did not run only where all that could
 * have run it was looked at; of the others nothing is known.
 */
import { LIMITS } from "../../../base/settings/limits.ts";
import { languageOfPath } from "../../../language/languages.ts";
import { kindOfPlace, maskText } from "../../../language/mask.ts";
import type { SyntaxNode } from "../../../syntax/tree_sitter.ts";
import { parseText } from "../../../syntax/tree_sitter.ts";
import type { TreePath } from "../../../base/paths.ts";
import { isTestCommand } from "../../../runners/runners.ts";
import type { LineCoverage, RanItem } from "../../../phase/facts.ts";
import { countRan } from "../../../runners/report.ts";
import type { VerificationResultRow } from "../../../evidence/runs/verification.ts";

/**
 * Lines as `1-3 7`.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
 * import { parseLines, formatLines } from "./changed_lines_run.ts";
 * equal(formatLines([7, 2, 1, 3]), "1-3 7");
 * deepEqual([...parseLines("1-3 7")], [1, 2, 3, 7]);
 * ```
 */
export function formatLines(lines: readonly number[]): string {
  const parts: { start: number; end: number }[] = [];
  for (const line of [...lines].sort((a, b) => a - b)) {
    const last = parts.at(-1);
    if (last !== undefined && line <= last.end + 1) last.end = line;
    else parts.push({ start: line, end: line });
  }
  return parts.map(({ start, end }) => start === end ? `${start}` : `${start}-${end}`).join(" ");
}

/** The lines of such a text. */
export function parseLines(text: string): ReadonlySet<number> {
  const lines = new Set<number>();
  for (const [, start = "0", end = start] of text.matchAll(/(\d+)(?:-(\d+))?/g)) {
    for (let line = Number(start); line <= Number(end); line++) lines.add(line);
  }
  return lines;
}

/** Declarations of TypeScript of which nothing is left when the code runs. */
const TYPES_ONLY = new Set([
  "interface_declaration",
  "type_alias_declaration",
  "ambient_declaration",
]);
const WRAPPERS = new Set(["program", "export_statement"]);

/** Numbers of these lines, from 1. */
export async function findCodeLines(path: string, text: string): Promise<ReadonlySet<number>> {
  const language = languageOfPath(path);
  const masked = language === undefined ? text : maskText(text, language);
  const holdsCode = (line: string) =>
    [...line].some((char) => {
      const kind = kindOfPlace(char, 0);
      return kind !== "comment" && (kind !== "code" || /[\p{L}\p{N}_$]/u.test(char));
    });
  const lines = new Set(
    masked.split("\n").flatMap((line, index) => holdsCode(line) ? [index + 1] : []),
  );
  const isTyped = /\.[cm]?tsx?$/i.test(path) && text.length <= LIMITS.fileBytes.value;
  if (language !== undefined && isTyped) {
    using tree = await parseText(text, language.name);
    if (tree !== null) removeTypes(tree.root, lines);
  }
  return lines;
}

function removeTypes(node: SyntaxNode, lines: Set<number>): void {
  for (const child of node.namedChildren) {
    if (WRAPPERS.has(child.type)) removeTypes(child, lines);
    if (!TYPES_ONLY.has(child.type)) continue;
    for (let row = child.startPosition.row; row <= child.endPosition.row; row++) {
      lines.delete(row + 1);
    }
  }
}

/** A changed file as it was when the commands ran. */
export interface ChangedCode {
  readonly path: TreePath;
  /** The path that the agent knows. */
  readonly shown: string;
  /** Changed lines that hold code; null where they are not those of the text that ran. */
  readonly lines: readonly number[] | null;
}

/** The part of a result that says which lines ran. */
export type CoveredRow = Pick<VerificationResultRow, "name" | "run" | "report" | "coverage">;

/** What is known of the files of a run: lines by path in the worktree, true where they ran. */
export interface KnownLines {
  readonly files: ReadonlyMap<TreePath, ReadonlyMap<number, boolean>>;
  readonly read: readonly string[];
  /** Why lines may be unknown, a sentence each. */
  readonly why: readonly string[];
}

/** Adds up what the commands of a run say. */
export function addUpCoverage(results: readonly CoveredRow[]): KnownLines {
  const found = results.flatMap(({ coverage }) => coverage ?? []);
  const silent = results.filter((row) =>
    row.coverage === undefined && (row.report ? countRan(row.report) > 0 : isTestCommand(row))
  );
  const isWhole = silent.length === 0 && found.every((one) => one.isWhole);
  const files = new Map<TreePath, Map<number, boolean>>();
  for (const { files: said } of found) {
    for (const [path, { ran, notRun }] of Object.entries(said)) {
      const lines = files.get(path) ?? new Map<number, boolean>();
      files.set(path, lines);
      for (const line of parseLines(ran)) lines.set(line, true);
      // What another command may have run is not known, and so neither true nor false.
      if (isWhole) {
        for (const line of parseLines(notRun)) lines.set(line, lines.get(line) ?? false);
      }
    }
  }
  const names = silent.map(({ name }) => name).join(", ");
  const isPart = found.length > 0 && silent.length > 0;
  return {
    files,
    read: [...new Set(found.flatMap(({ read }) => read))],
    why: [
      ...found.flatMap(({ notes }) => notes),
      ...(isPart ? [`${names} wrote no coverage, and may have run other lines.`] : []),
    ],
  };
}

/** The changed lines that ran, did not run, and are unknown; null where there is nothing to say and nothing was asked. */
export function judgeChangedLines(
  changed: readonly ChangedCode[],
  known: KnownLines,
  bound: number | null,
): LineCoverage | null {
  const code = changed.filter(({ lines }) => lines === null || lines.length > 0);
  const isSilent = known.read.length === 0 && known.why.length === 0 && bound === null;
  if (code.length === 0 || isSilent) return null;
  const why = new Set(known.why);
  if (known.read.length === 0) why.add("No command wrote coverage that could be read.");
  const judged = code.map(({ path, shown, lines }) => {
    const hits = known.files.get(path);
    if (lines === null) why.add(`${shown} ran together with changes of others.`);
    else if (hits === undefined && known.read.length > 0) why.add(`No coverage names ${shown}.`);
    const pick = (ran: boolean) => lines?.filter((line) => hits?.get(line) === ran) ?? [];
    const [ran, notRun] = [pick(true), pick(false)];
    // Coverage names the first lines of statements: the others are silent there, and nobody misses them.
    const unknown = ran.length + notRun.length > 0 ? 0 : Math.max(1, lines?.length ?? 0);
    return { shown, ran, notRun, unknown };
  });
  const add = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
  const join = (rows: readonly (readonly [shown: string, lines: readonly number[]])[]) => ({
    count: add(rows.map(([, lines]) => lines.length)),
    texts: Object.fromEntries(
      rows.flatMap(([shown, lines]) => lines.length === 0 ? [] : [[shown, formatLines(lines)]]),
    ),
  });
  const ran = join(judged.map(({ shown, ran }) => [shown, ran]));
  const notRun = join(judged.map(({ shown, notRun }) => [shown, notRun]));
  return {
    ...{ read: known.read, ran: ran.count, notRun: notRun.count },
    unknown: add(judged.map(({ unknown }) => unknown)),
    ...{ ranLines: ran.texts, notRunLines: notRun.texts },
    unknownFiles: judged.filter(({ unknown }) => unknown > 0).map(({ shown }) => shown),
    why: [...why].slice(0, MOST_REASONS),
    bound,
  };
}

const MOST_REASONS = 5;

/** Evidence of an item of a checklist, in the text that ran. */
export interface RanEvidence {
  readonly task: string;
  readonly index: number;
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** How much of the evidence ran: of those items alone of which something is known. */
export function judgeRanItems(
  evidence: readonly RanEvidence[],
  { ranLines, notRunLines }: Pick<LineCoverage, "ranLines" | "notRunLines">,
): readonly RanItem[] {
  // An item may rest on several places.
  const items = Map.groupBy(evidence, ({ task, index }) => `${index} ${task}`);
  return [...items.values()].flatMap((places) => {
    const count = (lines: Readonly<Record<string, string>>) =>
      places.flatMap(({ path, start, end }) =>
        [...parseLines(lines[path] ?? "")].filter((line) => line >= start && line <= end)
      ).length;
    const [ran, notRun] = [count(ranLines), count(notRunLines)];
    const [first] = places;
    if (first === undefined || ran + notRun === 0) return [];
    const { task, index } = first;
    return [{ task, index, ran: notRun === 0 ? "all" : ran === 0 ? "none" : "some" } as const];
  });
}
