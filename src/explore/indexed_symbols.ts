/** Answers `getSymbols` from the index: a file's definitions, or the top of a folder's files. */
import { languageOfPath } from "../language/mod.ts";
import type { IndexView } from "../index/mod.ts";
import { toDefinition } from "./live/definitions.ts";
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
import { isCodePath } from "./live/nearest.ts";
import { PARTIAL_NOTICE, toLineNotices } from "./line_notices.ts";
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
    ? listed.tags
    : listed.tags.filter((tag) => tag.kind.toLowerCase() === wanted);
  const offset = input.offset ?? 0;
  const shown = tags.slice(offset, offset + input.maxResults);
  const notices = limits.isFile
    ? [
      ...toLineNotices([languageOfPath(limits.path)?.name]),
      ...listed.isPartial ? [PARTIAL_NOTICE] : [],
    ]
    : [];
  if (tags.length === 0 && listed.tags.length > 0) {
    const kinds = [...new Set(listed.tags.map((tag) => tag.kind))].sort().join(", ");
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

interface Listed {
  readonly tags: readonly IndexTag[];
  /** The one file that was asked for has errors. */
  readonly isPartial: boolean;
}

/** Null where the index does not know what was asked for: an ignored, generated or very large file. */
function readSymbols(
  view: IndexView,
  { path, isFile, covers }: Extract<Limits, { readonly kind: "limits" }>,
  input: GetSymbolsInput,
): Listed | null {
  const file = isFile ? view.getFile(path) : null;
  const isKnownText = file !== null && languageOfPath(path) !== undefined;
  if (isFile && !isKnownText) return null;
  const hits = view.listSymbols(path);
  if (hits.length === 0 && !isFile) return null;
  if (isFile) {
    const tags = hits.filter((hit) => covers(hit.path)).map(toTag);
    return { tags, isPartial: file?.isPartial === true };
  }
  const isShown = (file: string) =>
    covers(file) && (input.language !== undefined || isCodePath(file));
  const tags = [...Map.groupBy(hits, (hit) => hit.path)].flatMap(([file, own]) =>
    isShown(file) ? own.filter((hit) => isTopSymbol(hit, own)).map(toTag) : []
  );
  return { tags, isPartial: false };
}
