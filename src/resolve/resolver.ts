/** Which definition a place that names something leads to, by scope, import and receiver. Pure over the facts that it is given. */
import { getOrInsert } from "../base/once.ts";
import type { SymbolHit } from "../index/read/view.ts";
import type { Family } from "../language/families.ts";
import { FAMILIES } from "../language/families.ts";
import { familyOf } from "../language/languages.ts";
import { ExpressionTypes } from "./expressions/expression_types.ts";
import { findInjected } from "./expressions/python_types.ts";
import { endsWithName, findEnclosing, parentName, pickOne } from "./hit_names.ts";
import { findImport, followImport } from "./import_trail.ts";
import { ReceiverTypes } from "./lines/receiver_types.ts";
import {
  enclosingType,
  findOwnMember,
  followMember,
  inheritedMember,
  memberOf,
} from "./members.ts";
import { resolveListedName } from "./modules/module_bindings.ts";
import type { Mention, ProjectFacts, Rules, Spot } from "./reference_facts.ts";
import { BLOCKS, SELF, TYPED } from "./reference_facts.ts";
import {
  findOfType,
  isOutsideItsType,
  keepFitting,
  listCandidates,
  listTypes,
  readAsValue,
} from "./resolution_rules.ts";
import { findPlain, findVisibleType } from "./scope_rules.ts";

/** A question follows thousands of places with the same facts. */
const RESOLVERS = new WeakMap<ProjectFacts, Map<Family, Resolver>>();

/**
 * The definition that the place leads to, or null where only the name is the same.
 *
 * @param isAsked which one is meant where the place leads to several: a member of what is one of several types.
 */
export function resolveReference(
  mention: Mention,
  facts: ProjectFacts,
  isAsked?: (hit: SymbolHit) => boolean,
): SymbolHit | null {
  const proven = facts.proven?.(mention);
  if (proven !== undefined) return proven.hit;
  const family = familyOf(mention.language);
  if (family === null) return null;
  const known = getOrInsert(RESOLVERS, facts, () => new Map<Family, Resolver>());
  return getOrInsert(known, family, () => new Resolver(family, facts)).resolve(mention, isAsked);
}

/** Follows the references of one family of languages, with the facts of one question. */
class Resolver implements Rules {
  readonly family: Family;
  readonly facts: ProjectFacts;
  readonly #lines: ReceiverTypes;
  readonly #expressions: ExpressionTypes;
  /** Names of types that are being looked for: a base may be named in the type that extends it. */
  readonly #sought = new Set<string>();

  constructor(family: Family, facts: ProjectFacts) {
    this.family = family;
    this.facts = facts;
    this.#lines = new ReceiverTypes(this);
    this.#expressions = new ExpressionTypes(this);
  }

  resolve(mention: Mention, isAsked?: (hit: SymbolHit) => boolean): SymbolHit | null {
    const { name, path, line, column, kind, receiver, isLocal } = mention;
    const found = listCandidates(this, name);
    const itself = found.find((h) => h.path === path && h.line === line && h.column === column);
    if (itself !== undefined) return itself;
    if (kind === "definition") return null;
    const isScript = this.family === "script";
    // In scripts what a name leads to may have another one.
    if (found.length === 0 && !isScript) return null;
    const around = () => findEnclosing(this.facts, path, line);
    const asked = isScript ? readAsValue(mention, around) : mention;
    const keep = (hits: readonly SymbolHit[]) => keepFitting(hits, asked, this.family);
    const isPlain = isScript && (receiver ?? "") === "" && isLocal !== true;
    const listed = isPlain ? resolveListedName(this, mention) : null;
    if (listed !== null) return pickOne(kind === "import" ? listed : keep(listed));
    if (kind === "import") return isScript ? null : this.#resolveImport(mention, found);
    const fitting = keep(found);
    if (receiver !== undefined) return this.#resolveOf(mention, { receiver, isAsked }, fitting);
    if (isLocal === true) return isScript ? null : findInjected(this, mention);
    if (fitting.length === 0 && !isScript) return null;
    return findPlain(this, mention, fitting, keep);
  }

  findType(name: string, path: string, line: number): SymbolHit | null {
    const key = `${name} ${line} ${path}`;
    const isNone = this.family !== "script" && listTypes(this, name).length === 0;
    if (isNone || this.#sought.has(key)) return null;
    this.#sought.add(key);
    const hit = findVisibleType(this, { name, path, line });
    this.#sought.delete(key);
    return hit;
  }

  resolvePlain(spot: Spot, found: readonly SymbolHit[]): SymbolHit | null {
    return findPlain(this, spot, found);
  }

  findBase(base: string, type: SymbolHit): SymbolHit | null | undefined {
    return this.family === "script" ? this.#expressions.baseType(base, type) : undefined;
  }

  typeOfText(text: string, spot: Omit<Spot, "name">): SymbolHit | null {
    return this.#lines.ofText(text, spot);
  }

  resolveMember(spot: Spot, receiver: string, found: readonly SymbolHit[]): SymbolHit | null {
    const { path, line } = spot;
    const isParent = receiver === "super" || receiver === FAMILIES[this.family].parent;
    if (isParent || SELF.has(receiver)) {
      // The types of expressions know what `this` is where a function has its own.
      if (this.family === "script" && !isParent) return null;
      if (!isParent && BLOCKS.has(this.family)) {
        return findOwnMember(this, spot, found, { isSelf: true }) ?? null;
      }
      const type = enclosingType(this, path, line);
      const find = isParent ? inheritedMember : memberOf;
      return type === null ? null : find(this, type, found);
    }
    const entry = findImport(receiver, spot, this.facts)?.entry;
    const brought = entry === undefined ? null : followMember(this, entry, path, found);
    if (brought !== null) return brought;
    const held = found.filter((hit) => parentName(hit) === receiver);
    if (held.length > 0) {
      const type = this.findType(receiver, path, line);
      if (type !== null) {
        const told = findOfType(type, found, this.facts);
        return told === undefined ? memberOf(this, type, held) : told;
      }
      // `opts.f = …` in two functions are two of a kind: only what stands in its holder is proved.
      const own = pickOne(held.filter((hit) => hit.path === path && !isOutsideItsType(this, hit)));
      if (own !== null) return own;
    }
    return TYPED.has(this.family) ? null : this.#lines.memberOfVariable(spot, [receiver], found);
  }

  /** A member of what stands before it, whatever that is. */
  #resolveOf(
    mention: Mention,
    { receiver, isAsked }: {
      readonly receiver: string;
      readonly isAsked: ((hit: SymbolHit) => boolean) | undefined;
    },
    found: readonly SymbolHit[],
  ): SymbolHit | null {
    const all = this.#listTyped(mention, receiver);
    const [known = null, ...others] = all.length > 1 ? keepFitting(all, mention, this.family) : all;
    if (known !== null && others.length === 0) return known;
    if (known !== null && isAsked !== undefined) return [known, ...others].find(isAsked) ?? known;
    const [parts, lines] = [receiver.split("."), this.#lines];
    const isChain = parts.length > 1;
    // Where the types of names are known, the words of a line say nothing more.
    if (TYPED.has(this.family)) {
      return receiver === "" || mention.isLocal === true
        ? null
        : isChain
        ? lines.memberOfChain(mention, parts, found)
        : this.resolveMember(mention, receiver, found);
    }
    // What has no name may be anyone's: only its text can say whose.
    if (receiver === "") return this.#resolveChained(mention, found);
    const hit = receiver.endsWith("()")
      ? lines.memberOfNew(mention, receiver.slice(0, -2), found)
      : mention.isLocal === true
      ? lines.memberOfVariable(mention, parts, found)
      : isChain
      ? lines.memberOfChain(mention, parts, found) ?? lines.memberOfVariable(mention, parts, found)
      : this.resolveMember(mention, receiver, found);
    return hit ?? this.#resolveChained(mention, found);
  }

  /** The members that the expression before a name may have, where the file says the types of its names. */
  #listTyped(mention: Mention, receiver: string): readonly SymbolHit[] {
    const { name, path, line, column, isLocal } = mention;
    if (!TYPED.has(this.family)) return [];
    const isPython = this.family === "python";
    const chain = receiver !== "" ? undefined : this.facts.types(path).byName.get(name)
      ?.find((fact) => fact.kind === "chain" && fact.line === line && fact.column === column);
    const expression = receiver === ""
      ? chain?.text
      : receiver.endsWith("()") && !isPython
      ? `<${receiver.slice(0, -2)}>`
      : receiver;
    if (expression === undefined) return [];
    // Nobody says of what is called whether it is a local one.
    const isOpen = receiver === "" || isPython && receiver.endsWith("()");
    const seen = isOpen ? {} : { isLocal: isLocal === true };
    return this.#expressions.membersOf(expression, name, { path, line, column, ...seen });
  }

  #resolveImport({ name, path, line }: Mention, found: readonly SymbolHit[]): SymbolHit | null {
    const fitting = this.facts.imports(path).filter((one) =>
      [one.name, one.alias].includes(name) || endsWithName(one.module, name)
    );
    const entry = fitting.find((one) => one.line === line) ?? fitting[0];
    return entry === undefined ? null : followImport(this, entry, name, path, found);
  }

  /** What stands before the dot is more than a name: `space.part.f`, `make().f`. Only the text of the line has it. */
  #resolveChained(mention: Mention, found: readonly SymbolHit[]): SymbolHit | null {
    const { path, line, column } = mention;
    const text = this.facts.lineText?.(path, line) ?? "";
    const type = this.#lines.ofChain(text.slice(0, Math.max(0, column - 1)), mention);
    return type === null ? null : memberOf(this, type, found);
  }
}
