/**
 * Answers `findReferences`: places in code, each with the definition that an import or a scope leads to. Comments and
 * strings are read from the files when asked for.
 */
import { cutLine } from "../../backends/text_query.ts";
import type { OccurrenceHit, SymbolHit } from "../../index/read/view.ts";
import type { ReferenceKind } from "../../analysis/analysis.ts";
import type {
  ExploreOptions,
  ExploreRefused,
  FindReferencesInput,
  Reference,
  ReferencesFound,
} from "../explorer.ts";
import { FilePeek } from "../file_peek.ts";
import type { Ground, QuestionContext } from "../index_access.ts";
import { askIndex, holdsName, toIndexGround, toTag } from "../index_access.ts";
import type { FactStore } from "../../resolve/fact_store.ts";
import type { IndexFacts } from "../../resolve/index_facts.ts";
import type { ProjectFacts } from "../../resolve/reference_facts.ts";
import { TYPES } from "../../resolve/reference_facts.ts";
import { countOverloads } from "../../resolve/resolution_rules.ts";
import { keepOfSign } from "../../language/languages.ts";
import { resolveLimits } from "../scope.ts";
import type { Everywhere, SymbolName } from "./symbol_name.ts";
import {
  isInScope,
  parseSymbolName,
  toElsewhereNotice,
  toEverywhere,
  toMistypedNotices,
} from "./symbol_name.ts";
import type { Spot, Spots } from "./reference_notices.ts";
import { MAX_RESOLVED, toHoldingNotices, toNotices } from "./reference_notices.ts";
import type { TextMentions } from "./text_mentions.ts";
import { findTextMentions, isWord, literalOf, mergeText } from "./text_mentions.ts";
import { resolveReference } from "../../resolve/resolver.ts";

const SIGILS = ["", ".", "#", "$", "--", "@", ":", "%"];

/** Finds the places that name a symbol; files are read where the index does not answer. */
export async function findReferences(
  context: QuestionContext,
  input: FindReferencesInput,
  options: ExploreOptions,
): Promise<ReferencesFound | ExploreRefused> {
  const name = parseSymbolName(input.symbol);
  const limits = await resolveLimits(context, input, options.signal);
  if (name.kind === "refused" || limits.kind === "refused") {
    const own = name.kind === "refused" ? [name.problem] : [];
    const others = limits.kind === "refused" ? limits.problems : [];
    return { kind: "refused", problems: [...own, ...others] };
  }
  const wanted = name.value;
  const text = input.includeText
    ? await findTextMentions(context, input, { wanted, ...options })
    : null;
  const everywhere = await toEverywhere(context, input);
  const question = { wanted, input, covers: limits.covers, everywhere, text, ...options };
  const isAbout = holdsName(context, wanted.name);
  const access = await askIndex(context, input, { ...options, isAbout });
  const indexed = access?.kind === "ready"
    ? await answerFrom(toIndexGround(context, access), question)
    : null;
  const isWhole = context.stored !== undefined;
  if (indexed !== null && (indexed.total > 0 || indexed.elsewhere > 0 || isWhole)) {
    return indexed.found;
  }
  const peek = await FilePeek.open(context, input, access, options);
  if ("problems" in peek) return peek;
  using files = peek;
  const literal = literalOf(wanted);
  const whole = { ignoreCase: false, wholeWord: isWord(literal) };
  const holding = await files.findHolding(literal, whole);
  await files.add(holding);
  await files.addPassingOn(holding);
  const { found, total } = await answerFrom(files.toGround(), question);
  if (total > 0) return found;
  const notices = [
    ...indexed?.found.notices ?? [],
    ...found.notices ?? [],
    ...input.includeText ? [] : toHoldingNotices(holding.length),
  ];
  const told = notices.length > 0 || access?.kind !== "ready"
    ? notices
    : await context.index.read((view) => toMistypedNotices(view, wanted.name));
  return told.length === 0 ? found : { ...found, notices: [...new Set(told)] };
}

interface Question {
  readonly wanted: SymbolName;
  readonly covers: (path: string) => boolean;
  /** The question without its limits, where it has some. */
  readonly everywhere: Everywhere | null;
  readonly input: FindReferencesInput;
  /** Places in text, where they were asked for. */
  readonly text: TextMentions | null;
  readonly signal?: AbortSignal;
}

interface Answer {
  readonly found: ReferencesFound;
  readonly total: number;
  /** Places that lead to another definition. */
  readonly elsewhere: number;
}

async function answerFrom(ground: Ground, question: Question): Promise<Answer> {
  const { wanted, input, covers, everywhere, text, signal } = question;
  const end = signal === undefined ? {} : { signal };
  const leading = await input.readLeading?.();
  const found = await ground.facts.ask(
    (_, open) => readSpots(open(), { covers, wanted, input, leading }),
    end,
  );
  const all = mergeText(found.spots, text?.references ?? []);
  const away = everywhere === null || all.length > 0 || found.elsewhere > 0
    ? []
    : await ground.facts.ask((_, open) => listPlaces(open(), wanted, everywhere.covers), end);
  const offset = input.offset ?? 0;
  const shown = await readLines(ground.facts, all.slice(offset, offset + input.maxResults));
  const notices = [
    ...ground.notices,
    ...all.length > 0 ? await ground.takeLeftOut() : [],
    ...ground.facts.toNotices(),
    ...toNotices(found, wanted),
    ...everywhere === null || away.length === 0
      ? []
      : [toElsewhereNotice(wanted.name, everywhere, { verb: "named", places: away })],
    ...text?.notices ?? [],
  ];
  const byKind: Partial<Record<ReferenceKind, number>> = {};
  for (const { kind } of all) byKind[kind] = (byKind[kind] ?? 0) + 1;
  const sources = new Set(ground.source.split("+"));
  if (found.isProven) sources.add("scip");
  if (text !== null) sources.add(text.source);
  return {
    total: all.length,
    elsewhere: found.elsewhere,
    found: {
      kind: "found",
      references: shown,
      sameNamed: found.definitions.length,
      byKind,
      files: new Set(all.map(({ path }) => path)).size,
      total: all.length,
      source: [...sources].join("+"),
      freshness: ground.freshness,
      shownFiles: [...new Set(shown.map(({ path }) => path))],
      shownSymbols: shown.length === 0 ? [] : [wanted.whole],
      ...(notices.length === 0 ? {} : { notices: [...new Set(notices)] }),
    },
  };
}

interface ReadOptions {
  readonly wanted: SymbolName;
  readonly covers: (path: string) => boolean;
  readonly input: FindReferencesInput;
  /** Where places lead in other repositories. */
  readonly leading: ReadonlyMap<string, string> | undefined;
}

type Place = OccurrenceHit & { readonly name: string };

/** Every place of the name, one a line, kind and target; followed where there are not too many. */
function readSpots(
  shared: IndexFacts,
  { wanted, covers, input, leading }: ReadOptions,
): Spots {
  const asked = shared.named(wanted.name).filter((hit) => isInScope(toTag(hit), wanted));
  const own = listPlaces(shared, wanted, covers);
  const others = shared.listOtherNames(asked).filter(({ path }) => covers(path));
  const facts = shared.forPlaces([...own, ...others]);
  const definitions = facts.named(wanted.name);
  const followed = new Map<Place, SymbolHit | null>();
  const isAsked = (target: SymbolHit | null) =>
    asked.some(({ path, position }) => target?.path === path && target.position === position);
  const follow = (place: Place): SymbolHit | null => {
    let target = followed.get(place);
    if (target === undefined) {
      const { language } = shared.spoken(place.path);
      followed.set(place, target = resolveReference({ ...place, language }, facts, isAsked));
    }
    return target;
  };
  // Another name counts where it leads to what was asked for.
  const places = [...own, ...others.filter((place) => isAsked(follow(place)))].sort(byPlace);
  const { once, isExact } = dropRepeats(places, follow);
  const isScoped = wanted.scope.length > 0;
  const isForeign = isScoped && asked.length === 0 && isForeignModule(shared, places, wanted);
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
    const away = leading?.get(`${path}:${line}`);
    const isProved = target !== null && !isMaking(place, target, wanted);
    // A variable of a function has the name, and is no member of what was asked for.
    const isOther = target === null ? proven !== undefined && asked.length > 0 : isProved &&
      !isInScope(toTag(target), wanted);
    // Of a module that is not in the project only what names the module before the dot can be meant.
    if (
      isOther && isScoped || isForeign && kind !== "import" && !isQualified(shared, place, wanted)
    ) {
      elsewhere++;
      return;
    }
    const link = isProved
      ? toLink(place, target, facts)
      : target === null && proven !== undefined
      ? { confidence: "resolved" as const, definedAt: `${proven.at.path}:${proven.at.line}` }
      : away !== undefined
      ? { confidence: "resolved" as const, definedAt: away }
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
  return keepOfSign(wanted.whole, spoken).map(({ place }) => place).sort(byPlace);
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
    if (same.length === 1) return same;
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

/** Reads the lines of the places that are shown, each file once. */
async function readLines(
  facts: FactStore,
  spots: readonly Spot[],
): Promise<readonly Reference[]> {
  const paths = [...new Set(spots.map(({ path }) => path))];
  const lines = new Map(
    await Promise.all(paths.map(async (path) => [path, await facts.readLines(path)] as const)),
  );
  return spots.map((spot) => {
    const line = lines.get(spot.path)?.[spot.line - 1] ?? "";
    const text = cutLine(line, [[spot.column - 1, spot.column]]).text;
    return { ...spot, text };
  });
}
