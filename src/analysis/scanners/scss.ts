/**
 * The symbols of a style sheet with braces (SCSS, Less): mixins, functions, placeholders, variables of the file, custom
 * properties, and the classes and ids of its rules, with the names that `&__part` stands for. By its blocks, not by a grammar. Pure.
 */
import type { Language } from "../../language/languages.ts";
import { maskText } from "../../language/mask.ts";
import type { CodeSymbol } from "../analysis.ts";
import type { Places } from "./places.ts";
import { createPlaces, readLead } from "./places.ts";

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
    this.#places = createPlaces(text);
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
    const { firstRow, doc } = readLead(this.#lines, line - 1, COMMENT);
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
