/**
 * Under which other names modules of scripts give definitions to others and import them: `export { a as b }`,
 * `import { a as b }`, `import b from`. It finds where such a name may stand; where each place leads the rules of
 * resolution say. Pure over the facts.
 */
import { once } from "../../base/once.ts";
import type { ImportEntry, TypeFact } from "../../analysis/analysis.ts";
import type { NamedOccurrence, SymbolHit } from "../../index/read/view.ts";
import type { FileTypes } from "../reference_facts.ts";
import { isGiven, isSymbolAt } from "./module_bindings.ts";

/** What is asked about the project. */
export interface OtherNameDoor {
  isScript(path: string): boolean;
  imports(path: string): readonly ImportEntry[];
  types(path: string): FileTypes;
  symbols(path: string): readonly SymbolHit[];
  /** Places of exactly this name. */
  places(name: string): readonly NamedOccurrence[];
  /** Imports that lead to the file. */
  importsInto(path: string): readonly (ImportEntry & { readonly path: string })[];
}

/** Definitions with more other names than this are followed by the first of them. */
const MAX_NAMES = 50;
const DEFAULT = "default";

/** The places of other names that may lead to one of the definitions, each once. */
export function findOtherPlaces(
  definitions: readonly SymbolHit[],
  door: OtherNameDoor,
): readonly NamedOccurrence[] {
  const names = new Set(definitions.map(({ name }) => name));
  return new OtherNames(door).find(definitions)
    .filter(({ name }) => !names.has(name));
}

class OtherNames {
  readonly #door: OtherNameDoor;
  /** Names with the files that have them; null where the name is passed on, so that any file may. */
  readonly #files = new Map<string, Set<string> | null>();
  #queue: string[] = [];

  constructor(door: OtherNameDoor) {
    this.#door = door;
  }

  find(definitions: readonly SymbolHit[]): readonly NamedOccurrence[] {
    for (const { name } of definitions) this.#add(name, null);
    const found = new Map<string, NamedOccurrence>();
    for (let name = this.#queue.shift(); name !== undefined; name = this.#queue.shift()) {
      const files = this.#files.get(name) ?? null;
      for (const place of this.#door.places(name)) {
        const { path, line, column, receiver } = place;
        if (files !== null && !files.has(path) || !this.#door.isScript(path)) continue;
        if (this.#isNamedBeside(place)) continue;
        found.set(`${line}:${column} ${path}`, place);
        // In `const { a: b } = require("c")` the name stands as that of a member.
        if (receiver === undefined || receiver === "") this.#readImports(name, path, line);
        if (receiver === undefined) this.#readGiven(name, path, line);
      }
      for (const { path } of definitions.filter((hit) => hit.name === name)) {
        if (this.#given(path, name).length > 0) this.#passDefault(path);
      }
    }
    return [...found.values()];
  }

  /** Whether the place only declares what a `require` of its line brings under its first name, which stands there too. */
  #isNamedBeside({ name, path, line, kind }: NamedOccurrence): boolean {
    return kind === "write" &&
      this.#door.imports(path).some((one) =>
        one.line === line && one.alias === name && one.name !== name &&
        this.#files.has(one.name ?? "")
      );
  }

  /** Which other names a list of imports gives to the name on its line. */
  #readImports(name: string, path: string, line: number): void {
    for (const entry of this.#door.imports(path)) {
      if (entry.line !== line || entry.name !== name || entry.alias === "") continue;
      this.#addEntry(entry, path);
    }
  }

  /** The same for a list of exports. */
  #readGiven(name: string, path: string, line: number): void {
    for (const given of this.#given(path, name)) {
      if (given.line !== line) continue;
      if (given.name === DEFAULT) this.#passDefault(path);
      else this.#add(given.name, null);
    }
  }

  /** Who imports the default of a file calls it as he likes. */
  #passDefault(path: string): void {
    for (const entry of this.#door.importsInto(path)) {
      if (entry.name === DEFAULT || entry.name === null) this.#addEntry(entry, entry.path);
    }
  }

  #addEntry({ alias, isReexport }: ImportEntry, path: string): void {
    if (alias === "") return;
    if (isReexport === true && alias === DEFAULT) {
      if (this.#files.has(`${DEFAULT} ${path}`)) return;
      this.#files.set(`${DEFAULT} ${path}`, null);
      this.#add(DEFAULT, path);
      this.#passDefault(path);
    } else this.#add(alias, isReexport === true ? null : path);
  }

  #add(name: string, path: string | null): void {
    const known = this.#files.get(name);
    if (known === null || known !== undefined && path !== null && known.has(path)) return;
    if (known === undefined && this.#files.size >= MAX_NAMES) return;
    this.#files.set(name, path === null ? null : new Set([...known ?? [], path]));
    if (!this.#queue.includes(name)) this.#queue.push(name);
  }

  /** Under which names a file gives what it calls `name`. */
  #given(path: string, name: string): readonly TypeFact[] {
    const types = this.#door.types(path);
    const make = () => {
      const all = [...types.byName.values()].flat().filter(isGiven)
        .filter((fact) => !isSymbolAt(this.#door, path, fact));
      return Map.groupBy(all, ({ text }) => text);
    };
    return once(GIVEN, types, make).get(name) ?? [];
  }
}

const GIVEN = new WeakMap<FileTypes, ReadonlyMap<string, readonly TypeFact[]>>();
