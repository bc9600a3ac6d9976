/**
 * Answers `findReferences` from the index: places in code, each with the definition that an import or a
 * scope leads to. Comments and strings are not in the index; they are read from the files when asked for.
 */
import { cutLine } from "../backends/mod.ts";
import type { OccurrenceHit, SymbolHit } from "../index/mod.ts";
import type { ReferenceKind } from "../analysis/mod.ts";
import type {
  ExploreOptions,
  ExploreRefused,
  FindReferencesInput,
  LiveExplorer,
  Reference,
  ReferencesFound,
} from "./explorer.ts";
import type { FactStore, IndexFacts, ProjectFacts } from "../resolve/mod.ts";
import type { ExplorerOptions } from "./index_access.ts";
import { needsFiles, openIndex, toTag } from "./index_access.ts";
import { withNotice } from "./indexed_definitions.ts";
import { findTextMentions } from "./live/references.ts";
import { countOverloads, resolveReference, TYPES } from "../resolve/mod.ts";
import { resolveLimits } from "./scope.ts";
import type { SymbolName } from "./symbol_name.ts";
import { isInScope, parseSymbolName } from "./symbol_name.ts";

/** A place before its line is read. */
type Spot = Omit<Reference, "text">;

interface Spots {
  readonly spots: readonly Spot[];
  /** Definitions of the name. */
  readonly definitions: readonly SymbolHit[];
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
const MAX_RESOLVED = 2_000;
const ALL = 1_000_000;
const SIGILS = ["", ".", "#", "$", "--", "@", ":", "%"];

/** Finds the places that name a symbol; the live explorer answers what the index cannot. */
export async function findIndexedReferences(
  context: ExplorerOptions & { readonly facts: FactStore },
  live: LiveExplorer,
  input: FindReferencesInput,
  options: ExploreOptions,
): Promise<ReferencesFound | ExploreRefused> {
  const name = parseSymbolName(input.symbol);
  const limits = await resolveLimits(context, input, options.signal);
  if (name.kind === "refused" || limits.kind === "refused" || needsFiles(input)) {
    return await live.findReferences(input, options);
  }
  const access = await openIndex(context, options);
  if (access.kind === "unready") {
    return withNotice(await live.findReferences(input, options), access.notice);
  }
  const wanted = name.value;
  const end = options.signal === undefined ? {} : { signal: options.signal };
  const found = await context.facts.ask(
    (_, open) => readSpots(open(), { ...limits, wanted, input }),
    end,
  );
  const text = input.includeText
    ? await findTextMentions(context, input, { wanted, ...options })
    : null;
  if (found.spots.length === 0 && found.elsewhere === 0 && text === null) {
    const other = await live.findReferences(input, options);
    return other.kind === "refused" ? other : { ...other, source: `index+${other.source}` };
  }
  const all = mergeText(found.spots, text?.references ?? []);
  const offset = input.offset ?? 0;
  const shown = await readLines(context.facts, all.slice(offset, offset + input.maxResults));
  const notices = [
    ...context.facts.toNotices(),
    ...toNotices(found, wanted),
    ...text?.notices ?? [],
  ];
  const byKind: Partial<Record<ReferenceKind, number>> = {};
  for (const { kind } of all) byKind[kind] = (byKind[kind] ?? 0) + 1;
  return {
    kind: "found",
    references: shown,
    sameNamed: found.definitions.length,
    byKind,
    files: new Set(all.map(({ path }) => path)).size,
    total: all.length,
    source: ["index", ...found.isProven ? ["scip"] : [], ...text === null ? [] : [text.source]]
      .join("+"),
    freshness: access.freshness,
    shownFiles: [...new Set(shown.map(({ path }) => path))],
    shownSymbols: shown.length === 0 ? [] : [wanted.whole],
    ...(notices.length === 0 ? {} : { notices }),
  };
}

interface ReadOptions {
  readonly wanted: SymbolName;
  readonly covers: (path: string) => boolean;
  readonly input: FindReferencesInput;
}

type Place = OccurrenceHit & { readonly name: string };

/** Every place of the name, one a line, kind and target; followed where there are not too many. */
function readSpots(
  shared: IndexFacts,
  { wanted, covers, input }: ReadOptions,
): Spots {
  const asked = shared.named(wanted.name).filter((hit) => isInScope(toTag(hit), wanted));
  const places = [
    ...listPlaces(shared, wanted, covers),
    ...shared.listOtherNames(asked).filter(({ path }) => covers(path)),
  ].sort(byPlace);
  const facts = shared.forPlaces(places);
  const definitions = facts.named(wanted.name);
  const followed = new Map<Place, SymbolHit | null>();
  const follow = (place: Place): SymbolHit | null => {
    let target = followed.get(place);
    if (target === undefined) {
      const { language } = shared.spoken(place.path);
      followed.set(place, target = resolveReference({ ...place, language }, facts));
    }
    return target;
  };
  const { once, isExact } = dropRepeats(places, follow);
  const isScoped = wanted.scope.length > 0;
  const isResolved = once.length <= MAX_RESOLVED;
  const first = input.offset ?? 0;
  const last = first + input.maxResults;
  const spots: Spot[] = [];
  let [elsewhere, isProven] = [0, false];
  once.forEach((place, at) => {
    const { path, line, column, kind } = place;
    const isWanted = isScoped ? isResolved : first <= at && at < last;
    const target = isWanted ? follow(place) : null;
    const { language } = shared.spoken(path);
    const proven = isWanted ? facts.proven?.({ ...place, language }) : undefined;
    const isProved = target !== null && !isMaking(place, target, wanted);
    // A variable of a function has the name, and is no member of what was asked for.
    const isOther = target === null ? proven !== undefined && asked.length > 0 : isProved &&
      !isInScope(toTag(target), wanted);
    if (isOther && isScoped) {
      elsewhere++;
      return;
    }
    const link = isProved
      ? toLink(place, target, facts)
      : target === null && proven !== undefined
      ? { confidence: "resolved" as const, definedAt: `${proven.at.path}:${proven.at.line}` }
      : { confidence: "name" as const };
    isProven ||= proven !== undefined && first <= spots.length && spots.length < last;
    // `Type(value)` of Go converts; nothing is called.
    const isConversion = kind === "call" && isProved && TYPES.has(target.kind) &&
      shared.spoken(path).family === "go";
    spots.push({ path, line, column, kind: isConversion ? "type" : kind, ...link });
  });
  shared.settleAsked({ isWanted: true });
  return { spots, definitions, elsewhere, isResolved, isProven, isExact };
}

function listPlaces(
  shared: IndexFacts,
  wanted: SymbolName,
  covers: ReadOptions["covers"],
): readonly Place[] {
  const isSigned = wanted.whole !== wanted.name;
  const names = wanted.scope.length > 0
    ? [wanted.name]
    : isSigned
    ? [wanted.whole, wanted.name]
    : [...new Set([wanted.whole, ...SIGILS.map((sigil) => `${sigil}${wanted.name}`)])];
  const places: Place[] = [];
  for (const name of names) {
    for (const hit of shared.view.findOccurrences(name, { limit: ALL }).hits) {
      if (!covers(hit.path)) continue;
      // In scripts `$any` and `#any` are names of their own.
      if (name !== names[0] && shared.spoken(hit.path).family === "script") continue;
      places.push({ ...hit, name });
    }
  }
  return places.sort(byPlace);
}

function toLink(place: Place, target: SymbolHit, facts: ProjectFacts) {
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
): { readonly once: readonly Place[]; readonly isExact: boolean } {
  const lines = Map.groupBy(places, ({ path, line, kind }) => `${line} ${kind} ${path}`);
  let isAllowed = MAX_RESOLVED;
  const once = [...lines.values()].flatMap((same) => {
    const unlike = new Map(same.toReversed().map((place) => [toForm(place), place]));
    if (unlike.size === 1) return same.slice(0, 1);
    const first = [...unlike.values()].sort(byPlace);
    isAllowed -= first.length;
    if (isAllowed < 0) return first;
    const ends = new Map(first.toReversed().map((place) => [toEnd(follow(place)), place]));
    return [...ends.values()];
  }).sort(byPlace);
  return { once, isExact: isAllowed >= 0 };
}

/** Places of one line, kind and form lead to the same; a definition leads to itself. */
function toForm({ name, kind, column, receiver, isLocal }: Place): string {
  return kind === "definition" ? `${column}` : `${name} ${receiver ?? "-"} ${isLocal === true}`;
}

function toEnd(target: SymbolHit | null): string {
  return target === null ? "" : `${target.line}:${target.column} ${target.path}`;
}

function toNotices(spots: Spots, wanted: SymbolName): readonly string[] {
  const repeats = spots.isExact ? [] : [
    `The total is an upper bound: of lines that name it more than once, ${MAX_RESOLVED} places are followed; the rest may count twice.`,
  ];
  return [...repeats, ...toScopeNotices(spots, wanted)];
}

function toScopeNotices({ elsewhere, isResolved }: Spots, wanted: SymbolName): readonly string[] {
  if (wanted.scope.length === 0) return [];
  const scope = wanted.scope.join(".");
  if (!isResolved) {
    return [
      `All places of "${wanted.name}" are listed: there are too many to follow each; give a smaller path.`,
    ];
  }
  const others = elsewhere === 0
    ? ""
    : `${elsewhere} places lead to another "${wanted.name}" and are left out; `;
  return [`${others}those with confidence name are not proved to belong to ${scope}.`];
}

function mergeText(spots: readonly Spot[], text: readonly Reference[]): readonly Spot[] {
  if (text.length === 0) return spots;
  const known = new Set(spots.map(({ path, line, column }) => `${line}:${column}\0${path}`));
  const more = text.filter(({ path, line, column }) => !known.has(`${line}:${column}\0${path}`));
  return [...spots, ...more].sort((a, b) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || a.column - b.column
  );
}

/** Reads the lines of the places that are shown, each file once. */
async function readLines(
  facts: FactStore,
  spots: readonly Spot[],
): Promise<readonly Reference[]> {
  const lines = new Map<string, readonly string[]>();
  for (const { path } of spots) {
    if (!lines.has(path)) lines.set(path, await facts.readLines(path));
  }
  return spots.map((spot) => {
    const line = lines.get(spot.path)?.[spot.line - 1] ?? "";
    const text = cutLine(line, [[spot.column - 1, spot.column]]).text;
    return { ...spot, text };
  });
}
