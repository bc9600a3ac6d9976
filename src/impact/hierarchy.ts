/** Which types are made from which, which members replace which, and who imports a file as a whole. Asks the facts alone. */
import { familiesWith } from "../language/families.ts";
import { familyOf, languageOfPath } from "../language/languages.ts";
import type { IndexFacts } from "../resolve/index_facts.ts";
import type { Edge } from "./affected.ts";
import type { SymbolHit } from "../index/read/view.ts";
import { parentName, splitQualified } from "../resolve/hit_names.ts";
import { isCallable, isInterface, isType, symbolKey } from "./symbol_shape.ts";
import { resolveReference } from "../resolve/resolver.ts";

/** Families where a module is a file; elsewhere an import names a package, which is more than the file. */
const FILE_FAMILIES = familiesWith("moduleIsFile");

/** An edge for each file that imports one of the files. */
export function findImporters(facts: IndexFacts, files: readonly string[]): readonly Edge[] {
  return files.flatMap((file) => {
    const family = languageOfPath(file)?.family ?? null;
    if (family !== null && !FILE_FAMILIES.has(family)) return [];
    const found = new Map<string, Edge>();
    for (const { path, line, isReexport } of facts.importsInto(file)) {
      if (files.includes(path) || found.has(path)) continue;
      found.set(path, {
        path,
        line,
        kind: languageOfPath(path)?.name === "Blade" ? "markup" : "import",
        confidence: "resolved",
        depth: 1,
        symbol: file,
        ...(isReexport === true ? { within: "(passed on)" } : {}),
      });
    }
    return [...found.values()];
  });
}

/** Families where no word says which interface a type implements. */
const STRUCTURAL: ReadonlySet<string> = new Set(["go", "script", "python"]);
const MAX_STEPS = 4;
const MAX_PLACES = 5_000;

/** A type that is made from another one, and where it says so. */
export interface Subtype {
  readonly type: SymbolHit;
  readonly line: number;
}

const MADE = new WeakMap<readonly SymbolHit[], readonly SymbolHit[]>();

/** The types among the symbols of a file that are made from others. */
function listMade(symbols: readonly SymbolHit[]): readonly SymbolHit[] {
  const known = MADE.get(symbols);
  if (known !== undefined) return known;
  const made = symbols.filter((hit) => (hit.bases?.length ?? 0) > 0 && isType(hit));
  MADE.set(symbols, made);
  return made;
}

/** The hierarchy of types round the symbols of one analysis. */
export class Hierarchy {
  readonly #facts: IndexFacts;
  readonly #below = new Map<string, readonly Subtype[]>();

  constructor(facts: IndexFacts) {
    this.#facts = facts;
  }

  /** Types that name this one as what they are made from. */
  subtypes(type: SymbolHit): readonly Subtype[] {
    const key = symbolKey(type);
    const known = this.#below.get(key);
    if (known !== undefined) return known;
    const places = [
      ...this.#facts.view.findOccurrences(type.name, { limit: MAX_PLACES }).hits
        .map((hit) => ({ ...hit, name: type.name })),
      ...this.#facts.listOtherNames([type]),
    ];
    const project = this.#facts.forPlaces(places);
    const found = new Map<string, Subtype>();
    for (const place of places) {
      if (place.kind === "definition" || place.kind === "import") continue;
      const made = listMade(this.#facts.symbols(place.path)).find((hit) =>
        hit.startLine <= place.line && place.line <= hit.endLine &&
        hit.bases?.some((base) => splitQualified(base).last === place.name) === true
      );
      if (made === undefined || symbolKey(made) === key || found.has(symbolKey(made))) continue;
      const language = languageOfPath(place.path)?.name ?? null;
      const target = resolveReference({ ...place, language }, project);
      this.#facts.settleAsked({ isWanted: true });
      if (target !== null && symbolKey(target) === key) {
        found.set(symbolKey(made), { type: made, line: place.line });
      }
    }
    const list = [...found.values()];
    this.#below.set(key, list);
    return list;
  }

  /** Members of subtypes that replace the member, through all steps. */
  overriders(member: SymbolHit): readonly SymbolHit[] {
    return this.#membersBeyond(member, (type) => this.subtypes(type).map((one) => one.type));
  }

  /** Members of the types above that the member replaces. */
  overridden(member: SymbolHit): readonly SymbolHit[] {
    return this.#membersBeyond(member, (type) => this.#supertypes(type));
  }

  /** Where no word says that a type implements an interface, one that has all its members may stand behind it. */
  findFitting(
    target: SymbolHit,
    group: readonly SymbolHit[],
  ): { readonly aim: SymbolHit; readonly confidence: "name"; readonly through: SymbolHit } | null {
    if (!STRUCTURAL.has(familyOf(target.language) ?? "")) return null;
    const own = this.#facts.symbols(target.path);
    const holder = this.#holderType(target);
    if (holder === null || !isInterface(holder)) return null;
    const members = own.filter(({ parent }) => parent === holder.position);
    const aim = group.find((hit) => {
      const type = parentName(hit);
      return isCallable(hit) && type !== "" &&
        members.every((member) =>
          this.#facts.named(member.name).some((one) =>
            parentName(one) === type && one.language === hit.language
          )
        );
    });
    return aim === undefined ? null : { aim, confidence: "name", through: target };
  }

  #membersBeyond(
    member: SymbolHit,
    next: (type: SymbolHit) => readonly SymbolHit[],
  ): readonly SymbolHit[] {
    const holder = this.#holderType(member);
    if (holder === null) return [];
    const found: SymbolHit[] = [];
    const seen = new Set([symbolKey(holder)]);
    let level: readonly SymbolHit[] = [holder];
    for (let step = 0; step < MAX_STEPS && level.length > 0; step++) {
      level = level.flatMap(next).filter((type) => !seen.has(symbolKey(type)));
      for (const type of level) {
        seen.add(symbolKey(type));
        found.push(...this.#ownMembers(type, member.name));
      }
    }
    return found;
  }

  #supertypes(type: SymbolHit): readonly SymbolHit[] {
    const project = this.#facts.forPlaces([]);
    return (type.bases ?? []).flatMap((base) => {
      const { last: name, holder } = splitQualified(base);
      const mention = {
        name,
        path: type.path,
        line: type.line,
        column: 0,
        kind: "type",
        language: type.language,
        ...(holder === "" ? {} : { receiver: holder }),
      };
      const found = resolveReference(mention, project);
      return found === null || !isType(found) ? [] : [found];
    });
  }

  #holderType(member: SymbolHit): SymbolHit | null {
    const own = this.#facts.symbols(member.path);
    const holder = member.parent === null ? undefined : own[member.parent];
    if (holder !== undefined) return isType(holder) ? holder : null;
    const name = parentName(member);
    return name === "" ? null : own.find((hit) => hit.name === name && isType(hit)) ?? null;
  }

  #ownMembers(type: SymbolHit, name: string): readonly SymbolHit[] {
    return this.#facts.named(name).filter((hit) =>
      hit.path === type.path && hit.parent === type.position
    );
  }
}
