/**
 * A view that asks for many files and names at once what the rules ask for one after the other: each statement is a round
 * to the server. What an answer named is likely to be asked about next; where the questions go on, so is what lies beside it.
 */
import type { TypeFact } from "../../analysis/analysis.ts";
import type {
  FileInfo,
  ImportHit,
  IndexView,
  OccurrenceHit,
  SymbolHit,
} from "../../index/read/view.ts";

/** So many are asked about at once: more than an answer shows. */
const FEW = 64;
/** At most so many, once a question went on for long: each round asks for twice as many as the one before. */
const MOST = 2_048;
/** Questions about what nothing named, before what lies beside it is asked for too. */
const PATIENCE = 2;
/** Rounds in which only what was named was asked for, before the same. */
const PATIENCE_OF_ROUNDS = 6;
/** Questions for a name, before it is asked which files define which. */
const PATIENCE_OF_NAMES = 8;
/** A name that more files define is asked for by itself. */
const MOST_DEFINERS = 256;
const DEFAULT_LIMIT = 10_000;
const DEFAULT_SYMBOLS = 1_000;

/** What is known of a repository beside the view. */
export interface BatchOptions {
  /** Every file, by path; empty where they are not known. */
  readonly files: readonly string[];
  /** The files that define each name, by path; null where there are too many. */
  readonly listDefiners: () => ReadonlyMap<string, readonly string[]> | null;
}

/** The view with its questions about one file or name answered for those that were named beside it. */
export function withBatches(view: IndexView, { files, listDefiners }: BatchOptions): IndexView {
  const paths = new Pool(files);
  const names = new Pool([]);
  const note = <T extends { readonly path: string }>(hits: readonly T[]): readonly T[] => {
    for (const { path } of hits) paths.name(path);
    return hits;
  };
  const symbols = new Batch<readonly SymbolHit[]>(paths, (some) => view.listSymbolsOf(some));
  const imports = new Batch<readonly ImportHit[]>(paths, (some) => view.listImportsOf(some));
  const types = new Batch<readonly TypeFact[]>(paths, (some) => view.listTypesOf(some));
  const places = new Batch<readonly OccurrenceHit[]>(
    names,
    (some) => view.listPlacesNaming(some),
  );
  let looked = 0;
  let known: ReadonlyMap<string, FileInfo> | null = null;
  const definers = new Definers(listDefiners);
  /** The definitions of a name from the symbols of the files that have it; null where they are asked for by the name. */
  const findExact = (name: string): readonly SymbolHit[] | null => {
    const defining = definers.get(name);
    if (defining === null || defining.length > MOST_DEFINERS) return null;
    for (const path of defining) paths.name(path);
    return defining.flatMap((path) => symbols.get(path) ?? []).filter((hit) => hit.name === name);
  };
  return {
    ...view,
    expectNames: (some) => {
      for (const name of some) names.name(name);
    },
    findSymbols: (query) => {
      const { name, match = "exact", under = ".", limit = DEFAULT_SYMBOLS } = query;
      const all = match === "exact" && under === "." ? findExact(name) : null;
      const found = all === null
        ? view.findSymbols(query)
        : { hits: all.slice(0, limit), total: all.length };
      note(found.hits);
      return found;
    },
    findOccurrences: (name, { limit = DEFAULT_LIMIT } = {}) => {
      const all = places.get(name);
      const { hits, total } = all === null
        ? view.findOccurrences(name, { limit })
        : { hits: all.slice(0, limit), total: all.length };
      return { hits: note(hits), total };
    },
    listPlacesNaming: (some) => {
      const found = view.listPlacesNaming(some);
      for (const hits of found) note(hits);
      return found;
    },
    getFile: (path) => {
      if (known === null && ++looked > PATIENCE) {
        known = new Map(view.listFiles().map((file) => [file.path, file]));
      }
      return known === null ? view.getFile(path) : known.get(path) ?? null;
    },
    listSymbols: (under) => symbols.get(under) ?? view.listSymbols(under),
    listImports: (path) => imports.get(path) ?? view.listImports(path),
    listTypes: (path) => types.get(path) ?? view.listTypes(path),
  };
}

/** What may be asked about next. */
class Pool {
  readonly #named = new Set<string>();
  readonly #all: readonly string[];
  readonly #places: ReadonlyMap<string, number>;

  constructor(all: readonly string[]) {
    this.#all = all;
    this.#places = new Map(all.map((one, at) => [one, at]));
  }

  /** Notes what an answer named. */
  name(one: string): void {
    this.#named.add(one);
  }

  isNamed(one: string): boolean {
    return this.#named.has(one);
  }

  has(one: string): boolean {
    return this.#named.has(one) || this.#places.has(one);
  }

  /** What is likely beside one: what was named, then what lies behind it and before it. */
  *likely(one: string, isWide: boolean): Iterable<string> {
    yield* this.#named;
    const at = this.#places.get(one);
    if (!isWide || at === undefined) return;
    for (let step = 1; step < this.#all.length; step++) {
      for (const place of [at + step, at - step]) {
        const beside = this.#all[place];
        if (beside !== undefined) yield beside;
      }
    }
  }
}

/** Which files define a name, once many names were asked for. */
class Definers {
  readonly #list: BatchOptions["listDefiners"];
  #asked = 0;
  #known: ReadonlyMap<string, readonly string[]> | null = null;

  constructor(list: BatchOptions["listDefiners"]) {
    this.#list = list;
  }

  /** Null where that is not known. */
  get(name: string): readonly string[] | null {
    if (++this.#asked === PATIENCE_OF_NAMES) this.#known = this.#list();
    return this.#known === null ? null : this.#known.get(name) ?? [];
  }
}

/** Answers about one thing each, asked for those that are likely and not known yet. */
class Batch<T> {
  readonly #pool: Pool;
  readonly #read: (some: readonly string[]) => readonly T[];
  readonly #known = new Map<string, T>();
  #unnamed = 0;
  #rounds = 0;
  #most = FEW;

  constructor(pool: Pool, read: (some: readonly string[]) => readonly T[]) {
    this.#pool = pool;
    this.#read = read;
  }

  /** Null for what nothing named: a folder, or a file that is asked about by itself. */
  get(one: string): T | null {
    const known = this.#known.get(one);
    if (known !== undefined) return known;
    if (!this.#pool.has(one)) return null;
    const isNamed = this.#pool.isNamed(one);
    if (!isNamed) this.#unnamed++;
    const isWide = this.#unnamed > PATIENCE || ++this.#rounds > PATIENCE_OF_ROUNDS;
    if (!isWide && !isNamed) return null;
    // What was named lies beside it too; a list that has it twice would be answered twice.
    const chosen = new Set([one]);
    for (const other of this.#pool.likely(one, isWide)) {
      if (chosen.size >= this.#most) break;
      if (!this.#known.has(other)) chosen.add(other);
    }
    const some = [...chosen];
    if (isWide) this.#most = Math.min(MOST, 2 * this.#most);
    const read = this.#read(some);
    some.forEach((each, at) => {
      const answer = read[at];
      if (answer !== undefined) this.#known.set(each, answer);
    });
    return this.#known.get(one) ?? null;
  }
}
