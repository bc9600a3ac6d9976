/** Answers `getSymbols`: a file's definitions, or the top of a folder's files. */
import { formatCount } from "../../base/text/plain_text.ts";
import { isMinorKind } from "../../language/kinds.ts";
import { languageOfPath } from "../../language/languages.ts";
import type { IndexView, SymbolHit } from "../../index/read/view.ts";
import type {
  ExploreOptions,
  GetSymbolsInput,
  QuestionRefused,
  SymbolsFound,
} from "../explorer.ts";
import { LiveFiles } from "../file_peek.ts";
import type { IndexTag, QuestionContext, QuestionSource } from "../index_access.ts";
import {
  convertSymbolToTag,
  convertTagToDefinition,
  createIndexSource,
  formatNoGrammarNotices,
  isTopSymbol,
  liesUnder,
  openIndexFor,
  PARTIAL_NOTICE,
} from "../index_access.ts";
import { isCodePath } from "./symbol_name.ts";
import type { Limits } from "../scope.ts";
import { resolveLimits } from "../scope.ts";

type OpenLimits = Extract<Limits, { readonly kind: "limits" }>;

/** Lists symbols; files are read where the index does not answer. */
export async function getSymbols(
  context: QuestionContext,
  input: GetSymbolsInput,
  options: ExploreOptions,
): Promise<SymbolsFound | QuestionRefused> {
  const limits = await resolveLimits(context, input, options.signal);
  if (limits.kind === "refused") return limits;
  const isAbout = liesUnder(limits.path);
  const access = await openIndexFor(context, input, { ...options, isAbout });
  if (access?.kind === "ready") {
    const ground = createIndexSource(context, access);
    const listed = await ground.read((view) => readSymbols(view, limits, input));
    if (listed !== null || context.stored !== undefined) {
      return await buildAnswer(listed ?? { tags: [], isPartial: false }, ground, { limits, input });
    }
  }
  const peek = await LiveFiles.open(context, input, access, options);
  if ("problems" in peek) return peek;
  using files = peek;
  const isWanted = limits.isFile || input.language !== undefined ? () => true : isCodePath;
  await files.add(files.files.filter(isWanted));
  const ground = files.toGround();
  const listed = await ground.read((view) => readSymbols(view, limits, input));
  return await buildAnswer(listed ?? { tags: [], isPartial: false }, ground, { limits, input });
}

async function buildAnswer(
  listed: Listed,
  ground: QuestionSource,
  { limits, input }: { readonly limits: OpenLimits; readonly input: GetSymbolsInput },
): Promise<SymbolsFound> {
  const wanted = input.kind?.toLowerCase();
  const tags = wanted === undefined
    ? listed.tags
    : listed.tags.filter((tag) => tag.kind.toLowerCase() === wanted);
  const offset = input.offset ?? 0;
  const shown = tags.slice(offset, offset + input.maxResults);
  const about = limits.isFile ? listFileNotices(limits.path, listed) : await ground.takeLeftOut();
  const notices = [...ground.notices, ...about];
  if (tags.length === 0 && listed.tags.length > 0) {
    const kinds = [...new Set(listed.tags.map((tag) => tag.kind))].sort().join(", ");
    notices.push(`No symbol is of kind "${input.kind}"; the kinds here are ${kinds}.`);
  }
  if (listed.tags.length === 0 && input.language !== undefined) {
    const others = await ground.read((view) => view.listSymbols(limits.path).length);
    if (others > 0) {
      const count = formatCount(others, "symbol");
      notices.push(
        `No file of ${input.language} is in "${limits.path}"; other files have ${count}.`,
      );
    }
  }
  return {
    kind: "found",
    path: limits.path,
    symbols: shown.map(convertTagToDefinition),
    total: tags.length,
    source: ground.source,
    freshness: ground.freshness,
    shownFiles: [...new Set(shown.map((tag) => tag.path))],
    shownSymbols: [...new Set(shown.map((tag) => tag.name))],
    ...(notices.length === 0 ? {} : { notices }),
  };
}

function listFileNotices(path: string, { isPartial }: Listed): readonly string[] {
  const language = languageOfPath(path);
  if (language === undefined) {
    return ["The language of this file is not known, so no symbols can be told from other text."];
  }
  return [...formatNoGrammarNotices([language.name]), ...isPartial ? [PARTIAL_NOTICE] : []];
}

interface Listed {
  readonly tags: readonly IndexTag[];
  /** The one file that was asked for has errors. */
  readonly isPartial: boolean;
}

/** Null where the view does not know what was asked for: to the index an ignored, generated or very large file. */
function readSymbols(
  view: IndexView,
  { path, isFile, covers }: OpenLimits,
  input: GetSymbolsInput,
): Listed | null {
  const file = isFile ? view.getFile(path) : null;
  const isKnownText = file !== null && languageOfPath(path) !== undefined;
  if (isFile && !isKnownText) return null;
  const hits = view.listSymbols(path);
  if (hits.length === 0 && !isFile) return null;
  if (isFile) {
    const tags = byWeight(hits.filter((hit) => covers(hit.path))).map(convertSymbolToTag);
    return { tags, isPartial: file?.isPartial === true };
  }
  const isShown = (file: string) =>
    covers(file) && (input.language !== undefined || isCodePath(file));
  const tops = [...Map.groupBy(hits, (hit) => hit.path)].flatMap(([file, own]) =>
    isShown(file) ? own.filter((hit) => isTopSymbol(hit, own)) : []
  );
  return { tags: byWeight(tops).map(convertSymbolToTag), isPartial: false };
}

/**
 * What an outline is read for comes first, so that a short one has it: what does something before data, and what stands
 * outside before what it holds; else in the order of the files.
 */
function byWeight(hits: readonly SymbolHit[]): readonly SymbolHit[] {
  const depthOf = ({ qualifiedName, name }: SymbolHit) =>
    qualifiedName.slice(0, -name.length).split(/[.:#]+/).length;
  return hits.toSorted((a, b) =>
    Number(isMinorKind(a.kind)) - Number(isMinorKind(b.kind)) || depthOf(a) - depthOf(b)
  );
}
