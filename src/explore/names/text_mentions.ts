/** Finds the places that name a symbol in comments, strings and prose, which no index holds: they are read from the files. */
import { listFilesWithText } from "../../backends/live_context.ts";
import { readSmallText } from "../../backends/regular_files.ts";
import { cutLine } from "../../backends/text_query.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { languageOfPath } from "../../language/languages.ts";
import { kindOfPlace, maskText } from "../../language/mask.ts";
import type { Language } from "../../language/languages.ts";
import type { ExploreOptions, FindReferencesInput, Reference } from "../explorer.ts";
import { formatUnreadNotices } from "../file_peek.ts";
import type { ExplorerOptions } from "../index_access.ts";
import { resolveScope } from "../scope.ts";
import type { SymbolName } from "./symbol_name.ts";

const PROSE = new Set(["Markdown"]);

/** Places in text, and what looked for them. */
export interface TextMentions {
  /** Of all pages, in order. */
  readonly references: readonly Reference[];
  /** `rg` or `scan`. */
  readonly source: string;
  readonly notices: readonly string[];
}

/** Finds them in all files of the question. */
export async function findTextMentions(
  context: ExplorerOptions,
  input: FindReferencesInput,
  { wanted, ...options }: ExploreOptions & { readonly wanted: SymbolName },
): Promise<TextMentions> {
  const scope = await resolveScope(context, input, options.signal);
  if (scope.kind === "refused") return { references: [], source: "files", notices: [] };
  const text = literalOf(wanted);
  const { peekMs } = LIMITS;
  using _spent = context.patience?.spend();
  const holding = await listFilesWithText(context, text, {
    endsAt: performance.now() + (context.patience?.limit(peekMs.value) ?? peekMs.value),
    files: scope.files,
    ignoreCase: false,
    wholeWord: isWord(text),
    ...options,
  });
  const references: Reference[] = [];
  for (const path of holding.files) {
    options.signal?.throwIfAborted();
    const content = readSmallText(context.projectRoot, path);
    if (content === null || content === "too_large") continue;
    references.push(...findInFile(path, content, text));
  }
  return {
    references,
    source: holding.source,
    notices: [...scope.notices, ...formatUnreadNotices(holding.late)],
  };
}

/** The text by which a name is looked for in files. */
export function literalOf(wanted: SymbolName): string {
  return wanted.scope.length > 0 ? wanted.name : wanted.whole;
}

/** Whether a text has a boundary of words at both ends. */
export function isWord(text: string): boolean {
  return /^[\p{L}\p{N}_]+$/u.test(text);
}

function findInFile(path: string, content: string, text: string): readonly Reference[] {
  const language = languageOfPath(path);
  const isProse = language === undefined || PROSE.has(language.name);
  const lines = content.split(/\r?\n/);
  const masked = isProse ? lines : maskText(content, language).split(/\r?\n/);
  const pattern = compileNamePattern(text, language);
  return lines.flatMap((line, index): Reference[] => {
    if (!line.includes(text)) return [];
    const first = line.matchAll(pattern).find(({ index: at }) =>
      isProse || kindOfPlace(masked[index] ?? "", at) !== "code"
    );
    if (first === undefined) return [];
    const { index: start } = first;
    const shown = cutLine(line, [[start, start + text.length]]).text;
    const place = { path, line: index + 1, column: start + 1 };
    return [{ ...place, kind: "text", text: shown, confidence: "name" }];
  });
}

/** The name as a whole one: what may stand beside it depends on the language. */
function compileNamePattern(text: string, language: Language | undefined): RegExp {
  const chars = (language?.nameChars ?? "").replace(/[\\\]^-]/g, "\\$&");
  const inner = `\\p{L}\\p{N}\\p{M}_${chars.replace(/[?!]/g, "")}`;
  // `?` and `!` end names in Ruby and Elixir, but `x != y` is a comparison.
  const tail = chars.includes("?") ? "|[?!](?!=)" : "";
  const name = text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const lead = /^[\p{L}\p{N}_]/u.test(text) ? `(?<![${inner}])` : "";
  const close = /[?!]$/.test(text) ? "" : `(?![${inner}]${tail})`;
  return new RegExp(`${lead}${name}${close}`, "gu");
}

/** Places in code and in text, each once, in the order of their places. */
export function mergeText<Spot extends Omit<Reference, "text">>(
  spots: readonly Spot[],
  text: readonly (Reference & Spot)[],
): readonly Spot[] {
  if (text.length === 0) return spots;
  const known = new Set(spots.map(({ path, line, column }) => `${line}:${column}\0${path}`));
  const more = text.filter(({ path, line, column }) => !known.has(`${line}:${column}\0${path}`));
  return [...spots, ...more].sort((a, b) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || a.column - b.column
  );
}
