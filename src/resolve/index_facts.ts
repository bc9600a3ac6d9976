/**
 * What the rules of resolution and the graph of impact ask about the project. It is read from one
 * state of the index, and remembered while the index stays as it is: a second question about the
 * same code reads almost nothing.
 */
import { getOrInsert, getOrInsertAll } from "../base/once.ts";
import type { ImportEntry } from "../analysis/analysis.ts";
import type {
  ImportHit,
  IndexView,
  NamedOccurrence,
  OccurrenceHit,
  SymbolHit,
} from "../index/read/view.ts";
import type { Family } from "../language/families.ts";
import { familyOf, languageOfPath } from "../language/languages.ts";
import { filterEnclosing } from "./hit_names.ts";
import { readFileTypes } from "./lines/local_types.ts";
import type { ModuleMap } from "./modules/module_map.ts";
import { findModulePlace } from "./modules/module_map.ts";
import type { ModulePlace } from "./modules/module_paths.ts";
import { lastPartOfModule, listModuleEnds } from "./modules/module_paths.ts";
import { findOtherPlaces } from "./modules/module_bindings.ts";
import type { ProofState } from "./proven_places.ts";
import type { FileTypes, LocalType, Mention, ProjectFacts, Proven } from "./reference_facts.ts";
import { Proof } from "./proof.ts";
import { resolveReference } from "./resolver.ts";

/** More definitions of one name lead nowhere for certain. */
const MAX_NAMED = 5_000;
/** Symbols of files are the largest part: some 20 KB a file. */
const MAX_FILES = 3_000;
/** Texts that are kept, with what they say of their variables. */
const MAX_TEXTS = 3_000;
/** Places that are kept, of names and with what encloses them: some 100 bytes each. */
const MAX_PLACES = 200_000;
/** Places of another name that are looked through for those that an indexer proved. */
const MAX_OTHER_PLACES = 100_000;
const PASSED_ON_STEPS = 4;

/** What a file is written in. */
export interface FileLanguage {
  readonly language: string | null;
  readonly family: Family | null;
}

/** A text that was read: its lines, and what it says of its variables, by name. */
export interface ReadText {
  readonly lines: readonly string[];
  readonly types: ReadonlyMap<string, readonly LocalType[]>;
}

/** A definition, and a place that gives it another name. */
export interface AliasPlace {
  readonly hit: SymbolHit;
  readonly path: string;
  /** 1-based. */
  readonly line: number;
}

/** What was read, for as long as the index does not change. */
export class FactCache {
  readonly imports = new Map<string, readonly ImportEntry[]>();
  readonly symbols = new Map<string, readonly SymbolHit[]>();
  readonly types = new Map<string, FileTypes>();
  readonly named = new Map<string, readonly SymbolHit[]>();
  readonly occurrences = new Map<string, readonly OccurrenceHit[]>();
  readonly files = new Map<string, boolean>();
  readonly modules = new Map<string, readonly string[]>();
  /** By the importing file, then by the module as it is written. */
  readonly places = new Map<string, Map<string, ModulePlace>>();
  readonly languages = new Map<string, FileLanguage>();
  readonly forward = new Map<string, readonly string[]>();
  readonly texts = new Map<string, ReadText>();
  readonly enclosing = new Map<string, readonly SymbolHit[]>();
  modulesByEnd: ReadonlyMap<string, readonly string[]> | null = null;
  #stamp = "";
  #map: ModuleMap | null = null;

  /** Forgets what an older state of the index or of the build files said. */
  begin(stamp: string, map: ModuleMap): void {
    if (stamp === this.#stamp && map === this.#map) return;
    this.#forget();
    [this.#stamp, this.#map] = [stamp, map];
  }

  /** Forgets everything where it grew too large; only between two questions. */
  trim(): void {
    const { symbols, texts, enclosing } = this;
    const found = [...this.occurrences.values()].reduce((sum, hits) => sum + hits.length, 0);
    const isLarge = symbols.size >= MAX_FILES || texts.size >= MAX_TEXTS ||
      enclosing.size + found >= MAX_PLACES;
    if (isLarge) this.#forget();
  }

  /** Keeps the text of a file, with the types that it gives its variables. */
  addText(path: string, text: string): void {
    const types = Map.groupBy(readFileTypes(path, text), ({ name }) => name);
    this.texts.set(path, { lines: text.split(/\r?\n/), types });
  }

  #forget(): void {
    for (const known of [this.imports, this.symbols, this.types, this.named]) known.clear();
    for (const known of [this.occurrences, this.files]) known.clear();
    for (const known of [this.modules, this.places, this.forward, this.texts, this.enclosing]) {
      known.clear();
    }
    this.modulesByEnd = null;
  }
}

/** What facts are made of. */
export interface FactsOptions {
  readonly view: IndexView;
  readonly memory: FactCache;
  readonly modules: ModuleMap;
  /** Definitions that are not there any more, so that who still names them is found. */
  readonly removed: readonly SymbolHit[];
  /** What index files prove; null where there are none. It counts only for the state of the index that it was made for. */
  readonly proof: ProofState | null;
}

const NO_LINES: readonly number[] = [];

/** The facts of one question. */
export class IndexFacts implements ProjectFacts {
  readonly view: IndexView;
  /** What the indexers of the languages proved; null where there is nothing of the present state. */
  readonly proof: Proof | null;
  readonly #options: FactsOptions;
  readonly #memory: FactCache;
  /** What the facts for the places of several names share. */
  readonly #shared: {
    readonly reach: Map<string, ReadonlySet<string>>;
    readonly asked: Set<string>;
    readonly unread: Set<string>;
  };
  readonly #writes = new Map<string, number[]>();

  /** @param whole facts of the same question, for the places of one of its names. */
  constructor(options: FactsOptions, whole?: IndexFacts) {
    const { view, memory, modules, proof } = options;
    this.view = view;
    this.#options = options;
    this.#memory = memory;
    if (whole !== undefined) {
      this.#shared = whole.#shared;
      this.proof = whole.proof;
      return;
    }
    this.#shared = { reach: new Map(), asked: new Set(), unread: new Set() };
    const stamp = view.stamp();
    memory.begin(stamp, modules);
    this.proof = proof?.stamp === stamp ? new Proof(proof, (path) => this.symbols(path)) : null;
  }

  /** Files whose text would say more than the index alone; they are read before the question is asked again. */
  get unread(): ReadonlySet<string> {
    return this.#shared.unread;
  }

  /** Wants the texts that were asked for since the last call, or lets them be. */
  settleAsked({ isWanted }: { readonly isWanted: boolean }): void {
    const { asked, unread } = this.#shared;
    if (isWanted) { for (const path of asked) unread.add(path); }
    asked.clear();
  }

  /** The same facts for the places of one name, which say where it is written. */
  forPlaces(places: readonly OccurrenceHit[]): IndexFacts {
    const facts = new IndexFacts(this.#options, this);
    for (const { path, kind, receiver, isLocal, line } of places) {
      if (kind !== "write" || receiver !== undefined || isLocal === true) continue;
      getOrInsert(facts.#writes, path, (): number[] => []).push(line);
    }
    return facts;
  }

  writes(path: string): readonly number[] {
    return this.#writes.get(path) ?? NO_LINES;
  }

  /** Where a module lies, by the rules of the language and what the build files say. */
  findModule(module: string, from: string, family: Family): ModulePlace {
    const { modules } = this.#options;
    const own = getOrInsert(this.#memory.places, from, () => new Map<string, ModulePlace>());
    const asked = { from, family };
    return getOrInsert(own, module, () =>
      modules.place?.(module, asked) ??
        findModulePlace(module, asked, () => this.filesOfModule(module, from)));
  }

  proven(mention: Mention): Proven | undefined {
    return this.proof?.find(mention);
  }

  localTypes(path: string, name: string): readonly LocalType[] {
    return this.#text(path)?.types.get(name) ?? [];
  }

  lineText(path: string, line: number): string | undefined {
    return this.#text(path)?.lines[line - 1];
  }

  /**
   * Places that may name one of the definitions by another word (`import { a as b }`): what an indexer proved, and what
   * lists of imports and exports say. Each place has to be followed.
   */
  listOtherNames(definitions: readonly SymbolHit[]): readonly NamedOccurrence[] {
    const spots = this.proof?.findOtherNames(definitions) ?? [];
    const proven = [...Map.groupBy(spots, ({ word }) => word)].flatMap(([name, own]) => {
      const keys = new Set(own.map(keyOfPlace));
      return this.placesOf(name).filter((hit) => keys.has(keyOfPlace(hit)));
    });
    const other = findOtherPlaces(definitions.filter(({ parent }) => parent === null), this);
    if (proven.length === 0) return other;
    const known = new Set(proven.map(keyOfPlace));
    return [...proven, ...other.filter((place) => !known.has(keyOfPlace(place)))];
  }

  /** Definitions that scripts import or give to others under the name, each once, with a place that says so. */
  findByOtherName(name: string): readonly AliasPlace[] {
    const places = this.placesOf(name).filter(({ path, receiver, kind }) =>
      receiver === undefined && kind !== "definition" && this.spoken(path).family === "script"
    );
    const facts = this.forPlaces([]);
    const found = new Map<string, AliasPlace>();
    for (const place of places) {
      const isListed = this.imports(place.path).some(({ line, alias }) =>
        line === place.line && alias === name
      ) || (this.types(place.path).byName.get(name) ?? []).some(({ line, column }) =>
        line === place.line && column === place.column
      );
      if (!isListed) continue;
      const { language } = this.spoken(place.path);
      const hit = resolveReference({ ...place, kind: "import", language }, facts);
      if (hit === null || hit.name === name) continue;
      const key = `${hit.position}\0${hit.path}`;
      if (!found.has(key)) found.set(key, { hit, path: place.path, line: place.line });
    }
    return [...found.values()];
  }

  /** Places of a name, comments and strings excepted. */
  placesOf(name: string): readonly NamedOccurrence[] {
    return this.view.findOccurrences(name, { limit: MAX_OTHER_PLACES }).hits
      .map((hit) => ({ ...hit, name }));
  }

  /** Imports of other files that lead to a file. */
  importsInto(file: string): readonly ImportHit[] {
    const ends = listModuleEnds(file).flatMap((end) => this.#modulesEndingWith(end));
    const modules = new Set([...ends, ...this.#options.modules.packaged ?? []]);
    return [...modules].flatMap((module) => this.view.findImports(module))
      .filter(({ path, module }) =>
        path !== file && (this.filesOfModule(module, path).includes(file) ||
          // A member of a package may be a file of its own.
          this.spoken(path).family !== "script" &&
            this.importsOf(path).includes(file))
      );
  }

  isFile(path: string): boolean {
    return getOrInsert(this.#memory.files, path, () => this.view.getFile(path) !== null) ||
      this.#options.removed.some((hit) => hit.path === path);
  }

  imports(path: string): readonly ImportEntry[] {
    return getOrInsert(this.#memory.imports, path, () => this.view.listImports(path));
  }

  /** What a file says of the types of its names. */
  types(path: string): FileTypes {
    return getOrInsert(this.#memory.types, path, () => ({
      byName: Map.groupBy(this.view.listTypes(path), ({ name }) => name),
    }));
  }

  symbols(path: string): readonly SymbolHit[] {
    return getOrInsert(this.#memory.symbols, path, () => this.view.listSymbols(path));
  }

  /** The definitions whose lines hold a line, innermost first. */
  enclosing(path: string, line: number): readonly SymbolHit[] {
    return getOrInsert(
      this.#memory.enclosing,
      `${line}\0${path}`,
      () => filterEnclosing(this.symbols(path), line),
    );
  }

  /** Every definition of the name, removed ones among them. */
  named(name: string): readonly SymbolHit[] {
    const known = getOrInsert(
      this.#memory.named,
      name,
      () => this.view.findSymbols({ name, limit: MAX_NAMED }).hits,
    );
    const removed = this.#options.removed.filter((hit) => hit.name === name);
    return removed.length === 0 ? known : [...known, ...removed];
  }

  /** Every place of each of the names, comments and strings excepted. */
  occurrences(names: readonly string[]): readonly (readonly OccurrenceHit[])[] {
    return getOrInsertAll(
      this.#memory.occurrences,
      names,
      (some) => this.view.listPlacesNaming(some),
    );
  }

  /** The language of a file and its family; asked for every place. */
  spoken(path: string): FileLanguage {
    return getOrInsert(this.#memory.languages, path, () => {
      const language = languageOfPath(path)?.name ?? null;
      return { language, family: familyOf(language) };
    });
  }

  /** Files that a module leads to. */
  filesOfModule(module: string, from: string): readonly string[] {
    const { family } = this.spoken(from);
    if (family === null) return [];
    // Only the folder of the importing file counts for where a module lies.
    const folder = from.slice(0, from.lastIndexOf("/") + 1);
    const key = `${family}\0${folder}\0${family === "rust" ? from : ""}\0${module}`;
    return getOrInsert(
      this.#memory.modules,
      key,
      () => this.#options.modules.find(module, { from, family }),
    );
  }

  /** Files that a file imports, modules that its imports name as members among them. */
  importsOf(path: string): readonly string[] {
    return getOrInsert(this.#memory.forward, path, () => {
      const found = new Set<string>();
      for (const entry of this.imports(path)) {
        for (const file of this.filesOf(entry, path)) found.add(file);
      }
      return [...found];
    });
  }

  /** Files that an import leads to: those of its module, and of a module that it names as a member. */
  filesOf({ module, name }: Pick<ImportEntry, "module" | "name">, path: string): readonly string[] {
    const files = this.filesOfModule(module, path);
    if (name === null || name === "*") return files;
    const inner = /\.py$/.test(path)
      ? `${module}${module.endsWith(".") ? "" : "."}${name}`
      : /\.rs$/.test(path)
      ? `${module}::${name}`
      : null;
    return inner === null ? files : [...files, ...this.filesOfModule(inner, path)];
  }

  /** Whether a file can know another one: it imports it, itself or through what it imports. */
  reaches(from: string, target: string): boolean {
    const known = getOrInsert(this.#shared.reach, from, () => {
      const seen = new Set<string>();
      let level: readonly string[] = [from];
      for (let step = 0; step < PASSED_ON_STEPS && level.length > 0; step++) {
        const next: string[] = [];
        for (const path of level) {
          for (const file of this.importsOf(path)) {
            if (seen.has(file)) continue;
            seen.add(file);
            next.push(file);
          }
        }
        level = next;
      }
      return seen;
    });
    return known.has(target);
  }

  /** Every module that is imported, by its last part. */
  #modulesEndingWith(end: string): readonly string[] {
    this.#memory.modulesByEnd ??= Map.groupBy(this.view.listModules(), lastPartOfModule);
    return this.#memory.modulesByEnd.get(end.toLowerCase()) ?? [];
  }

  #text(path: string): ReadText | undefined {
    const text = this.#memory.texts.get(path);
    if (text === undefined) this.#shared.asked.add(path);
    return text;
  }
}

function keyOfPlace(
  { path, line, column }: { readonly path: string; readonly line: number; readonly column: number },
): string {
  return `${line}:${column} ${path}`;
}
