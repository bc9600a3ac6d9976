/**
 * Answers `findDefinitions`: the files that hold the name, their definitions, and of these the nearest:
 * exact, else of another case, else names that hold it. Same-named definitions are merged only where
 * they are one place.
 */
import { languageOfPath } from "../backends/mod.ts";
import type { Tag } from "../backends/mod.ts";
import type {
  Definition,
  DefinitionsFound,
  ExploreOptions,
  ExploreRefused,
  FindDefinitionsInput,
  NameMatch,
} from "./explorer.ts";
import type { LiveExplorerOptions } from "./live_context.ts";
import { listHolding } from "./live_context.ts";
import { resolveScope } from "./scope.ts";
import type { SymbolName } from "./symbol_name.ts";
import { beginsWord, compareNames, isInScope, parseSymbolName } from "./symbol_name.ts";
import { fillEndLines, readTags } from "./tag_source.ts";

interface Search {
  readonly context: LiveExplorerOptions;
  readonly wanted: SymbolName;
  readonly files: readonly string[];
  readonly signal?: AbortSignal;
  readonly sources: Set<string>;
  readonly notices: Set<string>;
  /** Definitions of the files read so far, by path. */
  readonly known: Map<string, readonly Tag[]>;
}

interface Nearest {
  readonly match: NameMatch;
  readonly tags: readonly Tag[];
  readonly sameNamed: number;
}

// Each key of a data file would otherwise count as a definition of that name.
const DATA = new Set(["JSON", "YAML", "TOML", "Markdown"]);

/** Finds where a symbol is defined. */
export async function findDefinitions(
  context: LiveExplorerOptions,
  input: FindDefinitionsInput,
  options: ExploreOptions,
): Promise<DefinitionsFound | ExploreRefused> {
  const name = parseSymbolName(input.symbol);
  const scope = await resolveScope(context, input, options.signal);
  const problems = [
    ...(name.kind === "refused" ? [name.problem] : []),
    ...(scope.kind === "refused" ? scope.problems : []),
  ];
  if (name.kind === "refused" || scope.kind === "refused") return { kind: "refused", problems };
  const search: Search = {
    context,
    wanted: name.value,
    files: scope.files,
    sources: new Set<string>(),
    notices: new Set(scope.notices),
    known: new Map(),
    ...options,
  };
  const nearest = await findNearest(search, input);
  const offset = input.offset ?? 0;
  const page = nearest.tags.slice(offset, offset + input.maxResults);
  const shown = await fillEndLines(context, page);
  return {
    kind: "found",
    definitions: shown.map(toDefinition),
    match: nearest.match,
    total: nearest.tags.length,
    sameNamed: nearest.sameNamed,
    source: [...search.sources].sort().join("+"),
    freshness: "live",
    shownFiles: [...new Set(shown.map((tag) => tag.path))],
    shownSymbols: [...new Set(shown.map((tag) => tag.name))],
    ...(search.notices.size === 0 ? {} : { notices: [...search.notices] }),
  };
}

async function findNearest(search: Search, input: FindDefinitionsInput): Promise<Nearest> {
  const nothing: Nearest = { match: "exact", tags: [], sameNamed: 0 };
  const isCode = (path: string) => !DATA.has(languageOfPath(path)?.name ?? "");
  const groups = input.language !== undefined
    ? [search.files]
    : [search.files.filter(isCode), search.files.filter((path) => !isCode(path))];
  // Whole words first: they are few, and hold the exact name and its other cases.
  for (const wholeWord of input.exactMatch ? [true] : [true, false]) {
    for (const files of groups) {
      const found = pickNearest(search, await readHolding(search, files, wholeWord));
      if (found !== undefined && (!input.exactMatch || found.match === "exact")) return found;
    }
  }
  return nothing;
}

async function readHolding(
  search: Search,
  files: readonly string[],
  wholeWord: boolean,
): Promise<readonly Tag[]> {
  const { name } = search.wanted;
  const signal = search.signal === undefined ? {} : { signal: search.signal };
  const holding = await listHolding(search.context, name, {
    files: files.filter((path) => languageOfPath(path) !== undefined),
    ignoreCase: true,
    // Names with signs at an end (`save!`, `$x`) have no word boundary there.
    wholeWord: wholeWord && /^[\p{L}\p{N}_].*[\p{L}\p{N}_]$|^[\p{L}\p{N}_]$/u.test(name),
    ...signal,
  });
  search.sources.add(holding.source);
  // The second look holds the files of the first, which need not be read again.
  const fresh = holding.files.filter((path) => !search.known.has(path));
  if (fresh.length > 0) {
    const found = await readTags(search.context, fresh, search.signal);
    const byPath = Map.groupBy(found.tags, (tag) => tag.path);
    for (const path of fresh) search.known.set(path, byPath.get(path) ?? []);
    for (const source of found.sources) search.sources.add(source);
    for (const notice of found.notices) search.notices.add(notice);
  }
  return holding.files.flatMap((path) => search.known.get(path) ?? []);
}

function pickNearest(search: Search, tags: readonly Tag[]): Nearest | undefined {
  const { wanted } = search;
  const byMatch: Record<NameMatch, Tag[]> = { exact: [], "case_insensitive": [], "sub_word": [] };
  for (const tag of tags) {
    const match = compareNames(tag.name, wanted);
    if (match !== undefined) byMatch[match].push(tag);
  }
  for (const match of ["exact", "case_insensitive", "sub_word"] as const) {
    const named = byMatch[match];
    const inScope = toPlaces(named.filter((tag) => isInScope(tag, wanted)));
    const words = inScope.filter((tag) => match !== "sub_word" || beginsWord(tag.name, wanted));
    const chosen = words.length > 0 ? words : inScope;
    if (chosen.length > 0) return { match, tags: chosen, sameNamed: toPlaces(named).length };
    if (match === "exact" && named.length > 0) {
      search.notices.add(
        `"${wanted.name}" is defined ${toPlaces(named).length} times, but not in ${
          wanted.scope.join(".")
        }; ask for "${wanted.name}" alone to see them.`,
      );
    }
  }
  return undefined;
}

/**
 * One tag a place: parsers report a struct and its typedef, a getter and its setter, or a function under
 * the object that it is put into. The one that tells most stands for the place.
 */
function toPlaces(tags: readonly Tag[]): readonly Tag[] {
  const places = new Map<string, Tag>();
  for (const tag of tags) {
    const key = JSON.stringify([tag.path, tag.line, tag.name]);
    const known = places.get(key);
    if (known === undefined || toDetail(tag) > toDetail(known)) places.set(key, tag);
  }
  return [...places.values()];
}

function toDetail({ endLine, signature, scope }: Tag): number {
  return Number(endLine !== undefined) * 4 + Number(signature !== undefined) * 2 +
    Number(scope !== undefined);
}

/** A tag as answers show it. */
export function toDefinition(tag: Tag): Definition {
  const { scopeKind: _scopeKind, ...definition } = tag;
  return definition.signature !== undefined && definition.signature.length > 300
    ? { ...definition, signature: `${definition.signature.slice(0, 300)}…` }
    : definition;
}
