/** Answers `getSymbols`: everything defined in a file, or what stands at the top of a folder's files. */
import { isTopLevel, languageOfPath } from "../../language/mod.ts";
import type { ExploreOptions, ExploreRefused, GetSymbolsInput, SymbolsFound } from "../explorer.ts";
import { toDefinition } from "./definitions.ts";
import { isCodePath } from "./nearest.ts";
import type { LiveExplorerOptions } from "../../backends/mod.ts";
import { resolveScope } from "../scope.ts";
import { toLineNotices } from "../line_notices.ts";
import { fillEndLines, readTags } from "./tag_source.ts";

/** Lists symbols. */
export async function getSymbols(
  context: LiveExplorerOptions,
  input: GetSymbolsInput,
  options: ExploreOptions,
): Promise<SymbolsFound | ExploreRefused> {
  const scope = await resolveScope(context, input, options.signal);
  if (scope.kind === "refused") return scope;
  const files = scope.isFile || input.language !== undefined
    ? scope.files
    : scope.files.filter(isCodePath);
  const found = await readTags(context, files, options.signal);
  const listed = scope.isFile ? found.tags : found.tags.filter(isTopLevel);
  const wanted = input.kind?.toLowerCase();
  const tags = wanted === undefined
    ? listed
    : listed.filter((tag) => tag.kind.toLowerCase() === wanted);
  const offset = input.offset ?? 0;
  const shown = fillEndLines(context, tags.slice(offset, offset + input.maxResults));
  const notices = [
    ...scope.notices,
    ...found.notices,
    ...scope.isFile ? toLineNotices([languageOfPath(scope.path)?.name]) : [],
  ];
  if (tags.length === 0 && listed.length > 0) {
    const kinds = [...new Set(listed.map((tag) => tag.kind))].sort().join(", ");
    notices.push(`No symbol is of kind "${input.kind}"; the kinds here are ${kinds}.`);
  }
  if (scope.isFile && languageOfPath(scope.path) === undefined) {
    notices.push(
      "The language of this file is not known, so no symbols can be told from other text.",
    );
  }
  return {
    kind: "found",
    path: scope.path,
    symbols: shown.map(toDefinition),
    total: tags.length,
    // Where no file was read (an empty folder, a file left out) the look at the files is all there was.
    source: [...found.sources].sort().join("+") || "files",
    freshness: "live",
    shownFiles: [...new Set(shown.map((tag) => tag.path))],
    shownSymbols: [...new Set(shown.map((tag) => tag.name))],
    ...(notices.length === 0 ? {} : { notices }),
  };
}
