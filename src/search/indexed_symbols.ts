/** Answers `getSymbols` from the index: a file's definitions, or the top of a folder's files. */
import { languageOfPath } from "../backends/mod.ts";
import type { IndexView } from "../index/mod.ts";
import { toDefinition } from "./definitions.ts";
import type {
  ExploreOptions,
  ExploreRefused,
  GetSymbolsInput,
  LiveExplorer,
  SymbolsFound,
} from "./explorer.ts";
import type { ExplorerOptions, IndexTag } from "./index_access.ts";
import { isTopSymbol, needsFiles, openIndex, toTag } from "./index_access.ts";
import { withNotice } from "./indexed_definitions.ts";
import { isCodePath } from "./nearest.ts";
import { toLineNotices } from "./line_notices.ts";
import type { Limits } from "./scope.ts";
import { resolveLimits } from "./scope.ts";

/** Lists symbols; the live explorer answers what the index cannot. */
export async function getIndexedSymbols(
  context: ExplorerOptions,
  live: LiveExplorer,
  input: GetSymbolsInput,
  options: ExploreOptions,
): Promise<SymbolsFound | ExploreRefused> {
  const limits = await resolveLimits(context, input, options.signal);
  if (limits.kind === "refused" || needsFiles(input)) return await live.getSymbols(input, options);
  const access = await openIndex(context, options);
  if (access.kind === "unready") {
    return withNotice(await live.getSymbols(input, options), access.notice);
  }
  const listed = await context.index.read((view) => readSymbols(view, limits, input));
  if (listed === null) return await live.getSymbols(input, options);
  const wanted = input.kind?.toLowerCase();
  const tags = wanted === undefined
    ? listed
    : listed.filter((tag) => tag.kind.toLowerCase() === wanted);
  const offset = input.offset ?? 0;
  const shown = tags.slice(offset, offset + input.maxResults);
  const notices = limits.isFile ? [...toLineNotices([languageOfPath(limits.path)?.name])] : [];
  if (tags.length === 0 && listed.length > 0) {
    const kinds = [...new Set(listed.map((tag) => tag.kind))].sort().join(", ");
    notices.push(`No symbol is of kind "${input.kind}"; the kinds here are ${kinds}.`);
  }
  return {
    kind: "found",
    path: limits.path,
    symbols: shown.map(toDefinition),
    total: tags.length,
    source: "index",
    freshness: access.freshness,
    shownFiles: [...new Set(shown.map((tag) => tag.path))],
    shownSymbols: [...new Set(shown.map((tag) => tag.name))],
    ...(notices.length === 0 ? {} : { notices }),
  };
}

/** Null where the index does not know what was asked for: an ignored, generated or very large file. */
function readSymbols(
  view: IndexView,
  { path, isFile, covers }: Extract<Limits, { readonly kind: "limits" }>,
  input: GetSymbolsInput,
): readonly IndexTag[] | null {
  const isKnownText = isFile && view.getFile(path) !== null && languageOfPath(path) !== undefined;
  if (isFile && !isKnownText) return null;
  const hits = view.listSymbols(path);
  if (hits.length === 0 && !isFile) return null;
  if (isFile) return hits.filter((hit) => covers(hit.path)).map(toTag);
  const isShown = (file: string) =>
    covers(file) && (input.language !== undefined || isCodePath(file));
  return [...Map.groupBy(hits, (hit) => hit.path)].flatMap(([file, own]) =>
    isShown(file) ? own.filter((hit) => isTopSymbol(hit, own)).map(toTag) : []
  );
}
