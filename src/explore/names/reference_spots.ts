/**
 * The places of a name, each with the definition that an import or a scope leads to. Also what is
 * not proved of them.
 */
import type { OccurrenceHit, SymbolHit } from "../../index/read/view.ts";
import { getOrInsert } from "../../base/once.ts";
import { formatCount } from "../../base/text/plain_text.ts";
import { filterByPageSign } from "../../language/languages.ts";
import type { IndexFacts } from "../../resolve/index_facts.ts";
import { TYPES } from "../../resolve/reference_facts.ts";
import { countOverloads } from "../../resolve/resolution_rules.ts";
import { resolveReference } from "../../resolve/resolver.ts";
import type { FindReferencesInput, Reference } from "../explorer.ts";
import { convertSymbolToTag } from "../index_access.ts";
import type { SymbolName } from "./symbol_name.ts";
import { isInScope } from "./symbol_name.ts";
import { addSigils } from "./text_mentions.ts";

/** A place before its line is read. */
export type ReferencePlace = Omit<Reference, "text">;

/** The places of a name, as far as they were followed. */
export interface ReferencePlaces {
  readonly spots: readonly ReferencePlace[];
  /** Definitions of the name. */
  readonly definitions: readonly SymbolHit[];
  /** Those of them that the question means. */
  readonly asked: readonly SymbolHit[];
  /** Places that lead to another definition than the one that was asked for. */
  readonly elsewhere: number;
  /** Whether each place was followed. */
  readonly isResolved: boolean;
  /** Whether an indexer of the language proved where a shown place leads. */
  readonly isProven: boolean;
  /** Whether a line that names it twice for the same definition counts once, wherever it stands. */
  readonly isExact: boolean;
}

/** More places are followed only where they are shown: each one costs a few questions. */
export const MAX_RESOLVED = 2_000;

type Place = OccurrenceHit & { readonly name: string };

/** What the places of a question are followed with. */
interface Frame {
  readonly wanted: SymbolName;
  /** Definitions that the question means. */
  readonly asked: readonly SymbolHit[];
  readonly facts: IndexFacts;
  readonly follow: (place: Place) => SymbolHit | null;
  /** Where places lead in other repositories. */
  readonly leading: ReadonlyMap<string, string> | undefined;
  /** Whether the name is one of a module that is not in the project. */
  readonly isForeign: boolean;
}

/** Every place of the name, one a line, kind and target; followed where there are not too many. */
export function findReferencePlaces(
  shared: IndexFacts,
  { wanted, covers, input, leading }: {
    readonly wanted: SymbolName;
    readonly covers: (path: string) => boolean;
    readonly input: FindReferencesInput;
    readonly leading: ReadonlyMap<string, string> | undefined;
  },
): ReferencePlaces {
  const asked = shared.named(wanted.name).filter((hit) =>
    isInScope(convertSymbolToTag(hit), wanted)
  );
  const own = listPlaces(shared, wanted, covers);
  const others = shared.listOtherNames(asked).filter(({ path }) => covers(path));
  const facts = shared.forPlaces([...own, ...others]);
  const isAsked = (target: SymbolHit | null) =>
    asked.some(({ path, position }) => target?.path === path && target.position === position);
  const followed = new Map<Place, SymbolHit | null>();
  const follow = (place: Place) =>
    getOrInsert(followed, place, () => {
      const { language } = facts.spoken(place.path);
      return resolveReference({ ...place, language }, facts, isAsked);
    });
  // Another name counts where it leads to what was asked for; outside of scripts nothing follows it, and it may.
  const listed = new Set(own.map(({ path, line }) => `${line} ${path}`));
  const mayMean = (place: Place) => {
    const target = follow(place);
    return isAsked(target) || target === null && !listed.has(`${place.line} ${place.path}`) &&
        facts.spoken(place.path).family !== "script";
  };
  const places = [...own, ...others.filter(mayMean)].sort(byPlace);
  const { single, isExact } = dropRepeats(places, follow);
  const isScoped = wanted.scope.length > 0;
  const isForeign = isScoped && asked.length === 0 && isForeignModule(facts, places, wanted);
  const isResolved = single.length <= MAX_RESOLVED;
  const first = input.offset ?? 0;
  const last = first + input.maxResults;
  const frame: Frame = { wanted, asked, facts, follow, leading, isForeign };
  const found = single.map((place, at) =>
    judgePlace(place, frame, isScoped ? isResolved : first <= at && at < last)
  );
  shared.settleAsked({ isWanted: true });
  const kept = found.filter((one) => one !== null);
  return {
    spots: kept.map(({ spot }) => spot),
    definitions: facts.named(wanted.name),
    asked,
    elsewhere: found.length - kept.length,
    isResolved,
    isProven: kept.slice(first, last).some(({ isProven }) => isProven),
    isExact,
  };
}

/** A place with what it leads to; null where that is something else than what was asked for. */
function judgePlace(
  place: Place,
  { wanted, asked, facts, follow, leading, isForeign }: Frame,
  isWanted: boolean,
): { readonly spot: ReferencePlace; readonly isProven: boolean } | null {
  const { path, line, column, kind } = place;
  const { language, family } = facts.spoken(path);
  const target = isWanted ? follow(place) : null;
  const proven = isWanted ? facts.proven({ ...place, language }) : undefined;
  const isProved = target !== null && !isMaking(place, target, wanted);
  // A variable of a function has the name, and is no member of what was asked for.
  const isOther = target === null
    ? proven !== undefined && asked.length > 0
    : isProved && !isInScope(convertSymbolToTag(target), wanted);
  if (isOther && wanted.scope.length > 0) return null;
  // Of a module that is not in the project only what names the module before the dot can be meant.
  if (isForeign && kind !== "import" && !isQualified(facts, place, wanted)) return null;
  const at = target === null && proven !== undefined
    ? `${proven.at.path}:${proven.at.line}`
    : leading?.get(`${path}:${line}`);
  const link = isProved
    ? buildLink(place, target, facts)
    : at !== undefined
    ? { confidence: "resolved" as const, definedAt: at }
    : { confidence: "name" as const };
  // `Type(value)` of Go converts; nothing is called.
  const isConversion = kind === "call" && isProved && TYPES.has(target.kind) && family === "go";
  const spot = { path, line, column, kind: isConversion ? "type" : kind, ...link };
  return { spot, isProven: proven !== undefined };
}

/** The import that gives a file a whole module under a name, as `import os` does. */
function findModuleImport(facts: IndexFacts, path: string, alias: string) {
  return facts.imports(path).find((entry) =>
    entry.alias === alias && (entry.name === null || entry.name === "*")
  );
}

/** Whether the scope of the name is a module that files import whole, and that is not in the project. */
function isForeignModule(
  facts: IndexFacts,
  places: readonly Place[],
  { scope }: SymbolName,
): boolean {
  const [module = "", ...inner] = scope;
  if (inner.length > 0) return false;
  const paths = [...new Set(places.map(({ path }) => path))];
  const found = paths.flatMap((path) => {
    const entry = findModuleImport(facts, path, module);
    return entry === undefined ? [] : [facts.filesOfModule(entry.module, path)];
  });
  return found.length > 0 && found.every((files) => files.length === 0);
}

/** Whether the name of the module stands before the dot, where the file imports it. */
function isQualified(facts: IndexFacts, { path, receiver }: Place, { scope }: SymbolName): boolean {
  return receiver !== undefined && receiver === scope[0] &&
    findModuleImport(facts, path, receiver) !== undefined;
}

/** The places of a name and of what bears it with another sign, in order. */
export function listPlaces(
  shared: IndexFacts,
  wanted: SymbolName,
  covers: (path: string) => boolean,
): readonly Place[] {
  const isSigned = wanted.whole !== wanted.name;
  const names = wanted.scope.length > 0
    ? [wanted.name]
    : isSigned
    ? [wanted.whole, wanted.name]
    : [...new Set([wanted.whole, ...addSigils(wanted.name)])];
  const places: Place[] = [];
  const found = shared.occurrences(names);
  for (const [at, name] of names.entries()) {
    for (const hit of found[at] ?? []) {
      if (!covers(hit.path)) continue;
      // In scripts `$any` and `#any` are names of their own.
      if (name !== names[0] && shared.spoken(hit.path).family === "script") continue;
      places.push({ ...hit, name });
    }
  }
  const spoken = places.map((place) => ({ place, ...shared.spoken(place.path) }));
  return filterByPageSign(wanted.whole, spoken).map(({ place }) => place).sort(byPlace);
}

function buildLink(place: Place, target: SymbolHit, facts: IndexFacts) {
  const { path, line } = target;
  const overloads = place.kind === "definition" ? 1 : countOverloads(target, facts);
  return {
    confidence: "resolved" as const,
    definedAt: `${path}:${line}`,
    ...(overloads === 1 ? {} : { overloads }),
  };
}

/** `new T()` where the constructor `T.T` was asked for: the type is proved, which constructor is not. */
function isMaking({ kind }: Place, target: SymbolHit, { scope, name }: SymbolName): boolean {
  return kind === "call" && TYPES.has(target.kind) && scope.at(-1) === name;
}

function byPlace(a: OccurrenceHit, b: OccurrenceHit): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}

/** The first mention of a kind on a line stands for the others that lead where it leads. */
function dropRepeats(
  places: readonly Place[],
  follow: (place: Place) => SymbolHit | null,
): { readonly single: readonly Place[]; readonly isExact: boolean } {
  const lines = Map.groupBy(places, ({ path, line, kind }) => `${line} ${kind} ${path}`);
  let isAllowed = MAX_RESOLVED;
  const single = [...lines.values()].flatMap((same) => {
    if (same.length === 1) return same;
    const unlike = new Map(same.toReversed().map((place) => [keyOfForm(place), place]));
    if (unlike.size === 1) return same.slice(0, 1);
    const first = [...unlike.values()].sort(byPlace);
    isAllowed -= first.length;
    if (isAllowed < 0) return first;
    const ends = new Map(first.toReversed().map((place) => [keyOfTarget(follow(place)), place]));
    return [...ends.values()];
  }).sort(byPlace);
  return { single, isExact: isAllowed >= 0 };
}

/** Places of one line, kind and form lead to the same; a definition leads to itself. */
function keyOfForm({ name, kind, column, receiver, isLocal }: Place): string {
  return kind === "definition" ? `${column}` : `${name} ${receiver ?? "-"} ${isLocal === true}`;
}

function keyOfTarget(target: SymbolHit | null): string {
  return target === null ? "" : `${target.line}:${target.column} ${target.path}`;
}

/** Says which places were left out or are not proved. */
export function formatUnprovedNotices(
  { spots, elsewhere, isResolved, isExact }: ReferencePlaces,
  { name, scope }: SymbolName,
): readonly string[] {
  const repeats = isExact ? [] : [
    `The total is an upper bound: of lines that name it more than once, ${MAX_RESOLVED} places are followed; the rest may count twice.`,
  ];
  if (scope.length === 0) return repeats;
  if (!isResolved) {
    const many =
      `All places of "${name}" are listed: there are too many to follow each; give a smaller path.`;
    return [...repeats, many];
  }
  const unproved = spots.filter(({ confidence }) => confidence === "name").length;
  const [lead, are] = [
    elsewhere === 1
      ? `1 place leads to another "${name}" and is left out.`
      : `${formatCount(elsewhere, "place leads", "places lead")} to another "${name}": left out.`,
    `${
      formatCount(unproved, "place is", "places are")
    } found by the name alone and not proved to mean ${scope.join(".")}.`,
  ];
  const told = [...elsewhere === 0 ? [] : [lead], ...unproved === 0 ? [] : [are]];
  return told.length === 0 ? repeats : [...repeats, told.join(" ")];
}
