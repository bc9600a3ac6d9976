/**
 * Which chunks of the files that answer a question are shown. Who asks reads some 200 lines, so that the chunks of all
 * files are chosen together: the second best of the first file may say less than the best of the third.
 */
import { foldName } from "../analysis/tokens.ts";
import type { ChunkHit, IndexView } from "../index/read/view.ts";
import type { RatedFile, ScoredFile } from "./code_search.ts";
import type { NameFacts } from "./content_facts.ts";
import { WHOLE_PATH } from "./features.ts";
import type { QueryForm } from "./query_kind.ts";
import { WINDOW_LINES } from "../word_vectors/window_vectors.ts";

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
  const lookups = files.map(({ item }) => buildLookup(query, item));
  const found = findLines(view, lookups);
  const numbers = lookups.map((lookup) => listNumbers(lookup, found));
  const chunks = new Map(
    view.readChunks([...new Set(numbers.flat())])
      .map((chunk) => [chunk.number, chunk]),
  );
  const scored = files.map(({ score }, at) => {
    const own = (numbers[at] ?? []).flatMap((number) => chunks.get(number) ?? []);
    const lookup = lookups[at];
    return lookup === undefined ? [] : scoreChunks(lookup, own, found)
      .map((one) => ({ ...one, score: one.score * (best === 0 ? 1 : score / best) }));
  });
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

/** What leads to chunks of a file, by the lines where they are. */
interface Lookup {
  readonly rated: RatedFile;
  /** Lines that define what is asked for. */
  readonly asked: readonly number[];
  /** Lines that define names which are met, with how well. */
  readonly named: readonly NamedLine[];
  /** Lines of the windows that mean most. */
  readonly places: readonly number[];
  readonly near: NonNullable<RatedFile["near"]>;
}

interface NamedLine {
  readonly line: number;
  /** 1 is the best of the file. */
  readonly score: number;
}

/** Numbers of chunks by content and line. */
type FoundLines = (rated: RatedFile, line: number) => number | null;

function buildLookup(query: QueryForm, rated: RatedFile): Lookup {
  const near = (rated.near ?? []).toSorted((a, b) => b.deviations - a.deviations);
  const places = rated.nearLine === undefined
    ? near.slice(0, LOOKED_AT).map(({ startLine }) => startLine)
    : [rated.nearLine];
  return {
    rated,
    asked: findAsked(query, rated),
    named: scoreNames(query, rated),
    places: places.length === 0 ? [1] : places,
    near,
  };
}

/** The chunks of all lines at once. */
function findLines(view: IndexView, lookups: readonly Lookup[]): FoundLines {
  const places = lookups.flatMap(({ rated, asked, named, places }) =>
    [...asked, ...named.map(({ line }) => line), ...places]
      .map((line) => ({ content: rated.candidate.content, line }))
  );
  const toKey = (content: number, line: number) => `${content}:${line}`;
  const unlike = [
    ...new Map(places.map((place) => [toKey(place.content, place.line), place])).values(),
  ];
  const numbers = view.findChunksAt(unlike);
  const found = new Map(
    unlike.map(({ content, line }, at) => [toKey(content, line), numbers[at] ?? null]),
  );
  return ({ candidate: { content } }, line) => found.get(toKey(content, line)) ?? null;
}

/** The chunks of a file that are looked at, each once. */
function listNumbers({ rated, asked, named, places }: Lookup, found: FoundLines): number[] {
  const at = (line: number) => found(rated, line) ?? [];
  return [
    ...new Set([
      ...asked.flatMap(at),
      ...rated.candidate.chunks.slice(0, LOOKED_AT).map(({ number }) => number),
      ...named.flatMap(({ line }) => at(line)),
      ...places.flatMap(at),
    ]),
  ];
}

/** Chunks of a file by their words, the names they define and what they mean; best first. */
function scoreChunks(
  { rated, asked, named, near }: Lookup,
  chunks: readonly ChunkHit[],
  found: FoundLines,
): ScoredChunk[] {
  const words = new Map(rated.candidate.chunks.map(({ number, score }) => [number, score]));
  const mostWords = Math.max(Number.MIN_VALUE, ...words.values());
  const askedNumbers = new Set(asked.map((line) => found(rated, line)));
  const names = new Map<number, number>();
  for (const { line, score } of named) {
    const number = found(rated, line);
    if (number !== null && !names.has(number)) names.set(number, score);
  }
  return chunks.map((chunk) => {
    const windows = near.filter(({ startLine }) =>
      startLine <= chunk.endLine && chunk.startLine < startLine + WINDOW_LINES
    );
    const deviations = Math.max(LEAST_DEVIATIONS, ...windows.map((window) => window.deviations));
    const score = (words.get(chunk.number) ?? 0) / mostWords +
      NAME_WEIGHT * (names.get(chunk.number) ?? 0) +
      NEAR_WEIGHT * (deviations - LEAST_DEVIATIONS);
    return { chunk, score: askedNumbers.has(chunk.number) ? score + ASKED : score };
  }).sort((a, b) => b.score - a.score || a.chunk.startLine - b.chunk.startLine);
}

/** A chunk that defines the name that is asked for comes before all others. */
const ASKED = 3;
const MAX_ASKED = 3;

/** Lines that define what is asked for. */
function findAsked(
  query: QueryForm,
  { candidate: { facts }, features }: RatedFile,
): readonly number[] {
  if (query.line !== null) return (features.path ?? 0) >= WHOLE_PATH ? [query.line] : [];
  const names = query.symbol === null ? query.identifiers : [query.symbol.name];
  const holder = foldName(query.symbol?.holders.at(-1) ?? "");
  return names.flatMap((name) => facts.byFolded.get(foldName(name)) ?? [])
    .flatMap(({ definitions }) => definitions)
    .filter((own) => holder === "" || foldName(own.holder ?? "") === holder)
    .slice(0, MAX_ASKED)
    .map(({ line }) => line);
}

/** Lines that define the names which the words of a question meet best, the best name first. */
function scoreNames(
  { words }: QueryForm,
  { candidate: { facts } }: RatedFile,
): readonly NamedLine[] {
  const stems = new Set(words.map(({ stem }) => stem));
  const toScore = ({ parts }: NameFacts) => {
    const met = parts.filter((part) => stems.has(part)).length;
    return (met / stems.size) * (met / parts.length);
  };
  const met = [...new Set([...stems].flatMap((stem) => facts.byPart.get(stem) ?? []))]
    .map((name) => ({ name, score: toScore(name) }))
    .sort((a, b) => b.score - a.score).slice(0, LOOKED_AT);
  const most = met[0]?.score ?? 1;
  return met.flatMap(({ name, score }) =>
    name.definitions.slice(0, LOOKED_AT).map(({ line }) => ({ line, score: score / most }))
  );
}
