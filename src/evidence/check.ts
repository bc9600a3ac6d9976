/** Compares the evidence of a report with what the session changed on the disk. */
import type { ProjectPath, TreePath } from "../base/paths.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { Problem } from "../base/problem.ts";
import { toProblem } from "../base/problem.ts";
import { readRegularText } from "../base/files/regular_file.ts";
import type { LineChanges } from "../git/mod.ts";
import type { Trees } from "../ledger/mod.ts";
import type { RangeVerdict } from "./empty/empty_body.ts";
import { judgeRanges, judgeRemoval, NO_CODE } from "./empty/empty_body.ts";
import type { LineSpan } from "./empty/empty_tree.ts";
import type { FileFacts, Location } from "./location.ts";
import { checkDistinct, checkLocation, parseLocation } from "./location.ts";

/** What evidence is compared with. */
export interface EvidenceInput {
  /**
   * The states of the files; null where nobody keeps them: then only place and length are checked.
   */
  readonly trees: Pick<Trees, "changes" | "changedLines" | "readText"> | null;
  readonly toWorktree: (
    path: ProjectPath,
  ) => { readonly kind: "path"; readonly path: TreePath } | {
    readonly kind: "refused";
    readonly problem: Problem;
  };
  readonly toAbsolute: (path: TreePath) => string;
  readonly baselineTree: string | null;
  readonly currentTree: string | null;
}

/** The evidence of one item of a report. */
export interface ReportedItem {
  readonly item: string;
  readonly status: string;
  readonly evidence?: string | null | undefined;
}

interface Claim {
  readonly at: string;
  readonly text: string;
  readonly location: Location;
  readonly path: TreePath;
}

/** A file with what tells empty implementations in it. */
interface KnownFile extends FileFacts {
  /** Text of the file; null when there is no such file. */
  readonly text: string | null;
  /** Lines that the session wrote; empty where that is not known. */
  readonly created: readonly LineSpan[];
}

/** All problems with the evidence of a report, at once. */
export async function checkEvidence(
  input: EvidenceInput,
  checklist: readonly ReportedItem[],
): Promise<readonly Problem[]> {
  const texts = checklist.map(({ status, evidence }) =>
    status === "done" ? (evidence ?? "").trim() : ""
  );
  const { problems, claims } = toClaims(input, texts);
  const repeated = checkDistinct(
    claims.map(({ at, location, path }) => ({ at, text: toKey(location, path) })),
  );
  return [...problems, ...repeated, ...await checkClaims(input, claims)];
}

/**
 * Judges each piece of evidence (`path:start-end` and the like) on its own.
 *
 * @returns the positions of those that do not stand.
 */
export async function judgeEvidence(
  input: EvidenceInput,
  texts: readonly string[],
): Promise<ReadonlySet<number>> {
  if (texts.length === 0) return new Set();
  const { problems, claims } = toClaims(input, texts);
  const found = [...problems, ...await checkClaims(input, claims)].map(({ at }) => at);
  return new Set([...texts.keys()].filter((index) => found.includes(toAt(index))));
}

function toAt(index: number): string {
  return `data.checklist[${index}].evidence`;
}

/** Turns the texts into claims; an empty text is no claim. */
function toClaims(
  input: EvidenceInput,
  texts: readonly string[],
): { readonly problems: readonly Problem[]; readonly claims: readonly Claim[] } {
  const found = texts.flatMap((text, index) =>
    text === "" ? [] : [toClaim(input, text, toAt(index))]
  );
  return {
    problems: found.flatMap((entry) => entry.kind === "refused" ? [entry.problem] : []),
    claims: found.flatMap((entry) => entry.kind === "claim" ? [entry.claim] : []),
  };
}

async function checkClaims(
  input: EvidenceInput,
  claims: readonly Claim[],
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const facts = await readFacts(input, [...new Set(claims.map(({ path }) => path))]);
  const standing: Claim[] = [];
  for (const claim of claims) {
    const file = facts.get(claim.path);
    if (file === undefined) continue;
    const found = checkLocation(claim.location, file, claim.at);
    problems.push(...found);
    if (found.length === 0) standing.push(claim);
  }
  for (const [path, file] of facts) {
    problems.push(...await checkBodies(standing.filter((claim) => claim.path === path), file));
  }
  return problems;
}

/** Problems of claims in one file whose lines exist and changed, but do no work. */
async function checkBodies(
  claims: readonly Claim[],
  file: KnownFile,
): Promise<readonly Problem[]> {
  const { text } = file;
  if (text === null || text === "") return [];
  const ranges = claims.flatMap(({ at, path, location }) =>
    location.kind === "lines"
      ? [{ at, path, shown: location.path, start: location.start, end: location.end }]
      : []
  );
  const [first] = ranges;
  if (first === undefined) return [];
  const problems = await Promise.all(ranges.map(async (range) => {
    const isWritten = file.changed.some(([start, end]) => start <= range.end && end >= range.start);
    // Where lines were only removed, the lines beside the gap are older than the session.
    const verdict = isWritten
      ? await judgeWritten({ path: first.path, text }, range, file)
      : await judgeGaps({ path: range.path, text }, range, file.removedAt);
    return verdict?.kind === "empty" ? [toEmptyProblem(range, verdict)] : [];
  }));
  return problems.flat();
}

/**
 * Judges only the changed lines of a range, so that older lines beside them do not cover for a
 * stub. Where only comments or blank lines changed, the whole range is judged: documenting real
 * code is work.
 */
async function judgeWritten(
  file: { readonly path: TreePath; readonly text: string },
  range: LineSpan,
  facts: KnownFile,
): Promise<RangeVerdict | undefined> {
  const parts = facts.changed
    .filter(([start, end]) => start <= range.end && end >= range.start)
    .map(([start, end]) => ({
      start: Math.max(start, range.start),
      end: Math.min(end, range.end),
    }));
  const judged = { ...file, createdRanges: facts.created };
  const [whole, ...verdicts] = await judgeRanges(judged, [range, ...parts]);
  if (whole?.kind === "empty") return whole;
  const isWork = verdicts.some((verdict) => verdict.kind === "real" || verdict.reason === NO_CODE);
  return isWork ? whole : verdicts[0];
}

async function judgeGaps(
  file: { readonly path: TreePath; readonly text: string },
  range: LineSpan,
  removedAt: readonly number[],
): Promise<RangeVerdict | undefined> {
  const gaps = removedAt.filter((line) => line + 1 >= range.start - 1 && line <= range.end + 1);
  const verdicts = await Promise.all(gaps.map((line) => judgeRemoval(file, line)));
  return verdicts.find(({ kind }) => kind === "real") ?? verdicts[0];
}

function toEmptyProblem(
  { at, shown, start, end }: LineSpan & { readonly at: string; readonly shown: ProjectPath },
  verdict: Extract<RangeVerdict, { readonly kind: "empty" }>,
): Problem {
  const how = verdict.judgedBy === "syntax" ? "syntax tree" : "text, for want of a grammar";
  return toProblem(
    "checklist_evidence_empty_impl",
    `${shown}:${start}-${end} is an empty implementation: ${verdict.reason} (judged by its ${how})`,
    {
      at,
      path: shown,
      hint: "Write what the item promises, or name the lines that do the work; " +
        "an item that needs none is sent as skipped with a reason.",
    },
  );
}

function toClaim(
  input: EvidenceInput,
  text: string,
  at: string,
):
  | { readonly kind: "claim"; readonly claim: Claim }
  | { readonly kind: "refused"; readonly problem: Problem } {
  const location = parseLocation(text);
  if (location === null) {
    return {
      kind: "refused",
      problem: toProblem(
        "checklist_evidence_format_invalid",
        `"${text.slice(0, 120)}" names no place`,
        { at, hint: "Give path:line, path:start-end, or path:deleted, :renamed, :mode, :binary." },
      ),
    };
  }
  const resolved = input.toWorktree(location.path);
  if (resolved.kind === "refused") {
    return { kind: "refused", problem: { ...resolved.problem, at } };
  }
  return { kind: "claim", claim: { at, text, location, path: resolved.path } };
}

/** A key that is equal for one place, however its path was written. */
function toKey(location: Location, path: TreePath): string {
  return location.kind === "lines"
    ? `${path}:${location.start}-${location.end}`
    : `${path}:${location.kind}`;
}

async function readFacts(
  input: EvidenceInput,
  paths: readonly TreePath[],
): Promise<ReadonlyMap<string, KnownFile>> {
  const { trees, baselineTree, currentTree } = input;
  if (paths.length === 0) return new Map();
  if (trees === null || baselineTree === null || currentTree === null) {
    return readFactsAlone(input, paths);
  }
  const changes = await trees.changedLines(baselineTree, currentTree, paths);
  const oldNames = new Set([...changes.values()].map(({ change }) => change.from));
  const facts = await Promise.all(paths.map(async (path) => {
    const text = await trees.readText(currentTree, path);
    const isOldName = text === null && oldNames.has(path);
    return [path, toFileFacts(text, changes.get(path), { isOldName })] as const;
  }));
  return new Map(facts);
}

function toFileFacts(
  text: string | null,
  change: LineChanges | undefined,
  options: { readonly isOldName: boolean },
): KnownFile {
  const changed = change?.ranges.map(({ start, end }) => [start, end] as const) ?? [];
  return {
    text,
    created: change?.ranges ?? [],
    exists: text !== null,
    lines: text === null ? 0 : countLines(text),
    // Under its old name, a renamed file is deleted.
    change: options.isOldName ? "deleted" : change?.change.kind ?? null,
    modeChanged: change?.change.modeChanged ?? false,
    isBinary: change?.isBinary ?? false,
    changed,
    removedAt: change?.removals ?? [],
  };
}

/** Number of lines as an editor counts them: a final line break starts no new line. */
function countLines(text: string): number {
  if (text === "") return 0;
  const breaks = text.split("\n").length - 1;
  return text.endsWith("\n") ? breaks : breaks + 1;
}

function readFactsAlone(
  input: EvidenceInput,
  paths: readonly TreePath[],
): ReadonlyMap<string, KnownFile> {
  const facts = paths.map((path) => {
    const absolute = input.toAbsolute(path);
    const bounds = { within: input.toAbsolute("."), maxBytes: LIMITS.checkedFileBytes.value };
    const text = readRegularText(absolute, bounds) ?? null;
    const lines = text === null ? 0 : countLines(text);
    // What changed is not known, so only existence, place and length are checked.
    return [path, {
      text,
      created: [],
      exists: text !== null,
      lines,
      change: text === null ? "deleted" : "modified",
      modeChanged: false,
      isBinary: false,
      changed: [[1, lines]],
      removedAt: [],
    }] as const;
  });
  return new Map<string, KnownFile>(facts);
}
