/**
 * What a name means at a place, as the beginning of an expression or as a type: a variable of a block, what an import
 * brings, else what the rules of scope lead to. Pure over the facts.
 */
import type { ImportEntry } from "../../analysis/analysis.ts";
import { packPosition } from "../../base/text/position.ts";
import type { SymbolHit } from "../../index/read/view.ts";
import { findImport, followImport, followWhole } from "../import_trail.ts";
import { enclosingType } from "../members.ts";
import type { Binding } from "../modules/module_bindings.ts";
import { bindingOfEntry, bindingOfModule, hitsOfBinding } from "../modules/module_bindings.ts";
import type { Place, Rules } from "../reference_facts.ts";
import { TYPES } from "../reference_facts.ts";
import { listCandidates, listTypes } from "../resolution_rules.ts";
import { findBindings } from "./python_types.ts";
import type { Typed, Types } from "./typed.ts";
import { findLocal, joinTypes, preferValues } from "./typed.ts";

/** The object itself: what the function says that is round the place, else that of the type. */
export function ofSelf(
  types: Types,
  place: Place,
  kind: "object" | "class" | "base",
  word = "",
): Typed | null {
  const { rules } = types;
  const type = enclosingType(rules, place.path, place.line);
  if (rules.family === "python") {
    // A function may say what its object is.
    const declared = word === "" ? null : ofLocal(types, word, place) ?? null;
    return declared !== null || type === null ? declared : { kind, type };
  }
  const own = findLocal(rules.facts.types(place.path), "this", place);
  const isInside = type !== null && packPosition(type.startLine, 1) > (own?.within?.[0] ?? 0);
  if (own !== undefined && !isInside) return types.ofFact(own, place.path);
  return type === null ? null : { kind: "object", type };
}

/** What a name means as a value; null where nothing says it. */
export function ofName(types: Types, name: string, place: Place): Typed | null {
  const { rules } = types;
  const { path, line, isLocal } = place;
  const local = isLocal === false ? undefined : ofLocal(types, name, place);
  if (local !== undefined) return local;
  if (isLocal === true) return null;
  const entry = findImport(name, place, rules.facts)?.entry;
  if (entry !== undefined) {
    // `import a.b` of Python binds `a`, of which `.b` is a part.
    const isPart = rules.family === "python" && entry.name === null &&
      entry.module.startsWith(`${name}.`);
    return isPart ? null : ofImport(types, entry, path);
  }
  const found = preferValues(listCandidates(rules, name));
  const hit = rules.resolvePlain({ name, path, line }, found);
  return hit === null ? null : types.ofSymbol(hit, null);
}

/** What a variable of a block holds; undefined where none of the name is known at the place. */
export function ofLocal(types: Types, name: string, place: Place): Typed | null | undefined {
  const { family, facts } = types.rules;
  const file = facts.types(place.path);
  if (family === "python") {
    const bound = findBindings(file, name, place);
    if (bound.length === 0) return undefined;
    return joinTypes(bound.map((fact) => types.ofFact(fact, place.path)));
  }
  const local = findLocal(file, name, place);
  return local === undefined ? undefined : types.ofFact(local, place.path);
}

/** What a module of scripts gives. */
export function ofBinding(types: Types, binding: Binding | null): Typed | null {
  if (binding === null || binding.kind === "module") return binding;
  const [hit] = preferValues(binding.hits);
  return hit === undefined ? null : types.ofSymbol(hit, null);
}

/** The type that `Name` or `space.Name` means; in scripts also the class that a value is. */
export function findTypeNamed(types: Types, name: string, place: Place): SymbolHit | null {
  const type = findByName(types, name, place);
  if (type !== null || types.rules.family !== "script") return type;
  const typed = types.typeOf(name, place);
  return typed?.kind === "class" ? typed.type : null;
}

function ofImport(types: Types, entry: ImportEntry, from: string): Typed | null {
  const { rules } = types;
  const { family, facts } = rules;
  if (family === "script") return ofBinding(types, bindingOfEntry(rules, entry, from));
  const { name } = entry;
  if (family !== "python" || name === null || name === "*") return { kind: "module", entry, from };
  const found = preferValues(listCandidates(rules, name));
  const hit = followImport(rules, entry, name, from, found);
  if (hit !== null) return types.ofSymbol(hit, null);
  const module = `${entry.module}${entry.module.endsWith(".") ? "" : "."}${name}`;
  return facts.findModule(module, from, family).files.length === 0
    ? null
    : { kind: "module", entry: { ...entry, module, name: null }, from };
}

function findByName(types: Types, name: string, { path, line }: Place): SymbolHit | null {
  const { rules } = types;
  const parts = name.split(".");
  const [head = "", last = ""] = [parts[0], parts.at(-1)];
  const entry = findImport(head, { path, line }, rules.facts)?.entry;
  if (parts.length === 1) {
    return rules.findType(name, path, line) ?? findRenamed(rules, entry, path);
  }
  const isScript = rules.family === "script";
  let space = entry === undefined ? null : ofImport(types, entry, path);
  for (const part of parts.slice(1, -1)) {
    if (space?.kind !== "module" || !isScript) return null;
    space = ofBinding(types, bindingOfModule(rules, space.entry.module, part, space.from));
  }
  if (space?.kind !== "module") return null;
  if (!isScript) return followWhole(rules, space.entry, last, space.from, listTypes(rules, last));
  const hits = hitsOfBinding(bindingOfModule(rules, space.entry.module, last, space.from));
  return hits.find(({ kind }) => TYPES.has(kind)) ?? null;
}

/** `from module import Type as Other`. */
function findRenamed(
  rules: Rules,
  entry: ImportEntry | undefined,
  path: string,
): SymbolHit | null {
  const other = entry?.name ?? null;
  if (rules.family !== "python" || entry === undefined || other === null) return null;
  return followImport(rules, entry, other, path, listTypes(rules, other));
}
