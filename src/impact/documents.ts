/** Documents that mention what changes, with the lines that do. */
import { clip } from "../base/clip.ts";
import { cutLine, parseGlob } from "../backends/mod.ts";
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

/** What `context.yml` says about the documents that are searched. */
export interface DocumentPatterns {
  readonly include_patterns: readonly string[];
  readonly exclude_patterns: readonly string[];
}

const DOCUMENT = /\.(?:md|mdx|markdown|rst|adoc|txt)$/i;
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
  const [included, excluded] = [patterns.include_patterns, patterns.exclude_patterns].map(toTest);
  const files = input.files.filter((path) =>
    DOCUMENT.test(path) && (included === null || included?.(path) === true) &&
    excluded?.(path) !== true
  );
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

function toTest(globs: readonly string[]): ((path: string) => boolean) | null {
  if (globs.length === 0) return null;
  const tests = globs.flatMap((glob) => {
    const parsed = parseGlob(glob);
    return parsed.kind === "glob" ? [parsed.test] : [];
  });
  return (path) => tests.some((test) => test(path));
}
