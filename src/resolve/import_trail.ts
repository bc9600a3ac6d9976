/** Which import a name means at a place, and the definition that it brings, through files that pass names on. Pure over the facts. */
import type { ImportEntry } from "../analysis/analysis.ts";
import {
  endsWithName,
  findEnclosing,
  isOfModule,
  isOfNamespace,
  pickOne,
  preferSources,
  toHolder,
} from "./hit_names.ts";
import type { ProjectFacts } from "./reference_facts.ts";
import { CALLABLES, NAMESPACES } from "./reference_facts.ts";
import type { SymbolHit } from "../index/read/view.ts";
import type { Family } from "../language/families.ts";
import type { ModuleBindings } from "./modules/module_bindings.ts";
import type { ModulePlace } from "./modules/module_paths.ts";

/** An import that a name means. */
export interface SeenImport {
  readonly entry: ImportEntry;
  /** Whether a function round the place imports it, so that it comes before what the file defines. */
  readonly isInner: boolean;
}

/** The import that binds a name at a line, the one of the innermost function; undefined where none does. */
export function findImport(
  name: string,
  { path, line }: { readonly path: string; readonly line: number },
  facts: ProjectFacts,
): SeenImport | undefined {
  let found: SeenImport | undefined;
  let innermost = 0;
  for (const entry of facts.imports(path)) {
    if (entry.alias !== name || entry.isReexport === true) continue;
    const holder = findEnclosing(facts, path, entry.line).find(({ kind, startLine }) =>
      CALLABLES.has(kind) && startLine < entry.line
    );
    if (holder === undefined) found ??= { entry, isInner: false };
    else if (holder.startLine <= line && line <= holder.endLine && holder.startLine > innermost) {
      found = { entry, isInner: true };
      innermost = holder.startLine;
    }
  }
  return found;
}

const MAX_STEPS = 4;

/** What imports are followed with. */
export interface TrailOptions {
  readonly family: Family;
  readonly facts: ProjectFacts;
  /** Whether a definition stands at the top of its file. */
  readonly isTop: (hit: SymbolHit) => boolean;
  /** What modules of scripts give to others. */
  readonly bindings: ModuleBindings;
}

/** The imports of one family of languages. */
export class ImportTrail {
  readonly #family: Family;
  readonly #facts: ProjectFacts;
  readonly #isTop: (hit: SymbolHit) => boolean;
  readonly #bindings: ModuleBindings;
  /** What imports lead to, by the definitions that are looked among: a file names the same thing again and again. */
  readonly #followed = new WeakMap<readonly SymbolHit[], Map<string, SymbolHit | null>>();

  constructor({ family, facts, isTop, bindings }: TrailOptions) {
    this.#family = family;
    this.#facts = facts;
    this.#isTop = isTop;
    this.#bindings = bindings;
  }

  /** The definition that an import brings, passed on by other files or not. */
  follow(
    entry: ImportEntry,
    name: string,
    from: string,
    found: readonly SymbolHit[],
    steps = 0,
  ): SymbolHit | null {
    if (this.#family === "script") return pickOne(this.#give(entry, name, from, found));
    const wanted = entry.name === null || entry.name === "*" ? name : entry.name;
    const known = this.#followed.get(found) ?? new Map<string, SymbolHit | null>();
    this.#followed.set(found, known);
    const key = `${steps}\0${wanted}\0${entry.module}\0${from}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const hit = this.#followAnew(entry, wanted, from, { found, steps });
    known.set(key, hit);
    return hit;
  }

  /** Those of `found` that a module of scripts gives. */
  #give(
    entry: ImportEntry,
    name: string,
    from: string,
    found: readonly SymbolHit[],
  ): readonly SymbolHit[] {
    const direct = entry.name === "*" ? null : this.#bindings.ofEntry(entry, from);
    const binding = direct?.kind === "symbols" || entry.name !== null && entry.name !== "*"
      ? direct
      : this.#bindings.ofModule(entry.module, name, from);
    const hits = binding?.kind === "symbols" ? binding.hits : [];
    return found.filter((hit) =>
      hits.some(({ path, position }) => path === hit.path && position === hit.position)
    );
  }

  #followAnew(
    entry: ImportEntry,
    wanted: string,
    from: string,
    { found, steps }: { readonly found: readonly SymbolHit[]; readonly steps: number },
  ): SymbolHit | null {
    const named = found.filter((hit) => hit.name === wanted);
    const direct = named.filter((hit) => this.isFrom(entry, from, hit));
    const top = direct.filter((hit) => this.#isTop(hit));
    // The table that a Lua file returns has no name outside.
    const inside = this.#family === "lua"
      ? direct
      : direct.filter((one) => endsWithName(entry.module, toHolder(one)));
    const hit = pickOne(this.#family === "c" ? preferSources(top) : top.length > 0 ? top : inside);
    if (hit !== null || steps >= MAX_STEPS) return hit;
    const { files } = this.findModule(entry.module, from);
    const file = files.find((path) => path !== from && this.#facts.isFile(path));
    if (file === undefined) return null;
    for (const next of this.#facts.imports(file)) {
      const isWhole = next.name === "*" && (next.isReexport === true || this.#family === "python");
      if (next.alias !== wanted && !(isWhole && next.alias === "")) continue;
      const passed = this.follow(next, wanted, file, found, steps + 1);
      if (passed !== null) return passed;
    }
    return null;
  }

  /** Whether a definition is what an import may mean. */
  isFrom(entry: ImportEntry, from: string, hit: SymbolHit): boolean {
    if (this.#family === "elixir") return isOfModule(hit, entry.module);
    if (!NAMESPACES.has(this.#family)) {
      return this.findModule(entry.module, from).has(hit.path);
    }
    return isOfNamespace(hit, entry.module, (path) => this.#facts.symbols(path));
  }

  /** Where a module lies. */
  findModule(module: string, from: string): ModulePlace {
    return this.#facts.findModule(module, from, this.#family);
  }
}
