/**
 * The types of expressions: what stands before a dot leads, step by step, from a name to its declared type or to the
 * expression that made it, from there to a member, to the result of a call, and so on. It follows only what
 * declarations say, to a bounded depth, and remembers every expression that it followed. Pure over the facts.
 */
import type { TypeFact } from "../../analysis/analysis.ts";
import type { SymbolHit } from "../../index/read/view.ts";
import type { TypeAsker } from "./many.ts";
import {
  elementOf,
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
import type { GivenAsker } from "./given_types.ts";
import {
  fillForm,
  fillMember,
  giveParameters,
  resultOf,
  toMade,
  toPlaced,
  toSelf,
  toSignature,
} from "./given_types.ts";
import { NameTypes } from "./name_types.ts";
import { PythonTypes } from "./python_types.ts";
import { CALLABLES, SELF, TYPES } from "../reference_facts.ts";
import type { NameDoor, Typed, TypeGiven } from "./typed.ts";
import { cutHead, cutKeys, isWithin, joinTypes, placeOf, preferValues } from "./typed.ts";
import type { TypeForm } from "./type_text.ts";
import { readTypeForm } from "./type_text.ts";
import type { Place } from "../reference_facts.ts";

const MAX_DEPTH = 24;
const MAX_ALIASES = 6;
const VALUES = new Set(["variable", "constant", "property", "field", "enumerator"]);
const STEP = /\.([\p{L}\p{N}_$#]+)|(\(\))|(\[\])|(~)|(\*)|#(\d+)/uy;
/** The types of expressions in one project. */
export class ExpressionTypes {
  readonly #door: NameDoor;
  readonly #known = new Map<string, Typed | null>();
  readonly #names: NameTypes;
  readonly #python: PythonTypes;
  readonly #isPython: boolean;
  readonly #asker: TypeAsker & GivenAsker = {
    door: () => this.#door,
    factsAt: (hit) => this.#factsAt(hit),
    typeOf: (expression, place) => this.typeOf(expression, place),
    ofForm: (form, place) => this.#ofForm(form, place),
    called: (typed) => this.#called(typed),
    ofSymbol: (hit, of) => this.#ofSymbol(hit, of),
    step: (typed, name) => this.#step(typed, name),
    signature: (given) => toSignature(given, this.#factsAt(given.type)),
    element: (typed) => elementOf(typed, this.#asker),
    isPython: () => this.#isPython,
    filled: (form, hit, of) => fillMember(form, { hit, of }, this.#asker),
    bare: (typed) => this.#bare(typed),
    declaredOf: (typed, member) => {
      const hit = this.#member(typed, member);
      const declared = hit === null ? [] : this.#factsAt(hit);
      return declared.find(({ kind }) => kind === "type")?.text ?? null;
    },
  };
  #depth = 0;
  #members = 0;

  constructor(door: NameDoor) {
    this.#door = door;
    this.#isPython = door.family === "python";
    this.#python = new PythonTypes(door, this.#asker);
    this.#names = new NameTypes(door, {
      typeOf: (expression, place) => this.typeOf(expression, place),
      ofFact: (fact, path) => this.#ofFact(fact, path),
      ofSymbol: (hit) => this.#ofSymbol(hit, null),
    });
  }

  /**
   * The members `name` of an expression in its short form: several where it is one of several types that all have one;
   * none where its type is not known or has none.
   */
  membersOf(expression: string, name: string, place: Place): readonly SymbolHit[] {
    const typed = this.typeOf(expression, place);
    if (typed === null) return [];
    if (typed.kind === "module" && this.#door.bindings !== null) {
      // A type and a value may share the name.
      const own = this.#door.bindings.ofModule(typed.entry.module, name, typed.from);
      if (own?.kind === "symbols") return own.hits;
    }
    const hit = this.#member(typed, name);
    if (hit !== null || this.#isPython) return hit === null ? [] : [hit];
    const all = listEach(typed, this.#asker).map((one) => this.#member(one, name));
    return all.includes(null) ? [] : [...new Set(all)] as SymbolHit[];
  }

  /** The type that a base is called: a class under another name is that class. */
  baseType(name: string, { path, line, column }: SymbolHit): SymbolHit | null {
    const typed = this.#ofForm(readTypeForm(name), { path, line, column });
    const bare = typed === null ? null : this.#bare(typed);
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
      typed = followStep(match, typed, this.#asker);
      STEP.lastIndex = next;
    }
    return typed;
  }

  /** What a test round the place leaves of a variable that is one of several. */
  #narrowed(name: string, typed: Typed | null, place: Place): Typed | null {
    if (typed === null || this.#isPython) return typed;
    return findNarrowings(this.#door.facts.types(place.path), name, place)
      .reduce((left, fact) => narrowTyped(left, fact, this.#asker), typed);
  }

  #head(head: string, place: Place): Typed | null {
    if (head.startsWith("<")) {
      const name = /^<([\p{L}_$][\p{L}\p{N}_$]*)>$/u.exec(head)?.[1];
      const local = name === undefined || this.#door.bindings === null
        ? undefined
        : this.#names.local(name, place);
      // A variable of a block hides the type of its name.
      if (local !== undefined) {
        return local?.kind === "class" ? toMade({ ...local, kind: "object" }, this.#asker) : null;
      }
      return toMade(this.#ofForm(readTypeForm(head.slice(1, -1)), place), this.#asker);
    }
    if (head.startsWith("{")) return { kind: "keys", keys: cutKeys(head.slice(1, -1)), place };
    if (this.#isPython && head === "super") return this.#names.self(place, "base");
    if (this.#door.bindings !== null ? head === "this" : SELF.has(head)) {
      const kind = head === "cls" ? "class" : "object";
      return toSelf(this.#names.self(place, kind, head), this.#asker);
    }
    return this.#names.named(head, place);
  }

  #ofFact(fact: TypeFact, path: string): Typed | null {
    const place: Place = { path, line: fact.line, column: fact.column };
    if (fact.text === "") return null;
    if (fact.kind === "value" || fact.kind === "each") {
      return this.typeOf(fact.text, place);
    }
    if (fact.kind === "injected") return this.#python.ofInjected(fact, path);
    return fact.kind === "context"
      ? typeOfContext(fact.text, place, this.#asker)
      : this.#ofForm(readTypeForm(fact.text), place);
  }

  /** What a definition is where its name stands as a value. */
  #ofSymbol(hit: SymbolHit, of: Typed | null): Typed | null {
    if (TYPES.has(hit.kind)) return { kind: "class", type: hit };
    if (this.#isPython) return this.#python.ofSymbol(hit, of);
    const facts = this.#factsAt(hit);
    if (CALLABLES.has(hit.kind)) {
      // A method with a type, not a result, is one that is read as a property.
      const read = hit.kind === "function" ? undefined : facts.find(({ kind }) => kind === "type");
      return read === undefined ? { kind: "callable", hit, of } : this.#ofFact(read, hit.path);
    }
    if (!VALUES.has(hit.kind)) return null;
    const fact = facts.find(({ kind }) => kind === "type") ??
      facts.find(({ kind }) => kind === "value");
    if (fact === undefined) return null;
    const form = fact.kind === "type" ? readTypeForm(fact.text) : null;
    if (form?.kind === "named" && form.name === "this") return of;
    const typed = form === null
      ? this.#ofFact(fact, hit.path)
      : this.#ofForm(fillMember(form, { hit, of }, this.#asker), placeOf(hit));
    return typed?.kind === "keys" && fact.text.startsWith("{") ? { ...typed, of: hit } : typed;
  }

  #factsAt({ path, name, line, column }: SymbolHit): readonly TypeFact[] {
    return (this.#door.facts.types(path).byName.get(name) ?? [])
      .filter((fact) => fact.line === line && fact.column === column);
  }

  #ofForm(form: TypeForm, place: Place): Typed | null {
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
        const of = form.of.map((one) => this.#ofForm(one, place));
        const joined = this.#isPython ? joinTypes(of) : null;
        return joined ?? { kind: form.kind, of };
      }
      case "of":
        return this.typeOf(form.expression, place);
      case "member": {
        const of = this.#ofForm(form.of, place);
        return of === null ? null : this.#step(of, form.name);
      }
      case "placed":
        return this.#ofForm(form.of, form.place);
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
      const type = this.#door.enclosingType(path, line);
      return type === null ? null : toSelf({ kind: "object", type }, this.#asker);
    }
    if (!name.includes(".")) {
      const bound = (this.#door.facts.types(path).byName.get(name) ?? [])
        .find((fact) => fact.kind === "bound" && (this.#isPython || isWithin(fact, place)));
      if (bound !== undefined) return this.#ofFact(bound, path);
    }
    const [, second] = args;
    if (name === "dict" && first !== undefined && second !== undefined) {
      return { kind: "table", key: { form: first, place }, of: { form: second, place } };
    }
    const type = this.#names.typeNamed(name, place);
    if (type === null || args.length === 0) return type === null ? null : { kind: "object", type };
    return { kind: "object", type, args: args.map((one) => toPlaced(one, place)) };
  }

  /** What stands behind names of types that only stand for others. */
  #bare(typed: Typed): Typed | null {
    let bare: Typed | null = typed;
    for (let step = 0; step < MAX_ALIASES && bare?.kind === "object"; step++) {
      const given: TypeGiven = bare;
      const facts = this.#factsAt(given.type);
      const alias = facts.find(({ kind }) => kind === "alias");
      if (alias === undefined) return bare;
      const form = fillForm(readTypeForm(alias.text), giveParameters(given, facts));
      bare = this.#ofForm(form, placeOf(given.type));
    }
    return bare;
  }

  /** The definition of a member. */
  #member(typed: Typed, name: string): SymbolHit | null {
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
        const hit = this.#door.memberOf(typed.type, this.#door.candidates(name));
        if (hit !== null || typed.kind === "class") return hit;
        const bare = this.#bare(typed);
        return bare === null || bare === typed ? null : this.#member(bare, name);
      }
      case "either": {
        const hits = typed.of.map((one) => one === null ? null : this.#member(one, name));
        const [first = null] = hits;
        return hits.every((hit) => hit === first) ? first : null;
      }
      case "both":
        for (const one of typed.of) {
          const hit = one === null ? null : this.#member(one, name);
          if (hit !== null) return hit;
        }
        return null;
      case "base":
        return this.#door.basesOf(typed.type)
          .map((base) => this.#door.memberOf(base, this.#door.candidates(name)))
          .find((hit) => hit !== null) ?? null;
      case "tuple": {
        // The first of several results of Go.
        const first = this.#isPython ? null : partOf(typed, 0, this.#asker);
        return first === null || first.kind === "tuple" ? null : this.#member(first, name);
      }
      case "keys":
      case "module": {
        const own = typed.kind === "keys" ? methodOfKeys(typed, name, this.#door) : null;
        if (own !== null) return own;
        const inner = this.#step(typed, name);
        return inner?.kind === "callable" ? inner.hit : inner?.kind === "class" ? inner.type : null;
      }
      default:
        return null;
    }
  }

  /** What a member is. */
  #step(typed: Typed, name: string): Typed | null {
    if (typed.kind === "module") return this.#ofModule(typed, name);
    if (typed.kind === "keys") return stepOfKeys(typed, name, this.#asker, this.#door);
    const bare = typed.kind === "object" ? this.#bare(typed) : typed;
    const given = bare?.kind === "list" ? stepOfList(bare, name) : null;
    if (given !== null) return given;
    if (bare?.kind === "table") return stepOfTable(bare, name);
    const held = typed.kind === "object"
      ? this.#door.memberOf(typed.type, this.#door.candidates(name))
      : null;
    if (held === null && bare?.kind === "both") return this.#stepOfAll(bare.of, name);
    if (held === null && bare?.kind === "either" && !this.#isPython) {
      return this.#joined(bare, (one) => this.#step(one, name));
    }
    const hit = held ?? this.#member(typed, name);
    const own = hit === null ? null : this.#ofSymbol(hit, typed);
    return own ?? (this.#isPython ? this.#python.attributeOf(typed, name) : null);
  }

  /** What a member is of a type that is all of several at once: that of the first which has it. */
  #stepOfAll(all: readonly (Typed | null)[], name: string): Typed | null {
    const holder = all.find((one) => one !== null && this.#member(one, name) !== null) ?? null;
    return holder === null ? null : this.#step(holder, name);
  }

  /** What each of several types gives; null where one gives nothing that is known. */
  #joined(typed: Typed, read: (one: Typed) => Typed | null): Typed | null {
    return joinTypes(listEach(typed, this.#asker).map(read));
  }

  #ofModule({ entry, from }: Typed & { kind: "module" }, name: string): Typed | null {
    const { bindings } = this.#door;
    if (bindings !== null) {
      return this.#names.ofBinding(bindings.ofModule(entry.module, name, from));
    }
    const found = preferValues(this.#door.candidates(name));
    const hit = this.#door.follow({ ...entry, name: "*", alias: "" }, name, from, found);
    return hit === null ? null : this.#ofSymbol(hit, null);
  }

  /** What a call of it answers with. */
  #called(typed: Typed | null): Typed | null {
    const bare = typed === null ? null : this.#bare(typed);
    switch (bare?.kind) {
      case "class":
        return toMade({ kind: "object", type: bare.type }, this.#asker);
      case "callable":
        return (this.#isPython
          ? this.#python.resultOf(bare.hit, bare.of)
          : resultOf(bare.hit, bare.of, this.#asker));
      case "function":
        return this.#ofForm(bare.form.result, bare.place);
      case "either":
        // A decorator that may be called or not answers with a function, or with what that one makes.
        return this.#isPython
          ? joinTypes(bare.of.flatMap((one) => one?.kind === "function" ? [this.#called(one)] : []))
          : this.#joined(bare, (one) => this.#called(one));
      case "object":
        return this.#isPython ? this.#called(this.#step(bare, "__call__")) : null;
      case "list":
      case "table":
      case "base":
        return bare;
      case "taker":
        return this.#ofForm(bare.of.form, bare.of.place);
      default:
        return null;
    }
  }
}
