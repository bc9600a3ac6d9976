/**
 * Definitions by the regular expressions of the language table, for files that no parser reads. Where
 * a definition ends and what holds it is told by indentation. Pure.
 */
import { indentOf } from "../base/text/indent.ts";
import type { Language } from "../language/languages.ts";
import type { Tag } from "../language/tags.ts";
import { maskText } from "../language/mask.ts";
import { toKind } from "../language/tags.ts";

// Longer lines are data or minified code, and a line's length bounds the work of an expression.
const MAX_LINE_CHARS = 500;

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
    if (line.trim() === "" || line.length > MAX_LINE_CHARS) return;
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
        kind: toKind(kind, language.name, scopeKind),
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

/** A line has one definition, save where statements end on it and others begin. */
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

/** The last line (1-based) of what begins at `line`, told by indentation. */
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
