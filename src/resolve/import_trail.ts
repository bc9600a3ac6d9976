/** Which import a name means at a place, and the definition that it brings, through files that pass names on. Pure over the facts. */
import type { ImportEntry } from "../analysis/analysis.ts";
import { getOrInsert } from "../base/once.ts";
import type { SymbolHit } from "../index/read/view.ts";
import {
  endsWithName,
  findEnclosing,
  isOfModule,
  isOfNamespace,
  parentName,
  pickOne,
  preferSources,
} from "./hit_names.ts";
import { bindingOfEntry, bindingOfModule, hitsOfBinding } from "./modules/module_bindings.ts";
import type { ProjectFacts, Rules } from "./reference_facts.ts";
import { CALLABLES, NAMESPACES } from "./reference_facts.ts";
import { isTop } from "./resolution_rules.ts";

/** An import that a name means. */
export interface VisibleImport {
  readonly entry: ImportEntry;
  /** Whether a function round the place imports it, so that it comes before what the file defines. */
  readonly isInner: boolean;
}

/** The import that binds a name at a line, the one of the innermost function; undefined where none does. */
export function findImport(
  name: string,
  { path, line }: { readonly path: string; readonly line: number },
  facts: ProjectFacts,
): VisibleImport | undefined {
  let found: VisibleImport | undefined;
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

const FOLLOWED = new WeakMap<
  Rules,
  WeakMap<readonly SymbolHit[], Map<string, SymbolHit | null>>
>();

/** The definition among `found` that an import brings, passed on by other files or not. */
export function followImport(
  rules: Rules,
  entry: ImportEntry,
  name: string,
  from: string,
  found: readonly SymbolHit[],
  steps = 0,
): SymbolHit | null {
  if (rules.family === "script") return pickOne(keepGiven(rules, entry, name, from, found));
  const wanted = entry.name === null || entry.name === "*" ? name : entry.name;
  // What imports lead to, by the definitions that are looked among: a file names the same thing again and again.
  const lists = getOrInsert(FOLLOWED, rules, () => new WeakMap());
  const known = getOrInsert(lists, found, () => new Map<string, SymbolHit | null>());
  return getOrInsert(
    known,
    `${steps}\0${wanted}\0${entry.module}\0${from}`,
    () => followAnew(rules, entry, wanted, from, { found, steps }),
  );
}

/** The same for all that a module gives, under its own name. */
export function followWhole(
  rules: Rules,
  entry: ImportEntry,
  name: string,
  from: string,
  found: readonly SymbolHit[],
): SymbolHit | null {
  return followImport(rules, { ...entry, name: "*", alias: "" }, name, from, found);
}

/** Those of `found` that a module of scripts gives. */
function keepGiven(
  rules: Rules,
  entry: ImportEntry,
  name: string,
  from: string,
  found: readonly SymbolHit[],
): readonly SymbolHit[] {
  const direct = entry.name === "*" ? null : bindingOfEntry(rules, entry, from);
  const isDirect = direct?.kind === "symbols" || entry.name !== null && entry.name !== "*";
  const hits = hitsOfBinding(isDirect ? direct : bindingOfModule(rules, entry.module, name, from));
  return found.filter((hit) =>
    hits.some(({ path, position }) => path === hit.path && position === hit.position)
  );
}

function followAnew(
  rules: Rules,
  entry: ImportEntry,
  wanted: string,
  from: string,
  { found, steps }: { readonly found: readonly SymbolHit[]; readonly steps: number },
): SymbolHit | null {
  const { family, facts } = rules;
  const direct = found.filter((hit) => hit.name === wanted && isFrom(rules, entry, from, hit));
  const top = direct.filter((hit) => isTop(rules, hit));
  // The table that a Lua file returns has no name outside.
  const inside = family === "lua"
    ? direct
    : direct.filter((one) => endsWithName(entry.module, parentName(one)));
  const hit = pickOne(family === "c" ? preferSources(top) : top.length > 0 ? top : inside);
  if (hit !== null || steps >= MAX_STEPS) return hit;
  const file = facts.findModule(entry.module, from, family).files
    .find((path) => path !== from && facts.isFile(path));
  for (const next of file === undefined ? [] : facts.imports(file)) {
    const isWhole = next.name === "*" && (next.isReexport === true || family === "python");
    if (next.alias !== wanted && !(isWhole && next.alias === "")) continue;
    const passed = followImport(rules, next, wanted, file ?? "", found, steps + 1);
    if (passed !== null) return passed;
  }
  return null;
}

/** Whether a definition is what an import may mean. */
export function isFrom(
  { family, facts }: Rules,
  { module }: ImportEntry,
  from: string,
  hit: SymbolHit,
): boolean {
  if (family === "elixir") return isOfModule(hit, module);
  return NAMESPACES.has(family)
    ? isOfNamespace(hit, module, (path) => facts.symbols(path))
    : facts.findModule(module, from, family).has(hit.path);
}
