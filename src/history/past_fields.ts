/** What a reply says of past commits like a request, within a bound of bytes. It depends on its arguments alone. */
import { toCountText } from "../base/text/plain_text.ts";
import { clipLine } from "../base/text/clip.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { Deed } from "./past.ts";
import type { Sequel, SimilarDeed } from "./similar_work.ts";
import { toSubject } from "./reverts.ts";

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
  /** That it was taken back, or mended within days. */
  readonly then?: string;
}

const SUBJECT_CHARS = 72;
const SEQUEL_CHARS = 60;
const MAX_FILES = 3;
const ID_CHARS = 8;

/**
 * The field `past_work` of a reply; empty where nothing is near. Of commits that do not fit into the bound the last are
 * left out.
 */
export function toPastFields(
  similar: readonly SimilarDeed[],
  isThere: (path: string) => boolean,
): { readonly past_work?: readonly PastWork[] } {
  const works: PastWork[] = [];
  for (const one of similar) {
    const there = one.deed.paths.filter(isThere).slice(0, MAX_FILES);
    // Long paths are counted rather than named where they would take the room of the commit itself.
    const next = [there, there.slice(0, 1), []].map((files) => toPastWork(one, files))
      .find((work) => toBytes([...works, work]) <= LIMITS.pastWorkBytes.value);
    if (next === undefined) break;
    works.push(next);
  }
  return works.length === 0 ? {} : { past_work: works };
}

function toBytes(works: readonly PastWork[]): number {
  return new TextEncoder().encode(JSON.stringify({ past_work: works })).length;
}

function toPastWork({ deed, sequel }: SimilarDeed, files: readonly string[]): PastWork {
  const more = deed.changed - files.length;
  return {
    commit: toShortId(deed),
    at: toDay(deed.atSeconds),
    message: clipLine(toSubject(deed.message), SUBJECT_CHARS),
    files,
    ...(more === 0 ? {} : { more_files: more }),
    ...(sequel === null ? {} : { then: toThen(sequel) }),
  };
}

/** What followed a commit, in words. */
export function toThen({ kind, by, days }: Sequel): string {
  const after = days === 0 ? "the same day" : `${toCountText(days, "day")} later`;
  const what = kind === "reverted" ? "reverted" : "followed by a fix";
  return `${what} ${after}: ${toShortId(by)} ${clipLine(toSubject(by.message), SEQUEL_CHARS)}`;
}

/** The beginning of a commit's id, by which git finds it. */
export function toShortId({ id }: Pick<Deed, "id">): string {
  return id.slice(0, ID_CHARS);
}

/** The day of a time, `YYYY-MM-DD`; of one that no calendar has, `unknown`. */
export function toDay(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? "unknown" : date.toISOString().slice(0, 10);
}
