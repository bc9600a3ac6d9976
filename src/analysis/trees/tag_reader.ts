/**
 * Reads what the patterns of a grammar found in a tree into plain records, so that nothing after it
 * touches the tree. Positions are indices and 0-based rows and columns in UTF-16 units. Pure.
 */
import type { SyntaxMatch, SyntaxNode } from "../../syntax/tree_sitter.ts";
import type { ImportEntry } from "../analysis.ts";
import type {
  RawBound,
  RawDefinition,
  RawEmbed,
  RawMark,
  RawObject,
  RawTags,
  RawTyped,
} from "./raw_tags.ts";
import { readWordsWithoutTree } from "./raw_tags.ts";
import type { LanguageQuery } from "../queries/language_query.ts";
import { readObject } from "./block_facts.ts";
import { readPythonNames } from "./python_names.ts";
import { readTypedNames } from "./typed_names.ts";

const KINDS = ["ignore", "import", "write", "call", "type", "read"] as const;
const RANKS: ReadonlyMap<string, number> = new Map(
  KINDS.map((kind, rank) => [kind === "ignore" ? kind : `reference.${kind}`, rank]),
);
const MAX_BASES = 40;

interface Seen {
  readonly node: SyntaxNode;
  readonly start: number;
  readonly rank: number;
}

/** Reads the matches of `query` on a tree of `text`. */
export function readTags(
  text: string,
  matches: readonly SyntaxMatch[],
  query: LanguageQuery,
): RawTags {
  return new TagReader(text, query).read(matches);
}

class TagReader {
  readonly #text: string;
  readonly #query: LanguageQuery;
  readonly #definitions = new Map<number, RawDefinition>();
  readonly #seen: Seen[] = [];
  readonly #imports: ImportEntry[] = [];
  readonly #exportedNames = new Set<string>();
  readonly #leads = new Map<number, number>();
  readonly #locals: (readonly [number, number])[] = [];
  readonly #blocks: (readonly [number, number])[] = [];
  readonly #bounds: RawBound[] = [];
  readonly #receivers = new Map<number, string>();
  readonly #units: (readonly [number, number])[] = [];
  readonly #embeds: RawEmbed[] = [];
  readonly #typed: RawTyped[] = [];
  readonly #objects: RawObject[] = [];
  readonly #statics: { name: string; start: number }[] = [];
  readonly #wrappers = new Map<number, SyntaxNode>();
  /** Places inside nodes that the grammar does not part. */
  readonly #inner: RawMark[] = [];

  constructor(text: string, query: LanguageQuery) {
    this.#text = text;
    this.#query = query;
  }

  read(matches: readonly SyntaxMatch[]): RawTags {
    for (const { captures, patternIndex } of matches) {
      const first = captures[0];
      if (first === undefined) continue;
      // Most matches are one plain reference or block: they must cost least.
      const rank = captures.length === 1 ? RANKS.get(first.name) : undefined;
      if (first.name === "block") this.#blocks.push([first.node.startIndex, first.node.endIndex]);
      else if (rank === undefined) this.#match(captures, patternIndex);
      else this.#seen.push({ node: first.node, start: first.node.startIndex, rank });
    }
    // A range or an export that belongs to no definition leaves a record without a kind.
    const definitions = [...this.#definitions.values()].filter(({ kind }) => kind !== "");
    if (this.#wrappers.size > 0) this.#wrap(definitions);
    return {
      definitions,
      marks: this.#marks(),
      units: this.#units,
      embeds: this.#embeds,
      imports: keepImports(this.#imports),
      exportedNames: this.#exportedNames,
      leads: this.#leads,
      locals: this.#locals,
      blocks: this.#blocks,
      bounds: this.#bounds,
      receivers: this.#receivers,
      typed: this.#typed,
      objects: this.#objects,
      statics: this.#statics,
    };
  }

  #match(captures: SyntaxMatch["captures"], pattern: number): void {
    const by = new Map<string, SyntaxNode>();
    let whole: SyntaxNode | undefined;
    let kind = "";
    for (const { name, node } of captures) {
      const rank = RANKS.get(name);
      if (rank !== undefined) this.#seen.push({ node, start: node.startIndex, rank });
      else if (name.startsWith("definition.")) {
        whole = node;
        kind = name.slice("definition.".length);
      } else by.set(name, node);
    }
    const name = by.get("name");
    if (name !== undefined) this.#define(name, { by, whole, kind, pattern });
    const lead = by.get("doc") ?? by.get("prefix");
    if (lead !== undefined) this.#lead(lead);
    const local = by.get("local");
    if (local !== undefined) this.#locals.push([local.startIndex, local.endIndex]);
    this.#bind(by);
    const [object, own] = [by.get("object"), by.get("static")];
    if (object !== undefined) {
      this.#objects.push(readObject(object, by, (node) => this.#textOf(node)));
    }
    if (own !== undefined) this.#statics.push({ name: this.#textOf(own), start: own.startIndex });
    const inner = by.get("inner");
    const outer = by.get("outer");
    if (inner !== undefined && outer !== undefined) this.#wrapper(inner.startIndex, outer);
    const unit = by.get("unit");
    if (unit !== undefined) this.#units.push([unit.startPosition.row, lastRowOf(unit)]);
    const classes = by.get("classes");
    if (classes !== undefined) this.#readClasses(classes);
    const words = by.get("words");
    if (words !== undefined) this.#readWords(words);
    this.#embed(by);
    const exported = by.get("exported.name");
    if (exported !== undefined) this.#exportedNames.add(this.#textOf(exported));
    this.#import(by);
    if (this.#query.spelling !== undefined) {
      const readNames = this.#query.spelling === "python" ? readPythonNames : readTypedNames;
      this.#typed.push(...readNames(by, (node) => this.#textOf(node)));
    }
  }

  #bind(by: ReadonlyMap<string, SyntaxNode>): void {
    const bound = by.get("bound");
    if (bound !== undefined) {
      const within = by.get("within");
      this.#bounds.push({
        start: bound.startIndex,
        name: this.#textOf(bound),
        row: bound.startPosition.row,
        ...(within === undefined ? {} : { within: [within.startIndex, within.endIndex] }),
      });
    }
    const member = by.get("member");
    if (member === undefined) return;
    const of = by.get("of");
    const type = of === undefined ? "" : this.#textOf(of);
    this.#receivers.set(member.startIndex, type === "" || type === "super" ? type : `${type}()`);
  }

  /** Of the wrappers of one place the widest counts. */
  #wrapper(start: number, outer: SyntaxNode): void {
    const known = this.#wrappers.get(start);
    const isWider = known === undefined || outer.startIndex < known.startIndex ||
      outer.startIndex === known.startIndex && outer.endIndex > known.endIndex;
    if (isWider) this.#wrappers.set(start, outer);
  }

  #wrap(definitions: readonly RawDefinition[]): void {
    for (const definition of definitions) {
      for (;;) {
        const outer = this.#wrappers.get(definition.start);
        if (outer === undefined) break;
        const from = definition.start;
        widen(definition, outer);
        if (definition.start === from) break;
      }
    }
  }

  #readWords(node: SyntaxNode): void {
    const begin = { start: node.startIndex, ...node.startPosition };
    this.#inner.push(...readWordsWithoutTree(this.#textOf(node), begin));
  }

  #readClasses(node: SyntaxNode): void {
    const { row, column } = node.startPosition;
    const text = this.#textOf(node);
    for (const { 0: name, index } of text.matchAll(/[^\s{}$"']+/g)) {
      const before = text.slice(0, index).split("\n");
      this.#inner.push({
        // The sign tells a class from other names, as in style sheets.
        name: `.${name}`,
        start: node.startIndex + index,
        row: row + before.length - 1,
        column: before.length === 1 ? column + index : before.at(-1)?.length ?? 0,
        kind: "read",
      });
    }
  }

  #embed(by: ReadonlyMap<string, SyntaxNode>): void {
    for (const kind of ["script", "style", "expression"] as const) {
      const node = by.get(`embed.${kind}`);
      if (node === undefined) continue;
      const tagNode = by.get("embed.tag");
      const tag = tagNode === undefined ? "" : this.#textOf(tagNode);
      this.#embeds.push({ kind, tag, start: node.startIndex, end: node.endIndex });
    }
  }

  #define(
    nameNode: SyntaxNode,
    match: {
      readonly by: ReadonlyMap<string, SyntaxNode>;
      readonly whole: SyntaxNode | undefined;
      readonly kind: string;
      readonly pattern: number;
    },
  ): void {
    const { by, kind, pattern } = match;
    const whole = match.whole ?? by.get("range") ?? by.get("export") ?? nameNode;
    const definition = this.#open(nameNode, kind);
    widen(definition, whole);
    for (const key of ["range", "export", "until"]) {
      const more = by.get(key);
      if (more !== undefined) widen(definition, more);
    }
    if (kind !== "" && pattern >= definition.pattern) {
      definition.kind = kind;
      definition.pattern = pattern;
    }
    if (by.has("export")) definition.isExported = true;
    const base = by.get("base");
    if (base !== undefined && definition.bases.size < MAX_BASES) {
      const plain = cutBase(this.#textOf(base));
      if (plain !== "") definition.bases.add(plain);
    }
    const scope = by.get("scope");
    if (scope !== undefined) {
      definition.scope = this.#textOf(scope).replace(/\s+|\.prototype$|<.*>$/gs, "");
    }
    const self = by.get("self");
    if (self !== undefined) definition.self = this.#textOf(self);
    const params = by.get("params");
    if (params !== undefined) definition.params = [params.startIndex, params.endIndex];
    const body = by.get("body");
    if (this.#query.signsAfterName === true && /^(?:function|method)$/.test(kind)) {
      definition.params = [nameNode.endIndex, body?.startIndex ?? whole.endIndex];
    }
    const result = by.get("result");
    if (result !== undefined) definition.result = [result.startIndex, result.endIndex];
    const docstring = by.get("docstring");
    if (docstring !== undefined) definition.docstring = this.#textOf(docstring);
  }

  #open(node: SyntaxNode, kind: string): RawDefinition {
    const known = this.#definitions.get(node.startIndex);
    if (known !== undefined) return known;
    const { row } = node.startPosition;
    const written = this.#textOf(node);
    const blank = written.length - written.trimStart().length;
    const nameStart = node.startIndex + blank;
    const column = node.startPosition.column + blank;
    const text = unquote(written.trim());
    this.#seen.push({ node, start: node.startIndex, rank: KINDS.indexOf("read") });
    const opened: RawDefinition = {
      name: this.#query.nameOf?.(text, kind) ?? text,
      kind: "",
      nameStart,
      row,
      column,
      start: nameStart,
      end: nameStart,
      startRow: row,
      endRow: row,
      pattern: -1,
      isExported: false,
      bases: new Set(),
    };
    this.#definitions.set(node.startIndex, opened);
    return opened;
  }

  #lead(node: SyntaxNode): void {
    const start = node.startIndex;
    const row = node.startPosition.row;
    const lineStart = this.#text.lastIndexOf("\n", start - 1) + 1;
    if (this.#text.slice(lineStart, start).trim() !== "") return;
    this.#leads.set(lastRowOf(node), row);
  }

  #import(by: ReadonlyMap<string, SyntaxNode>): void {
    const statement = by.get("import.statement");
    if (statement !== undefined) this.#importStatement(statement);
    const moduleNode = by.get("import.module");
    if (moduleNode === undefined) return;
    const module = unquote(this.#textOf(moduleNode));
    const nameNode = by.get("import.name");
    const aliasNode = by.get("import.alias");
    const isReexport = by.has("import.reexport");
    const name = by.has("import.all")
      ? "*"
      : by.has("import.default")
      ? "default"
      : nameNode === undefined
      ? null
      : this.#textOf(nameNode);
    const { aliasOf } = this.#query;
    const plain = name === null || name === "*" ? "" : name;
    const own = name === "*" ? "" : aliasOf?.(module, name) ?? plain;
    this.#imports.push({
      module,
      name,
      alias: aliasNode !== undefined ? this.#textOf(aliasNode) : isReexport ? plain : own,
      line: (aliasNode ?? nameNode ?? moduleNode).startPosition.row + 1,
      ...(isReexport ? { isReexport } : {}),
    });
  }

  #importStatement(node: SyntaxNode): void {
    const text = this.#textOf(node);
    for (const { offset, ...part } of this.#query.importsOf?.(text) ?? []) {
      const rows = text.slice(0, offset).split("\n").length;
      this.#imports.push({ ...part, line: node.startPosition.row + rows });
    }
  }

  #marks(): RawMark[] {
    const { nameOf } = this.#query;
    this.#seen.sort((a, b) => a.start - b.start || a.rank - b.rank);
    const marks: RawMark[] = [];
    let last = -1;
    for (const { node, start, rank } of this.#seen) {
      if (start === last) continue;
      last = start;
      const kind = KINDS[rank] ?? "read";
      const defined = this.#definitions.get(start);
      if (defined !== undefined && defined.kind !== "") {
        const { name, row, column, nameStart } = defined;
        if (kind !== "ignore") marks.push({ start: nameStart, row, column, kind, name });
        continue;
      }
      const text = this.#text.slice(start, node.endIndex);
      if (text === "" || kind === "ignore") continue;
      const { row, column } = node.startPosition;
      marks.push({ start, row, column, kind, name: nameOf?.(text, kind) ?? text });
    }
    if (this.#inner.length === 0) return marks;
    return [...marks, ...this.#inner].sort((a, b) => a.start - b.start);
  }

  #textOf(node: SyntaxNode): string {
    return this.#text.slice(node.startIndex, node.endIndex);
  }
}

/** In order, without the bare modules of which another entry says more. */
function keepImports(entries: ImportEntry[]): ImportEntry[] {
  const said = new Set(
    entries.filter(({ name, alias }) => name !== null || alias !== "")
      .map(({ module, line }) => `${line} ${module}`),
  );
  return entries
    .filter(({ name, alias, module, line }) =>
      name !== null || alias !== "" || !said.has(`${line} ${module}`)
    )
    .sort((a, b) => a.line - b.line);
}

function unquote(text: string): string {
  return /^(["'`])[\s\S]*\1$/.test(text) ? text.slice(1, -1) : text;
}

function widen(definition: RawDefinition, node: SyntaxNode): void {
  const start = node.startIndex;
  const end = node.endIndex;
  if (start < definition.start) {
    definition.start = start;
    definition.startRow = node.startPosition.row;
  }
  if (end > definition.end) {
    definition.end = end;
    definition.endRow = Math.max(definition.endRow, lastRowOf(node));
  }
}

/** Nodes that end with their line feed end on the row before. */
function lastRowOf(node: SyntaxNode): number {
  const { row, column } = node.endPosition;
  return column === 0 && row > node.startPosition.row ? row - 1 : row;
}

function cutBase(text: string): string {
  const open = text.search(/[<[({]|\s(?:with|where)\s/);
  return (open < 0 ? text : text.slice(0, open)).replace(/\s+/g, "").replace(/^[*&]+/, "");
}
