/**
 * What stands before the dot: the type of a variable by its declaration or by the call that makes it, and
 * chains of names and calls. Follows only what declarations say; what they leave open stays unknown.
 */
import type { ImportEntry } from "../../analysis/analysis.ts";
import type { SymbolHit } from "../../index/read/view.ts";
import { isAddition, isCallable, isType, isVariable } from "../../language/kinds.ts";
import { pickOne, splitQualified, toHolder } from "../hit_names.ts";
import { followImport, followWhole } from "../import_trail.ts";
import { followMember, memberOf, typeOfSelf } from "../members.ts";
import type { LocalType, Rules, Spot } from "../reference_facts.ts";
import { SELF } from "../reference_facts.ts";
import { listCandidates } from "../resolution_rules.ts";
import type { LineTypes } from "./bound_types.ts";
import { keepOutside, typeOfField, typeOfVariable } from "./bound_types.ts";
import { readResultType } from "./local_types.ts";

/** What a chain leads to: a type whose members follow, or a module. */
export type Holder =
  | { readonly kind: "type"; readonly type: SymbolHit }
  | { readonly kind: "module"; readonly entry: ImportEntry; readonly from: string };

const MAX_STEPS = 4;
/** Names and calls with dots between them, at the end of a text that ends with a dot. */
const CHAIN =
  /((?:new\s+)?[\w$]+(?:\([^()]*\))?(?:\s*(?:\??\.|::|->)\s*[\w$]+(?:\([^()]*\))?)*)\s*(?:\??\.|::|->)\s*$/;

/** Whether a kind is that of a type itself, not of something that adds to one. */
function isOwnType(kind: string): boolean {
  return isType(kind) && !isAddition(kind);
}

/** The types of receivers in one project. */
export class ReceiverTypes implements LineTypes {
  readonly rules: Rules;
  #steps = 0;

  constructor(rules: Rules) {
    this.rules = rules;
  }

  /** By the type that is declared for the last name before the dot. */
  memberOfVariable(
    spot: Spot,
    parts: readonly string[],
    found: readonly SymbolHit[],
  ): SymbolHit | null {
    // A parameter says nothing of a field with its name: the text has to be known.
    if (parts.length > 1 && this.rules.facts.localTypes === undefined) return null;
    const type = this.#guard(() => this.#ofWay(spot, parts));
    return type === null ? null : memberOf(this.rules, type, found);
  }

  /** A member of an object that is made or cast where the place stands. */
  memberOfNew({ path, line }: Spot, type: string, found: readonly SymbolHit[]): SymbolHit | null {
    const known = this.rules.findType(type, path, line);
    return known === null ? null : memberOf(this.rules, known, found);
  }

  /** A member of `a.b.c`, a module or a type that is named by the way to it. */
  memberOfChain(
    { path, line }: Spot,
    parts: readonly string[],
    found: readonly SymbolHit[],
  ): SymbolHit | null {
    const chain = parts.join(".");
    const whole = this.rules.facts.imports(path)
      .find(({ name, module }) => name === null && module === chain);
    if (whole !== undefined) return followMember(this.rules, whole, path, found);
    const type = this.#ofParts(parts, path, line) ?? this.#ofWholeName(parts, path, line);
    if (type !== null) return memberOf(this.rules, type, found);
    return pickOne(
      found.filter((hit) =>
        hit.path === path && hit.scope === undefined && hit.qualifiedName === `${chain}.${hit.name}`
      ),
    );
  }

  /** The type at the end of a way through imports and types. */
  #ofParts(parts: readonly string[], path: string, line: number): SymbolHit | null {
    const [head = "", ...inner] = parts;
    const entry = this.rules.facts.imports(path).find(({ alias }) => alias === head);
    let type = entry === undefined ? this.rules.findType(head, path, line) : null;
    for (const [at, part] of inner.entries()) {
      // `Outer.this` is the object of the type round the place.
      if (part === "this" && at === inner.length - 1) break;
      const types = listCandidates(this.rules, part).filter(({ kind }) => isOwnType(kind));
      type = at === 0 && entry !== undefined
        ? followMember(this.rules, entry, path, types)
        : type === null
        ? null
        : memberOf(this.rules, type, types);
    }
    return type;
  }

  /** In some languages the whole name of a type needs no import. */
  #ofWholeName(parts: readonly string[], path: string, line: number): SymbolHit | null {
    const { family } = this.rules;
    if (family !== "jvm" && family !== "c_sharp") return null;
    const name = parts.at(-1) ?? "";
    const types = listCandidates(this.rules, name).filter(({ kind }) => isOwnType(kind));
    const module = parts.slice(0, -1).join(".");
    return followImport(this.rules, { module, name, alias: name, line }, name, path, types);
  }

  /** What the text before a member leads to, which ends with the dot. */
  ofChain(before: string, { path, line, column, isLocal }: Omit<Spot, "name">): Holder | null {
    return this.#guard(() => {
      const chain = CHAIN.exec(before)?.[1];
      if (chain === undefined) return null;
      const parts = chain.replace(/^new\s+/, "").split(/\s*(?:\??\.|::|->)\s*/);
      let holder: Holder | null = null;
      for (const [at, part] of parts.entries()) {
        const name = part.replace(/\(.*$/s, "");
        const isCall = part.length > name.length && !(at === 0 && /^new\s/.test(chain));
        holder = at === 0
          ? this.#first({
            name,
            path,
            line,
            ...(column === undefined ? {} : { column }),
            ...(isLocal === true ? { isLocal } : {}),
          }, isCall)
          : holder === null
          ? null
          : this.#next(holder, name, isCall);
        if (holder === null) return null;
      }
      return holder;
    });
  }

  /** The type of a name or a chain. */
  ofText(text: string, spot: Omit<Spot, "name">): SymbolHit | null {
    const holder = this.ofChain(`${text}.`, spot);
    return holder?.kind === "type" ? holder.type : null;
  }

  /** The type that a word such as `pkg.Type` means. */
  ofWord(name: string, path: string, line: number): SymbolHit | null {
    const { last, holder } = splitQualified(name);
    const types = listCandidates(this.rules, last).filter(({ kind }) => isOwnType(kind));
    if (types.length === 0) return null;
    if (holder === "") return this.rules.findType(last, path, line);
    const entry = this.rules.facts.imports(path).find(({ alias }) => alias === holder);
    if (entry === undefined) return pickOne(types.filter((hit) => toHolder(hit) === holder));
    return followWhole(this.rules, entry, last, path, types);
  }

  /** `node = node.next()` asks for itself. */
  #guard<T>(work: () => T | null): T | null {
    if (this.#steps >= MAX_STEPS) return null;
    this.#steps++;
    try {
      return work();
    } finally {
      this.#steps--;
    }
  }

  /** The type of the last of some names, each a field of the one before. */
  #ofWay(spot: Spot, parts: readonly string[]): SymbolHit | null {
    const [head = "", ...fields] = parts;
    let type = SELF.has(head)
      ? typeOfSelf(this.rules, spot)
      : typeOfVariable(this, { ...spot, name: head });
    if (type === null && fields.length === 0) {
      type = this.#ofShared({ ...spot, name: head, isLocal: spot.isLocal === true });
    }
    for (const name of fields) {
      if (type === null) return null;
      type = typeOfField(this, type, name);
    }
    return type;
  }

  /** A variable of another file that the place sees: of the same package, or by an import. */
  #ofShared({ name, path, line, isLocal }: Spot): SymbolHit | null {
    const { facts } = this.rules;
    const isKnown = facts.lineText?.(path, line) !== undefined;
    // Only the text of the file says whether it has a variable of its own.
    if (isLocal !== false || !isKnown || facts.localTypes === undefined) return null;
    const own = facts.localTypes(path, name);
    if (keepOutside(this.rules, own, path).length > 0) return null;
    const others = listCandidates(this.rules, name).filter((hit) =>
      isVariable(hit.kind) && hit.path !== path
    );
    const hit = others.length === 0 ? null : this.rules.resolvePlain({ name, path, line }, others);
    if (hit === null || hit.path === path) return null;
    const made = facts.localTypes(hit.path, name)
      .find((one) => one.line === hit.line && one.isField !== true);
    return made === undefined ? null : this.#guard(() => this.ofLocal(made, hit.path));
  }

  ofLocal({ of, kind, line }: LocalType, path: string): SymbolHit | null {
    const direct = this.ofWord(of, path, line);
    if (direct !== null || kind === "type") return direct;
    const { last, holder } = splitQualified(of);
    const made = listCandidates(this.rules, last).filter(({ kind }) => isCallable(kind));
    const spot = { name: last, path, line };
    const called = made.length === 0
      ? null
      : holder === ""
      ? this.rules.resolvePlain(spot, made)
      : this.rules.resolveMember(spot, holder, made);
    if (called === null) return null;
    if (readResultType(called.signature) !== undefined) return this.#resultOf(called);
    // `Type::new()` and `Type.create()` make the type itself, where nothing says what they make.
    return /^[A-Z]/.test(holder) ? this.ofWord(holder, path, line) : null;
  }

  #resultOf(called: SymbolHit | null): SymbolHit | null {
    const result = readResultType(called?.signature);
    if (called === null || result === undefined) return null;
    if (!SELF.has(result)) return this.ofWord(result, called.path, called.line);
    const holder = toHolder(called);
    return holder === "" ? null : this.ofWord(holder, called.path, called.line);
  }

  #first(spot: Spot, isCall: boolean): Holder | null {
    const { name, path, line } = spot;
    if (isCall) {
      return toType(this.ofLocal({ name: "", of: name, kind: "call", line, column: 1 }, path));
    }
    if (SELF.has(name)) {
      return toType(typeOfSelf(this.rules, spot));
    }
    const entry = this.rules.facts.imports(path).find(({ alias }) => alias === name);
    const type = this.ofWord(name, path, line) ?? typeOfVariable(this, spot);
    if (type !== null) return toType(type);
    return entry === undefined ? null : this.#asModule(entry, path);
  }

  #next(holder: Holder, name: string, isCall: boolean): Holder | null {
    const found = listCandidates(this.rules, name);
    if (holder.kind === "type") {
      if (!isCall) {
        return toType(typeOfField(this, holder.type, name));
      }
      const member = memberOf(this.rules, holder.type, found);
      return isCall && member !== null ? toType(this.#resultOf(member)) : null;
    }
    const hit = followWhole(this.rules, holder.entry, name, holder.from, found);
    if (isCall) return toType(this.#resultOf(hit));
    if (hit !== null && isOwnType(hit.kind)) return toType(hit);
    return this.#findInner(holder, name);
  }

  /** A module that another one passes on under a name: `export * as name from`. */
  #findInner(
    { entry, from }: Holder & { kind: "module" },
    name: string,
    steps = 0,
  ): Holder | null {
    // Two files may pass a name on to each other.
    if (steps >= MAX_STEPS) return null;
    let level = this.#filesOf(entry.module, from);
    for (let step = 0; step < MAX_STEPS && level.length > 0; step++) {
      const next: string[] = [];
      for (const file of level) {
        for (const one of this.rules.facts.imports(file)) {
          if (one.alias === name) return this.#asModule(one, file, steps + 1);
          const isWhole = one.name === "*" && one.alias === "" && one.isReexport === true;
          if (isWhole) next.push(...this.#filesOf(one.module, file));
        }
      }
      level = next;
    }
    return null;
  }

  #filesOf(module: string, from: string): readonly string[] {
    const { facts, family } = this.rules;
    return facts.findModule(module, from, family).files;
  }

  /** What an import binds as a module: all of it, or a module inside of it. */
  #asModule(entry: ImportEntry, from: string, steps = 0): Holder | null {
    if (entry.name === null || entry.name === "*") return { kind: "module", entry, from };
    return this.#findInner({ kind: "module", entry, from }, entry.name, steps);
  }
}

function toType(type: SymbolHit | null): Holder | null {
  return type === null ? null : { kind: "type", type };
}
