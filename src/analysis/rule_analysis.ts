/**
 * Analyses a text by rules on its lines, for languages without a grammar and texts that a parser gave
 * up. Names are found with comments and strings blanked out.
 */
import { indentOf } from "../base/text/position.ts";
import type { Language } from "../language/languages.ts";
import type { Tag } from "../language/kinds.ts";
import { normalizeKind } from "../language/kinds.ts";
import { maskText } from "../language/mask.ts";
import { scanScss, scanSql } from "./scanners.ts";
import type { CodeSymbol, ImportEntry, Occurrence } from "./analysis.ts";

// Longer lines are data or minified code, and a line's length bounds the work of an expression.
const MAX_FORM_LINE_CHARS = 500;

interface Open {
  readonly indent: number;
  readonly index: number;
  readonly name: string;
  readonly kind: string;
}

/** The definitions of one file's text. */
export function findTagsByRegex(path: string, text: string, language: Language): Tag[] {
  const lines = text.split(/\r?\n/);
  const isData = language.readsStrings;
  // Comments and strings must not look like code; in data the strings are what is looked for.
  const masked = isData ? lines : maskText(text, language).split(/\r?\n/);
  const tags: Tag[] = [];
  const open: Open[] = [];
  lines.forEach((line, index) => {
    if (line.trim() === "" || line.length > MAX_FORM_LINE_CHARS) return;
    const found = matchLine(line, masked[index] ?? "", language);
    if (found.length === 0) return;
    const indent = indentOf(line);
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
    const holders = open.filter((one) => endOf(lines, one) >= index);
    const scope = holders.map((one) => one.name).join(".");
    const scopeKind = holders.at(-1)?.kind;
    const holder = { indent, index, name: found[0]?.name ?? "", kind: found[0]?.kind ?? "" };
    const end = isData ? undefined : endOf(lines, holder);
    for (const { kind, name } of found) {
      const signature = signatureOf(line, name);
      tags.push({
        name,
        kind: normalizeKind(kind, language.name, scopeKind),
        path,
        line: index + 1,
        language: language.name,
        ...(end === undefined ? {} : { endLine: end + 1 }),
        ...(scope === "" ? {} : { scope }),
        ...(scopeKind === undefined ? {} : { scopeKind }),
        ...(signature === undefined ? {} : { signature }),
      });
    }
    open.push(holder);
  });
  return tags;
}

interface Match {
  readonly kind: string;
  readonly name: string;
}

/** A line has one definition, except where statements end on it and others begin. */
function matchLine(line: string, masked: string, language: Language): readonly Match[] {
  if (language.name !== "SQL") return matchPart(line, masked, language);
  return line.split(/(?<=;)/).flatMap((part) => matchPart(part, part, language));
}

function matchPart(line: string, masked: string, language: Language): readonly Match[] {
  for (const { kind, pattern } of language.definitions) {
    const match = pattern.exec(line);
    const name = match?.groups?.["name"];
    if (match === null || name === undefined) continue;
    const at = match.index + match[0].lastIndexOf(name);
    // A name that the mask has blanked stands in a comment or a string.
    if (masked.slice(at, at + name.length) !== name) continue;
    return [{ kind, name }];
  }
  return [];
}

/** The last line (1-based) of what begins at `line`, known by indentation. */
export function findEndByIndent(lines: readonly string[], line: number): number {
  const index = line - 1;
  return endOf(lines, { index, indent: indentOf(lines[index] ?? "") }) + 1;
}

function endOf(lines: readonly string[], open: Pick<Open, "indent" | "index">): number {
  let last = open.index;
  for (let index = open.index + 1; index < lines.length; index++) {
    const line = lines[index] ?? "";
    if (line.trim() === "") continue;
    if (indentOf(line) > open.indent) {
      last = index;
      continue;
    }
    // Braces and words that close a block belong to it; an opening brace on its own line too.
    if (indentOf(line) === open.indent && /^\s*(?:[{})\]]|end\b|fi\b|done\b|esac\b)/.test(line)) {
      last = index;
      if (!/^\s*\{\s*$|\{\s*$/.test(line)) break;
      continue;
    }
    break;
  }
  return last;
}

function signatureOf(line: string, name: string): string | undefined {
  const at = line.indexOf(`${name}(`);
  if (at < 0) return undefined;
  return /^\([^()]*(?:\([^()]*\)[^()]*)*\)/.exec(line.slice(at + name.length))?.[0];
}

/** What rules find. */
export interface RuleTags {
  /** In the order of their places. */
  readonly symbols: readonly CodeSymbol[];
  /** In the order of their places. */
  readonly occurrences: readonly Occurrence[];
  readonly imports: readonly ImportEntry[];
}

/** Languages whose symbols are known by more than single lines; null where the text is not as one of them expects. */
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
    findRuleSymbols(text, lines, language);
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
  const parts = new Set(symbols.flatMap((symbol) => keysOfName(symbol, lines)));
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
function keysOfName({ name, line, column }: CodeSymbol, lines: readonly string[]): string[] {
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
export function findRuleSymbols(
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
