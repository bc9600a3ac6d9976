/** Documents that mention what changes, with the lines that do. */
import { clip } from "../base/clip.ts";
import { cutLine } from "../backends/mod.ts";
import type { DocumentPatterns } from "../base/document_files.ts";
import { toDocumentTest } from "../base/document_files.ts";
import type { LiveExplorerOptions } from "../search/mod.ts";
import { runText } from "../search/mod.ts";

/** One document. */
export interface DocumentMention {
  readonly file: string;
  readonly matchCount: number;
  readonly keywords: readonly string[];
  readonly sampleLines: readonly {
    readonly line: number;
    readonly content: string;
    readonly keyword: string;
  }[];
}

const MAX_FILES = 20;
const MAX_SAMPLES = 3;
const SAMPLE_CHARS = 80;
const MAX_MATCHES = 2_000;

/** Searches the documents for keywords, whatever their case; most matches first. */
export async function findMentions(
  context: LiveExplorerOptions,
  input: {
    readonly files: readonly string[];
    readonly keywords: readonly string[];
    readonly patterns: DocumentPatterns;
    readonly signal?: AbortSignal;
  },
): Promise<readonly DocumentMention[]> {
  const { keywords, patterns, signal } = input;
  const files = input.files.filter(toDocumentTest(patterns).test);
  if (files.length === 0 || keywords.length === 0) return [];
  const query = {
    patterns: keywords,
    fixed: true,
    caseSensitive: false,
    wholeWord: false,
    contextLines: 0,
  };
  const { result } = await runText(context, query, {
    files,
    offset: 0,
    maxResults: MAX_MATCHES,
    ...(signal === undefined ? {} : { signal }),
  });
  if (result.kind === "refused") return [];
  const found = [...Map.groupBy(result.matches, ({ path }) => path)].map(([file, lines]) => {
    const sampleLines = lines.slice(0, MAX_SAMPLES).map(({ line, text, matched, ranges }) => ({
      line,
      content: clip(cutLine(text, ranges).text.trim(), SAMPLE_CHARS),
      keyword: keywords[matched?.[0] ?? 0] ?? "",
    }));
    const used = new Set(lines.flatMap(({ matched }) => matched ?? [0]));
    return {
      file,
      matchCount: lines.length,
      keywords: keywords.filter((_, at) => used.has(at)),
      sampleLines,
    };
  });
  // A document that knows more of the words is nearer than one that repeats one of them.
  return found.sort((a, b) =>
    b.keywords.length - a.keywords.length || b.matchCount - a.matchCount ||
    (a.file < b.file ? -1 : 1)
  ).slice(0, MAX_FILES);
}
