/**
 * A view that asks for many files at once what the rules ask for one after the other: each statement is a round to the
 * server. Files that an answer named are likely to be asked about next.
 */
import type { TypeFact } from "../analysis/mod.ts";
import type { ImportHit, IndexView, SymbolHit } from "../index/mod.ts";

/** So many files are asked about at once: more than an answer shows. */
const MOST_FILES = 64;

/** The view with its questions about one file answered for the files that were named beside it. */
export function withBatches(view: IndexView): IndexView {
  const named = new Set<string>();
  const note = <T extends { readonly path: string }>(hits: readonly T[]): readonly T[] => {
    for (const { path } of hits) named.add(path);
    return hits;
  };
  const symbols = new Batch<readonly SymbolHit[]>(named, (paths) => view.listSymbolsOf(paths));
  const imports = new Batch<readonly ImportHit[]>(named, (paths) => view.listImportsOf(paths));
  const types = new Batch<readonly TypeFact[]>(named, (paths) => view.listTypesOf(paths));
  return {
    ...view,
    findSymbols: (query) => {
      const found = view.findSymbols(query);
      note(found.hits);
      return found;
    },
    listPlacesNaming: (names) => {
      const found = view.listPlacesNaming(names);
      for (const hits of found) note(hits);
      return found;
    },
    listSymbols: (under) => symbols.get(under) ?? view.listSymbols(under),
    listImports: (path) => imports.get(path) ?? view.listImports(path),
    listTypes: (path) => types.get(path) ?? view.listTypes(path),
  };
}

/** Answers about files, asked for those that are named and not known yet. */
class Batch<T> {
  readonly #named: ReadonlySet<string>;
  readonly #read: (paths: readonly string[]) => readonly T[];
  readonly #known = new Map<string, T>();

  constructor(named: ReadonlySet<string>, read: (paths: readonly string[]) => readonly T[]) {
    this.#named = named;
    this.#read = read;
  }

  /** Null for what nothing named: a folder, or a file that is asked about by itself. */
  get(path: string): T | null {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    if (!this.#named.has(path)) return null;
    const others = [...this.#named].filter((one) => one !== path && !this.#known.has(one));
    const paths = [path, ...others.slice(0, MOST_FILES - 1)];
    const read = this.#read(paths);
    paths.forEach((one, at) => {
      const answer = read[at];
      if (answer !== undefined) this.#known.set(one, answer);
    });
    return this.#known.get(path) ?? null;
  }
}
