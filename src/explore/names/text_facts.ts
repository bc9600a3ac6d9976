/** What one file or text is made of: as the index has it, or analysed now for what the index does not hold. */
import { pickRegularFiles, readSmallText } from "../../backends/regular_files.ts";
import type { ImportEntry } from "../../analysis/analysis.ts";
import type { CodeIndex } from "../../index/index_api.ts";
import type { IndexView, SymbolHit } from "../../index/read/view.ts";

/** What is known of one text. */
export interface TextFacts {
  readonly language: string | null;
  readonly lines: number;
  readonly isPartial: boolean;
  readonly symbols: readonly SymbolHit[];
  readonly imports: readonly ImportEntry[];
  /** `index`, `tree-sitter`, `regex`, `none`. */
  readonly source: string;
}

/** What a view knows of a file; null where it does not have it. */
export function readFacts(view: IndexView, path: string, source = "index"): TextFacts | null {
  const file = view.getFile(path);
  if (file === null) return null;
  return {
    language: file.language,
    lines: file.lineCount,
    isPartial: file.isPartial,
    symbols: view.listSymbols(path),
    imports: view.listImports(path),
    source,
  };
}

const NOTHING: TextFacts = {
  language: null,
  lines: 0,
  isPartial: false,
  symbols: [],
  imports: [],
  source: "none",
};

/** Analyses a text as the file `path` would be, or in `language`; one text is not worth a thread. */
export async function analyseNow(
  index: Pick<CodeIndex, "peek">,
  text: string,
  as: { readonly path: string; readonly language?: string },
): Promise<TextFacts> {
  using peek = await index.peek({ isBrief: true });
  await peek.addText(text, as);
  const [source = "none"] = peek.parsers;
  return await peek.read((view) => readFacts(view, as.path, source)) ?? NOTHING;
}

/** The text of a file of the project; null where there is none that can be read as text. */
export function readTextNow(projectRoot: string, path: string): string | "too_large" | null {
  return pickRegularFiles(projectRoot, [path]).files.length === 0
    ? null
    : readSmallText(projectRoot, path);
}
