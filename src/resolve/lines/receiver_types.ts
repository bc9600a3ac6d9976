/**
 * What stands before the dot: the type of a variable by its declaration or by the call that makes it, and
 * chains of names and calls. Follows only what declarations say; what they leave open stays unknown.
 */
import type { MemberDoor } from "../members.ts";
import type { ImportEntry } from "../../analysis/analysis.ts";
import type { SymbolHit } from "../../index/read/view.ts";
import type { Spot } from "./bound_types.ts";
import { BoundTypes, preferDeclared } from "./bound_types.ts";
import { hasBlockEnded, isRebound, readParameterType, readResultType } from "./local_types.ts";
import type { Family } from "../../language/families.ts";
import { pickOne, splitQualified, toHolder } from "../hit_names.ts";
import { isAddition, isCallable, isType, isVariable } from "../../language/kinds.ts";
import { BINDING, BLOCKS, SELF } from "../reference_facts.ts";
import type { LocalType } from "../reference_facts.ts";

/** What the types ask of the rules that follow references. */
export interface ReceiverDoor extends MemberDoor {
  readonly family: Family;
  enclosing(path: string, line: number): readonly SymbolHit[];
  /** The types whose members a place names without a receiver, innermost first; null is one that nothing names. */
  enclosingTypes(spot: Spot): readonly (SymbolHit | null)[];
  /** The type of the object itself. */
  selfType(spot: Spot): SymbolHit | null;
  memberOf(type: SymbolHit, found: readonly SymbolHit[]): SymbolHit | null;
  resolvePlain(spot: Spot, found: readonly SymbolHit[]): SymbolHit | null;
  resolveMember(spot: Spot, receiver: string, found: readonly SymbolHit[]): SymbolHit | null;
  filesOf(module: string, from: string): readonly string[];
}

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
export class ReceiverTypes {
  readonly #door: ReceiverDoor;
  readonly #bound: BoundTypes;
  #steps = 0;

  constructor(door: ReceiverDoor) {
    this.#door = door;
    this.#bound = new BoundTypes({ ...door, ofLocal: (one, path) => this.#ofLocal(one, path) });
  }

  /** Whether the blocks of variables and the text of their declarations are known. */
  get #hasBlocks(): boolean {
    return BLOCKS.has(this.#door.family) && this.#door.facts.localTypes !== undefined;
  }

  /** The type of a variable at a line; null where nothing says it. */
  ofVariable(spot: Spot): SymbolHit | null {
    return this.#guard(() => this.#readVariable(spot));
  }

  /** By the type that is declared for the last name before the dot. */
  memberOfVariable(
    spot: Spot,
    parts: readonly string[],
    found: readonly SymbolHit[],
  ): SymbolHit | null {
    // A parameter says nothing of a field with its name: the text has to be known.
    if (parts.length > 1 && this.#door.facts.localTypes === undefined) return null;
    const { path, line, isLocal } = spot;
    if (this.#hasBlocks) {
      const type = this.#guard(() => this.#ofWay(spot, parts));
      return type === null ? null : this.#door.memberOf(type, found);
    }
    const name = parts.at(-1) ?? "";
    const isField = parts.length > 1;
    const bound = isField || !BINDING.has(this.#door.family) ? {} : { isLocal: isLocal === true };
    const known = this.ofVariable({ name, path, line, ...bound });
    const type = known ?? (isField ? null : this.#ofShared({ name, path, line, ...bound }));
    return type === null ? null : this.#door.memberOf(type, found);
  }

  /** A member of an object that is made or cast where the place stands. */
  memberOfNew({ path, line }: Spot, type: string, found: readonly SymbolHit[]): SymbolHit | null {
    const known = this.#door.findType(type, path, line);
    return known === null ? null : this.#door.memberOf(known, found);
  }

  /** A member of `a.b.c`, a module or a type that is named by the way to it. */
  memberOfChain(
    { path, line }: Spot,
    parts: readonly string[],
    found: readonly SymbolHit[],
  ): SymbolHit | null {
    const chain = parts.join(".");
    const whole = this.#door.facts.imports(path)
      .find(({ name, module }) => name === null && module === chain);
    if (whole !== undefined) return this.#door.followMember(whole, path, found);
    const type = this.#ofParts(parts, path, line) ?? this.#ofWholeName(parts, path, line);
    if (type !== null) return this.#door.memberOf(type, found);
    return pickOne(
      found.filter((hit) =>
        hit.path === path && hit.scope === undefined && hit.qualifiedName === `${chain}.${hit.name}`
      ),
    );
  }

  /** The type at the end of a way through imports and types. */
  #ofParts(parts: readonly string[], path: string, line: number): SymbolHit | null {
    const [head = "", ...inner] = parts;
    const entry = this.#door.facts.imports(path).find(({ alias }) => alias === head);
    let type = entry === undefined ? this.#door.findType(head, path, line) : null;
    for (const [at, part] of inner.entries()) {
      // `Outer.this` is the object of the type round the place.
      if (part === "this" && at === inner.length - 1) break;
      const types = this.#door.candidates(part).filter(({ kind }) => isOwnType(kind));
      type = at === 0 && entry !== undefined
        ? this.#door.followMember(entry, path, types)
        : type === null
        ? null
        : this.#door.memberOf(type, types);
    }
    return type;
  }

  /** In some languages the whole name of a type needs no import. */
  #ofWholeName(parts: readonly string[], path: string, line: number): SymbolHit | null {
    const { family } = this.#door;
    if (family !== "jvm" && family !== "c_sharp") return null;
    const name = parts.at(-1) ?? "";
    const types = this.#door.candidates(name).filter(({ kind }) => isOwnType(kind));
    const module = parts.slice(0, -1).join(".");
    return this.#door.follow({ module, name, alias: name, line }, name, path, types);
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
    const types = this.#door.candidates(last).filter(({ kind }) => isOwnType(kind));
    if (types.length === 0) return null;
    if (holder === "") return this.#door.findType(last, path, line);
    const entry = this.#door.facts.imports(path).find(({ alias }) => alias === holder);
    if (entry === undefined) return pickOne(types.filter((hit) => toHolder(hit) === holder));
    return this.#door.follow({ ...entry, name: "*", alias: "" }, last, path, types);
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
      ? this.#door.selfType(spot)
      : this.#readVariable({ ...spot, name: head });
    if (type === null && fields.length === 0) {
      type = this.#ofShared({ ...spot, name: head, isLocal: spot.isLocal === true });
    }
    for (const name of fields) {
      if (type === null) return null;
      type = this.#bound.ofField(type, { name });
    }
    return type;
  }

  #readVariable(spot: Spot): SymbolHit | null {
    const { name, path, line, isLocal } = spot;
    if (this.#hasBlocks) return this.#bound.ofVariable(spot);
    const { enclosing, facts, family } = this.#door;
    const around = enclosing(path, line).filter(({ kind }) => isCallable(kind));
    const all = preferDeclared(facts.localTypes?.(path, name) ?? []);
    const [start = 0] = around.map(({ startLine }) => startLine);
    const ofFile = isLocal === false ? this.#ofFile(name, all, path) : [];
    if (ofFile.length > 0) return this.#ofAll(ofFile, path);
    const read = (at: number) => facts.lineText?.(path, at);
    const [inner] = around;
    if (isLocal !== false && inner !== undefined) {
      const { startLine: from, endLine: to } = inner;
      if (isRebound(read, { name, from, to, family })) return null;
    }
    const local = all.findLast((one) =>
      start <= one.line && one.line <= line &&
      !(isLocal === true && hasBlockEnded(read, { name, from: one.line, to: line }))
    );
    if (local !== undefined) return this.#ofLocal(local, path);
    for (const { signature } of around) {
      const type = readParameterType(signature, { name, family });
      if (type !== undefined) return this.ofWord(type, path, line);
    }
    // What a function binds itself is not the variable of the file that has its name.
    const outer = around.at(-1)?.startLine;
    const seen = isLocal === true && outer !== undefined
      ? all.filter((one) => outer <= one.line && one.line <= line)
      : isLocal === false
      ? this.#outside(all, path)
      : all;
    return this.#ofAll(seen, path);
  }

  /** A field or a variable of the file counts where all its declarations agree. */
  #ofAll(declared: readonly LocalType[], path: string): SymbolHit | null {
    const [first] = declared;
    const isOne = first !== undefined &&
      declared.every(({ of, kind }) => of === first.of && kind === first.kind);
    return isOne ? this.#ofLocal(first, path) : null;
  }

  /** What a file says of its own variable, where blocks of it may have others of the name. */
  #ofFile(name: string, all: readonly LocalType[], path: string): readonly LocalType[] {
    const own = this.#door.candidates(name)
      .filter((hit) => hit.path === path && hit.parent === null && isVariable(hit.kind));
    return all.filter(({ line }) => own.some((hit) => hit.line === line));
  }

  /** Declarations that stand in no function: those of the file and of its types. */
  #outside(all: readonly LocalType[], path: string): readonly LocalType[] {
    return all.filter(({ line }) =>
      !this.#door.enclosing(path, line).some(({ kind }) => isCallable(kind))
    );
  }

  /** A variable of another file that the place sees: of the same package, or by an import. */
  #ofShared({ name, path, line, isLocal }: Spot): SymbolHit | null {
    const { candidates, facts, resolvePlain } = this.#door;
    const isKnown = facts.lineText?.(path, line) !== undefined;
    // Only the text of the file says whether it has a variable of its own.
    if (isLocal !== false || !isKnown || facts.localTypes === undefined) return null;
    const own = facts.localTypes(path, name);
    if (this.#outside(own, path).length > 0) return null;
    const others = candidates(name).filter((hit) => isVariable(hit.kind) && hit.path !== path);
    const hit = others.length === 0 ? null : resolvePlain({ name, path, line }, others);
    if (hit === null || hit.path === path) return null;
    const made = facts.localTypes(hit.path, name)
      .find((one) => one.line === hit.line && one.isField !== true);
    return made === undefined ? null : this.#guard(() => this.#ofLocal(made, hit.path));
  }

  #ofLocal({ of, kind, line }: LocalType, path: string): SymbolHit | null {
    const direct = this.ofWord(of, path, line);
    if (direct !== null || kind === "type") return direct;
    const { last, holder } = splitQualified(of);
    const made = this.#door.candidates(last).filter(({ kind }) => isCallable(kind));
    const spot = { name: last, path, line };
    const called = made.length === 0
      ? null
      : holder === ""
      ? this.#door.resolvePlain(spot, made)
      : this.#door.resolveMember(spot, holder, made);
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
      return toType(this.#ofLocal({ name: "", of: name, kind: "call", line, column: 1 }, path));
    }
    if (SELF.has(name)) {
      return toType(this.#door.selfType(spot));
    }
    const entry = this.#door.facts.imports(path).find(({ alias }) => alias === name);
    const type = this.ofWord(name, path, line) ?? this.#readVariable(spot);
    if (type !== null) return toType(type);
    return entry === undefined ? null : this.#asModule(entry, path);
  }

  #next(holder: Holder, name: string, isCall: boolean): Holder | null {
    const found = this.#door.candidates(name);
    if (holder.kind === "type") {
      if (!isCall && this.#hasBlocks) {
        return toType(this.#bound.ofField(holder.type, { name }));
      }
      const member = this.#door.memberOf(holder.type, found);
      return isCall && member !== null ? toType(this.#resultOf(member)) : null;
    }
    const whole = { ...holder.entry, name: "*", alias: "" };
    const hit = this.#door.follow(whole, name, holder.from, found);
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
    let level = this.#door.filesOf(entry.module, from);
    for (let step = 0; step < MAX_STEPS && level.length > 0; step++) {
      const next: string[] = [];
      for (const file of level) {
        for (const one of this.#door.facts.imports(file)) {
          if (one.alias === name) return this.#asModule(one, file, steps + 1);
          const isWhole = one.name === "*" && one.alias === "" && one.isReexport === true;
          if (isWhole) next.push(...this.#door.filesOf(one.module, file));
        }
      }
      level = next;
    }
    return null;
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
