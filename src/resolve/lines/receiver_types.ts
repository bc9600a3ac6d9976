/**
 * What stands before the dot: the type of a variable by its declaration or by the call that makes it, and
 * chains of names and calls. Follows only what declarations say; what they leave open stays unknown.
 */
import type { SymbolHit } from "../../index/read/view.ts";
import { isAddition, isCallable, isType } from "../../language/kinds.ts";
import { parentName, pickOne, splitQualified } from "../hit_names.ts";
import { followImport, followWhole } from "../import_trail.ts";
import { followMember, memberOf, typeOfSelf } from "../members.ts";
import type { LocalType, Rules, Spot } from "../reference_facts.ts";
import { SELF } from "../reference_facts.ts";
import { listCandidates } from "../resolution_rules.ts";
import type { LineTypes } from "./bound_types.ts";
import { typeOfField, typeOfVariable } from "./bound_types.ts";
import { readResultType } from "./local_types.ts";

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

  /** The type that the text before a member leads to; the text ends with the dot. */
  ofChain(before: string, spot: Omit<Spot, "name">): SymbolHit | null {
    const chain = CHAIN.exec(before)?.[1];
    if (chain === undefined) return null;
    const [first = "", ...rest] = chain.replace(/^new\s+/, "").split(/\s*(?:\??\.|::|->)\s*/);
    return this.#guard(() => {
      let type = this.#ofFirst(first, spot, /^new\s/.test(chain));
      for (const part of rest) {
        if (type === null) return null;
        const name = part.replace(/\(.*$/s, "");
        type = part.length > name.length
          ? this.#resultOf(memberOf(this.rules, type, listCandidates(this.rules, name)))
          : typeOfField(this, type, name);
      }
      return type;
    });
  }

  /** The type of the first part of a chain: what is called or made, the object itself, a type or a variable. */
  #ofFirst(part: string, spot: Omit<Spot, "name">, isMade: boolean): SymbolHit | null {
    const { path, line, column, isLocal } = spot;
    const name = part.replace(/\(.*$/s, "");
    if (part.length > name.length && !isMade) {
      return this.ofLocal({ name: "", of: name, kind: "call", line, column: 1 }, path);
    }
    if (SELF.has(name)) return typeOfSelf(this.rules, spot);
    const local = isLocal === true ? { isLocal } : {};
    const at = column === undefined ? {} : { column };
    return this.ofWord(name, path, line) ??
      typeOfVariable(this, { name, path, line, ...at, ...local });
  }

  /** The type of a name or a chain. */
  ofText(text: string, spot: Omit<Spot, "name">): SymbolHit | null {
    return this.ofChain(`${text}.`, spot);
  }

  /** The type that a word such as `pkg.Type` means. */
  ofWord(name: string, path: string, line: number): SymbolHit | null {
    const { last, holder } = splitQualified(name);
    const types = listCandidates(this.rules, last).filter(({ kind }) => isOwnType(kind));
    if (types.length === 0) return null;
    if (holder === "") return this.rules.findType(last, path, line);
    const entry = this.rules.facts.imports(path).find(({ alias }) => alias === holder);
    if (entry === undefined) return pickOne(types.filter((hit) => parentName(hit) === holder));
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
    for (const name of fields) {
      if (type === null) return null;
      type = typeOfField(this, type, name);
    }
    return type;
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
    const holder = parentName(called);
    return holder === "" ? null : this.ofWord(holder, called.path, called.line);
  }
}
