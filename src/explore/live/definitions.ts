/**
 * Answers `findDefinitions`: the files that hold the name, their definitions, and of these the nearest:
 * exact, else of another case, else names that hold it. Same-named definitions are merged only where
 * they are one place.
 */
import { languageOfPath } from "../../language/mod.ts";
import { listHolding, pickRegularFiles, toLeftOutNotices } from "../../backends/mod.ts";
import type { Tag } from "../../language/mod.ts";
import type {
  DefinitionsFound,
  ExploreOptions,
  ExploreRefused,
  FindDefinitionsInput,
} from "../explorer.ts";
import type { Definition } from "../answer_types.ts";
import type { LiveExplorerOptions } from "../../backends/mod.ts";
import { resolveScope } from "../scope.ts";
import { toSubmoduleNotices } from "../submodules.ts";
import type { SymbolName } from "../symbol_name.ts";
import { parseSymbolName } from "../symbol_name.ts";
import type { Nearest } from "./nearest.ts";
import { isCodePath, pickNearest } from "./nearest.ts";
import { toLineNotices } from "../line_notices.ts";
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
  const { files, leftOut } = pickRegularFiles(context.projectRoot, scope.files);
  const search: Search = {
    context,
    wanted: name.value,
    files,
    sources: new Set<string>(),
    notices: new Set(scope.notices),
    known: new Map(),
    ...options,
  };
  const nearest = await findNearest(search, input);
  const offset = input.offset ?? 0;
  const page = nearest.tags.slice(offset, offset + input.maxResults);
  const shown = fillEndLines(context, page);
  for (const notice of toLineNotices(shown.map(({ language }) => language))) {
    search.notices.add(notice);
  }
  if (nearest.tags.length === 0) {
    for (const notice of toSubmoduleNotices(context.projectRoot, scope.path)) {
      search.notices.add(notice);
    }
  }
  if (nearest.tags.length === 0 && search.notices.size === 0) await tellHolding(search);
  for (const notice of toLeftOutNotices(leftOut)) search.notices.add(notice);
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

async function findNearest(search: Search, input: FindDefinitionsInput): Promise<Nearest<Tag>> {
  const nothing: Nearest<Tag> = { match: "exact", tags: [], sameNamed: 0 };
  const groups = input.language !== undefined
    ? [search.files]
    : [search.files.filter(isCodePath), search.files.filter((path) => !isCodePath(path))];
  // Whole words first: they are few, and hold the exact name and its other cases.
  for (const wholeWord of input.exactMatch ? [true] : [true, false]) {
    for (const files of groups) {
      const tags = await readHolding(search, files, wholeWord);
      const { nearest: found, notices } = pickNearest(tags, search.wanted);
      for (const notice of notices) search.notices.add(notice);
      if (found !== undefined && (!input.exactMatch || found.match === "exact")) return found;
    }
  }
  return nothing;
}

/** A name that no definition is found of may stand in files all the same. */
async function tellHolding({ context, wanted, files, signal, notices }: Search): Promise<void> {
  const holding = await listHolding(context, wanted.name, {
    files,
    ignoreCase: false,
    wholeWord: /^[\p{L}\p{N}_]+$/u.test(wanted.name),
    ...(signal === undefined ? {} : { signal }),
  });
  const count = holding.files.length;
  if (count === 0) return;
  const those = count === 1 ? "1 file has" : `${count} files have`;
  notices.add(
    `No definition of "${wanted.name}" is known, but ${those} the name; a text search shows where.`,
  );
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

/** A tag as answers show it. */
export function toDefinition(tag: Tag & { readonly doc?: string }): Definition {
  const { scopeKind: _scopeKind, ...definition } = tag;
  return definition.signature !== undefined && definition.signature.length > 300
    ? { ...definition, signature: `${definition.signature.slice(0, 300)}…` }
    : definition;
}
