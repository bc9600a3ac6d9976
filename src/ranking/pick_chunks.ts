/**
 * Which chunks of the files that answer a question are shown. Who asks reads some 200 lines, so that the chunks of all
 * files are chosen together: the second best of the first file may say less than the best of the third.
 */
import { foldName } from "../analysis/mod.ts";
import type { ChunkHit, IndexView } from "../index/mod.ts";
import type { RatedFile, ScoredFile } from "./code_search.ts";
import type { NameFacts } from "./content_facts.ts";
import type { QueryForm } from "./query_kind.ts";
import { WINDOW_LINES } from "../word_vectors/mod.ts";

/** Lines that an answer points at, but for a chunk of each file. */
const SHOWN_LINES = 200;
/** Chunks of a file that are looked at, by each way that leads to them. */
const LOOKED_AT = 8;
// What names and meaning add to the words of a chunk: chosen on the made questions of all sixteen repositories.
const NAME_WEIGHT = 0.3;
const NEAR_WEIGHT = 0.1;
const LEAST_DEVIATIONS = -2;

interface ScoredChunk {
  readonly chunk: ChunkHit;
  readonly score: number;
}

/** The chunks of each file that answer a question, best first, and at least one of a file that has any. */
export function pickChunks(
  view: IndexView,
  query: QueryForm,
  files: readonly ScoredFile[],
): ChunkHit[][] {
  const best = files[0]?.score ?? 0;
  const scored = files.map(({ item, score }) =>
    scoreChunks(view, query, item)
      .map((own) => ({ ...own, score: own.score * (best === 0 ? 1 : score / best) }))
  );
  const taken = new Set<number>();
  let lines = 0;
  for (const { chunk } of scored.flat().sort((a, b) => b.score - a.score)) {
    if (lines >= SHOWN_LINES) break;
    lines += chunk.endLine - chunk.startLine + 1;
    taken.add(chunk.number);
  }
  return scored.map((own) =>
    own.map(({ chunk }) => chunk).filter(({ number }, at) => at === 0 || taken.has(number))
  );
}

/** Chunks of a file by their words, the names they define and what they mean; best first. */
function scoreChunks(view: IndexView, query: QueryForm, rated: RatedFile): ScoredChunk[] {
  const { content, chunks } = rated.candidate;
  const words = new Map(chunks.map(({ number, score }) => [number, score]));
  const mostWords = Math.max(Number.MIN_VALUE, ...words.values());
  const names = scoreNames(view, query, rated);
  const asked = findAsked(view, query, rated);
  const near = (rated.near ?? []).toSorted((a, b) => b.deviations - a.deviations);
  const places = rated.nearLine === undefined
    ? near.slice(0, LOOKED_AT).map(({ startLine }) => startLine)
    : [rated.nearLine];
  const numbers = new Set([
    ...asked,
    ...chunks.slice(0, LOOKED_AT).map(({ number }) => number),
    ...names.keys(),
    ...(places.length === 0 ? [1] : places).flatMap((line) =>
      view.findChunkAt(content, line) ?? []
    ),
  ]);
  return view.readChunks([...numbers]).map((chunk) => {
    const windows = near.filter(({ startLine }) =>
      startLine <= chunk.endLine && chunk.startLine < startLine + WINDOW_LINES
    );
    const deviations = Math.max(LEAST_DEVIATIONS, ...windows.map((window) => window.deviations));
    const score = (words.get(chunk.number) ?? 0) / mostWords +
      NAME_WEIGHT * (names.get(chunk.number) ?? 0) +
      NEAR_WEIGHT * (deviations - LEAST_DEVIATIONS);
    return { chunk, score: asked.includes(chunk.number) ? score + ASKED : score };
  }).sort((a, b) => b.score - a.score || a.chunk.startLine - b.chunk.startLine);
}

/** A chunk that defines the name that is asked for comes before all others. */
const ASKED = 3;
const MAX_ASKED = 3;

function findAsked(
  view: IndexView,
  query: QueryForm,
  { candidate: { content, facts } }: RatedFile,
): readonly number[] {
  const names = query.symbol === null ? query.identifiers : [query.symbol.name];
  const holder = foldName(query.symbol?.holders.at(-1) ?? "");
  return names.flatMap((name) => facts.byFolded.get(foldName(name)) ?? [])
    .flatMap(({ definitions }) => definitions)
    .filter((own) => holder === "" || foldName(own.holder ?? "") === holder)
    .slice(0, MAX_ASKED)
    .flatMap(({ line }) => view.findChunkAt(content, line) ?? []);
}

/** How well the best name that a chunk defines is met, by its number: 1 is the best of the file. */
function scoreNames(
  view: IndexView,
  { words }: QueryForm,
  { candidate: { content, facts } }: RatedFile,
): ReadonlyMap<number, number> {
  const stems = new Set(words.map(({ stem }) => stem));
  const toScore = ({ parts }: NameFacts) => {
    const met = parts.filter((part) => stems.has(part)).length;
    return (met / stems.size) * (met / parts.length);
  };
  const met = [...new Set([...stems].flatMap((stem) => facts.byPart.get(stem) ?? []))]
    .map((name) => ({ name, score: toScore(name) }))
    .sort((a, b) => b.score - a.score).slice(0, LOOKED_AT);
  const most = met[0]?.score ?? 1;
  const found = new Map<number, number>();
  for (const { name, score } of met) {
    for (const { line } of name.definitions.slice(0, LOOKED_AT)) {
      const number = view.findChunkAt(content, line);
      if (number !== null && !found.has(number)) found.set(number, score / most);
    }
  }
  return found;
}
