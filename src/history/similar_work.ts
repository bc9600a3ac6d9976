/**
 * Past commits like a request, and what became of them: taken back, or fixed within days. What is not near is not
 * named, and a young past names nothing. Pure.
 */
import { getOrInsert } from "../base/once.ts";
import type { CommitHistory, FollowedCommit } from "./past.ts";
import { YOUNG_COMMITS } from "./past.ts";
import { formatCount } from "../base/text/plain_text.ts";
import { clipLine } from "../base/text/clip.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { isDocument, isPackageFile } from "../base/text/document_files.ts";
import type { MessageIndex } from "./near_messages.ts";

const known = new WeakMap<CommitHistory, ReadonlyMap<number, number>>();

/** For the place of every commit that is taken back now, the place of the commit that did it. */
export function findReverts(past: CommitHistory): ReadonlyMap<number, number> {
  const made = known.get(past) ?? readReverts(past);
  known.set(past, made);
  return made;
}

function readReverts({ commits }: CommitHistory): ReadonlyMap<number, number> {
  // Most messages say nothing of the kind, and a long past has many.
  const claims = new Map(
    commits.flatMap(({ message }, place) => /evert|eappl/.test(message) ? [[place, message]] : []),
  );
  const reverts = new Map<number, number>();
  if (claims.size === 0) return reverts;
  const names = toNames(commits);
  const bySubject = new Map<string, number[]>();
  // From the newest on, so that it is known of each commit whether it stands before what it says of older ones counts.
  for (const [place, commit] of commits.entries()) {
    const last = reverts.has(place)
      ? undefined
      : bySubject.get(readSubjectLine(commit.message))?.pop();
    if (last !== undefined) reverts.set(place, last);
    const claim = reverts.has(place) ? undefined : claims.get(place);
    if (claim === undefined) continue;
    const ids = readIds(claim);
    const older = ids.flatMap((id) => findById(names, commits, id)).filter((one) => one > place);
    for (const one of older) reverts.set(one, place);
    const subject = readSubject(claim);
    if (older.length > 0 || subject === null) continue;
    // An id that is not here was given before a rebase or elsewhere; its subject says which one only where it is the only one.
    if (ids.length > 0 && names.subjects.get(subject) !== 1) continue;
    bySubject.set(subject, [...bySubject.get(subject) ?? [], place]);
  }
  return reverts;
}

interface Names {
  /** Places by the beginnings of ids. */
  readonly ids: ReadonlyMap<string, readonly number[]>;
  /** How many commits have a subject. */
  readonly subjects: ReadonlyMap<string, number>;
}

function toNames(commits: readonly FollowedCommit[]): Names {
  const ids = new Map<string, number[]>();
  const subjects = new Map<string, number>();
  for (const [place, { id, message }] of commits.entries()) {
    const start = id.slice(0, SHORTEST_ID);
    getOrInsert<string, number[]>(ids, start, () => []).push(place);
    const subject = readSubjectLine(message);
    subjects.set(subject, (subjects.get(subject) ?? 0) + 1);
  }
  return { ids, subjects };
}

/** The place of the commit whose id begins so; empty where none or several do. */
function findById(
  { ids }: Names,
  commits: readonly FollowedCommit[],
  id: string,
): readonly number[] {
  const found = (ids.get(id.slice(0, SHORTEST_ID)) ?? [])
    .filter((place) => commits[place]?.id.startsWith(id) === true);
  return found.length === 1 ? found : [];
}

/** Shortest beginning of an id that messages are read for. */
export const SHORTEST_ID = 7;
const ID = "[0-9a-f]{7,64}\\b(?!\\.\\.)";
/**
 * `This reverts commit ID`, `(reverts ID, ID and ID)`, and `Revert ID` at the begin of a line: what is denied, wished or
 * done in part is no claim.
 */
const REVERTED_IDS = new RegExp(
  "(?:(?<!\\b(?:not|never|longer|which|partly|partially)\\s)\\breverts|(?<!\\w\\n)^[^\\w\\n]{0,8}(?:[\\w()/-]{1,40}: )?revert(?:ed|ing)?)" +
    `(?: the)?(?:\\s+commits?)?:?\\s+(${ID}(?:(?:,|,? and|,? &)\\s+(?:commits? )?${ID})*)`,
  "gim",
);

function readIds(message: string): readonly string[] {
  return [...message.matchAll(REVERTED_IDS)].flatMap(([, list = ""]) =>
    list.toLowerCase().match(/\b[0-9a-f]{7,64}\b/g) ?? []
  );
}

const REVERTED_SUBJECT = /^(?:[\w()/-]+: )?revert:? ["“](.+)["”](?: \(#\d+\))?$/i;
const REAPPLIED_SUBJECT = /^reapply ["“](.+)["”](?: \(#\d+\))?$/i;

/** The subject of the commit that a message takes back by its own subject. */
function readSubject(message: string): string | null {
  const own = readSubjectLine(message);
  const reapplied = REAPPLIED_SUBJECT.exec(own)?.[1];
  if (reapplied !== undefined) return `Revert "${reapplied}"`;
  return REVERTED_SUBJECT.exec(own)?.[1] ?? null;
}

/** The first line of a message. */
export function readSubjectLine(message: string): string {
  return message.split("\n", 1)[0]?.trim() ?? "";
}

/** A past commit in a reply. */
export interface PastWork {
  readonly commit: string;
  /** Day of the commit, `YYYY-MM-DD`. */
  readonly at: string;
  readonly message: string;
  /** Files that it changed and that are there now. */
  readonly files: readonly string[];
  /** How many further files it changed; absent where all are named. */
  readonly more_files?: number;
  /** That it was taken back, or fixed within days. */
  readonly then?: string;
}

const SUBJECT_CHARS = 72;
const SEQUEL_CHARS = 60;
const MAX_TOLD_FILES = 3;
const ID_CHARS = 8;

/**
 * The field `past_work` of a reply; empty where nothing is near. Of commits that do not fit into the bound the last are
 * left out.
 */
export function buildPastFields(
  similar: readonly SimilarCommit[],
  isThere: (path: string) => boolean,
): { readonly past_work?: readonly PastWork[] } {
  const works: PastWork[] = [];
  for (const one of similar) {
    const there = one.commit.paths.filter(isThere).slice(0, MAX_TOLD_FILES);
    // Long paths are counted rather than named where they would take the room of the commit itself.
    const next = [there, there.slice(0, 1), []].map((files) => buildPastWork(one, files))
      .find((work) => countBytes([...works, work]) <= LIMITS.pastWorkBytes.value);
    if (next === undefined) break;
    works.push(next);
  }
  return works.length === 0 ? {} : { past_work: works };
}

function countBytes(works: readonly PastWork[]): number {
  return new TextEncoder().encode(JSON.stringify({ past_work: works })).length;
}

function buildPastWork({ commit, followUp }: SimilarCommit, files: readonly string[]): PastWork {
  const more = commit.changed - files.length;
  return {
    commit: shortenId(commit),
    at: formatDay(commit.atSeconds),
    message: clipLine(readSubjectLine(commit.message), SUBJECT_CHARS),
    files,
    ...(more === 0 ? {} : { more_files: more }),
    ...(followUp === null ? {} : { then: formatFollowUp(followUp) }),
  };
}

/** What followed a commit, in words. */
export function formatFollowUp({ kind, by, days }: FollowUp): string {
  const after = days === 0 ? "the same day" : `${formatCount(days, "day")} later`;
  const what = kind === "reverted" ? "reverted" : "followed by a fix";
  return `${what} ${after}: ${shortenId(by)} ${
    clipLine(readSubjectLine(by.message), SEQUEL_CHARS)
  }`;
}

/** The beginning of a commit's id, by which git finds it. */
export function shortenId({ id }: Pick<FollowedCommit, "id">): string {
  return id.slice(0, ID_CHARS);
}

/** The day of a time, `YYYY-MM-DD`; of one that no calendar has, `unknown`. */
export function formatDay(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? "unknown" : date.toISOString().slice(0, 10);
}

/** A past commit like a request. */
export interface SimilarCommit {
  readonly commit: FollowedCommit;
  /** How much of the request stands in its message, {@link MIN_SHARE} to 1. */
  readonly share: number;
  /** The commit that took it back, or fixed it; null where nothing says so. */
  readonly followUp: FollowUp | null;
}

/** What followed a commit. */
export interface FollowUp {
  readonly kind: "reverted" | "fixed";
  readonly by: FollowedCommit;
  /** Whole days between the two. */
  readonly days: number;
}

/**
 * From this share of the request's words on, rare ones counting more, a message is like it. Of the
 * past commits with 0.4 and more, 54 % share a file with the real commit of that message. Below 0.3
 * it is 38 % (`docs/history.md`, its development split).
 */
export const MIN_SHARE = 0.4;
/** One common word is chance, however rare it is. */
const MIN_COMMON = 2;
/** A commit of more files tells too little about where its message was answered. */
const MAX_FILES = 20;
/** Nearest messages among which is looked. */
const NEAREST = 12;
/** A fix that comes later has mostly another cause (guessed). */
const FIX_DAYS = 7;
const DAY_SECONDS = 86_400;

/** The past commits that are most like a request, the nearest first. */
export function findSimilarWork(
  { past, messages }: { readonly past: CommitHistory; readonly messages: MessageIndex },
  request: string,
  { maxDeeds }: { readonly maxDeeds: number },
): readonly SimilarCommit[] {
  if (past.commits.length < YOUNG_COMMITS) return [];
  return messages.findNear(request, NEAREST)
    .filter(({ commit, share, common }) =>
      share >= MIN_SHARE && common >= MIN_COMMON &&
      commit.paths.length > 0 && commit.changed <= MAX_FILES
    )
    .slice(0, maxDeeds)
    .map(({ commit, share, place }) => ({ commit, share, followUp: findFollowUp(past, place) }));
}

/** The last commits to a file among which is counted what did not hold. */
const LATE_COMMITS = 5;
/** What went wrong longer ago, before the newest commit, says little of the place as it is now (guessed). */
const LATE_DAYS = 365;

/** How many of the last commits to some files, of the last year, did not hold: taken back, or fixed within days. */
export function countFollowUps(past: CommitHistory, paths: readonly string[]): number {
  if (past.commits.length < YOUNG_COMMITS) return 0;
  const places = new Set(
    paths.flatMap((path) => past.byPath.get(path)?.slice(0, LATE_COMMITS) ?? []),
  );
  const since = (past.commits[0]?.atSeconds ?? 0) - LATE_DAYS * DAY_SECONDS;
  return [...places].filter((place) =>
    (past.commits[place]?.atSeconds ?? 0) >= since && findFollowUp(past, place) !== null
  ).length;
}

/** What followed the commit at a place: a revert that stands counts before a fix. */
export function findFollowUp(past: CommitHistory, place: number): FollowUp | null {
  const { commits } = past;
  const commit = commits[place];
  if (commit === undefined) return null;
  const revert = commits[findReverts(past).get(place) ?? -1];
  if (revert !== undefined) return buildFollowUp("reverted", commit, revert);
  for (let at = place - 1; at >= 0; at--) {
    const one = commits[at];
    if (one !== undefined && isFixOf(one, commit, past)) return buildFollowUp("fixed", commit, one);
  }
  return null;
}

function buildFollowUp(
  kind: FollowUp["kind"],
  commit: FollowedCommit,
  by: FollowedCommit,
): FollowUp {
  return {
    kind,
    by,
    days: Math.max(0, Math.floor((by.atSeconds - commit.atSeconds) / DAY_SECONDS)),
  };
}

const FIX = /^(?:(?:bug|hot)?fix(?:e[sd]|up)?|bug fix)\b/i;
const FIXED_ID = /\bfix(?:es|ed|up)?:? (?:commit )?([0-9a-f]{7,64})\b/gi;

/** Whether a commit says that it fixes something. */
export function isFix({ message }: Pick<FollowedCommit, "message">): boolean {
  return FIX.test(message);
}

/** Whether a commit fixes another one: it names it, or it follows within days and is for half about the same work. */
function isFixOf(one: FollowedCommit, commit: FollowedCommit, past: CommitHistory): boolean {
  if (one.message.includes(commit.id.slice(0, SHORTEST_ID))) {
    const ids = [...one.message.matchAll(FIXED_ID)].flatMap(([, id]) => id?.toLowerCase() ?? []);
    if (ids.some((id) => commit.id.startsWith(id))) return true;
  }
  const seconds = one.atSeconds - commit.atSeconds;
  if (seconds < 0 || seconds > FIX_DAYS * DAY_SECONDS || !isFix(one)) return false;
  const beside = one.paths.filter((path) => !tellsWork(path, past));
  const common = one.paths.filter((path) => commit.paths.includes(path) && !beside.includes(path));
  return common.length > 0 && 2 * common.length >= one.changed - beside.length;
}

/** A file that at least this share of the commits changes is common to any two of them (guessed). */
const COMMON_SHARE = 0.25;
/** In a younger past few files stand for the whole work (guessed). */
const COMMON_COMMITS = 100;
/** Logs of changes whose names have no ending; those with one are documents. */
const CHANGELOG = /(?:^|\/)(?:changes?|change[-_]?log|history|news|release[-_]?notes)$/i;

/** Whether a common change of a file tells a common subject, as one of a changelog or of a lock file does not. */
function tellsWork(path: string, { commits, byPath }: CommitHistory): boolean {
  if (isDocument(path) || isPackageFile(path) || CHANGELOG.test(path)) return false;
  return commits.length < COMMON_COMMITS ||
    (byPath.get(path)?.length ?? 0) < COMMON_SHARE * commits.length;
}
