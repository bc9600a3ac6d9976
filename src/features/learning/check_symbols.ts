/** Whether the symbols of learned terms still exist: what is gone is named, not returned. */
import { LIMITS } from "../../base/settings/limits.ts";
import type { Explorer } from "../../explore/explorer.ts";
import type { MapHit } from "./map.ts";
import type { CheckedHit } from "./recall.ts";

/** Files that define a symbol now, relative to the project; empty where none does. */
export type FindSymbol = (symbol: string) => Promise<readonly string[]>;

/** Looks symbols up by their definitions; a name that differs in case or is a part of another is none. */
export function createSymbolFinder(explorer: Pick<Explorer, "findDefinitions">): FindSymbol {
  return async (symbol) => {
    const maxResults = MAX_FILES;
    const found = await explorer.findDefinitions({ symbol, maxResults, exactMatch: true });
    if (found.kind === "refused") return [];
    return [...new Set(found.definitions.map(({ path }) => path))];
  };
}

/** Hits whose symbols exist, and the files of those whose symbols are all gone. */
export interface CheckedHits {
  readonly hits: readonly CheckedHit[];
  readonly stale: readonly string[];
}

const MAX_SYMBOLS = 4;
const MAX_FILES = 20;
const NO_TIME = Symbol("no time");

/** Looks all symbols up at once; where the time is up a learned term is returned as it is, and says so. */
export async function checkHits(
  hits: readonly MapHit[],
  findSymbol: FindSymbol,
  timeoutMs: number = LIMITS.recallCheckMs.value,
): Promise<CheckedHits> {
  if (hits.length === 0) return { hits: [], stale: [] };
  const { promise: timeUp, resolve } = Promise.withResolvers<typeof NO_TIME>();
  const timer = setTimeout(() => resolve(NO_TIME), timeoutMs);
  try {
    const found = new Map<string, Promise<readonly string[] | null>>();
    const look = (symbol: string) => {
      // One that cannot be looked up says nothing about the symbol.
      const known = found.get(symbol) ?? findSymbol(symbol).catch(() => null);
      found.set(symbol, known);
      return known;
    };
    const checks = hits.map(async (hit): Promise<CheckedHit | null> => {
      const names = hit.document.symbols.slice(0, MAX_SYMBOLS);
      const places = await Promise.race([Promise.all(names.map(look)), timeUp]);
      if (places === NO_TIME || places.some((paths) => paths === null)) {
        const { symbols, files } = hit.document;
        return { ...hit, symbols, files, isChecked: false };
      }
      const symbols = names.filter((_, index) => (places[index]?.length ?? 0) > 0);
      if (symbols.length === 0) return null;
      return { ...hit, symbols, files: chooseFiles(hit, places), isChecked: true };
    });
    const checked = await Promise.all(checks);
    return {
      hits: checked.filter((hit) => hit !== null),
      stale: hits.filter((_, index) => checked[index] === null).map(({ document }) => document.id),
    };
  } finally {
    clearTimeout(timer);
  }
}

/** The files that were learned, as far as they still define a symbol; else where the symbols are now. */
function chooseFiles(
  { document }: MapHit,
  places: readonly (readonly string[] | null)[],
): readonly string[] {
  const now = new Set(places.flatMap((paths) => paths ?? []));
  const kept = document.files.filter((path) => now.has(path));
  return kept.length > 0 ? kept : [...now];
}
