/**
 * Answers a question from what was learned: agreements say which symbols words turned out to mean, the
 * index says where they are now. What is not there any more is not an answer.
 */
import type { ChunkHit, IndexView, SymbolHit } from "../../index/read/view.ts";

/** One agreement that fits a question. */
export interface LearnedHit {
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

/** Gives the agreements that fit a question best. */
export type AskMap = (
  question: string,
  options: { readonly maxHits: number },
) => Promise<readonly LearnedHit[]>;

/** A learned symbol with the chunk that defines it now. */
export interface LearnedPlace {
  readonly learned: LearnedHit;
  readonly symbol: SymbolHit;
  readonly chunk: ChunkHit;
}

/** From this score of an agreement on, its places stand beside what the search of the code finds: it is surely about the question. */
export const SURE_SCORE = 0.7;

/** The places of learned symbols, in the order of the agreements; `stale` are those without any. */
export function findLearnedPlaces(
  view: IndexView,
  learned: readonly LearnedHit[],
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

function findPlaces(view: IndexView, learned: LearnedHit, name: string): LearnedPlace[] {
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
