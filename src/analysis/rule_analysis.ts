/**
 * Analyses a text by rules on its lines, for languages without a grammar and texts that a parser gave
 * up. Names are found with comments and strings blanked out.
 */
import { findTagsByRegex } from "./regex_tags.ts";
import { maskText } from "../language/mask.ts";
import type { Language } from "../language/languages.ts";
import { scanScss } from "./scanners/scss.ts";
import { scanSql } from "./scanners/sql.ts";
import type { CodeSymbol, ImportEntry, Occurrence } from "./analysis.ts";

/** What rules find. */
export interface RuleTags {
  /** In the order of their places. */
  readonly symbols: readonly CodeSymbol[];
  /** In the order of their places. */
  readonly occurrences: readonly Occurrence[];
  readonly imports: readonly ImportEntry[];
}

/** Languages whose symbols are told by more than single lines; null where the text is not as one of them expects. */
const SCANNERS: Readonly<
  Record<
    string,
    (text: string, lines: readonly string[], language: Language) => CodeSymbol[] | null
  >
> = { SCSS: scanScss, SQL: scanSql };

/** Longer lines are data or minified code. */
const MAX_LINE_CHARS = 2_000;
/** The name before the sign of a member; empty for all that is no name. */
const RECEIVER = /((?:(?<![\p{L}\p{N}_$.])[\p{L}_$][\p{L}\p{N}_$]*)?)(?:(?<!\.)\.|\?\.|->|::)$/u;

/** Definitions and names of a text of `language`. */
export function analyseByRules(text: string, language: Language): RuleTags {
  const lines = text.split(/\r?\n/);
  const symbols = SCANNERS[language.name]?.(text, lines, language) ??
    toRuleSymbols(text, lines, language);
  return {
    symbols,
    occurrences: withDefinitions(findNames(text, language), symbols, lines),
    imports: findImports(lines, language),
  };
}

/** The places of names, with the definitions among them: at the place of one there is nothing else. */
function withDefinitions(
  found: readonly Occurrence[],
  symbols: readonly CodeSymbol[],
  lines: readonly string[],
): Occurrence[] {
  const places = new Map(symbols.map((symbol) => [`${symbol.line}:${symbol.column}`, symbol]));
  const parts = new Set(symbols.flatMap((symbol) => toParts(symbol, lines)));
  const others = found.flatMap((one): Occurrence[] => {
    if (parts.has(`${one.line}:${one.column}`)) return [];
    const defined = places.get(`${one.line}:${one.column}`);
    if (defined === undefined) return [one];
    if (defined.name !== one.name) return [];
    places.delete(`${one.line}:${one.column}`);
    return [{ ...one, kind: "definition" }];
  });
  // What a rule reads otherwise than as a word: a quoted name, the part of a class.
  const more = symbols.filter((symbol) =>
    places.get(`${symbol.line}:${symbol.column}`) !== undefined
  )
    .map(({ name, line, column }): Occurrence => ({ name, line, column, kind: "definition" }));
  return [...others, ...more].sort((a, b) => a.line - b.line || a.column - b.column);
}

/** The places inside of a written name where a word could begin: of a name with blanks, and behind the sign of a part. */
function toParts({ name, line, column }: CodeSymbol, lines: readonly string[]): string[] {
  const text = lines[line - 1] ?? "";
  if (text.charAt(column - 1) === "&") return [`${line}:${column + 1}`];
  if (!name.includes(" ") || !text.startsWith(name, column - 1)) return [];
  return [...name.matchAll(/(?<=\W)\w/g)].map(({ index }) => `${line}:${column + index}`);
}

/** What the lines of a text take in, for the languages that say it on one line. */
export function findImports(lines: readonly string[], language: Language): ImportEntry[] {
  const pattern = language.imports;
  if (pattern === undefined) return [];
  return lines.flatMap((line, row) =>
    line.length > MAX_LINE_CHARS
      ? []
      : [...line.matchAll(pattern)].flatMap(({ groups }) =>
        [...(groups?.["modules"] ?? "").matchAll(/["']([^"']+)["']/g)].map(([, module = ""]) => ({
          module,
          name: null,
          alias: "",
          line: row + 1,
        }))
      )
  );
}

/** The symbols alone. */
export function toRuleSymbols(
  text: string,
  lines: readonly string[],
  language: Language,
): CodeSymbol[] {
  const open: { readonly index: number; readonly endLine: number }[] = [];
  return findTagsByRegex("", text, language).map((tag, index) => {
    while (open.length > 0 && (open.at(-1)?.endLine ?? 0) < tag.line) open.pop();
    const parent = tag.scope === undefined ? null : open.at(-1)?.index ?? null;
    const endLine = tag.endLine ?? tag.line;
    open.push({ index, endLine });
    return {
      name: tag.name,
      kind: tag.kind,
      line: tag.line,
      column: Math.max(0, (lines[tag.line - 1] ?? "").indexOf(tag.name)) + 1,
      startLine: tag.line,
      endLine,
      parent,
      ...(tag.signature === undefined ? {} : { signature: tag.signature.slice(0, 200) }),
    };
  });
}

function findNames(text: string, language: Language): Occurrence[] {
  const extra = language.nameChars.replace(/[?!]/g, "").replace(/[\\\]^-]/g, "\\$&");
  const name = language.words ??
    new RegExp(`[\\p{L}_$][\\p{L}\\p{N}_${extra}]*`, "gu");
  const occurrences: Occurrence[] = [];
  maskText(text, language).split(/\r?\n/).forEach((line, row) => {
    if (line.length > MAX_LINE_CHARS) return;
    for (const match of line.matchAll(name)) {
      const column = match.index + 1;
      const receiver = RECEIVER.exec(line.slice(Math.max(0, match.index - 80), match.index))?.[1];
      const isCall = /^\s*\(/.test(line.slice(match.index + match[0].length, match.index + 100));
      occurrences.push({
        name: match[0],
        line: row + 1,
        column,
        kind: isCall ? "call" : "read",
        ...(receiver === undefined ? {} : { receiver }),
      });
    }
  });
  return occurrences;
}
