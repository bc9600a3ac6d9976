/**
 * Analyses a text by rules on its lines, for languages without a grammar and texts that a parser gave
 * up. Names are found with comments and strings blanked out.
 */
import { findTagsByRegex } from "./regex_tags.ts";
import { maskText } from "../language/mod.ts";
import type { Language } from "../language/mod.ts";
import type { CodeSymbol, ImportEntry, Occurrence } from "./analysis.ts";

/** What rules find. */
export interface RuleTags {
  /** In the order of their places. */
  readonly symbols: readonly CodeSymbol[];
  /** In the order of their places. */
  readonly occurrences: readonly Occurrence[];
  readonly imports: readonly ImportEntry[];
}

/** Longer lines are data or minified code. */
const MAX_LINE_CHARS = 2_000;
/** The name before the sign of a member; empty for all that is no name. */
const RECEIVER = /((?:(?<![\p{L}\p{N}_$.])[\p{L}_$][\p{L}\p{N}_$]*)?)(?:(?<!\.)\.|\?\.|->|::)$/u;

/** Definitions and names of a text of `language`. */
export function analyseByRules(text: string, language: Language): RuleTags {
  const lines = text.split(/\r?\n/);
  const symbols = toRuleSymbols(text, lines, language);
  const names = new Set(symbols.map(({ line, column }) => `${line}:${column}`));
  return {
    symbols,
    occurrences: findNames(text, language, names),
    imports: findImports(lines, language),
  };
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

function findNames(text: string, language: Language, names: ReadonlySet<string>): Occurrence[] {
  const extra = language.nameChars.replace(/[?!]/g, "").replace(/[\\\]^-]/g, "\\$&");
  const name = language.words ??
    new RegExp(`[\\p{L}_$][\\p{L}\\p{N}_${extra}]*`, "gu");
  const occurrences: Occurrence[] = [];
  maskText(text, language).split(/\r?\n/).forEach((line, row) => {
    if (line.length > MAX_LINE_CHARS) return;
    for (const match of line.matchAll(name)) {
      const column = match.index + 1;
      const isDefinition = names.has(`${row + 1}:${column}`);
      const receiver = RECEIVER.exec(line.slice(Math.max(0, match.index - 80), match.index))?.[1];
      const isCall = /^\s*\(/.test(line.slice(match.index + match[0].length, match.index + 100));
      occurrences.push({
        name: match[0],
        line: row + 1,
        column,
        kind: isDefinition ? "definition" : isCall ? "call" : "read",
        ...(receiver === undefined ? {} : { receiver }),
      });
    }
  });
  return occurrences;
}
