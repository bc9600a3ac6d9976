/**
 * The graph of dependents: from the symbols that change to the places that name them, by the rules
 * of the language. From the definitions round those places it goes on. Asks the facts alone.
 */
import { folderOf } from "../base/repo_path.ts";
import type { OccurrenceHit, SymbolHit } from "../index/read/view.ts";
import { familiesWith } from "../language/families.ts";
import { familyOf } from "../language/languages.ts";
import type { Family } from "../language/families.ts";
import { isSamePackage, splitQualified } from "../resolve/hit_names.ts";
import type { IndexFacts } from "../resolve/index_facts.ts";
import type { Confidence, Dependents, Edge, EdgeKind, Seeds } from "./affected.ts";
import { PLAIN_WORD } from "../explore/names/text_mentions.ts";
import { findImporters, Hierarchy } from "./hierarchy.ts";
import { fileStem } from "./naming.ts";
import {
  holderOf,
  isCallable,
  isType,
  isVisible,
  makesObjects,
  symbolKey,
} from "./symbol_shape.ts";
import { resolveReference } from "../resolve/resolver.ts";

/** How far the graph is followed. */
export interface WalkOptions {
  /** Steps, 1 to 3. */
  readonly depth: number;
  /** Ends the work when the client cancels. */
  readonly signal?: AbortSignal;
}

/** Definitions that are followed from one step to the next (guessed: a reply names some 200 files). */
const MAX_FRONTIER = 400;
/** Places of one name that are followed at the first step, and at later ones: the names beyond are everywhere. */
const MAX_PLACES = 4_000;
const MAX_FURTHER_PLACES = 600;
/** A member that more others replace is a name for many things: a call of it says little of one of them. */
const MAX_REPLACED = 8;
/** More definitions of a name in reach make a match of names worthless. */
const MAX_AMBIGUOUS = 3;
/** Families where code names what it never imported. */
const OPEN_FAMILIES = familiesWith("open");
/** Families where the files of a folder know one another. */
const FOLDER_FAMILIES = familiesWith("folderPackage");
/** Families where members are named without a receiver. */
const IMPLICIT_FAMILIES = familiesWith("implicitMembers");

/** Follows what depends on the seeds. */
export function findDependents(
  facts: IndexFacts,
  seeds: Seeds,
  options: WalkOptions,
): Dependents {
  return new Walk(facts, seeds).run(options);
}

class Walk {
  readonly #facts: IndexFacts;
  readonly #seeds: Seeds;
  readonly #hierarchy: Hierarchy;
  readonly #edges = new Map<string, Edge>();
  readonly #seen = new Set<string>();
  readonly #notices: string[] = [];
  readonly #loose: Edge[] = [];
  #unresolved = 0;
  #isProven = false;

  constructor(facts: IndexFacts, seeds: Seeds) {
    this.#facts = facts;
    this.#seeds = seeds;
    this.#hierarchy = new Hierarchy(facts);
  }

  run({ depth, signal }: WalkOptions): Dependents {
    let frontier = this.#toFrontier(this.#seeds.symbols);
    for (const edge of findImporters(this.#facts, this.#seeds.files)) this.#add(edge);
    for (let level = 1; level <= depth && frontier.length > 0; level++) {
      const next = new Map<string, SymbolHit>();
      const byName = Map.groupBy(frontier, ({ name, language }) => `${familyOf(language)} ${name}`);
      // Of a member the places of its type are looked through too.
      this.#facts.view.expectNames(
        frontier.flatMap(({ name, qualifiedName }) => [name, ...qualifiedName.split(".")]),
      );
      for (const group of byName.values()) {
        signal?.throwIfAborted();
        for (const hit of this.#follow(group, level)) next.set(symbolKey(hit), hit);
      }
      frontier = this.#toFrontier([...next.values()]);
    }
    return {
      edges: [...this.#edges.values()],
      unresolved: this.#unresolved,
      loose: this.#loose,
      isProven: this.#isProven,
      notices: this.#notices,
    };
  }

  /** Definitions that were not followed yet; of what makes objects, the type of them. */
  #toFrontier(hits: readonly SymbolHit[]): readonly SymbolHit[] {
    const all = hits.map((hit) => {
      const holder = makesObjects(hit) ? holderOf(hit, this.#facts.symbols(hit.path)) : null;
      return holder ?? hit;
    });
    const fresh = all.filter((hit) => {
      const key = symbolKey(hit);
      if (this.#seen.has(key) || familyOf(hit.language) === null) return false;
      this.#seen.add(key);
      return true;
    });
    if (fresh.length <= MAX_FRONTIER) return fresh;
    this.#notices.push(
      `${
        fresh.length - MAX_FRONTIER
      } of ${fresh.length} definitions of one step are not followed; give a smaller depth or symbols.`,
    );
    return fresh.slice(0, MAX_FRONTIER);
  }

  /** Follows the definitions of one name, and gives those that depend on them. */
  #follow(group: readonly SymbolHit[], level: number): readonly SymbolHit[] {
    const [{ name, language } = { name: "", language: null }] = group;
    const family = familyOf(language);
    if (family === null || family === "style") return [];
    const limit = level === 1 ? MAX_PLACES : MAX_FURTHER_PLACES;
    const { hits, total } = this.#facts.view.findOccurrences(name, { limit });
    if (total > limit) {
      this.#notices.push(
        `"${name}" has ${total} places; ${limit} of them are followed at step ${level}.`,
      );
    }
    const places = [
      ...hits.map((hit) => ({ ...hit, name })),
      ...this.#facts.listOtherNames(group),
    ];
    const aims = this.#toAims(group, level);
    const project = this.#facts.forPlaces(places);
    const found: SymbolHit[] = [...aims.found];
    for (const place of places) {
      if (place.kind === "definition" || this.#isOwn(place, group)) continue;
      const spoken = this.#facts.spoken(place.path);
      if (spoken.family !== family) {
        if (level === 1) this.#addForeign(place, group, spoken.family);
        continue;
      }
      // A text is only worth reading where the file can know the definition.
      this.#facts.settleAsked({ isWanted: false });
      const mention = { ...place, language: spoken.language };
      const isProven = project.proven?.(mention) !== undefined;
      const target = resolveReference(mention, project, aims.isCertain);
      // An indexer proved that it leads to something of its own: a variable of a function.
      if (target === null && (isProven || place.name !== name)) {
        // Outside of scripts nothing follows what an import calls otherwise.
        if (!isProven && family !== "script" && level === 1) this.#addLoose(place, group);
        continue;
      }
      if (target !== null) this.#facts.settleAsked({ isWanted: true });
      const rating = target === null
        ? this.#rateUnresolved(place, { aims, family, level })
        : aims.rate(target);
      if (rating === null) {
        if (target === null && level === 1) this.#addLoose(place, group, aims);
        continue;
      }
      // The same thing for another build names itself.
      const isTwin = target?.path === place.path && !aims.isCertain(target);
      if (isTwin && rating.through === undefined) continue;
      this.#isProven ||= isProven && rating.confidence === "resolved";
      const within = this.#findWithin(place);
      const kind = classifyEdge(place, { group, within });
      this.#add(buildEdge({ ...place, kind, depth: level }, rating, within));
      if (rating.confidence === "resolved" && within !== null) found.push(...this.#toNext(within));
    }
    return found;
  }

  /** The innermost definition round a place; of several on its line, the last that begins before it. */
  #findWithin({ path, line, column }: OccurrenceHit): SymbolHit | null {
    const own = this.#facts.symbols(path);
    const around = this.#facts.enclosing(path, line).filter((hit) => isVisible(hit, own));
    const beside = around.filter((hit) => hit.startLine === line && hit.endLine === line);
    const before = beside.length < 2 ? [] : beside.filter((hit) => hit.column <= column);
    return before.toSorted((a, b) => b.column - a.column)[0] ?? around[0] ?? null;
  }

  /** What depends on a definition is followed from it; a field is a part of the type that holds it. */
  #toNext(within: SymbolHit): readonly SymbolHit[] {
    if (isCallable(within) || isType(within)) return [within];
    const holder = holderOf(within, this.#facts.symbols(within.path));
    return holder === null ? [within] : [within, holder];
  }

  /** What places may lead to: the group itself, what replaces it, and what it replaces. */
  #toAims(group: readonly SymbolHit[], level: number): Aims & { readonly found: SymbolHit[] } {
    const certain = new Map(group.map((hit) => [symbolKey(hit), hit]));
    const likely = new Map<string, SymbolHit>();
    const bases = new Map<string, Rating & { readonly through: SymbolHit }>();
    const found: SymbolHit[] = [];
    for (const hit of group) {
      for (const over of this.#hierarchy.overriders(hit)) {
        this.#addOverride(over, hit, { level, confidence: "resolved" });
        likely.set(symbolKey(over), hit);
        found.push(over);
      }
      for (const above of this.#hierarchy.overridden(hit)) {
        if (certain.has(symbolKey(above))) continue;
        this.#addOverride(above, hit, { level, confidence: "name" });
        // A call that leads to the base runs what replaces it; further steps follow what leads to one definition.
        const isFew = level === 1 && this.#hierarchy.overriders(above).length <= MAX_REPLACED;
        const confidence = isFew ? "resolved" : "name";
        bases.set(symbolKey(above), { aim: hit, confidence, through: above });
      }
    }
    const rate = (target: SymbolHit): Rating | null => {
      const aim = certain.get(symbolKey(target)) ?? findOverload(target, group);
      if (aim !== undefined) return { aim, confidence: "resolved" };
      const near = likely.get(symbolKey(target));
      return near === undefined
        ? bases.get(symbolKey(target)) ?? this.#hierarchy.findFitting(target, group)
        : { aim: near, confidence: "name" };
    };
    const isCertain = (hit: SymbolHit) => certain.has(symbolKey(hit));
    let others: number | undefined;
    const countOthers = () => others ??= this.#countOthers(group, rate);
    return { rate, group, bases: [...bases.values()], isCertain, countOthers, found };
  }

  /** Definitions of the group's name and family that are not meant. */
  #countOthers([first]: readonly SymbolHit[], rate: Aims["rate"]): number {
    if (first === undefined) return 0;
    const family = familyOf(first.language);
    return this.#facts.named(first.name).filter((hit) =>
      familyOf(hit.language) === family && this.#isNameable(hit) && rate(hit) === null
    ).length;
  }

  /** A place whose link no rule proves: counted, or a match of names where little else can be meant. */
  #rateUnresolved(
    place: OccurrenceHit,
    { aims, family, level }: {
      readonly aims: Aims;
      readonly family: Family;
      readonly level: number;
    },
  ): Rating | null {
    const { path, receiver, isLocal, kind } = place;
    if (kind === "import") return null;
    if (isLocal === true && receiver === undefined) return null;
    if (this.#findForeign(place, aims.group) !== undefined) return null;
    const aim = aims.group.find((hit) => this.#canKnow(path, hit, family));
    const base = aims.bases.find(({ through }) => this.#canKnow(path, through, family));
    const rating: Rating | undefined = aim === undefined ? base : { aim, confidence: "name" };
    // A variable of the same package may be of a type that the file never names.
    const mayKnow = rating !== undefined || FOLDER_FAMILIES.has(family);
    this.#facts.settleAsked({ isWanted: mayKnow });
    if (rating === undefined) {
      if (kind === "call") this.#unresolved++;
      return null;
    }
    const isMember = receiver !== undefined && receiver !== "" || IMPLICIT_FAMILIES.has(family);
    if (!isMember && kind !== "call") return null;
    // Further steps follow only what is proven; names alone would reach everything.
    if (level > 1) return null;
    if (kind === "call") this.#unresolved++;
    return aims.countOthers() > MAX_AMBIGUOUS ? null : { ...rating, confidence: "name" };
  }

  /** Keeps a place of another language, where that has nothing of the name itself. */
  #addForeign(place: OccurrenceHit, group: readonly SymbolHit[], family: Family | null): void {
    const others = this.#facts.named(group[0]?.name ?? "");
    if (!others.some((hit) => familyOf(hit.language) === family)) this.#addLoose(place, group);
  }

  /** Keeps a place of code that bears the name, unless it is a variable or another package's. */
  #addLoose(place: OccurrenceHit, group: readonly SymbolHit[], aims?: Aims): void {
    const { path, line, receiver, isLocal, kind } = place;
    const [aim] = group;
    const isKey = receiver === "" && kind !== "call";
    if (aim === undefined || isKey || isLocal === true && receiver === undefined) return;
    // A call of a member with a common name is counted: it may mean anything.
    const isCounted = aims !== undefined && kind === "call" && receiver !== undefined &&
      (PLAIN_WORD.test(aim.name) || aims.countOthers() > MAX_AMBIGUOUS);
    if (isCounted) return;
    const foreign = this.#findForeign(place, group);
    const stems = group.map((hit) => fileStem(hit.path));
    const isOwn = foreign?.module.split(/[^\w]+/).some((part) => stems.includes(part)) !== false;
    if (!isOwn) return;
    const within = this.#findWithin(place)?.qualifiedName;
    this.#loose.push({
      ...{ path, line, kind: "text", confidence: "name", depth: 1, symbol: aim.qualifiedName },
      ...(within === undefined ? {} : { within }),
    });
  }

  #isNameable(hit: SymbolHit): boolean {
    return isVisible(hit, this.#facts.symbols(hit.path));
  }

  #canKnow(path: string, { path: target }: SymbolHit, family: Family): boolean {
    if (path === target || OPEN_FAMILIES.has(family)) return true;
    if (FOLDER_FAMILIES.has(family) && folderOf(path) === folderOf(target)) return true;
    if (family === "jvm" && isSamePackage(path, target, this.#facts)) return true;
    return this.#facts.reaches(path, target);
  }

  /** The import by which a place takes the name from a package that nobody here gives: `strings.Contains`. */
  #findForeign({ path, receiver }: OccurrenceHit, group: readonly SymbolHit[]) {
    const head = receiver === undefined || receiver === ""
      ? group[0]?.name
      : receiver.split(/::|[.\\]/)[0];
    return this.#facts.imports(path).find((entry) =>
      entry.alias === head && this.#facts.filesOf(entry, path).length === 0
    );
  }

  /** A place in a file that changes as a whole, or inside of the definition itself. */
  #isOwn({ path, line }: OccurrenceHit, group: readonly SymbolHit[]): boolean {
    if (this.#seeds.files.includes(path)) return true;
    return group.some((hit) => hit.path === path && hit.startLine <= line && line <= hit.endLine);
  }

  #addOverride(
    from: SymbolHit,
    to: SymbolHit,
    { level, confidence }: { readonly level: number; readonly confidence: Confidence },
  ): void {
    this.#add({
      path: from.path,
      line: from.line,
      kind: "override",
      confidence,
      depth: level,
      symbol: to.qualifiedName,
      within: from.qualifiedName,
    });
  }

  /** Keeps the nearest and surest of the edges of one place. */
  #add(edge: Edge): void {
    const key = `${edge.path}\0${edge.line}\0${edge.kind}\0${edge.symbol}`;
    const known = this.#edges.get(key);
    const isBetter = known === undefined || edge.depth < known.depth ||
      edge.depth === known.depth && edge.confidence === "resolved";
    if (isBetter) this.#edges.set(key, edge);
  }
}

interface Rating {
  readonly aim: SymbolHit;
  readonly confidence: Confidence;
  /** The member of a base that the place leads to. */
  readonly through?: SymbolHit;
}

interface Aims {
  readonly group: readonly SymbolHit[];
  /** Members of bases that the group replaces. */
  readonly bases: readonly (Rating & { readonly through: SymbolHit })[];
  rate(target: SymbolHit): Rating | null;
  /** Definitions of the same name that are none of them. */
  countOthers(): number;
  /** One of the group itself, not what replaces it. */
  isCertain(hit: SymbolHit): boolean;
}

/** Overloads of one function are one to who calls it; so are the declaration and the definition of C. */
function findOverload(target: SymbolHit, group: readonly SymbolHit[]): SymbolHit | undefined {
  return group.find((hit) =>
    hit.qualifiedName === target.qualifiedName &&
    (hit.path === target.path ||
      target.language === "Go" && folderOf(hit.path) === folderOf(target.path))
  );
}

function buildEdge(
  { path, line, kind, depth }: Pick<Edge, "path" | "line" | "kind" | "depth">,
  { aim, confidence, through }: Rating,
  within: SymbolHit | null,
): Edge {
  return {
    ...{ path, line, kind, confidence, depth, symbol: aim.qualifiedName },
    ...(through === undefined ? {} : { through: through.qualifiedName }),
    ...(within === null ? {} : { within: within.qualifiedName }),
  };
}

function classifyEdge(
  { kind, line }: OccurrenceHit,
  { group, within }: { readonly group: readonly SymbolHit[]; readonly within: SymbolHit | null },
): EdgeKind {
  const [first] = group;
  const isBase = first !== undefined && isType(first) && within !== null && isType(within) &&
    kind !== "import" && line <= within.line + 3 &&
    (within.bases ?? []).some((base) => splitQualified(base).last === first.name);
  if (isBase) return "inherit";
  return kind === "definition" ? "read" : kind;
}
