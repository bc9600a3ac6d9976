/** Answers `findDefinitions` from the index: by the name in any case first, then by its words. */
import type { IndexView, SymbolHit } from "../index/mod.ts";
import { foldName } from "../analysis/mod.ts";
import { toDefinition } from "./live/definitions.ts";
import type {
  DefinitionsFound,
  ExploreOptions,
  ExploreRefused,
  FindDefinitionsInput,
  LiveExplorer,
  NameMatch,
} from "./explorer.ts";
import type { FactStore } from "../resolve/mod.ts";
import type { ExplorerOptions, IndexTag } from "./index_access.ts";
import { needsFiles, openIndex, toTag } from "./index_access.ts";
import { findInherited } from "./inherited.ts";
import { toLineNotices } from "./line_notices.ts";
import type { NearestFound } from "./live/nearest.ts";
import { isCodePath, pickNearest } from "./live/nearest.ts";
import { findProvenDefinitions } from "./proven_definitions.ts";
import { resolveLimits } from "./scope.ts";
import type { SymbolName } from "./symbol_name.ts";
import { compareNames, parseSymbolName } from "./symbol_name.ts";

/** More definitions than any name has. */
const ALL = 1_000_000;

/** Finds where a symbol is defined; the live explorer answers what the index cannot. */
export async function findIndexedDefinitions(
  context: ExplorerOptions & { readonly facts: FactStore },
  live: LiveExplorer,
  input: FindDefinitionsInput,
  options: ExploreOptions,
): Promise<DefinitionsFound | ExploreRefused> {
  const name = parseSymbolName(input.symbol);
  const limits = await resolveLimits(context, input, options.signal);
  if (name.kind === "refused" || limits.kind === "refused" || needsFiles(input)) {
    return await live.findDefinitions(input, options);
  }
  const access = await openIndex(context, options);
  if (access.kind === "unready") {
    return withNotice(await live.findDefinitions(input, options), access.notice);
  }
  const direct = await context.index.read((view) =>
    findNearest(view, name.value, { ...input, covers: limits.covers })
  );
  const isDirect = direct.nearest !== undefined && direct.nearest.match !== "sub_word";
  const end = options.signal === undefined ? {} : { signal: options.signal };
  const inherited = isDirect
    ? null
    : await findInherited(context.facts, name.value, { covers: limits.covers, ...end });
  const proof = await context.facts.readProof();
  const proven = isDirect || inherited !== null
    ? null
    : findProvenDefinitions(proof, name.value, limits.covers);
  const { nearest, notices } = inherited ??
    (proven === null ? direct : { nearest: proven, notices: [] });
  if (nearest === undefined) {
    // A file that the index leaves out (generated, too large) may have it.
    const other = await live.findDefinitions(input, options);
    return other.kind === "refused" ? other : { ...other, source: `index+${other.source}` };
  }
  const offset = input.offset ?? 0;
  const shown = nearest.tags.slice(offset, offset + input.maxResults);
  const all = [
    ...context.facts.toNotices(),
    ...notices,
    ...toLineNotices(shown.map(({ language: own }) => own)),
  ];
  return {
    kind: "found",
    definitions: shown.map(toDefinition),
    match: nearest.match,
    total: nearest.tags.length,
    sameNamed: nearest.sameNamed,
    source: shown.some((tag) => proof?.defines(tag.path, tag.line, tag.name))
      ? "index+scip"
      : "index",
    freshness: access.freshness,
    shownFiles: [...new Set(shown.map((tag) => tag.path))],
    shownSymbols: [...new Set(shown.map((tag) => tag.name))],
    ...(all.length === 0 ? {} : { notices: all }),
  };
}

interface Limited {
  readonly exactMatch: boolean;
  readonly language?: string;
  readonly covers: (path: string) => boolean;
}

function findNearest(
  view: IndexView,
  wanted: SymbolName,
  { exactMatch, language, covers }: Limited,
): NearestFound<IndexTag> {
  const notices = new Set<string>();
  for (const read of exactMatch ? [readNamed] : [readNamed, readByWords]) {
    const tags = read(view, wanted).filter(({ path }) => covers(path)).map(toTag);
    const groups = language !== undefined
      ? [tags]
      : [tags.filter(({ path }) => isCodePath(path)), tags.filter(({ path }) => !isCodePath(path))];
    for (const group of groups) {
      const found = pickNearest(group, wanted, compareFolded);
      for (const notice of found.notices) notices.add(notice);
      const { nearest } = found;
      if (nearest === undefined || (exactMatch && nearest.match !== "exact")) continue;
      return { nearest, notices: [...notices] };
    }
  }
  return { notices: [...notices] };
}

/** The name itself, in any case, with or without the sign before it (`.btn`, `$x`). */
function readNamed(view: IndexView, { name, whole }: SymbolName): readonly SymbolHit[] {
  const queries = [
    { name: whole, limit: ALL },
    { name, limit: ALL },
    { name, match: "folded", limit: ALL },
  ] as const;
  const places = new Map<string, SymbolHit>();
  for (const query of queries) {
    for (const hit of view.findSymbols(query).hits) {
      places.set(`${hit.position}\0${hit.path}`, hit);
    }
  }
  return [...places.values()].sort(byPlace);
}

function readByWords(view: IndexView, { name }: SymbolName): readonly SymbolHit[] {
  return [...view.findSymbols({ name, match: "words", limit: ALL }).hits].sort(byPlace);
}

function byPlace(a: SymbolHit, b: SymbolHit): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : a.position - b.position;
}

/** As for every explorer; names that differ in their separators count as the same in another case. */
function compareFolded(found: string, wanted: SymbolName): NameMatch {
  const match = compareNames(found, wanted);
  if (match !== undefined && match !== "sub_word") return match;
  return foldName(found) === foldName(wanted.name) ? "case_insensitive" : "sub_word";
}

/** The answer with one more thing to know; refusals stay as they are. */
export function withNotice<T extends { readonly notices?: readonly string[] }>(
  answer: T | ExploreRefused,
  notice: string,
): T | ExploreRefused {
  if ("problems" in answer) return answer;
  return { ...answer, notices: [notice, ...(answer.notices ?? [])] };
}
