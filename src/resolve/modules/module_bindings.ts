/**
 * What a module of scripts gives to others under a name, by the rules of ECMAScript: its own definitions, names that it
 * passes on under another one, and whole modules; and where such other names may stand. Pure over the facts.
 */
import { getOrInsert } from "../../base/once.ts";
import type { ImportEntry, TypeFact } from "../../analysis/analysis.ts";
import type { NamedOccurrence, SymbolHit } from "../../index/read/view.ts";
import type { FileTypes, ProjectFacts, Rules } from "../reference_facts.ts";
import { WHOLE_MODULE } from "../../language/kinds.ts";
import { isTop, listCandidates } from "../resolution_rules.ts";
import type { Family } from "../../language/families.ts";
import { familiesWith } from "../../language/families.ts";

/** What is asked about the project. */
export interface OtherNameFacts {
  spoken(path: string): { readonly family: Family | null };
  imports(path: string): readonly ImportEntry[];
  types(path: string): FileTypes;
  symbols(path: string): readonly SymbolHit[];
  /** Places of exactly this name. */
  placesOf(name: string): readonly NamedOccurrence[];
  /** Imports that lead to the file. */
  importsInto(path: string): readonly (ImportEntry & { readonly path: string })[];
}

/** Definitions with more other names than this are followed by the first of them. */
const MAX_NAMES = 50;
const DEFAULT = "default";

/** Families whose imports give names of their own. */
const RENAMING = familiesWith("renames");

/** The places of other names that may lead to one of the definitions, each once. */
export function findOtherPlaces(
  definitions: readonly SymbolHit[],
  facts: OtherNameFacts,
): readonly NamedOccurrence[] {
  const names = new Set(definitions.map(({ name }) => name));
  const byFamily = Map.groupBy(definitions, ({ path }) => facts.spoken(path).family);
  return [...byFamily].flatMap(([family, own]) =>
    family !== null && RENAMING.has(family) ? new OtherNames(facts, family).find(own) : []
  ).filter(({ name }) => !names.has(name));
}

class OtherNames {
  readonly #facts: OtherNameFacts;
  readonly #family: Family;
  /** Names with the files that have them; null where the name is passed on, so that any file may. */
  readonly #files = new Map<string, Set<string> | null>();
  #queue: string[] = [];

  constructor(facts: OtherNameFacts, family: Family) {
    this.#facts = facts;
    this.#family = family;
  }

  find(definitions: readonly SymbolHit[]): readonly NamedOccurrence[] {
    for (const { name } of definitions) this.#add(name, null);
    const found = new Map<string, NamedOccurrence>();
    for (let name = this.#queue.shift(); name !== undefined; name = this.#queue.shift()) {
      const files = this.#files.get(name) ?? null;
      for (const place of this.#facts.placesOf(name)) {
        const { path, line, column, receiver } = place;
        const { family } = this.#facts.spoken(path);
        if (files !== null && !files.has(path) || family !== this.#family) continue;
        if (this.#isNamedBeside(place)) continue;
        found.set(`${line}:${column} ${path}`, place);
        // In `const { a: b } = require("c")` the name stands as that of a member.
        if (receiver === undefined || receiver === "") this.#readImports(name, path, line);
        if (receiver === undefined) this.#readGiven(name, path, line);
      }
      for (const { path } of definitions.filter((hit) => hit.name === name)) {
        const isScript = this.#family === "script";
        if (isScript && this.#given(path, name).length > 0) this.#passDefault(path);
      }
    }
    return [...found.values()];
  }

  /** Whether the place only declares what a `require` of its line brings under its first name, which stands there too. */
  #isNamedBeside({ name, path, line, kind }: NamedOccurrence): boolean {
    return kind === "write" &&
      this.#facts.imports(path).some((one) =>
        one.line === line && one.alias === name && one.name !== name &&
        this.#files.has(one.name ?? "")
      );
  }

  /** Which other names a list of imports gives to the name on its line. */
  #readImports(name: string, path: string, line: number): void {
    for (const entry of this.#facts.imports(path)) {
      if (entry.line !== line || entry.name !== name || entry.alias === "") continue;
      this.#addEntry(entry, path);
    }
  }

  /** The same for a list of exports. */
  #readGiven(name: string, path: string, line: number): void {
    const isScript = this.#family === "script";
    for (const given of isScript ? this.#given(path, name) : []) {
      if (given.line !== line) continue;
      if (given.name === DEFAULT) this.#passDefault(path);
      else this.#add(given.name, null);
    }
  }

  /** Who imports the default of a file calls it as he likes. */
  #passDefault(path: string): void {
    for (const entry of this.#facts.importsInto(path)) {
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
      // Elsewhere than in scripts others may import whatever a file imported.
    } else this.#add(alias, isReexport === true || this.#family !== "script" ? null : path);
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
    const types = this.#facts.types(path);
    const make = () => {
      const all = [...types.byName.values()].flat().filter(isExportFact)
        .filter((fact) => !isSymbolAt(this.#facts, path, fact));
      return Map.groupBy(all, ({ text }) => text);
    };
    return getOrInsert(GIVEN, types, make).get(name) ?? [];
  }
}

const GIVEN = new WeakMap<FileTypes, ReadonlyMap<string, readonly TypeFact[]>>();

/** What a name of a module is. */
export type Binding =
  /** Definitions of one name and file: overloads, or a type and a value. */
  | { readonly kind: "symbols"; readonly hits: readonly SymbolHit[] }
  | { readonly kind: "module"; readonly entry: ImportEntry; readonly from: string };

/** A place of a name. */
export interface ListedName {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** Empty where the name stands as that of a member of something without a name. */
  readonly receiver?: string;
}

/** The definitions of a binding. */
export function hitsOfBinding(binding: Binding | null): readonly SymbolHit[] {
  return binding?.kind === "symbols" ? binding.hits : [];
}

/** Two modules give the name, and nobody says which one is meant. */
const AMBIGUOUS = "ambiguous";

type Found = Binding | typeof AMBIGUOUS | null;

const GIVEN_NAMES = new WeakMap<Rules, Map<string, Found>>();

/** What an import or a passed on name brings; null where that is not known. */
export function bindingOfEntry(rules: Rules, entry: ImportEntry, from: string): Binding | null {
  return keepUnambiguous(findEntry(rules, entry, from, new Set()));
}

/** What a module gives under a name. */
export function bindingOfModule(
  rules: Rules,
  module: string,
  name: string,
  from: string,
): Binding | null {
  return keepUnambiguous(findInModule(rules, module, { name, from }, new Set()));
}

/** What a name in a list of imports or of names that are given means; null elsewhere. */
export function resolveListedName(
  rules: Rules,
  { name, path, line, column, receiver }: ListedName,
): readonly SymbolHit[] | null {
  const { facts } = rules;
  // `const { name: other } = require("x")` lists a member.
  const isMember = receiver !== undefined;
  const entry = facts.imports(path).find((one) =>
    one.line === line && (one.name === name || !isMember && one.alias === name)
  );
  if (entry !== undefined) return hitsOfBinding(bindingOfEntry(rules, entry, path));
  if (isMember) return null;
  const given = facts.types(path).byName.get(name)
    ?.find((fact) => fact.line === line && fact.column === column && isExportFact(fact));
  if (given === undefined || isSymbolAt(facts, path, given)) return null;
  return hitsOfBinding(keepUnambiguous(findLocal(rules, path, given.text, new Set())));
}

function findEntry(rules: Rules, entry: ImportEntry, from: string, seen: Set<string>): Found {
  const { module, name } = entry;
  if (name === "*") return { kind: "module", entry, from };
  if (name !== null) return findInModule(rules, module, { name, from }, seen);
  // `require` gives what the module is as a whole; where nothing says that, its names are members of it.
  return findInModule(rules, module, { name: WHOLE_MODULE, from }, seen) ??
    { kind: "module", entry, from };
}

function findInModule(
  rules: Rules,
  module: string,
  { name, from }: { readonly name: string; readonly from: string },
  seen: Set<string>,
): Found {
  const { facts } = rules;
  const path = facts.findModule(module, from, "script").files.find((file) => facts.isFile(file));
  if (path === undefined) return null;
  const key = `${name}\0${path}`;
  const all = getOrInsert(GIVEN_NAMES, rules, () => new Map<string, Found>());
  const known = all.get(key);
  if (known !== undefined) return known;
  // Two files may pass a name on to each other.
  if (seen.has(key)) return null;
  const isFirst = seen.size === 0;
  seen.add(key);
  const found = findGivenBy(rules, path, name, seen);
  if (isFirst) all.set(key, found);
  return found;
}

/** What a file gives under a name: by a list, by passing it on, by defining it, as its default, or with a whole module. */
function findGivenBy(rules: Rules, path: string, name: string, seen: Set<string>): Found {
  const { facts } = rules;
  const alias = findGiven(facts, path, name);
  if (alias !== undefined) return findLocal(rules, path, alias.text, seen);
  const passed = facts.imports(path).find((one) => one.isReexport === true && one.alias === name);
  if (passed !== undefined) return findEntry(rules, passed, path, seen);
  const own = listTop(rules, path, name);
  const isExported = (hit: SymbolHit) => hit.isExported === true;
  // Where a file says what others can name, the rest is its own.
  if (own.length > 0 && (own.some(isExported) || !facts.symbols(path).some(isExported))) {
    return { kind: "symbols", hits: own };
  }
  if (name === "default") {
    const whole = findGiven(facts, path, WHOLE_MODULE);
    return whole === undefined ? null : findLocal(rules, path, whole.text, seen);
  }
  return findPassedOn(rules, path, name, seen) ?? findImported(rules, path, name, seen);
}

/** What `export * from` brings: from one module only. */
function findPassedOn(rules: Rules, path: string, name: string, seen: Set<string>): Found {
  let found: Binding | null = null;
  for (const { module, name: all, alias, isReexport } of rules.facts.imports(path)) {
    if (all !== "*" || alias !== "" || isReexport !== true) continue;
    const next = findInModule(rules, module, { name, from: path }, seen);
    if (next === AMBIGUOUS || next !== null && found !== null && !isSame(next, found)) {
      return AMBIGUOUS;
    }
    found = next ?? found;
  }
  return found;
}

/** What a file calls a name: its own definition, or what it imports. */
function findLocal(rules: Rules, path: string, name: string, seen: Set<string>): Found {
  const own = listTop(rules, path, name);
  return own.length > 0 ? { kind: "symbols", hits: own } : findImported(rules, path, name, seen);
}

function listTop(rules: Rules, path: string, name: string): readonly SymbolHit[] {
  return listCandidates(rules, name).filter((hit) => hit.path === path && isTop(rules, hit));
}

function findImported(rules: Rules, path: string, name: string, seen: Set<string>): Found {
  const entry = rules.facts.imports(path)
    .find(({ alias, isReexport }) => alias === name && isReexport !== true);
  return entry === undefined ? null : findEntry(rules, entry, path, seen);
}

const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** The names that a file gives to others under `name` by a list or as its default: `export { a as name }`. */
function findGiven(facts: ProjectFacts, path: string, name: string): TypeFact | undefined {
  const all = facts.types(path).byName.get(name) ?? [];
  return all.find((fact) => isExportFact(fact) && !isSymbolAt(facts, path, fact));
}

/** Whether a fact may be of a name that a module gives; definitions at the top have such facts too. */
export function isExportFact({ kind, within, text }: TypeFact): boolean {
  return kind === "value" && within === undefined && IDENTIFIER.test(text);
}

/** Whether a definition stands where the fact stands. */
export function isSymbolAt(
  facts: Pick<ProjectFacts, "symbols">,
  path: string,
  { name, line, column }: TypeFact,
): boolean {
  return facts.symbols(path).some((hit) =>
    hit.line === line && hit.column === column && hit.name === name
  );
}

function keepUnambiguous(found: Found): Binding | null {
  return found === AMBIGUOUS ? null : found;
}

function isSame(one: Binding, other: Binding): boolean {
  if (one.kind === "symbols") {
    return other.kind === "symbols" && one.hits[0]?.path === other.hits[0]?.path &&
      one.hits[0]?.position === other.hits[0]?.position;
  }
  return other.kind === "module" && one.entry === other.entry;
}
