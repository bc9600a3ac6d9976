/** The rules by which a place leads to a definition: scope, import, receiver. Pure over the facts that it is given. */
import type { ImportEntry } from "../analysis/analysis.ts";
import type { SymbolHit } from "../index/read/view.ts";
import { endsWithName, findEnclosing, findNeighbour, pickOne, toHolder } from "./hit_names.ts";
import { FAMILIES, type Family } from "../language/families.ts";
import { toFamily } from "../language/languages.ts";
import { ExpressionTypes } from "./expressions/expression_types.ts";
import type { FixtureDoor } from "./expressions/python_types.ts";
import { findInjected } from "./expressions/python_types.ts";
import { findImport, ImportTrail } from "./import_trail.ts";
import { ModuleBindings, toHits } from "./modules/module_bindings.ts";
import type { Mention, ProjectFacts } from "./reference_facts.ts";
import {
  BLOCKS,
  CALLABLES,
  IMPLICIT_MEMBERS,
  OPEN_SPACES,
  OWN_FIRST,
  SELF,
  SPACES,
  TYPED,
  TYPES,
} from "./reference_facts.ts";
import { ReceiverTypes } from "./lines/receiver_types.ts";
import type { Keep } from "./resolution_rules.ts";
import {
  findOfType,
  isOfObject,
  keepFitting,
  keepInSight,
  keepOutermost,
  keepTypes,
  mayBeShadowed,
  toValueOfBase,
} from "./resolution_rules.ts";
import { Members, OwnTypes } from "./members.ts";

type Spot = Pick<Mention, "name" | "path" | "line"> & {
  readonly column?: number;
  readonly isLocal?: boolean;
};

/** Follows the references of one family of languages, with the facts of one question. */
export class Resolver {
  readonly #family: Family;
  readonly #facts: ProjectFacts;
  readonly #types: ReceiverTypes;
  readonly #expressions: ExpressionTypes;
  readonly #imports: ImportTrail;
  readonly #bindings: ModuleBindings;
  readonly #members: Members;
  readonly #own: OwnTypes;
  readonly #door: FixtureDoor;
  /** Names of types that are being looked for: a base may be named in the type that extends it. */
  readonly #sought = new Set<string>();
  readonly #named = new Map<string, readonly SymbolHit[]>();

  constructor(family: Family, facts: ProjectFacts) {
    this.#family = family;
    this.#facts = facts;
    const isTop = (hit: SymbolHit) => this.#isTop(hit);
    const candidates = (name: string) => this.#candidates(name);
    this.#bindings = new ModuleBindings({ facts, candidates, isTop });
    this.#imports = new ImportTrail({ family, facts, isTop, bindings: this.#bindings });
    const scope = {
      family,
      facts,
      candidates,
      findType: (name: string, path: string, line: number) => this.#findType(name, path, line),
      follow: (...asked: Parameters<ImportTrail["follow"]>) => this.#imports.follow(...asked),
      followMember: (entry: ImportEntry, from: string, found: readonly SymbolHit[]) =>
        this.#followMember(entry, from, found),
    };
    this.#door = scope;
    const members = this.#members = new Members({
      ...scope,
      baseOf: family === "script"
        ? (base, type) => this.#expressions.baseType(base, type)
        : undefined,
    });
    const memberOf = (...asked: Parameters<Members["memberOf"]>) => members.memberOf(...asked);
    const own = this.#own = new OwnTypes({
      ...scope,
      memberOf,
      valueType: (text, path, line) => this.#types.ofText(text, { path, line }),
    });
    const door = {
      ...scope,
      memberOf,
      resolvePlain: (spot: Spot, found: readonly SymbolHit[]) => this.#resolvePlain(spot, found),
      filesOf: (module: string, from: string) => this.#imports.findModule(module, from).files,
    };
    this.#expressions = new ExpressionTypes({
      ...door,
      bindings: family === "script" ? this.#bindings : null,
      basesOf: (type) => members.basesOf(type),
      enclosingType: (path, line) => this.#own.ofLine(path, line),
    });
    this.#types = new ReceiverTypes({
      ...door,
      enclosing: (path, line) => findEnclosing(this.#facts, path, line),
      enclosingTypes: (spot) => own.list(spot),
      selfType: (spot) => own.ofSelf(spot),
      resolveMember: (spot, receiver, found) => this.#resolveMember(spot, receiver, found),
    });
  }

  /**
   * The definition that the place leads to, or null where only the name is the same.
   *
   * @param isAsked which one is meant where the place leads to several: a member of what is one of several types.
   */
  resolve(mention: Mention, isAsked?: (hit: SymbolHit) => boolean): SymbolHit | null {
    const { name, path, line, column, kind, receiver, isLocal } = mention;
    const found = this.#candidates(name);
    const itself = found.find((h) => h.path === path && h.line === line && h.column === column);
    if (itself !== undefined) return itself;
    if (kind === "definition") return null;
    const isScript = this.#family === "script";
    // In scripts what a name leads to may have another one.
    if (found.length === 0 && !isScript) return null;
    const around = () => findEnclosing(this.#facts, path, line);
    const asked = isScript ? toValueOfBase(mention, around) : mention;
    const keep = (hits: readonly SymbolHit[]) => keepFitting(hits, asked, this.#family);
    const isPlain = isScript && (receiver ?? "") === "" && isLocal !== true;
    const listed = isPlain ? this.#bindings.ofListed(mention) : null;
    if (listed !== null) return pickOne(kind === "import" ? listed : keep(listed));
    if (kind === "import") return isScript ? null : this.#resolveImport(mention, found);
    const fitting = keep(found);
    if (receiver !== undefined) return this.#resolveOf(mention, { receiver, isAsked }, fitting);
    if (isLocal === true) return isScript ? null : findInjected(mention, this.#door);
    if (fitting.length === 0 && !isScript) return null;
    return this.#resolvePlain(mention, fitting, keep);
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
    const all = this.#resolveTyped(mention, receiver);
    const [known = null, ...others] = all.length > 1
      ? keepFitting(all, mention, this.#family)
      : all;
    if (known !== null && others.length === 0) return known;
    if (known !== null && isAsked !== undefined) return [known, ...others].find(isAsked) ?? known;
    const [parts, types] = [receiver.split("."), this.#types];
    // Where the types of names are told, the words of a line say nothing more.
    if (TYPED.has(this.#family)) {
      return receiver === "" || mention.isLocal === true
        ? null
        : parts.length === 1
        ? this.#resolveMember(mention, receiver, found)
        : types.memberOfChain(mention, parts, found);
    }
    // What has no name may be anyone's: only its text can say whose.
    if (receiver === "") return this.#resolveChained(mention, found);
    const hit = receiver.endsWith("()")
      ? types.memberOfNew(mention, receiver.slice(0, -2), found)
      : mention.isLocal === true
      ? types.memberOfVariable(mention, parts, found)
      : parts.length === 1
      ? this.#resolveMember(mention, receiver, found)
      : types.memberOfChain(mention, parts, found) ??
        types.memberOfVariable(mention, parts, found);
    return hit ?? this.#resolveChained(mention, found);
  }

  /** A member by the type of the expression before it, where the file says the types of its names. */
  #resolveTyped(mention: Mention, receiver: string): readonly SymbolHit[] {
    const { name, path, line, column, isLocal } = mention;
    if (!TYPED.has(this.#family)) return [];
    const isPython = this.#family === "python";
    const chain = receiver !== "" ? undefined : this.#facts.types(path).byName.get(name)
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

  #candidates(name: string): readonly SymbolHit[] {
    const found = this.#named.get(name) ??
      this.#facts.named(name).filter((hit) => toFamily(hit.language) === this.#family);
    this.#named.set(name, found);
    return found;
  }

  #resolveImport({ name, path, line }: Mention, found: readonly SymbolHit[]): SymbolHit | null {
    const all = this.#facts.imports(path);
    const fits = (one: ImportEntry) =>
      [one.name, one.alias].includes(name) || endsWithName(one.module, name);
    const entry = all.find((one) => one.line === line && fits(one)) ?? all.find(fits);
    return entry === undefined ? null : this.#imports.follow(entry, name, path, found);
  }

  /** @param keep which of the definitions that an import brings can be meant; those that bear another name too. */
  #resolvePlain(
    spot: Spot,
    found: readonly SymbolHit[],
    keep: Keep = (hits) => hits,
  ): SymbolHit | null {
    if (findImport(spot.name, spot, this.#facts)?.isInner === true) {
      return this.#findBrought(spot, found, keep);
    }
    const visible = this.#findVisible(spot, found) ?? this.#findInherited(spot, found);
    const outer = this.#family === "c" ? keepOutermost(spot, found, this.#facts) : null;
    if (outer !== null) return pickOne(outer) ?? this.#findBrought(spot, outer, keep);
    const own = this.#own.findPlain(spot, found, visible);
    if (own !== undefined) return this.#unlessShadowed(spot, own);
    if (visible !== null) return this.#unlessShadowed(spot, visible);
    return this.#findBrought(spot, found, keep);
  }

  /** What an import brings, or what needs none. */
  #findBrought(spot: Spot, found: readonly SymbolHit[], keep: Keep): SymbolHit | null {
    const { name, path } = spot;
    const entries = this.#facts.imports(path);
    const bound = findImport(name, spot, this.#facts)?.entry;
    if (bound !== undefined) {
      if (this.#family === "script") {
        const hit = pickOne(keep(toHits(this.#bindings.ofEntry(bound, path))));
        if (hit !== null || bound.name !== null) return this.#unlessShadowed(spot, hit);
        // `const run = require("./run")` of a module that does not say what it is as a whole.
      }
      // `import { other as name }` leads to the other one.
      if (bound.name !== null && bound.name !== name) return null;
      return this.#unlessShadowed(spot, this.#imports.follow(bound, name, path, found));
    }
    const near = { family: this.#family, facts: this.#facts, isTop: this.#isTop.bind(this) };
    const isOwnFirst = OWN_FIRST.has(this.#family) && !path.endsWith(".scala");
    let hit = isOwnFirst ? findNeighbour(path, found, near) : null;
    for (const entry of entries) {
      if (entry.alias === "") hit ??= this.#imports.follow(entry, name, path, found);
    }
    return this.#unlessShadowed(spot, hit ?? findNeighbour(path, found, near));
  }

  #unlessShadowed(spot: Spot, hit: SymbolHit | null): SymbolHit | null {
    return hit === null || this.#isShadowed(spot, hit) ? null : hit;
  }

  /** A definition of the same file whose scope holds the place, the innermost one. */
  #findVisible(spot: Spot, found: readonly SymbolHit[]): SymbolHit | null {
    const { path, line } = spot;
    const symbols = this.#facts.symbols(path);
    let best: SymbolHit | null = null;
    let bestDepth = -1;
    for (const hit of keepInSight(spot, found, this.#facts)) {
      if (hit.path !== path) continue;
      // A member that stands beside its type; the rules of members find it where they hold.
      if (this.#isApart(hit) && !this.#isMemberHere(hit, path, line)) continue;
      const holder = hit.parent === null ? undefined : symbols[hit.parent];
      if (isOfObject(hit, holder, this.#family)) continue;
      if (holder !== undefined && !OPEN_SPACES.has(holder.kind)) {
        const isInside = holder.startLine <= line && line <= holder.endLine;
        const isMember = TYPES.has(holder.kind) && !SPACES.has(holder.kind);
        if (!isInside || (isMember && !IMPLICIT_MEMBERS.has(this.#family))) continue;
      }
      const depth = hit.qualifiedName.split(".").length;
      if (depth > bestDepth) [best, bestDepth] = [hit, depth];
    }
    return best;
  }

  /** A member of a base of the type round the place, where members need no receiver. */
  #findInherited({ path, line }: Spot, found: readonly SymbolHit[]): SymbolHit | null {
    if (!IMPLICIT_MEMBERS.has(this.#family)) return null;
    const type = this.#own.ofLine(path, line);
    return type === null ? null : this.#members.memberOf(type, found);
  }

  #isShadowed(spot: Spot, hit: SymbolHit): boolean {
    const { path, line } = spot;
    const around = findEnclosing(this.#facts, path, line).find(({ kind }) => CALLABLES.has(kind));
    if (around === undefined) return false;
    const writes = this.#facts.writes(path);
    return mayBeShadowed(spot, hit, { around, writes, family: this.#family });
  }

  #resolveMember(spot: Spot, receiver: string, found: readonly SymbolHit[]): SymbolHit | null {
    const { path, line } = spot;
    const isParent = receiver === "super" || receiver === FAMILIES[this.#family].parent;
    if (isParent || SELF.has(receiver)) {
      // The types of expressions know what `this` is where a function has its own.
      if (this.#family === "script" && !isParent) return null;
      const isOwn = !isParent && BLOCKS.has(this.#family);
      if (isOwn) return this.#own.find(spot, found, { isSelf: true }) ?? null;
      const type = this.#own.ofLine(path, line);
      const members = this.#members;
      return type === null
        ? null
        : isParent
        ? members.inherited(type, found)
        : members.memberOf(type, found);
    }
    const entry = findImport(receiver, spot, this.#facts)?.entry;
    if (entry !== undefined) {
      const hit = this.#followMember(entry, path, found);
      if (hit !== null) return hit;
    }
    const held = found.filter((hit) => toHolder(hit) === receiver);
    if (held.length > 0) {
      const type = this.#findType(receiver, path, line);
      if (type !== null) {
        const told = findOfType(type, found, this.#facts);
        return told === undefined ? this.#members.memberOf(type, held) : told;
      }
      // `opts.f = …` in two functions are two of a kind: only what stands in its holder is proved.
      const own = pickOne(held.filter((hit) => hit.path === path && !this.#isApart(hit)));
      if (own !== null) return own;
    }
    return TYPED.has(this.#family) ? null : this.#types.memberOfVariable(spot, [receiver], found);
  }

  /** What stands before the dot is more than a name: `space.part.f`, `make().f`. Only the text of the line has it. */
  #resolveChained(mention: Mention, found: readonly SymbolHit[]): SymbolHit | null {
    const { name, path, line, column } = mention;
    const text = this.#facts.lineText?.(path, line) ?? "";
    const holder = this.#types.ofChain(text.slice(0, Math.max(0, column - 1)), mention);
    if (holder === null) return null;
    return holder.kind === "type"
      ? this.#members.memberOf(holder.type, found)
      : this.#imports.follow({ ...holder.entry, name: "*", alias: "" }, name, holder.from, found);
  }

  /** A member of what the import names: of the module itself, of a class in it, or of a module below it. */
  #followMember(entry: ImportEntry, from: string, found: readonly SymbolHit[]): SymbolHit | null {
    const last = entry.name ?? entry.module.split(/::|[.\\/]/).at(-1) ?? "";
    const held = found.filter((hit) => toHolder(hit) === last);
    const type = this.#candidates(last).filter(({ kind }) => TYPES.has(kind));
    const known = type.length === 0 ? null : this.#imports.follow(entry, last, from, type);
    if (known !== null) {
      const member = this.#members.memberOf(known, found);
      if (member !== null) return member;
    }
    if (entry.name === null || entry.name === "*") {
      const hit = this.#imports.follow(
        { ...entry, name: "*", alias: "" },
        found[0]?.name ?? "",
        from,
        found,
      );
      if (hit !== null) return hit;
    } else {
      const separator = this.#family === "rust" ? "::" : /\.$/.test(entry.module) ? "" : ".";
      const below = { ...entry, module: `${entry.module}${separator}${entry.name}`, name: "*" };
      const hit = this.#imports.follow({ ...below, alias: "" }, found[0]?.name ?? "", from, found);
      if (hit !== null) return hit;
    }
    return this.#family === "elixir"
      ? pickOne(found.filter((hit) => hit.qualifiedName === `${entry.module}.${hit.name}`))
      : pickOne(held.filter((hit) => this.#imports.isFrom(entry, from, hit)));
  }

  /** The type that a name means in a file. */
  #findType(name: string, path: string, line: number): SymbolHit | null {
    const types = keepTypes(this.#candidates(name));
    const key = `${name} ${line} ${path}`;
    if (types.length === 0 && this.#family !== "script" || this.#sought.has(key)) return null;
    this.#sought.add(key);
    const spot = { name, path, line };
    // A type inside of another one or of a function is known by its own name only there.
    const hit = this.#findVisible(spot, types) ?? this.#findInherited(spot, types) ??
      this.#findBrought(spot, types, keepTypes);
    this.#sought.delete(key);
    return hit;
  }

  /** Whether a definition belongs to a type that does not stand round it. */
  #isApart({ scope }: SymbolHit): boolean {
    // An extension of Kotlin is imported and seen in its package like any function.
    if (scope === undefined || this.#family === "jvm") return false;
    const name = scope.slice(scope.lastIndexOf(".") + 1);
    return !this.#candidates(name).some(({ kind }) => SPACES.has(kind));
  }

  /** Whether a line lies in a member of the same type, where members need no receiver. */
  #isMemberHere({ scope }: SymbolHit, path: string, line: number): boolean {
    return IMPLICIT_MEMBERS.has(this.#family) &&
      findEnclosing(this.#facts, path, line).some((around) => around.scope === scope);
  }

  #isTop(hit: SymbolHit): boolean {
    return !this.#isApart(hit) && (hit.parent === null || SPACES.has(hit.holderKind ?? ""));
  }
}
