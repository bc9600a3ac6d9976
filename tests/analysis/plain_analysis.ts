/**
 * A small analyser by lines, for tests of the index that are about files and not about languages: it
 * knows `function name`, `class name` and `import "module"`, and every word is an occurrence.
 */
import type {
  Analysis,
  AnalysisOptions,
  Chunk,
  CodeSymbol,
  ImportEntry,
  Occurrence,
} from "../../src/analysis/analysis.ts";
import { languageOfPath } from "../../src/language/languages.ts";

const CHUNK_LINES = 20;

/** Analyses a text with the signature of the real analyser. */
export function analysePlainly(text: string, { path }: AnalysisOptions): Promise<Analysis> {
  const lines = text.split("\n");
  const symbols: CodeSymbol[] = [];
  const occurrences: Occurrence[] = [];
  const imports: ImportEntry[] = [];
  lines.forEach((content, index) => {
    const line = index + 1;
    const defined = /^(\s*)(function|class) (\w+)/.exec(content);
    if (defined !== null) {
      const [, indent = "", kind = "", name = ""] = defined;
      const column = indent.length + kind.length + 2;
      const parent = indent === "" ? null : symbols.findLastIndex((one) => one.kind === "class");
      symbols.push({
        name,
        kind,
        line,
        column,
        startLine: line,
        endLine: line,
        parent: parent === -1 ? null : parent,
        signature: content.trim(),
        ...(kind === "class" && content.includes(" extends ")
          ? { bases: [content.split(" extends ")[1]?.split(" ")[0] ?? ""] }
          : {}),
      });
    }
    const module = /^import "([^"]+)"/.exec(content)?.[1];
    if (module !== undefined) imports.push({ module, name: null, alias: "", line });
    for (const { 0: name, index: at } of content.matchAll(/\w+/g)) {
      const kind = at + 1 === symbols.at(-1)?.column && defined !== null ? "definition" : "read";
      occurrences.push({ name, line, column: at + 1, kind });
    }
  });
  return Promise.resolve({
    language: languageOfPath(path)?.name ?? null,
    parser: "none",
    isPartial: false,
    lineCount: lines.length,
    symbols,
    occurrences,
    imports,
    types: [],
    chunks: toChunks(lines, symbols),
  });
}

function toChunks(lines: readonly string[], symbols: readonly CodeSymbol[]): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 0; at < lines.length; at += CHUNK_LINES) {
    const [startLine, endLine] = [at + 1, Math.min(lines.length, at + CHUNK_LINES)];
    const own = symbols.flatMap(({ line }, position) =>
      line >= startLine && line <= endLine ? [position] : []
    );
    const name = symbols[own[0] ?? -1]?.name ?? "";
    chunks.push({ startLine, endLine, kind: "block", name, symbols: own });
  }
  return chunks;
}
