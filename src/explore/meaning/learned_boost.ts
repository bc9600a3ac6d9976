/**
 * Puts what was learned beside what the search of the code found: a learned place lifts its file, and no
 * file is left out for it. Pure.
 */
import type { RatedFile } from "../../ranking/code_search.ts";
import type { Ranked } from "../../ranking/rank.ts";
import type { LearnedPlace } from "./map_hits.ts";

/** A file of an answer: searched, learned, or both. */
export interface Lifted {
  readonly path: string;
  /** From 0 to 1. */
  readonly score: number;
  /** What the agreement added to the score; 0 without one. */
  readonly boost: number;
  /** Absent of a file that only an agreement leads to. */
  readonly ranked?: Ranked<RatedFile>;
  /** Absent of a file of which nothing was learned. */
  readonly place?: LearnedPlace;
}

/** What an agreement that fits a question wholly adds to the score of its file (guessed: half of the scale). */
const LEARNED_BOOST = 0.5;

/** Files of the search and of the agreements in one order, best first; each file once. */
export function liftLearned(
  files: readonly Ranked<RatedFile>[],
  places: readonly LearnedPlace[],
): readonly Lifted[] {
  if (places.length === 0) {
    return files.map((ranked) => ({
      path: ranked.item.path,
      score: ranked.score,
      boost: 0,
      ranked,
    }));
  }
  const byPath = new Map<string, LearnedPlace>();
  for (const place of places) {
    const known = byPath.get(place.symbol.path);
    if (known === undefined || place.learned.score > known.learned.score) {
      byPath.set(place.symbol.path, place);
    }
  }
  const searched = files.map((ranked) => toLifted(ranked, byPath.get(ranked.item.path)));
  const known = new Set(files.map(({ item }) => item.path));
  const others = [...byPath.values()].filter(({ symbol }) => !known.has(symbol.path))
    .map((place) => toLifted(undefined, place));
  return [...searched, ...others].sort((a, b) =>
    b.score - a.score || Number(a.path > b.path) * 2 - 1
  );
}

function toLifted(
  ranked: Ranked<RatedFile> | undefined,
  place: LearnedPlace | undefined,
): Lifted {
  const own = ranked?.score ?? 0;
  const score = Math.min(1, own + LEARNED_BOOST * (place?.learned.score ?? 0));
  return {
    path: ranked?.item.path ?? place?.symbol.path ?? "",
    score,
    boost: score - own,
    ...(ranked === undefined ? {} : { ranked }),
    ...(place === undefined ? {} : { place }),
  };
}
