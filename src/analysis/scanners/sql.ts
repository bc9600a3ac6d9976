/**
 * The symbols of SQL: what its statements create, whatever the case of the words and the quotes of the names. No dialect is
 * read as a whole, so that all of them are read alike. Pure.
 */
import type { Language } from "../../language/languages.ts";
import { maskText } from "../../language/mask.ts";
import type { CodeSymbol } from "../analysis.ts";
import { createPlaces, readLead } from "./places.ts";

const PART = '(?:"(?:[^"\\n]|"")+"|`[^`\\n]+`|\\[[^\\[\\]\\n]+\\]|[\\p{L}_#@][\\p{L}\\p{N}_$#@]*)';
/** `CREATE`, up to six words of a dialect, the kind, and the name with what it belongs to. */
const CREATE = new RegExp(
  "(?<=^|;)(?<before>[ \\t]*)CREATE\\s+(?:[^\\s;()]+\\s+){0,6}?" +
    "(?<kind>TABLE|VIEW|FUNCTION|PROCEDURE|TRIGGER|INDEX|TYPE)\\s+(?:BODY\\s+|CONCURRENTLY\\s+)?(?:IF\\s+NOT\\s+EXISTS\\s+)?" +
    `(?!(?:ON|AS|IF)\\b)(?<name>${PART}(?:\\s*\\.\\s*${PART})*)`,
  "gimu",
);
const PARTS = new RegExp(PART, "gu");
const COMMENT = /^\s*(?:--|\/\*|\*)/;
const ROUTINES = /^(?:function|procedure|trigger)$/;
/** What begins and ends blocks of a routine; `END IF` ends no `BEGIN`, and a transaction is no block. */
const BLOCK =
  /\bBEGIN\b(?!\s+(?:TRAN|TRANSACTION|WORK)\b)|\bEND\b(?:\s+CASE\b)?(?!\s+(?:IF|LOOP|WHILE|REPEAT)\b)|\bCASE\b/giu;
/** What begins and ends a body, with a tag between the signs that is the same at both ends. */
const DOLLARS = /\$\w*\$/gu;
/** Lines that end a statement without being part of one. */
const BATCH = /^[ \t]*(?:GO|DELIMITER\b.*)[ \t]*$/gim;
const MAX_SIGNATURE_CHARS = 200;

/** The symbols of a text. */
export function scanSql(
  text: string,
  lines: readonly string[],
  language: Language,
): CodeSymbol[] {
  const masked = maskText(text, language);
  // What a body creates belongs to the routine.
  const outside = blankBodies(masked);
  const batches = [...outside.matchAll(BATCH)].map(({ index }) => index);
  const places = createPlaces(text);
  const symbols: CodeSymbol[] = [];
  const found = [...outside.matchAll(CREATE)];
  let endOfBlock = 0;
  for (const [nth, { groups = {}, index, 0: whole }] of found.entries()) {
    const { before = "", kind = "", name = "" } = groups;
    const start = index + before.length;
    // What the block of a routine creates is its own affair.
    if (start < endOfBlock) continue;
    while (batches.length > 0 && (batches[0] ?? 0) < start) batches.shift();
    const limit = batches[0] ?? outside.length;
    const from = index + whole.length;
    const block = ROUTINES.test(kind.toLowerCase()) ? findEndOfBlock(outside, from, limit) : null;
    endOfBlock = block ?? 0;
    const end = block ?? Math.min(findEnd(outside, from, limit), found[nth + 1]?.index ?? limit);
    const parts = [...name.matchAll(PARTS)].map(([part]) => part);
    const last = parts.at(-1) ?? "";
    // A quote before the name is not part of it.
    const at = places.at(from - last.length + (isQuoted(last) ? 1 : 0));
    const { firstRow, doc } = readLead(lines, places.rowOf(start), COMMENT);
    const scope = parts.slice(0, -1).map(unquote).join(".");
    const signature = readSignature(outside, from, kind);
    symbols.push({
      name: unquote(last),
      kind: kind.toLowerCase(),
      ...at,
      startLine: firstRow + 1,
      endLine: Math.max(at.line, places.at(Math.max(start, end - 1)).line),
      parent: null,
      ...(scope === "" ? {} : { scope }),
      ...(signature === "" ? {} : { signature }),
      ...(doc === "" ? {} : { doc }),
    });
  }
  return symbols;
}

/** The text with its bodies blank. */
function blankBodies(text: string): string {
  let blanked = "";
  let at = 0;
  let open: { readonly tag: string; readonly end: number } | null = null;
  for (const { 0: tag, index } of text.matchAll(DOLLARS)) {
    if (open === null) open = { tag, end: index + tag.length };
    else if (open.tag === tag) {
      blanked += text.slice(at, open.end) + text.slice(open.end, index).replace(/[^\r\n]/g, " ");
      at = index;
      open = null;
    }
  }
  return blanked + text.slice(at);
}

/** Where a statement ends: behind its semicolon, before the line that ends a batch, before the next one. */
function findEnd(text: string, from: number, limit: number): number {
  const semicolon = text.indexOf(";", from);
  return semicolon < 0 || semicolon > limit ? limit : semicolon + 1;
}

/** Where the block of a routine ends: behind its `END`; null where the statement has none. */
function findEndOfBlock(text: string, from: number, limit: number): number | null {
  const end = findEnd(text, from, limit);
  BLOCK.lastIndex = from;
  let depth = 0;
  for (
    let match = BLOCK.exec(text);
    match !== null && match.index < limit;
    match = BLOCK.exec(text)
  ) {
    if (depth === 0 && match.index > end) return null;
    depth += /^end/i.test(match[0]) ? -1 : 1;
    if (depth > 0) continue;
    const behind = match.index + match[0].length;
    return /^[ \t]*;/.test(text.slice(behind, behind + 80)) ? findEnd(text, behind, limit) : behind;
  }
  return null;
}

/** The parameters of a routine, right behind its name. */
function readSignature(text: string, from: number, kind: string): string {
  if (!/^(?:function|procedure)$/i.test(kind)) return "";
  const match = /^\s*(\([^()]*(?:\([^()]*\)[^()]*)*\))/.exec(text.slice(from, from + 4_000));
  return match?.[1]?.replace(/\s+/g, " ").slice(0, MAX_SIGNATURE_CHARS) ?? "";
}

function isQuoted(part: string): boolean {
  return /^["`[]/.test(part);
}

function unquote(part: string): string {
  return isQuoted(part) ? part.slice(1, -1).replaceAll('""', '"') : part;
}
