/** What the believed documents of an index say of a place: where it leads, and where else a definition is named. Pure. */
import { getOrInsert } from "../../base/once.ts";
import type { Describe, FittedPlace } from "./fit.ts";
import type { ScipIndex } from "./decode.ts";
import { ROLE_DEFINITION, ROLE_FORWARD } from "./decode.ts";
import type { ProvenDefinition, ProvenPlaces, ProvenSpot } from "../../resolve/proven_places.ts";
import type { Shape } from "./shape.ts";

/** A document that is believed. */
export interface TrustedDocument {
  readonly path: string;
  readonly places: readonly FittedPlace[];
  readonly shape: Shape;
}

/** How many documents there are, and how many of them are believed; the others were made from other contents. */
export interface ScipCounts {
  readonly documents: number;
  readonly trusted: number;
}

interface PlacesOptions {
  /** Symbols that may be other ones by now, because a changed file defines what they depend on. */
  readonly shaken: ReadonlySet<number>;
  readonly describe: Describe;
}

/** The believed places of one index over one state of the files. */
export class ScipPlaces implements ProvenPlaces {
  readonly counts: ScipCounts;
  readonly #index: ScipIndex;
  readonly #trusted: readonly (TrustedDocument | null)[];
  readonly #describe: Describe;
  readonly #shaken: ReadonlySet<number>;
  readonly #byPath: ReadonlyMap<string, number>;
  readonly #byLine = new Map<number, ReadonlyMap<number, readonly FittedPlace[]>>();
  readonly #locals = new Map<number, ReadonlyMap<number, readonly FittedPlace[]>>();

  constructor(
    index: ScipIndex,
    trusted: readonly (TrustedDocument | null)[],
    { shaken, describe }: PlacesOptions,
  ) {
    this.#index = index;
    this.#trusted = trusted;
    this.#describe = describe;
    this.#shaken = shaken;
    this.#byPath = new Map(
      trusted.flatMap((one, at) => one === null ? [] : [[one.path, at] as const]),
    );
    this.counts = { documents: trusted.length, trusted: this.#byPath.size };
  }

  /** Whether the document of a file is believed. */
  knows(path: string): boolean {
    return this.#byPath.has(path);
  }

  /**
   * The places that define what stands at a place: one, or those of overloads, or of a getter and a setter; a definition
   * leads to itself. Undefined where
   * the index does not say it, or says that it lies outside: an indexer may take the project itself for an installed package.
   */
  definitionsAt(path: string, line: number, column: number): readonly ProvenSpot[] | undefined {
    const document = this.#byPath.get(path);
    if (document === undefined || this.#isShaken(document, line)) return undefined;
    const here = (this.#linesOf(document).get(line) ?? [])
      .filter((place) => place.column === column && place.word !== "");
    // `{ name }` names a variable and defines a property: what it names is what is followed.
    const uses = here.filter((place) => !isDefinition(place));
    const [own] = here;
    if (uses.length === 0) return own === undefined ? undefined : [buildSpot(path, own)];
    const spots = new Map<string, ProvenSpot>();
    for (const { symbol } of uses) {
      const found = this.#definitionsOf(symbol, document);
      if (found === undefined) return undefined;
      for (const spot of found) spots.set(`${spot.line}:${spot.column} ${spot.path}`, spot);
    }
    return spots.size === 0 ? undefined : [...spots.values()];
  }

  /** Whether a word on a line defines a symbol. */
  defines(path: string, line: number, word: string): boolean {
    const document = this.#byPath.get(path);
    return document !== undefined &&
      (this.#linesOf(document).get(line) ?? [])
        .some((place) => place.word === word && isDefinition(place));
  }

  /** Definitions of a word that other files can name, each with the way to its symbol. */
  findDefinitions(word: string): readonly ProvenDefinition[] {
    return this.#trusted.flatMap((document) =>
      document === null ? [] : document.places.flatMap((place) => {
        if (place.word !== word || place.symbol < 0 || !isDefinition(place)) return [];
        const way = this.#describe(place.symbol);
        return way === null ? [] : [{ ...buildSpot(document.path, place), way }];
      })
    );
  }

  /** Places that name what these places define, by another word than theirs. */
  findOtherNames(definitions: readonly Omit<ProvenSpot, "word">[]): readonly ProvenSpot[] {
    const words = new Map<number, Set<string>>();
    for (const { path, line, column } of definitions) {
      const document = this.#byPath.get(path);
      if (document === undefined) continue;
      for (const place of this.#linesOf(document).get(line) ?? []) {
        if (place.column !== column || !isDefinition(place) || place.symbol < 0) continue;
        getOrInsert(words, place.symbol, () => new Set()).add(place.word);
      }
    }
    if (words.size === 0) return [];
    return this.#trusted.flatMap((document) =>
      document === null ? [] : document.places.flatMap(({ symbol, word, line, column }) => {
        const own = words.get(symbol);
        const isOther = own !== undefined && word !== "" && !own.has(word);
        const isSure = isOther && document.shape.needsAt(line).isDisjointFrom(this.#shaken);
        return isSure ? [{ path: document.path, line, column, word }] : [];
      })
    );
  }

  #definitionsOf(symbol: number, document: number): readonly ProvenSpot[] | undefined {
    if (symbol < 0) {
      const path = this.#trusted[document]?.path ?? "";
      return this.#localsOf(document).get(symbol)?.map((place) => buildSpot(path, place));
    }
    const way = this.#describe(symbol);
    // Packages and modules are followed by what the build files say.
    if (way === null || (way[way.length - 1] ?? way[0]).kind === "namespace") return undefined;
    const all = this.#index.definitions.get(symbol) ?? [];
    const firm = all.filter(({ isForward }) => !isForward);
    const spots = (firm.length > 0 ? firm : all).map((one) => {
      const { path, places } = this.#trusted[one.document] ?? { path: "", places: [] };
      const place = places[one.row];
      return place === undefined || place.word === "" ? null : buildSpot(path, place);
    });
    const known = spots.filter((spot) => spot !== null);
    return known.length === 0 || known.length < spots.length ? undefined : known;
  }

  #isShaken(document: number, line: number): boolean {
    const needs = this.#trusted[document]?.shape.needsAt(line);
    return needs === undefined || !needs.isDisjointFrom(this.#shaken);
  }

  #linesOf(document: number): ReadonlyMap<number, readonly FittedPlace[]> {
    return getOrInsert(
      this.#byLine,
      document,
      () => Map.groupBy(this.#trusted[document]?.places ?? [], ({ line }) => line),
    );
  }

  #localsOf(document: number): ReadonlyMap<number, readonly FittedPlace[]> {
    return getOrInsert(this.#locals, document, () => {
      const places = this.#trusted[document]?.places ?? [];
      const own = places.filter((place) => place.symbol < 0 && isDefinition(place));
      return Map.groupBy(own, ({ symbol }) => symbol);
    });
  }
}

function isDefinition({ roles }: FittedPlace): boolean {
  return (roles & (ROLE_DEFINITION | ROLE_FORWARD)) !== 0;
}

function buildSpot(path: string, { line, column, word }: FittedPlace): ProvenSpot {
  return { path, line, column, word };
}
