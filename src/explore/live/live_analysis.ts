/**
 * Analyses one file or text now, on this thread: for what the index does not hold, and while it is not
 * built. A file of the size that the index takes at most needs a fraction of a second.
 */
import { pickRegularFiles, readSmallText } from "../../backends/mod.ts";
import type { CodeSymbol, ImportEntry } from "../../analysis/mod.ts";
import type { SymbolHit } from "../../index/mod.ts";
import { analyseText, toApartScope, toQualifiedName } from "../../analysis/mod.ts";

/** What is known of one text, from the index or from an analysis. */
export interface TextFacts {
  readonly language: string | null;
  readonly lines: number;
  readonly isPartial: boolean;
  readonly symbols: readonly SymbolHit[];
  readonly imports: readonly ImportEntry[];
  /** `index`, `tree-sitter`, `regex`, `none`. */
  readonly source: string;
}

/** Chunks are of no interest here. */
const ANY_CHUNK_TOKENS = 512;

/** Analyses a text as the file `path` would be, or in `language`. */
export async function analyseNow(
  text: string,
  { path, language }: { readonly path: string; readonly language?: string },
): Promise<TextFacts> {
  const { language: found, lineCount, isPartial, symbols, imports, parser } = await analyseText(
    text,
    { path, chunkMaxTokens: ANY_CHUNK_TOKENS, ...(language === undefined ? {} : { language }) },
  );
  return {
    language: found,
    lines: lineCount,
    isPartial,
    symbols: symbols.map(({ scope: _scope, ...symbol }, position) => ({
      ...symbol,
      ...toHolderFacts(symbols, position),
      path,
      position,
      language: found,
      qualifiedName: toQualifiedName(symbols[position] ?? symbol, (at) => symbols[at]),
    })),
    imports,
    source: parser,
  };
}

/** As the index tells it: only what no symbol of the text is. */
function toHolderFacts(
  all: readonly CodeSymbol[],
  position: number,
): Pick<SymbolHit, "scope" | "holderKind"> {
  const symbol = all[position];
  if (symbol === undefined) return {};
  const holder = symbol.parent === null ? undefined : all[symbol.parent];
  const apart = toApartScope(symbol, holder);
  return {
    ...(holder === undefined ? {} : { holderKind: holder.kind }),
    ...(apart.length === 0 ? {} : { scope: apart.join(".") }),
  };
}

/** The text of a file of the project; null where there is none that can be read as text. */
export function readTextNow(
  projectRoot: string,
  path: string,
): string | "too_large" | null {
  return pickRegularFiles(projectRoot, [path]).files.length === 0
    ? null
    : readSmallText(projectRoot, path);
}
