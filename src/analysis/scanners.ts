/**
 * The symbols of a style sheet with braces (SCSS, Less): mixins, functions, placeholders, variables of the file, custom
 * properties, and the classes and ids of its rules, with the names that `&__part` stands for. By its blocks, not by a grammar. Pure.
 */
import { readDocSentence } from "./symbols.ts";
import type { Language } from "../language/languages.ts";
import { maskText } from "../language/mask.ts";
import type { CodeSymbol } from "./analysis.ts";

/** The lines and columns of a text. */
export interface Places {
  /** 0-based line of an index. */
  rowOf(index: number): number;
  /** 1-based line and column of an index. */
  at(index: number): { readonly line: number; readonly column: number };
}

/** Finds lines by the ends of the lines before. */
export function createLinePositions(text: string): Places {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const rowOf = (index: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    rowOf,
    at: (index) => {
      const row = rowOf(index);
      return { line: row + 1, column: index - (starts[row] ?? 0) + 1 };
    },
  };
}

/** The first row of the comment right above a row, and what it says; the row itself where there is none. */
export function readCommentAbove(
  lines: readonly string[],
  row: number,
  isComment: RegExp,
): { readonly firstRow: number; readonly doc: string } {
  let first = row;
  while (first > 0 && isComment.test(lines[first - 1] ?? "")) first--;
  const doc = first === row ? "" : readDocSentence(lines.slice(first, row).join("\n"));
  return { firstRow: first, doc };
}

const PART = '(?:"(?:[^"\\n]|"")+"|`[^`\\n]+`|\\[[^\\[\\]\\n]+\\]|[\\p{L}_#@][\\p{L}\\p{N}_$#@]*)';
/** `CREATE`, up to six words of a dialect, the kind, and the name with what it belongs to. */
const CREATE = new RegExp(
  "(?<=^|;)(?<before>[ \\t]*)CREATE\\s+(?:[^\\s;()]+\\s+){0,6}?" +
    "(?<kind>TABLE|VIEW|FUNCTION|PROCEDURE|TRIGGER|INDEX|TYPE)\\s+(?:BODY\\s+|CONCURRENTLY\\s+)?(?:IF\\s+NOT\\s+EXISTS\\s+)?" +
    `(?!(?:ON|AS|IF)\\b)(?<name>${PART}(?:\\s*\\.\\s*${PART})*)`,
  "gimu",
);
const PARTS = new RegExp(PART, "gu");
const SQL_COMMENT = /^\s*(?:--|\/\*|\*)/;
const ROUTINES = /^(?:function|procedure|trigger)$/;
/** What begins and ends blocks of a routine; `END IF` ends no `BEGIN`, and a transaction is no block. */
const ROUTINE_BLOCK =
  /\bBEGIN\b(?!\s+(?:TRAN|TRANSACTION|WORK)\b)|\bEND\b(?:\s+CASE\b)?(?!\s+(?:IF|LOOP|WHILE|REPEAT)\b)|\bCASE\b/giu;
/** What begins and ends a body, with a tag between the signs that is the same at both ends. */
const DOLLARS = /\$\w*\$/gu;
/** Lines that end a statement without being part of one. */
const BATCH = /^[ \t]*(?:GO|DELIMITER\b.*)[ \t]*$/gim;

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
  const places = createLinePositions(text);
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
    const { firstRow, doc } = readCommentAbove(lines, places.rowOf(start), SQL_COMMENT);
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
  ROUTINE_BLOCK.lastIndex = from;
  let depth = 0;
  for (
    let match = ROUTINE_BLOCK.exec(text);
    match !== null && match.index < limit;
    match = ROUTINE_BLOCK.exec(text)
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

const NAME = "[\\p{L}_-][\\p{L}\\p{N}_-]*";
/** Interpolations hold braces that open no block. */
const MARK = /#\{[^{}]*\}|[{};]/gu;
const BLOCKS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ["mixin", new RegExp(`^@mixin\\s+(?<name>${NAME})\\s*(?<params>\\(.*\\))?`, "su")],
  ["function", new RegExp(`^@function\\s+(?<name>${NAME})\\s*(?<params>\\(.*\\))?`, "su")],
  ["keyframes", new RegExp(`^@(?:-\\w+-)?keyframes\\s+(?<name>${NAME})`, "u")],
];
const DECLARED: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ["variable", new RegExp(`^(?<name>\\$${NAME})\\s*:`, "u")],
  ["property", new RegExp(`^(?<name>--${NAME})\\s*:`, "u")],
];
/** A part of a selector: what is added to the name round it, or a name of its own; the last group is cut off by `#{`. */
const SELECTED = new RegExp(`&(?<added>${NAME})|(?<name>[.#%]${NAME})`, "gu");
const KINDS: Readonly<Record<string, string>> = { ".": "class", "#": "id", "%": "placeholder" };
const COMMENT = /^\s*(?:\/\/|\/\*|\*)/;
const MAX_SIGNATURE_CHARS = 200;
/** A rule of many selectors in a rule of many selectors gives no more names than this. */
const MAX_NAMES = 20;
const MAX_NAME_CHARS = 200;
/** Deeper blocks are written by no person. */
const MAX_DEPTH = 50;

interface Block {
  /** Position of the symbol that holds what is inside; null where nothing does. */
  readonly holder: number | null;
  /** The positions of the symbols that end with it. */
  readonly own: readonly number[];
  /** What `&` stands for: the last name of each selector. */
  readonly names: readonly string[];
  /** Whether its inside has no selectors: the steps of an animation, the body of a function. */
  readonly isPlain: boolean;
}

const FILE: Block = { holder: null, own: [], names: [], isPlain: false };

type Draft = { -readonly [Key in keyof CodeSymbol]: CodeSymbol[Key] };

/** The symbols of a text; null where it has no blocks, as the indented form of Sass has none. */
export function scanScss(
  text: string,
  lines: readonly string[],
  language: Language,
): CodeSymbol[] | null {
  const masked = maskText(text, language);
  return /(?<!#)\{/.test(masked) ? new Scanner(masked, lines).run() : null;
}

class Scanner {
  readonly #text: string;
  readonly #lines: readonly string[];
  readonly #places: Places;
  readonly #symbols: Draft[] = [];
  readonly #open: Block[] = [FILE];

  constructor(text: string, lines: readonly string[]) {
    this.#text = text;
    this.#lines = lines;
    this.#places = createLinePositions(text);
  }

  run(): CodeSymbol[] {
    let start = 0;
    for (const { 0: mark, index } of this.#text.matchAll(MARK)) {
      if (mark.startsWith("#")) continue;
      // A comment is blank to the mask and stands before what it is about.
      const lead = countBlank(this.#text.slice(start, index));
      const head = this.#text.slice(start + lead, index);
      if (mark === "{") this.#open.push(this.#enter(head, start + lead));
      else this.#declare(head, start + lead);
      if (mark === "}") this.#leave(index);
      start = index + 1;
    }
    while (this.#open.length > 1) this.#leave(this.#text.length);
    return this.#symbols;
  }

  #enter(head: string, start: number): Block {
    const around = this.#open.at(-1) ?? FILE;
    for (const [kind, pattern] of BLOCKS) {
      const { name = "", params } = pattern.exec(head)?.groups ?? {};
      if (name === "") continue;
      const at = this.#add(kind, name, start + head.indexOf(name, 1), params);
      return { holder: at, own: [at], names: [], isPlain: kind !== "mixin" };
    }
    if (head.startsWith("@") || around.isPlain || this.#open.length > MAX_DEPTH) {
      return { ...around, own: [] };
    }
    return this.#enterRule(head, start, around);
  }

  #enterRule(head: string, start: number, around: Block): Block {
    const own: number[] = [];
    const names: string[] = [];
    let offset = start;
    // What stands in brackets is excluded (`:not(.a)`) or compared (`[href=".a"]`).
    const plain = head.replace(/\([^()]*\)|\[[^\[\]]*\]/g, (part) => " ".repeat(part.length));
    for (const selector of plain.split(",")) {
      let last: readonly string[] = selector.includes("&") ? around.names : [];
      for (const { groups = {}, index, 0: whole } of selector.matchAll(SELECTED)) {
        if (selector.startsWith("#{", index + whole.length)) continue;
        const { added, name = "" } = groups;
        const found = added === undefined ? [name] : around.names.map((one) => one + added)
          .filter(({ length }) => length <= MAX_NAME_CHARS);
        for (const one of found.slice(0, MAX_NAMES)) {
          own.push(this.#add(KINDS[one.charAt(0)] ?? "class", one, offset + index));
        }
        last = found;
      }
      names.push(...last);
      offset += selector.length + 1;
    }
    const unique = [...new Set(names)].slice(0, MAX_NAMES);
    return { holder: own[0] ?? around.holder, own, names: unique, isPlain: false };
  }

  #declare(head: string, start: number): void {
    for (const [kind, pattern] of DECLARED) {
      const name = pattern.exec(head)?.groups?.["name"];
      // A variable in a block is local to it.
      const isLocal = kind === "variable" && this.#open.length > 1;
      if (name !== undefined && !isLocal) {
        const at = this.#add(kind, name, start);
        const symbol = this.#symbols[at];
        if (symbol !== undefined) symbol.endLine = this.#places.at(start + head.length).line;
      }
    }
  }

  #leave(index: number): void {
    const block = this.#open.length > 1 ? this.#open.pop() : undefined;
    const { line } = this.#places.at(index);
    for (const at of block?.own ?? []) {
      const symbol = this.#symbols[at];
      if (symbol !== undefined) symbol.endLine = line;
    }
  }

  #add(kind: string, name: string, index: number, params?: string): number {
    const { line, column } = this.#places.at(index);
    const { firstRow, doc } = readCommentAbove(this.#lines, line - 1, COMMENT);
    this.#symbols.push({
      name,
      kind,
      line,
      column,
      startLine: firstRow + 1,
      endLine: line,
      parent: this.#open.at(-1)?.holder ?? null,
      ...(params === undefined
        ? {}
        : { signature: params.replace(/\s+/g, " ").slice(0, MAX_SIGNATURE_CHARS) }),
      ...(doc === "" ? {} : { doc }),
    });
    return this.#symbols.length - 1;
  }
}

/** Signs before the first one of code: spaces, and what the mask puts in the place of comments. */
function countBlank(text: string): number {
  let count = 0;
  for (const sign of text) {
    if (sign !== "\u0001" && sign.trim() !== "") break;
    count++;
  }
  return count;
}
