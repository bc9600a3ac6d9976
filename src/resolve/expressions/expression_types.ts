/**
 * The types of expressions. What stands before a dot is followed step by step: from a name to its
 * declared type, or to the expression that made it. From there it goes on to a member, to the
 * result of a call, and so on. It follows only what declarations say, to a bounded depth, and
 * remembers every expression that it followed. Pure over the facts.
 */
import type { TypeFact } from "../../analysis/analysis.ts";
import type { SymbolHit } from "../../index/read/view.ts";
import { followWhole } from "../import_trail.ts";
import { basesOf, enclosingType, memberOf } from "../members.ts";
import { bindingOfModule } from "../modules/module_bindings.ts";
import type { Place, Rules } from "../reference_facts.ts";
import { CALLABLES, SELF, TYPES } from "../reference_facts.ts";
import { listCandidates } from "../resolution_rules.ts";
import {
  bindToPlace,
  fillForm,
  fillMember,
  giveParameters,
  instanceOf,
  resultOf,
  selfTypeOf,
} from "./given_types.ts";
import {
  findNarrowings,
  followStep,
  listEach,
  methodOfKeys,
  narrowTyped,
  partOf,
  stepOfKeys,
  stepOfList,
  stepOfTable,
  typeOfContext,
} from "./many.ts";
import { findTypeNamed, ofBinding, ofLocal, ofName, ofSelf } from "./name_types.ts";
import { attributeOf, ofInjected, ofPythonSymbol, resultOfPython } from "./python_types.ts";
import { readTypeForm } from "./type_text.ts";
import type { TypeForm } from "./type_text.ts";
import type { Typed, TypeGiven, Types } from "./typed.ts";
import { cutHead, cutKeys, factsAt, isWithin, joinTypes, placeOf, preferValues } from "./typed.ts";

const MAX_DEPTH = 24;
const MAX_ALIASES = 6;
const VALUES = new Set(["variable", "constant", "property", "field", "enumerator"]);
const STEP = /\.([\p{L}\p{N}_$#]+)|(\(\))|(\[\])|(~)|(\*)|#(\d+)/uy;
/** The types of expressions in one project. */
export class ExpressionTypes implements Types {
  readonly rules: Rules;
  readonly #known = new Map<string, Typed | null>();
  readonly #isPython: boolean;
  readonly #isScript: boolean;
  #depth = 0;
  #members = 0;

  constructor(rules: Rules) {
    this.rules = rules;
    this.#isPython = rules.family === "python";
    this.#isScript = rules.family === "script";
  }

  /**
   * The members `name` of an expression in its short form: several where it is one of several types that all have one;
   * none where its type is not known or has none.
   */
  membersOf(expression: string, name: string, place: Place): readonly SymbolHit[] {
    const typed = this.typeOf(expression, place);
    if (typed === null) return [];
    if (typed.kind === "module" && this.#isScript) {
      // A type and a value may share the name.
      const own = bindingOfModule(this.rules, typed.entry.module, name, typed.from);
      if (own?.kind === "symbols") return own.hits;
    }
    const hit = this.member(typed, name);
    if (hit !== null || this.#isPython) return hit === null ? [] : [hit];
    const all = listEach(typed, this).map((one) => this.member(one, name));
    return all.includes(null) ? [] : [...new Set(all)] as SymbolHit[];
  }

  /** The type that a base is called: a class under another name is that class. */
  baseType(name: string, { path, line, column }: SymbolHit): SymbolHit | null {
    const typed = this.ofForm(readTypeForm(name), { path, line, column });
    const bare = typed === null ? null : this.bare(typed);
    return bare?.kind === "object" || bare?.kind === "class" ? bare.type : null;
  }

  /** What an expression in its short form is. */
  typeOf(expression: string, place: Place): Typed | null {
    const { path, line, column, isLocal } = place;
    const key = `${line}:${column}${
      isLocal === undefined ? "" : isLocal ? "l" : "f"
    } ${expression}\0${path}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#depth >= MAX_DEPTH) return null;
    // An expression that needs its own type has none.
    this.#known.set(key, null);
    this.#depth++;
    const typed = this.#walk(expression, place);
    this.#depth--;
    this.#known.set(key, typed);
    return typed;
  }

  #walk(expression: string, place: Place): Typed | null {
    const [head, rest] = cutHead(expression);
    let typed = this.#narrowed(head, this.#head(head, place), place);
    STEP.lastIndex = 0;
    while (typed !== null && STEP.lastIndex < rest.length) {
      const at = STEP.lastIndex;
      const match = STEP.exec(rest);
      if (match === null) return null;
      // Following a step may read another expression with the same pattern.
      const next = at + match[0].length;
      typed = followStep(match, typed, this);
      STEP.lastIndex = next;
    }
    return typed;
  }

  /** What a test round the place leaves of a variable that is one of several. */
  #narrowed(name: string, typed: Typed | null, place: Place): Typed | null {
    if (typed === null || this.#isPython) return typed;
    return findNarrowings(this.rules.facts.types(place.path), name, place)
      .reduce((left, fact) => narrowTyped(left, fact, this), typed);
  }

  #head(head: string, place: Place): Typed | null {
    if (head.startsWith("<")) {
      const name = /^<([\p{L}_$][\p{L}\p{N}_$]*)>$/u.exec(head)?.[1];
      const local = name === undefined || !this.#isScript ? undefined : ofLocal(this, name, place);
      // A variable of a block hides the type of its name.
      if (local !== undefined) {
        return local?.kind === "class" ? instanceOf({ ...local, kind: "object" }, this) : null;
      }
      return instanceOf(this.ofForm(readTypeForm(head.slice(1, -1)), place), this);
    }
    if (head.startsWith("{")) return { kind: "keys", keys: cutKeys(head.slice(1, -1)), place };
    if (this.#isPython && head === "super") return ofSelf(this, place, "base");
    if (this.#isScript ? head === "this" : SELF.has(head)) {
      const kind = head === "cls" ? "class" : "object";
      return selfTypeOf(ofSelf(this, place, kind, head), this);
    }
    return ofName(this, head, place);
  }

  ofFact(fact: TypeFact, path: string): Typed | null {
    const place: Place = { path, line: fact.line, column: fact.column };
    if (fact.text === "") return null;
    if (fact.kind === "value" || fact.kind === "each") {
      return this.typeOf(fact.text, place);
    }
    if (fact.kind === "injected") return ofInjected(this, fact, path);
    return fact.kind === "context"
      ? typeOfContext(fact.text, place, this)
      : this.ofForm(readTypeForm(fact.text), place);
  }

  /** What a definition is where its name stands as a value. */
  ofSymbol(hit: SymbolHit, of: Typed | null): Typed | null {
    if (TYPES.has(hit.kind)) return { kind: "class", type: hit };
    if (this.#isPython) return ofPythonSymbol(this, hit, of);
    const facts = factsAt(this.rules, hit);
    if (CALLABLES.has(hit.kind)) {
      // A method with a type, not a result, is one that is read as a property.
      const read = hit.kind === "function" ? undefined : facts.find(({ kind }) => kind === "type");
      return read === undefined ? { kind: "callable", hit, of } : this.ofFact(read, hit.path);
    }
    if (!VALUES.has(hit.kind)) return null;
    const fact = facts.find(({ kind }) => kind === "type") ??
      facts.find(({ kind }) => kind === "value");
    if (fact === undefined) return null;
    const form = fact.kind === "type" ? readTypeForm(fact.text) : null;
    if (form?.kind === "named" && form.name === "this") return of;
    const typed = form === null
      ? this.ofFact(fact, hit.path)
      : this.ofForm(fillMember(form, { hit, of }, this), placeOf(hit));
    return typed?.kind === "keys" && fact.text.startsWith("{") ? { ...typed, of: hit } : typed;
  }

  #heldBy(type: SymbolHit, name: string): SymbolHit | null {
    return memberOf(this.rules, type, listCandidates(this.rules, name));
  }

  ofForm(form: TypeForm, place: Place): Typed | null {
    switch (form.kind) {
      case "named":
        return this.#ofNamed(form, place);
      case "list":
        return { kind: "list", of: { form: form.of, place } };
      case "tuple":
        return { kind: "tuple", of: form.of.map((one) => ({ form: one, place })) };
      case "function":
        return { kind: "function", form, place };
      case "either":
      case "both": {
        const of = form.of.map((one) => this.ofForm(one, place));
        const joined = this.#isPython ? joinTypes(of) : null;
        return joined ?? { kind: form.kind, of };
      }
      case "of":
        return this.typeOf(form.expression, place);
      case "member": {
        const of = this.ofForm(form.of, place);
        return of === null ? null : this.step(of, form.name);
      }
      case "placed":
        return this.ofForm(form.of, form.place);
      case "unknown":
        return null;
    }
  }

  #ofNamed({ name, args }: TypeForm & { kind: "named" }, place: Place): Typed | null {
    const { path, line } = place;
    const [first] = args;
    if (name === "Promise" || name === "PromiseLike" || name === "Awaited") {
      return first === undefined ? null : { kind: "promise", of: { form: first, place } };
    }
    if (name === "this") {
      const type = enclosingType(this.rules, path, line);
      return type === null ? null : selfTypeOf({ kind: "object", type }, this);
    }
    if (!name.includes(".")) {
      const bound = (this.rules.facts.types(path).byName.get(name) ?? [])
        .find((fact) => fact.kind === "bound" && (this.#isPython || isWithin(fact, place)));
      if (bound !== undefined) return this.ofFact(bound, path);
    }
    const [, second] = args;
    if (name === "dict" && first !== undefined && second !== undefined) {
      return { kind: "table", key: { form: first, place }, of: { form: second, place } };
    }
    const type = findTypeNamed(this, name, place);
    if (type === null || args.length === 0) return type === null ? null : { kind: "object", type };
    return { kind: "object", type, args: args.map((one) => bindToPlace(one, place)) };
  }

  /** What stands behind names of types that only stand for others. */
  bare(typed: Typed): Typed | null {
    let bare: Typed | null = typed;
    for (let step = 0; step < MAX_ALIASES && bare?.kind === "object"; step++) {
      const given: TypeGiven = bare;
      const facts = factsAt(this.rules, given.type);
      const alias = facts.find(({ kind }) => kind === "alias");
      if (alias === undefined) return bare;
      const form = fillForm(readTypeForm(alias.text), giveParameters(given, facts));
      bare = this.ofForm(form, placeOf(given.type));
    }
    return bare;
  }

  /** The definition of a member. */
  member(typed: Typed, name: string): SymbolHit | null {
    // Types that stand for one another lead nowhere.
    if (this.#members >= MAX_DEPTH) return null;
    this.#members++;
    const hit = this.#memberOf(typed, name);
    this.#members--;
    return hit;
  }

  #memberOf(typed: Typed, name: string): SymbolHit | null {
    switch (typed.kind) {
      case "object":
      case "class": {
        const hit = this.#heldBy(typed.type, name);
        if (hit !== null || typed.kind === "class") return hit;
        const bare = this.bare(typed);
        return bare === null || bare === typed ? null : this.member(bare, name);
      }
      case "either": {
        const hits = typed.of.map((one) => one === null ? null : this.member(one, name));
        const [first = null] = hits;
        return hits.every((hit) => hit === first) ? first : null;
      }
      case "both":
        for (const one of typed.of) {
          const hit = one === null ? null : this.member(one, name);
          if (hit !== null) return hit;
        }
        return null;
      case "base":
        return basesOf(this.rules, typed.type)
          .map((base) => this.#heldBy(base, name))
          .find((hit) => hit !== null) ?? null;
      case "tuple": {
        // The first of several results of Go.
        const first = this.#isPython ? null : partOf(typed, 0, this);
        return first === null || first.kind === "tuple" ? null : this.member(first, name);
      }
      case "keys":
      case "module": {
        const own = typed.kind === "keys" ? methodOfKeys(typed, name, this) : null;
        if (own !== null) return own;
        const inner = this.step(typed, name);
        return inner?.kind === "callable" ? inner.hit : inner?.kind === "class" ? inner.type : null;
      }
      default:
        return null;
    }
  }

  /** What a member is. */
  step(typed: Typed, name: string): Typed | null {
    if (typed.kind === "module") return this.#ofModule(typed, name);
    if (typed.kind === "keys") return stepOfKeys(typed, name, this);
    const bare = typed.kind === "object" ? this.bare(typed) : typed;
    const given = bare?.kind === "list" ? stepOfList(bare, name) : null;
    if (given !== null) return given;
    if (bare?.kind === "table") return stepOfTable(bare, name);
    const held = typed.kind === "object" ? this.#heldBy(typed.type, name) : null;
    if (held === null && bare?.kind === "both") return this.#stepOfAll(bare.of, name);
    if (held === null && bare?.kind === "either" && !this.#isPython) {
      return this.#joined(bare, (one) => this.step(one, name));
    }
    const hit = held ?? this.member(typed, name);
    const own = hit === null ? null : this.ofSymbol(hit, typed);
    return own ?? (this.#isPython ? attributeOf(this, typed, name) : null);
  }

  /** What a member is of a type that is all of several at once: that of the first which has it. */
  #stepOfAll(all: readonly (Typed | null)[], name: string): Typed | null {
    const holder = all.find((one) => one !== null && this.member(one, name) !== null) ?? null;
    return holder === null ? null : this.step(holder, name);
  }

  /** What each of several types gives; null where one gives nothing that is known. */
  #joined(typed: Typed, read: (one: Typed) => Typed | null): Typed | null {
    return joinTypes(listEach(typed, this).map(read));
  }

  #ofModule({ entry, from }: Typed & { kind: "module" }, name: string): Typed | null {
    const { rules } = this;
    if (this.#isScript) return ofBinding(this, bindingOfModule(rules, entry.module, name, from));
    const found = preferValues(listCandidates(rules, name));
    const hit = followWhole(rules, entry, name, from, found);
    return hit === null ? null : this.ofSymbol(hit, null);
  }

  /** What a call of it answers with. */
  called(typed: Typed | null): Typed | null {
    const bare = typed === null ? null : this.bare(typed);
    switch (bare?.kind) {
      case "class":
        return instanceOf({ kind: "object", type: bare.type }, this);
      case "callable":
        return (this.#isPython
          ? resultOfPython(this, bare.hit, bare.of)
          : resultOf(bare.hit, bare.of, this));
      case "function":
        return this.ofForm(bare.form.result, bare.place);
      case "either":
        // A decorator that may be called or not answers with a function, or with what that one makes.
        return this.#isPython
          ? joinTypes(bare.of.flatMap((one) => one?.kind === "function" ? [this.called(one)] : []))
          : this.#joined(bare, (one) => this.called(one));
      case "object":
        return this.#isPython ? this.called(this.step(bare, "__call__")) : null;
      case "list":
      case "table":
      case "base":
        return bare;
      case "taker":
        return this.ofForm(bare.of.form, bare.of.place);
      default:
        return null;
    }
  }
}
