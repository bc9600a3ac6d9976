/**
 * Answers a question from what was learned, and from what past commits with such messages changed; puts both beside what the
 * search of the code found. The index says where learned symbols are now.
 */
import type { RatedFile } from "../../ranking/code_search.ts";
import type { Ranked } from "../../ranking/rank.ts";
import type { KnownHistory } from "../../history/repository_history.ts";
import { buildPastFields, findSimilarWork } from "../../history/similar_work.ts";
import type { ChunkHit, IndexView, SymbolHit } from "../../index/read/view.ts";

/** A file of an answer: searched, learned, or both. */
export interface RankedEntry {
  readonly path: string;
  /** From 0 to 1. */
  readonly score: number;
  /** What the learned term added to the score; 0 without one. */
  readonly boost: number;
  /** Absent of a file that only a learned term leads to. */
  readonly ranked?: Ranked<RatedFile>;
  /** Absent of a file of which nothing was learned. */
  readonly place?: LearnedPlace;
}

/** What a learned term that fits a question wholly adds to the score of its file (guessed: half of the scale). */
const LEARNED_BOOST = 0.5;

/** Files of the search and of the learned terms in one order, best first; each file once. */
export function mergeLearnedPlaces(
  files: readonly Ranked<RatedFile>[],
  places: readonly LearnedPlace[],
): readonly RankedEntry[] {
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
  const searched = files.map((ranked) => liftByLearned(ranked, byPath.get(ranked.item.path)));
  const known = new Set(files.map(({ item }) => item.path));
  const others = [...byPath.values()].filter(({ symbol }) => !known.has(symbol.path))
    .map((place) => liftByLearned(undefined, place));
  return [...searched, ...others].sort((a, b) =>
    b.score - a.score || Number(a.path > b.path) * 2 - 1
  );
}

function liftByLearned(
  ranked: Ranked<RatedFile> | undefined,
  place: LearnedPlace | undefined,
): RankedEntry {
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

/** A file of a past commit, with the chunk that it begins with. */
export interface PastCommitPlace {
  readonly path: string;
  readonly chunk: ChunkHit | undefined;
  readonly score: number;
  /** The commit that led here, as `commit 1a2b3c4d: Add a login form`. */
  readonly from: string;
}

/** Past commits that are asked. */
const MAX_DEEDS = 3;
/** Scores end below those of learned terms that are surely about the question. */
const MOST = 0.6;

/** Files that are in the index, each once, those of the nearest commit first. */
export function findPastPlaces(
  view: IndexView,
  { known, question, covers }: {
    readonly known: KnownHistory | null;
    readonly question: string;
    readonly covers: (path: string) => boolean;
  },
): readonly PastCommitPlace[] {
  if (known === null) return [];
  const similar = findSimilarWork(known, question, { maxDeeds: MAX_DEEDS });
  const places = new Map<string, PastCommitPlace>();
  for (const one of similar) {
    const [work] = buildPastFields([one], () => false).past_work ?? [];
    for (const path of one.commit.paths) {
      if (work === undefined || places.has(path) || !covers(path)) continue;
      if (view.getFile(path) === null) continue;
      const from = `commit ${work.commit}: ${work.message}`;
      places.set(path, { path, chunk: view.listChunks(path)[0], score: MOST * one.share, from });
    }
  }
  return [...places.values()];
}

/** One learned term that fits a question. */
export interface LearnedTerm {
  /** Name of its file. */
  readonly id: string;
  /** 0 to 1; from {@link SURE_SCORE} on it lifts its files. */
  readonly score: number;
  readonly terms: readonly string[];
  /** Names, plain or qualified. */
  readonly symbols: readonly string[];
  /** Where they were when it was learned. */
  readonly files: readonly string[];
}

/** Gives the learned terms that fit a question best. */
export type FindLearnedTerms = (
  question: string,
  options: { readonly maxHits: number },
) => Promise<readonly LearnedTerm[]>;

/** A learned symbol with the chunk that defines it now. */
export interface LearnedPlace {
  readonly learned: LearnedTerm;
  readonly symbol: SymbolHit;
  readonly chunk: ChunkHit;
}

/** From this score of a learned term on, its places stand beside what the search of the code finds: it is surely about the question. */
export const SURE_SCORE = 0.7;

/** The places of learned symbols, in the order of the learned terms; `stale` are those without any. */
export function findLearnedPlaces(
  view: IndexView,
  learned: readonly LearnedTerm[],
): { readonly places: readonly LearnedPlace[]; readonly stale: readonly string[] } {
  const places: LearnedPlace[] = [];
  const stale: string[] = [];
  const seen = new Set<string>();
  for (const hit of learned) {
    const found = hit.symbols.flatMap((name) => findPlaces(view, hit, name));
    if (found.length === 0) stale.push(hit.id);
    for (const place of found) {
      const key = `${place.symbol.path}\n${place.chunk.id}`;
      if (!seen.has(key)) places.push(place);
      seen.add(key);
    }
  }
  return { places, stale };
}

/** Of the names, plain or qualified, those that some file defines now. */
export function findDefinedNames(view: IndexView, names: readonly string[]): ReadonlySet<string> {
  return new Set(names.filter((name) => findHeld(view, name).length > 0));
}

/** The definitions that a name means. */
function findHeld(view: IndexView, name: string): readonly SymbolHit[] {
  const plain = name.split(/::|->|[.#\\]/).at(-1) ?? name;
  const all = view.findSymbols({ name: plain }).hits;
  return plain === name ? all : all.filter(({ qualifiedName }) => isTail(qualifiedName, name));
}

function findPlaces(view: IndexView, learned: LearnedTerm, name: string): LearnedPlace[] {
  const held = findHeld(view, name);
  const known = held.filter(({ path }) => learned.files.includes(path));
  // A symbol may have moved since: then wherever it is now.
  return (known.length > 0 ? known : held).flatMap((symbol) => {
    const chunk = view.listChunks(symbol.path).find(({ startLine, endLine }) =>
      startLine <= symbol.line && symbol.line <= endLine
    );
    return chunk === undefined ? [] : [{ learned, symbol, chunk }];
  });
}

/** Whether the holders of a name are those that it was learned with, whatever stands between them. */
function isTail(qualified: string, name: string): boolean {
  const parts = (text: string) => text.split(/::|->|[.#\\]/).filter((part) => part !== "");
  const [own, wanted] = [parts(qualified), parts(name)];
  return wanted.every((part, at) => own[own.length - wanted.length + at] === part);
}
