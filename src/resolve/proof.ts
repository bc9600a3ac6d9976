/**
 * What an index of the language's own indexer proves of a place, in terms of the code index. Where it says nothing, or may
 * be out of date, it answers nothing, and the rules of resolution follow the place. Pure over what it is given.
 */
import type { SymbolHit } from "../index/read/view.ts";
import type { ProofState, ProvenSpot } from "./proven_places.ts";
import type { Mention, Proven } from "./reference_facts.ts";

/** What the proofs are put in terms of. */
export type SymbolsOf = (path: string) => readonly SymbolHit[];

/** Definitions with more other names than this are followed by their own name alone. */
const MAX_OTHER_NAMES = 50;

/** The proofs of one state of the code index. */
export class Proof {
  readonly #state: ProofState;
  readonly #symbols: SymbolsOf;

  constructor(state: ProofState, symbols: SymbolsOf) {
    this.#state = state;
    this.#symbols = symbols;
  }

  /** Where a place leads; undefined where that is not proven. */
  find({ path, line, column, kind, name }: Mention): Proven | undefined {
    if (kind === "definition" || this.#state.newNames.has(name)) return undefined;
    const spots = this.#state.places.definitionsAt(path, line, column);
    const [first] = spots ?? [];
    if (spots === undefined || first === undefined) return undefined;
    // A parameter is written where it is defined. What an import binds, and `{ name }`, are defined and mean another thing.
    const isItself = first.path === path && first.line === line && first.column === column;
    if (isItself && kind !== "write") return undefined;
    const hits = spots.map((spot) => this.#toHit(spot, name));
    const [hit] = hits;
    if (hit === undefined || hit === null) {
      return spots.length === 1 ? { hit: null, at: first } : undefined;
    }
    // Overloads, and a getter with its setter, are one to who names them; declarations far apart are not.
    const isOne = hits.every((other) =>
      other?.qualifiedName === hit.qualifiedName && other.path === hit.path
    );
    return isOne ? { hit, at: first } : undefined;
  }

  /** Places that name one of the definitions by another word: `import { a as b }`. */
  findOtherNames(definitions: readonly SymbolHit[]): readonly ProvenSpot[] {
    const found = this.#state.places.findOtherNames(definitions);
    return new Set(found.map(({ word }) => word)).size > MAX_OTHER_NAMES ? [] : found;
  }

  #toHit({ path, line, column, word }: ProvenSpot, name: string): SymbolHit | null {
    const own = this.#symbols(path);
    const hit = own.find((one) => one.line === line && one.column === column) ??
      own.find((one) => one.line === line && one.name === word);
    if (hit === undefined) return null;
    // `new T()` leads to the constructor, and names the type.
    const holder = hit.name === name || hit.parent === null ? undefined : own[hit.parent];
    return holder?.name === name ? holder : hit;
  }
}
