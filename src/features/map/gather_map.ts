/** Gathers the map of a project: files, definitions and links from the index, changes from the past, and the session's own. */
import type { CodeMap, MapFile, MapLink } from "./code_map.ts";
import { MAP_FORMAT, MOST_SYMBOLS } from "./code_map.ts";
import { getOrInsert } from "../../base/once.ts";
import { formatCount } from "../../base/text/plain_text.ts";
import { basename } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { DAY_MS } from "../../base/clock.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { findNearest } from "../../base/text/nearest.ts";
import type { KnownHistory, RepositoryHistory } from "../../history/repository_history.ts";
import { formatExtent } from "../../index/seen_runs.ts";
import type { IndexView, OutlineRow } from "../../index/read/view.ts";
import type { FactStore } from "../../resolve/fact_store.ts";
import { createSeenTests } from "../../services/seen_tests.ts";
import type { Services } from "../../services/services_api.ts";
import { listChangedFiles } from "../../services/session_changes.ts";
import { findLinks } from "./find_links.ts";

/**
 * Groups of nodes that lead to one another (strongly connected components of two or more). Tarjan's
 * algorithm finds them without recursion, so that a long chain of imports costs no stack.
 *
 * @param targets for each node, the nodes that it leads to.
 * @returns the groups, the largest first; the nodes of a group rise.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as equal } from "node:assert/strict";
 * import { findCycles } from "./gather_map.ts";
 * equal(findCycles([[1], [2], [1], []]), [[1, 2]]);
 * ```
 */
export function findCycles(targets: readonly (readonly number[])[]): readonly number[][] {
  const order = new Int32Array(targets.length).fill(-1);
  const low = new Int32Array(targets.length);
  const isOpen = new Uint8Array(targets.length);
  const open: number[] = [];
  const groups: number[][] = [];
  let next = 0;
  const enter = (node: number) => {
    order[node] = low[node] = next++;
    isOpen[node] = 1;
    open.push(node);
    return { node, at: 0 };
  };
  const lower = (node: number, value: number) => low[node] = Math.min(low[node] ?? 0, value);
  for (let root = 0; root < targets.length; root++) {
    if (order[root] !== -1) continue;
    const walk = [enter(root)];
    for (let step = walk.at(-1); step !== undefined; step = walk.at(-1)) {
      const { node } = step;
      const target = targets[node]?.[step.at++];
      if (target !== undefined) {
        if (order[target] === -1) walk.push(enter(target));
        else if (isOpen[target] === 1) lower(node, order[target] ?? 0);
        continue;
      }
      walk.pop();
      const before = walk.at(-1);
      if (before !== undefined) lower(before.node, low[node] ?? 0);
      if (low[node] !== order[node]) continue;
      const group = open.splice(open.lastIndexOf(node));
      for (const one of group) isOpen[one] = 0;
      if (group.length > 1) groups.push(group.toSorted((a, b) => a - b));
    }
  }
  return groups.toSorted((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0));
}

/** A folder, or a file where it is as large as one. */
export interface FolderRow {
  /** Relative to the project; a folder ends with `/`. */
  readonly path: string;
  readonly files: number;
  readonly lines: number;
  /** Commits of the last year that changed its files, each counted for each of them; null where they are not known. */
  readonly changes: number | null;
}

/**
 * At most `most` rows that share all files among them: the largest folder is split into what it holds as long as there is
 * room.
 */
export function listFolders(files: readonly MapFile[], most: number): readonly FolderRow[] {
  let rows: readonly Group[] = split({ path: "", files });
  for (;;) {
    const [largest] = rows.filter(holdsFolders).toSorted((a, b) => countLines(b) - countLines(a));
    const parts = largest === undefined ? [] : split(largest);
    if (largest === undefined || rows.length + parts.length - 1 > most) break;
    rows = rows.flatMap((row) => row === largest ? parts : [row]);
  }
  return rows.map((row) => ({
    path: row.path,
    files: row.files.length,
    lines: countLines(row),
    changes: row.files.some(({ changes }) => changes === null)
      ? null
      : row.files.reduce((sum, { changes }) => sum + (changes ?? 0), 0),
  })).toSorted((a, b) => b.lines - a.lines || (a.path < b.path ? -1 : 1));
}

interface Group {
  readonly path: string;
  readonly files: readonly MapFile[];
}

function isFolder({ path }: Group): boolean {
  return path.endsWith("/");
}

function holdsFolders({ path, files }: Group): boolean {
  return isFolder({ path, files }) && files.some((file) => file.path.includes("/", path.length));
}

function split({ path, files }: Group): readonly Group[] {
  const groups = Map.groupBy(files, (file) => {
    const end = file.path.indexOf("/", path.length);
    return end < 0 ? file.path : file.path.slice(0, end + 1);
  });
  const parts = [...groups].map(([name, own]) => ({ path: name, files: own }));
  // Files beside one another are one row: their folder says enough about them.
  const loose = parts.filter((part) => !isFolder(part));
  if (loose.length < 2) return parts;
  const rest = { path: `${path}*`, files: loose.flatMap((part) => part.files) };
  return [...parts.filter(isFolder), rest];
}

function countLines({ files }: Group): number {
  return files.reduce((sum, { lines }) => sum + lines, 0);
}

/** What a map is gathered from. */
export interface MapDeps extends Pick<Services, "sessions" | "parts" | "openRuns" | "index"> {
  readonly facts: Pick<FactStore, "ask">;
  readonly history: Pick<RepositoryHistory, "refresh">;
  readonly clock: Clock;
}

/** What is wanted. */
export interface MapOptions {
  /** A folder or file of the project, with `/`; default `.`, all of it. */
  readonly path?: string;
  readonly signal?: AbortSignal;
}

/** A map, or why there is none. */
export type MapResult =
  | { readonly kind: "map"; readonly map: CodeMap }
  | { readonly kind: "refused"; readonly problem: Problem };

/** Makes maps; nothing is read before the first question. */
export type ReadMap = (options?: MapOptions) => Promise<MapResult>;

/** Makes the reader. */
export function createMapReader(deps: MapDeps): ReadMap {
  return async ({ path = ".", signal } = {}) => {
    const { pendingTotal, builder } = await deps.index.ensureFresh({ isBrief: true });
    // A picture with holes says wrong things about the rest, so it waits for the whole index.
    if (pendingTotal > 0 || builder !== undefined) {
      await deps.index.sync(signal === undefined ? {} : { signal });
    }
    const [code, past, session] = await Promise.all([
      readCode(deps, path, signal),
      readPast(deps, signal),
      listChangedFiles(deps),
    ]);
    if (code.files.length === 0) {
      return { kind: "refused", problem: makeNothingProblem(path, code.known) };
    }
    const { changes, ...told } = past;
    const { counts, ...recorded } = await readSeen(deps, code.files);
    const changed = new Set(session?.paths);
    return {
      kind: "map",
      map: {
        format: MAP_FORMAT,
        project: basename(deps.parts.projectRoot),
        path,
        files: code.files.map((file) => ({
          ...file,
          ...toSeen(counts?.get(file.path)),
          changes: changes === null ? null : changes.get(file.path) ?? 0,
          in_session: changed.has(file.path),
        })),
        links: code.links,
        cycles: code.cycles,
        session: session?.id ?? null,
        ...told,
        ...recorded,
      },
    };
  };
}

function readCode({ facts }: MapDeps, path: string, signal: AbortSignal | undefined) {
  return facts.ask((view, open) => {
    const known = view.listFiles();
    const outlines = view.listOutlines();
    const numbers = view.listFileNumbers();
    const isShown = buildFilter(path);
    const links = findLinks({ view, facts: open(), outlines });
    const shown = known.filter((file) => isShown(file.path));
    const toOutline = readOutlines(view, outlines);
    return {
      known,
      files: shown.map((file) => ({
        ...{ path: file.path, lines: file.lineCount, language: file.language },
        ...toOutline(numbers.get(file.path)),
      })),
      links: links.filter(({ from, to }) => isShown(from) && isShown(to)),
      cycles: listCycles(known, links).filter((group) => group.some(isShown)),
    };
  }, signal === undefined ? {} : { signal });
}

/** What the records of runs say of the files; nothing where no run was recorded. */
async function readSeen(deps: MapDeps, files: readonly { readonly path: string }[]) {
  const find = createSeenTests(deps, LIMITS.longAnswerMs.value);
  const [answer] = await find([{ files: files.map(({ path }) => path) }]) ?? [];
  if (answer === undefined) return {};
  const counts = new Map<string, { functions: number; not_run: number }>();
  for (const [at, { path }] of answer.names.entries()) {
    const seen = answer.functions[at]?.seen;
    if (seen === undefined || seen === "not recorded") continue;
    const count = getOrInsert(counts, path, () => ({ functions: 0, not_run: 0 }));
    count.functions++;
    if (seen === "not run") count.not_run++;
  }
  return { counts, recorded: formatExtent(answer.extent) };
}

function toSeen(seen: MapFile["seen"]): Pick<MapFile, "seen"> {
  return seen === undefined ? {} : { seen };
}

function buildFilter(path: string): (file: string) => boolean {
  return path === "." ? () => true : (file) => file === path || file.startsWith(`${path}/`);
}

/** Gives the definitions of a file, by its number. */
function readOutlines(
  view: Pick<IndexView, "readNames">,
  outlines: readonly OutlineRow[],
): (file: number | undefined) => Pick<MapFile, "symbols" | "symbols_total"> {
  const byFile = Map.groupBy(outlines, ({ file }) => file);
  const names = view.readNames(new Set(outlines.flatMap(({ name, kind }) => [name, kind])));
  return (file) => {
    const own = byFile.get(file ?? 0) ?? [];
    const symbols = own.slice(0, MOST_SYMBOLS).map(({ name, kind, line }) => ({
      name: names.get(name) ?? "",
      kind: names.get(kind) ?? "",
      line,
    }));
    return { symbols, symbols_total: own.length };
  };
}

/** Circles of imports alone: files of one package call one another as they like. */
function listCycles(
  files: ReturnType<IndexView["listFiles"]>,
  links: readonly MapLink[],
): readonly (readonly string[])[] {
  const places = new Map(files.map(({ path }, place) => [path, place]));
  const targets: number[][] = files.map(() => []);
  for (const { from, to, by } of links) {
    const [source, target] = [places.get(from), places.get(to)];
    if (by !== "import" || source === undefined || target === undefined) continue;
    targets[source]?.push(target);
  }
  return findCycles(targets).map((group) => group.map((place) => files[place]?.path ?? ""));
}

const YEAR_DAYS = 365;

/** What is known of the past, and how far. */
type Told = Pick<CodeMap, "past" | "notices"> & {
  /** Commits of the last year, by path; null where the past is not known. */
  readonly changes: ReadonlyMap<string, number> | null;
};

async function readPast(
  { history, clock }: MapDeps,
  signal: AbortSignal | undefined,
): Promise<Told> {
  const report = await history.refresh(signal === undefined ? {} : { signal });
  if (report.kind === "none") {
    return {
      changes: null,
      past: null,
      notices: [`Changes are not shown: ${report.reason}.`],
    };
  }
  return countChanges(report.known, clock.now().getTime() - YEAR_DAYS * DAY_MS);
}

function countChanges({ past, isShallow }: KnownHistory, sinceMs: number): Told {
  const changes = new Map<string, number>();
  const commits = past.commits.filter(({ atSeconds }) => atSeconds * 1000 >= sinceMs);
  for (const { paths } of commits) {
    for (const path of paths) changes.set(path, (changes.get(path) ?? 0) + 1);
  }
  const isCut = past.isCut && commits.length === past.commits.length;
  return {
    changes,
    past: { since: new Date(sinceMs).toISOString(), commits: commits.length },
    notices: isCut
      ? [
        isShallow
          ? "The clone is shallow: older commits of the last year are not counted."
          : `Only the last ${formatCount(commits.length, "commit is", "commits are")} counted.`,
      ]
      : [],
  };
}

function makeNothingProblem(path: string, known: ReturnType<IndexView["listFiles"]>): Problem {
  if (path === ".") {
    return makeProblem("nothing_indexed", "The index has no file of this project", {
      hint: "`code-intel doctor` says which folders are read and what is left out.",
    });
  }
  const folders = new Set(known.flatMap((file) => ancestorsOf(file.path)));
  const near = findNearest(path, [...folders, ...known.map((file) => file.path)]);
  return makeProblem("path_not_found", `The index has no file at or below "${path}"`, {
    hint: near.length === 0
      ? "Leave the path out for the whole project; it is relative to the project's folder."
      : `Did you mean ${near.join(" or ")}?`,
  });
}

function ancestorsOf(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}
