/** Compares the evidence of a report with what the session changed on the disk. */
import type { Problem } from "../base/problem.ts";
import { toProblem } from "../base/problem.ts";
import type { LineChanges, Repository } from "../git/mod.ts";
import { changedLines, readBlobText } from "../git/mod.ts";
import type { FileFacts, Location } from "./location.ts";
import { checkDistinct, checkLocation, parseLocation } from "./location.ts";

/** What evidence is compared with. */
export interface EvidenceInput {
  /** Null without git: then only place and length of the file are checked. */
  readonly repo: Repository | null;
  readonly toWorktree: (
    path: string,
  ) => { readonly kind: "path"; readonly path: string } | {
    readonly kind: "refused";
    readonly problem: Problem;
  };
  readonly toAbsolute: (path: string) => string;
  readonly baselineTree: string | null;
  readonly currentTree: string | null;
}

/** One item of a report, as far as its evidence goes. */
export interface ReportedItem {
  readonly item: string;
  readonly status: string;
  readonly evidence?: string | null | undefined;
}

interface Claim {
  readonly at: string;
  readonly text: string;
  readonly location: Location;
  /** Path relative to the worktree. */
  readonly path: string;
}

/** Everything that speaks against the evidence of a report, all at once. */
export async function checkEvidence(
  input: EvidenceInput,
  checklist: readonly ReportedItem[],
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const claims: Claim[] = [];
  checklist.forEach((item, index) => {
    const text = (item.evidence ?? "").trim();
    if (item.status !== "done" || text === "") return;
    const claim = toClaim(input, text, `data.checklist[${index}].evidence`);
    if (claim.kind === "claim") claims.push(claim.claim);
    else problems.push(claim.problem);
  });
  problems.push(
    ...checkDistinct(claims.map(({ at, location, path }) => ({ at, text: toKey(location, path) }))),
  );
  const facts = await readFacts(input, [...new Set(claims.map(({ path }) => path))]);
  for (const { at, location, path } of claims) {
    const file = facts.get(path);
    if (file !== undefined) problems.push(...checkLocation(location, file, at));
  }
  return problems;
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

/** One text for one place, however its path was written. */
function toKey(location: Location, path: string): string {
  return location.kind === "lines"
    ? `${path}:${location.start}-${location.end}`
    : `${path}:${location.kind}`;
}

async function readFacts(
  input: EvidenceInput,
  paths: readonly string[],
): Promise<ReadonlyMap<string, FileFacts>> {
  const { repo, baselineTree, currentTree } = input;
  if (paths.length === 0) return new Map();
  if (repo === null || baselineTree === null || currentTree === null) {
    return await readFactsWithoutGit(input, paths);
  }
  const changes = await changedLines(repo, baselineTree, currentTree, paths);
  const oldNames = new Set([...changes.values()].map(({ change }) => change.from));
  const facts = await Promise.all(paths.map(async (path) => {
    const text = await readBlobText(repo, currentTree, path);
    const isOldName = text === null && oldNames.has(path);
    return [path, toFileFacts(text, changes.get(path), { isOldName })] as const;
  }));
  return new Map(facts);
}

function toFileFacts(
  text: string | null,
  change: LineChanges | undefined,
  options: { readonly isOldName: boolean },
): FileFacts {
  return {
    exists: text !== null,
    lines: text === null ? 0 : countLines(text),
    // A file that got another name is gone from its old one.
    change: options.isOldName ? "deleted" : change?.change.kind ?? null,
    modeChanged: change?.change.modeChanged ?? false,
    isBinary: change?.isBinary ?? false,
    changed: change?.ranges.map(({ start, end }) => [start, end] as const) ?? [],
    removedAt: change?.removals ?? [],
  };
}

/** Number of lines as an editor counts them: a final line break opens no line. */
function countLines(text: string): number {
  if (text === "") return 0;
  const breaks = text.split("\n").length - 1;
  return text.endsWith("\n") ? breaks : breaks + 1;
}

async function readFactsWithoutGit(
  input: EvidenceInput,
  paths: readonly string[],
): Promise<ReadonlyMap<string, FileFacts>> {
  const facts = await Promise.all(paths.map(async (path) => {
    const text = await Deno.readTextFile(input.toAbsolute(path)).catch(() => null);
    const lines = text === null ? 0 : countLines(text);
    // Without git nobody knows what changed: being there, place and length are all that is checked.
    return [path, {
      exists: text !== null,
      lines,
      change: text === null ? "deleted" : "modified",
      modeChanged: false,
      isBinary: false,
      changed: [[1, lines]],
      removedAt: [],
    }] as const;
  }));
  return new Map<string, FileFacts>(facts);
}
