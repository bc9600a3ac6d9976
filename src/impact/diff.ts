/**
 * The working diff as definitions: which functions and types the changed lines are in, and which are gone.
 * Old texts are analysed as the index does, in its threads, which have the grammars loaded.
 */
import { relative } from "node:path";
import { LIMITS } from "../base/settings/limits.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import { waitAtMost } from "../base/clock.ts";
import { argument, call, SAME_CALL, say } from "../base/text/words.ts";
import type { IndexFreshness } from "../explore/explorer.ts";
import type { ExplorerOptions } from "../explore/index_access.ts";
import { waitForIndex } from "../explore/index_access.ts";
import type { OpenRepo } from "../git/private_repository.ts";
import type { CodeIndex } from "../index/index_api.ts";
import type { IndexView, SymbolHit } from "../index/read/view.ts";
import { writeWorktreeTree } from "../git/index/private_index.ts";
import type { Repository } from "../git/repository.ts";
import { readHead, readTree } from "../git/repository.ts";
import type { LineChanges } from "../git/trees/changed_lines.ts";
import { changedLines } from "../git/trees/changed_lines.ts";
import type { Change } from "../git/trees/changes.ts";
import { readBlobText } from "../git/trees/changes.ts";
import { findEnclosing, isVisible } from "./symbol_shape.ts";

/** What the index and git are reached by. */
export interface ImpactAccess extends ExplorerOptions {
  readonly openRepo: OpenRepo;
}

interface CallOptions {
  readonly signal?: AbortSignal;
}

/** The state of the index, or why it cannot answer. */
export type Open =
  | { readonly kind: "open"; readonly freshness: IndexFreshness }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

/** The graph has no other source than the index: half of it would say that nothing depends on a change. */
export async function openGraph(bench: ImpactAccess, options: CallOptions): Promise<Open> {
  const waitMs = LIMITS.longAnswerMs.value;
  const access = await waitForIndex(bench, { ...options, waitMs, needsAll: true });
  if (access.kind === "ready") return { kind: "open", freshness: access.freshness };
  return {
    kind: "refused",
    problems: [makeProblem("index_not_ready", access.notice, {
      hint: access.hint ??
        say`${call("sync_index")}, then ${call("analyze_impact")} again with the same arguments.`,
    })],
  };
}

type Refused = { readonly kind: "refused"; readonly problems: Problem[] };

/** What differs from the last commit, below the project. */
export async function readDiff(
  bench: ImpactAccess,
  options: ReadDiffOptions,
): Promise<readonly ChangedText[] | Refused> {
  const repo = await bench.openRepo();
  if (repo === null) {
    return {
      kind: "refused",
      problems: [makeProblem("no_git", "Cannot read the working diff: the project has no git", {
        at: "diff",
        hint: say`Name the files in \`${argument("target_files")}\` instead.`,
      })],
    };
  }
  const under = relative(repo.worktree, bench.projectRoot).replaceAll("\\", "/");
  const reading = readChangedTexts(repo, { ...options, under, index: bench.index });
  // A process that ends with its answer has nobody who gives the call up.
  return bench.isBrief === true ? await reading : await waitForDiff(reading);
}

/** What is read meanwhile is kept: the next call goes on from there. */
async function waitForDiff(
  reading: Promise<readonly ChangedText[]>,
): Promise<readonly ChangedText[] | Refused> {
  const waitMs = LIMITS.longAnswerMs.value;
  const texts = await waitAtMost(reading, waitMs);
  if (texts !== null) return texts;
  const message = `The working diff is still being read after ${waitMs / 1_000} s: files are large`;
  return {
    kind: "refused",
    problems: [makeProblem("diff_not_ready", message, {
      at: "diff",
      hint: say`${SAME_CALL} again, the reading goes on; or name the files in \`${
        argument("target_files")
      }\`.`,
    })],
  };
}

/** One changed file. */
export interface FileDiff {
  /** Present path; of a file that is gone or renamed away its former one. */
  readonly path: string;
  readonly scope: "whole" | "symbols" | "removed" | "new";
  readonly symbols: readonly SymbolHit[];
}

/** The changes of the working tree, and the definitions that they took away. */
export interface WorkingDiff {
  readonly files: readonly FileDiff[];
  readonly removed: readonly SymbolHit[];
}

/** One changed file as git has it, with its former text where that is needed. */
export interface ChangedText {
  readonly path: string;
  /** Path before; differs from `path` after a rename. */
  readonly from: string;
  readonly changes: LineChanges;
  /** The text of the last commit; null where there was none. */
  readonly former: string | null;
  /** Definitions of the former text. */
  readonly before: readonly SymbolHit[];
}

/** The private git index that the comparison uses, beside those of sessions. */
const INDEX_ID = "impact";
/** What a branch without a commit is compared with: git knows these objects without storing them. */
const EMPTY_TREES = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
} as const;
const MAX_DIFF_FILES = 300;

/** How the working diff is read. */
export interface ReadDiffOptions {
  /** The working tree, where the caller has just read it; by default it is read. */
  readonly seen?: string;
  /** What was read last: the next question about the same two trees takes it. */
  readonly memory?: DiffMemory;
  readonly signal?: AbortSignal;
}

/** The diff of the last question, by its two trees; made by the caller, who asks several times. */
export interface DiffMemory {
  key: string;
  texts: readonly ChangedText[];
}

/** Reads what differs from the last commit, untracked files included; paths are relative to `under`. */
export async function readChangedTexts(
  repo: Repository,
  { under, index, seen, memory, signal }: ReadDiffOptions & {
    readonly under: string;
    readonly index: Pick<CodeIndex, "peek">;
  },
): Promise<readonly ChangedText[]> {
  const { commit } = await readHead(repo);
  const base = commit === null ? EMPTY_TREES[repo.objectFormat] : await readTree(repo, commit);
  const options = { sessionId: INDEX_ID, ...(signal === undefined ? {} : { signal }) };
  const tree = seen ?? (await writeWorktreeTree(repo, options)).tree;
  const key = `${base} ${tree} ${under}`;
  if (memory?.key === key) return memory.texts;
  const changed = await changedLines(repo, base, tree);
  const prefix = under === "" ? "" : `${under}/`;
  const own = [...changed].filter(([path]) => path.startsWith(prefix)).slice(0, MAX_DIFF_FILES);
  using peek = await index.peek();
  const texts = await Promise.all(own.map(async ([path, changes]): Promise<ChangedText> => {
    const { from = path } = changes.change;
    // What came from beside the project is new to it: its former definitions were none of the project's.
    if (!from.startsWith(prefix)) {
      const change: Change = { ...changes.change, kind: "added" };
      return {
        ...samePath(path.slice(prefix.length)),
        changes: { ...changes, change },
        former: null,
        before: [],
      };
    }
    const isRead = changes.change.kind !== "added" && !changes.isBinary;
    const text = isRead ? await readBlobText(repo, base, from) : null;
    const own = from.slice(prefix.length);
    if (text !== null) await peek.addText(text, { path: own });
    const before = text === null ? [] : await peek.read((view) => view.listSymbols(own));
    return { path: path.slice(prefix.length), from: own, changes, former: text, before };
  }));
  if (memory !== undefined) Object.assign(memory, { key, texts });
  return texts;
}

function samePath(path: string): Pick<ChangedText, "path" | "from"> {
  return { path, from: path };
}

/** Puts changed lines and former definitions together with those of the index. */
export function buildWorkingDiff(view: IndexView, texts: readonly ChangedText[]): WorkingDiff {
  const files: FileDiff[] = [];
  const removed: SymbolHit[] = [];
  for (const { path, from, changes, before } of texts) {
    const { kind } = changes.change;
    const isGone = kind === "deleted" || kind === "renamed" && from !== path;
    if (isGone) {
      const symbols = before.filter((hit) => isVisible(hit, before)).map(markRemoved);
      removed.push(...symbols);
      files.push({ path: from, scope: "removed", symbols });
    }
    if (kind === "deleted") continue;
    if (kind === "added") {
      files.push({ path, scope: "new", symbols: [] });
      continue;
    }
    if (changes.isBinary) {
      // Which lines changed is not known: any of its definitions may have.
      files.push({ path, scope: "whole", symbols: [] });
      continue;
    }
    const now = view.listSymbols(path);
    const touched = findTouched(now, changes);
    const gone = isGone ? [] : findRemoved(before, { now, changes }).map(markRemoved);
    removed.push(...gone);
    if (touched.length + gone.length > 0 || !isGone) {
      files.push({ path, scope: "symbols", symbols: [...touched, ...gone] });
    }
  }
  return { files, removed };
}

/** A position that no present definition has, so that the two are never taken for one. */
function markRemoved(hit: SymbolHit): SymbolHit {
  return { ...hit, position: -1 - hit.position, parent: null };
}

/** The innermost definitions of a text that its changed lines are in; those inside of functions count as these. */
export function findTouched(
  now: readonly SymbolHit[],
  changes: Pick<LineChanges, "ranges" | "removals">,
): readonly SymbolHit[] {
  const found = new Set<SymbolHit>();
  const oneLiners = now.filter((hit) => hit.startLine === hit.endLine && isVisible(hit, now));
  const beside = Map.groupBy(oneLiners, ({ startLine }) => startLine);
  const touch = (line: number) => {
    const hit = findEnclosing(now, line);
    if (hit === null) return;
    found.add(hit);
    // Several may stand on one line, and only the line is known to have changed.
    if (hit.startLine !== hit.endLine) return;
    for (const other of beside.get(line) ?? []) if (other.parent === hit.parent) found.add(other);
  };
  for (const { start, end } of changes.ranges) {
    for (let line = start; line <= end; line++) touch(line);
  }
  for (const line of changes.removals) {
    // Lines went out behind this one: inside of a definition only where it goes on after them.
    if (findEnclosing(now, line) === findEnclosing(now, line + 1)) touch(line);
  }
  return [...found];
}

/** Definitions of the old text whose lines changed and whose name the new one has not. */
function findRemoved(
  before: readonly SymbolHit[],
  { now, changes }: { readonly now: readonly SymbolHit[]; readonly changes: LineChanges },
): readonly SymbolHit[] {
  const [older, newer] = [before, now].map((hits) =>
    Map.groupBy(hits, ({ qualifiedName }) => qualifiedName)
  );
  // Of overloads one may be gone: the one whose parameters no present one has.
  const isGone = ({ qualifiedName, signature }: SymbolHit) => {
    const left = newer?.get(qualifiedName) ?? [];
    const isFewer = left.length < (older?.get(qualifiedName)?.length ?? 0);
    return left.length === 0 || isFewer && left.every((hit) => hit.signature !== signature);
  };
  return before.filter((hit) =>
    isVisible(hit, before) && isGone(hit) &&
    changes.hunks.some(({ oldStart, oldCount }) =>
      oldCount > 0 && oldStart <= hit.line && hit.line < oldStart + oldCount
    )
  );
}
