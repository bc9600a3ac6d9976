/**
 * Answers questions about the past itself: of a file or some of its lines who changed it last and why, how often and
 * with what; of many files which change most. Counts come from the past that is kept; git is asked for the rest.
 */
import { formatCount } from "../base/text/plain_text.ts";
import type { ProjectPath, TreePath } from "../base/paths.ts";
import { isGitUnusable } from "../base/errors.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { CommitFacts } from "../git/log/commit_facts.ts";
import {
  blameLines,
  findLastCommit,
  readCommitFacts,
  traceLines,
} from "../git/log/commit_facts.ts";
import type { Repository } from "../git/repository.ts";
import type { LineRange } from "../git/trees/changed_lines.ts";
import { readShallow } from "../git/log/read_log.ts";
import type { CommitHistory, FollowedCommit, Together } from "./past.ts";
import { computeWeight, findChangedTogether, HALF_LIFE } from "./past.ts";
import type { KnownHistory, RepositoryHistory } from "./repository_history.ts";
import { FETCH_ALL } from "./repository_history.ts";
import type { FollowUp } from "./similar_work.ts";
import { findFollowUp, isFix } from "./similar_work.ts";

/** A commit in an answer. */
export interface FileCommit extends CommitFacts {
  /** What followed it; null where nothing says so. */
  readonly followUp: FollowUp | null;
  /** Present lines that come from it, where lines were asked about. */
  readonly lines?: number;
}

/** What is known of the past of a file, or of lines of it. */
export interface FileHistory {
  readonly kind: "file";
  /** Commits that changed the file, of all that are known. Merges and mass commits are not counted. */
  readonly changes: number;
  readonly of: number;
  /** Those that changed the lines; null where no lines were asked about, or git could not say it in time. */
  readonly lineChanges: number | null;
  /** Newest first: of the lines where these were asked about, else of the file. */
  readonly commits: readonly FileCommit[];
  /** Lines that are not committed yet; 0 where no lines were asked about. */
  readonly uncommitted: number;
  /** Of the lines where these were asked about: names of authors with their commits among the last ones, most first. */
  readonly authors: readonly { readonly name: string; readonly commits: number }[];
  /** Among how many last commits the authors are counted; null where these are all. */
  readonly authorsOf: number | null;
  /** Whether lines were asked about and git could say where they come from; else the commits are the file's. */
  readonly isOfLines: boolean;
  /** Commits of the lines or the file by the year in which they were made, oldest first. */
  readonly years: readonly { readonly year: number; readonly commits: number }[];
  /** What changed together with the lines or the file. */
  readonly together: readonly Together[];
  readonly notices: readonly string[];
}

/** A file that changes often. */
export interface HotSpot {
  readonly path: ProjectPath;
  readonly commits: number;
  /** Those of them that say that they fix something. */
  readonly fixes: number;
  /** Seconds since 1970 of the last one. */
  readonly lastSeconds: number;
}

/** Which files change most. */
export interface HotSpots {
  readonly kind: "hot_spots";
  /** Most first: a late commit counts more than an early one, one of few files more than one of many. */
  readonly spots: readonly HotSpot[];
  readonly of: number;
  readonly notices: readonly string[];
}

/** Why nothing can be said. */
export interface NoPast {
  readonly kind: "none";
  readonly reason: string;
}

/** How a question is asked. */
export interface AskOptions {
  readonly signal?: AbortSignal;
}

/** Answers questions about the past of one project. */
export interface HistoryReader {
  /**
   * The past of a file.
   *
   * @param ranges Only where these lines come from; empty for the whole file.
   * @throws {CodeIntelError} `cancelled`.
   */
  readFile(
    path: ProjectPath,
    ranges: readonly LineRange[],
    options?: AskOptions,
  ): Promise<FileHistory | NoPast>;
  /** Which of the files change most. */
  rank(paths: readonly ProjectPath[], options?: AskOptions): Promise<HotSpots | NoPast>;
}

/** What the reader works with. */
export interface PastReaderOptions {
  readonly history: Pick<RepositoryHistory, "refresh">;
  readonly openRepo: () => Promise<Repository | null>;
  /** Longest wait for the reading of the past; default {@link LIMITS}. */
  readonly waitMs?: number;
}

/** Commits of which authors are counted and which are shown. */
const LOOKED = 30;
const SHOWN = 5;
// More than a reply shows, since some may be gone.
const MAX_TOGETHER = 12;
/** A single common commit is chance. */
const MIN_TOGETHER = 2;

/** Makes the reader; nothing is opened before the first question. */
export function createHistoryReader(options: PastReaderOptions): HistoryReader {
  return {
    readFile: async (path, ranges, ask = {}) => {
      const found = await open(options, ask);
      return "kind" in found ? found : await readFile(found, { path, ranges, ...ask });
    },
    rank: async (paths, ask = {}) => {
      const found = await open(options, ask);
      return "kind" in found ? found : buildHotSpots(found.known, paths);
    },
  };
}

interface Opened {
  readonly repo: Repository;
  readonly known: KnownHistory;
}

async function open(
  { history, openRepo, waitMs = LIMITS.longAnswerMs.value }: PastReaderOptions,
  { signal }: AskOptions,
): Promise<Opened | NoPast> {
  const repo = await openRepo().catch((failure) => {
    if (isGitUnusable(failure)) return null;
    throw failure;
  });
  if (repo === null) return { kind: "none", reason: "there is no git repository" };
  // The reading goes on behind the answer where it takes longer, so the signal ends the wait alone.
  const reading = history.refresh();
  reading.catch(() => {});
  const { promise, resolve } = Promise.withResolvers<null>();
  const end = () => resolve(null);
  const timer = setTimeout(end, waitMs);
  signal?.addEventListener("abort", end);
  try {
    const report = await Promise.race([reading, promise]);
    signal?.throwIfAborted();
    if (report === null) {
      return { kind: "none", reason: "it is still being read: ask again in a moment" };
    }
    return report.kind === "none" ? report : { repo, known: report.known };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

async function readFile(
  { repo, known }: Opened,
  { path, ranges, signal }: AskOptions & {
    readonly path: ProjectPath;
    readonly ranges: readonly LineRange[];
  },
): Promise<FileHistory> {
  const { past } = known;
  const git = { timeoutMs: LIMITS.answerPartMs.value, ...(signal === undefined ? {} : { signal }) };
  const places = past.byPath.get(path) ?? [];
  const named: string = repo.openedFor === "" ? path : `${repo.openedFor}/${path}`;
  const treePath: TreePath = named;
  const shallow = readShallow(repo);
  const [blamed, last, traced] = await Promise.all([
    ranges.length === 0 ? [] : blameLines(repo, treePath, ranges, git),
    findLastCommit(repo, treePath, git),
    ranges.length === 0 ? null : traceLines(repo, treePath, ranges, git),
  ]);
  const ofLines = traced === null ? null : new Set(traced);
  const meant = places.filter((place) => ofLines?.has(past.commits[place]?.id ?? "") ?? true);
  const commits = meant.flatMap((place) => past.commits[place] ?? []);
  const lines = new Map(
    (blamed ?? []).flatMap((one) => one.commit === null ? [] : [[one.commit, one.lines] as const]),
  );
  const newest = commits.slice(0, LOOKED).map(({ id }) => id);
  const own = ranges.length > 0 && blamed !== null
    ? [...lines.keys()]
    : [...new Set([...last === null ? [] : [last], ...newest])].slice(0, LOOKED);
  const facts = await readCommitFacts(repo, [...new Set([...own, ...newest])], git);
  // The oldest commit of a shallow clone looks as if it had made every file.
  const shown = own.filter((id) => !shallow.has(id)).flatMap((id) => facts.get(id) ?? []);
  if (lines.size > 0) {
    const ages = new Map(shown.map((one) => [one, findAge(past, one)]));
    shown.sort((a, b) => (ages.get(a) ?? 0) - (ages.get(b) ?? 0));
  }
  return {
    kind: "file",
    changes: places.length,
    of: past.commits.length,
    lineChanges: ofLines === null ? null : commits.length,
    commits: shown.slice(0, SHOWN).map((one) => ({
      ...one,
      followUp: findFollowUpOf(past, one.id),
      ...(lines.has(one.id) ? { lines: lines.get(one.id) ?? 0 } : {}),
    })),
    uncommitted: blamed?.find(({ commit }) => commit === null)?.lines ?? 0,
    authors: countAuthors(newest.flatMap((id) => facts.get(id) ?? [])),
    authorsOf: commits.length > newest.length ? newest.length : null,
    isOfLines: ranges.length > 0 && blamed !== null,
    years: countYears(commits),
    together: findChangedTogether(past, [path], { places: meant }).filter(({ times }) =>
      times >= MIN_TOGETHER
    )
      .slice(0, MAX_TOGETHER),
    notices: listNotices(known, { last, places, blamed, isCut: own.some((id) => shallow.has(id)) }),
  };
}

/** Place of a commit in the past, which no wrong clock changes; of one that is not counted the place for its time. */
function findAge({ commits }: CommitHistory, { id, atSeconds }: CommitFacts): number {
  const place = commits.findIndex((commit) => commit.id === id);
  if (place >= 0) return place;
  const older = commits.findIndex((commit) => commit.atSeconds <= atSeconds);
  return older < 0 ? commits.length : older - 0.5;
}

function findFollowUpOf(past: CommitHistory, id: string): FollowUp | null {
  const place = past.commits.findIndex((commit) => commit.id === id);
  return place < 0 ? null : findFollowUp(past, place);
}

function countAuthors(facts: readonly CommitFacts[]): FileHistory["authors"] {
  const counts = new Map<string, number>();
  for (const { author } of facts) counts.set(author, (counts.get(author) ?? 0) + 1);
  return [...counts].map(([name, commits]) => ({ name, commits }))
    .sort((a, b) => b.commits - a.commits || (a.name < b.name ? -1 : 1)).slice(0, SHOWN);
}

function countYears(commits: readonly FollowedCommit[]): FileHistory["years"] {
  const counts = new Map<number, number>();
  for (const { atSeconds } of commits) {
    const year = new Date(atSeconds * 1000).getUTCFullYear();
    if (!Number.isNaN(year)) counts.set(year, (counts.get(year) ?? 0) + 1);
  }
  return [...counts].map(([year, commits]) => ({ year, commits })).sort((a, b) => a.year - b.year);
}

/** What the answer does not know. */
function listNotices(
  known: KnownHistory,
  { last, places, blamed, isCut }: {
    readonly last: string | null;
    /** Of the commits that changed the file. */
    readonly places: readonly number[];
    readonly blamed: readonly unknown[] | null;
    readonly isCut: boolean;
  },
): readonly string[] {
  const { past } = known;
  const isCounted = last === null || isCut ||
    places.some((place) => past.commits[place]?.id === last);
  return [
    ...(last === null && places.length === 0
      ? [
        "No commit on this branch changed a file of this name: it is new, ignored, or was moved since.",
      ]
      : []),
    ...(blamed === null
      ? [
        "Git could not say where these lines come from (there are none, it took too long, or a partial clone lacks them): this is about the file.",
      ]
      : []),
    ...(isCut
      ? ["Who made the oldest part is not known: it lies before the begin of this shallow clone."]
      : []),
    ...(isCounted ? [] : [
      `Merges and commits of more than ${LIMITS.historyFiles.value} files are not counted, the last one among them.`,
    ]),
    ...listBounds(known),
  ];
}

function listBounds({ past, isShallow, isPartial }: KnownHistory): readonly string[] {
  const { commits, isCut, openMoves = 0 } = past;
  const lacks = isPartial === true
    ? `this partial clone lacks contents of them, which ${FETCH_ALL} brings`
    : "contents of them are damaged, which `git fsck` names";
  const moves = openMoves === 0 ? [] : [
    `Whether ${
      formatCount(openMoves, "commit", "commits")
    } moved files is not known, so older changes of moved files may be missing: ${lacks}.`,
  ];
  if (isShallow) return [...moves, "This clone is shallow: older commits are not known."];
  if (!isCut) return moves;
  const last = `Only the last ${formatCount(commits.length, "commit is", "commits are")} known`;
  return [
    ...moves,
    isPartial === true
      ? `${last}; where a partial clone lacks older ones, ${FETCH_ALL} brings them.`
      : `${last}.`,
  ];
}

function buildHotSpots(
  known: KnownHistory,
  paths: readonly ProjectPath[],
): HotSpots {
  const { past } = known;
  const spots = paths.flatMap((path) => {
    const places = past.byPath.get(path) ?? [];
    const commits = places.flatMap((place) => past.commits[place] ?? []);
    const [newest] = commits;
    if (newest === undefined) return [];
    const weight = places.reduce(
      (sum, place) => sum + computeWeight(past.commits[place]?.changed ?? 1, place, HALF_LIFE),
      0,
    );
    const fixes = commits.filter(isFix).length;
    const spot = { path, commits: commits.length, fixes, lastSeconds: newest.atSeconds };
    return [{ spot, weight }];
  });
  spots.sort((a, b) => b.weight - a.weight || (a.spot.path < b.spot.path ? -1 : 1));
  return {
    kind: "hot_spots",
    spots: spots.map(({ spot }) => spot),
    of: past.commits.length,
    notices: listBounds(known),
  };
}
