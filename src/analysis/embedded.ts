/**
 * Reads what a text holds of other languages: scripts, styles and expressions of markup. Everything else is
 * blanked, so that places stay what they are in the whole text.
 */
import { getOrInsert } from "../base/once.ts";
import type { CodeSymbol, Occurrence } from "./analysis.ts";
import { createLinePositions } from "./scanners.ts";
import type { Language } from "../language/languages.ts";
import { findImports } from "./rule_analysis.ts";
import type { RawEmbed } from "./trees/raw_tags.ts";
import type { TreeTags } from "./trees/tree_analysis.ts";
import { analyseByTree } from "./trees/tree_analysis.ts";

const BLOCKS = "section|slot|push|prepend|fragment";
const MARK = new RegExp(
  `@(?<open>${BLOCKS})\\(\\s*['"](?<name>[^'"]+)['"](?<inline>\\s*,)?|` +
    "@(?<place>yield|stack)\\(\\s*['\"](?<placed>[^'\"]+)['\"]|" +
    `@(?<close>end(?:${BLOCKS})|show|stop|append|overwrite)\\b`,
  "g",
);
/** An element that fills a slot of a component; the name stands in it or behind a colon. */
const SLOT = /^x-slot(?::(?<short>[\w.-]+)|\b[^>]*?\bname\s*=\s*["'](?<long>[\w.-]+)["'])/;
const COMPONENT = /^(?:x-|livewire:)/;

type Draft = { -readonly [Key in keyof CodeSymbol]: CodeSymbol[Key] };

/** The symbols that directives make, in the order of their places; their ends say what holds what. */
export function scanBlade(text: string): CodeSymbol[] {
  const places = createLinePositions(text);
  const symbols: Draft[] = [];
  const open: { readonly word: string; readonly at: number }[] = [];
  for (const { groups = {}, index, 0: whole } of text.matchAll(MARK)) {
    const { open: word = groups["place"], name = groups["placed"], inline, close } = groups;
    if (close !== undefined) {
      const ended = close.startsWith("end") ? close.slice(3) : "section";
      const at = open.findLastIndex((one) => one.word === ended);
      const symbol = symbols[open[at]?.at ?? -1];
      if (symbol === undefined) continue;
      symbol.endLine = places.at(index).line;
      open.length = at;
      continue;
    }
    if (word === undefined || name === undefined) continue;
    const { line, column } = places.at(index + whole.indexOf(name, word.length));
    const kind = word === "slot" ? "slot" : "section";
    const startLine = places.at(index).line;
    const parent = open.at(-1)?.at ?? null;
    symbols.push({ name, kind, line, column, startLine, endLine: line, parent });
    // `@section('title', 'Text')` has no end.
    const isBlock = groups["open"] !== undefined && inline === undefined;
    if (isBlock) open.push({ word, at: symbols.length - 1 });
  }
  return symbols;
}

/** The elements of a template as Blade means them: components, and slots by their names. */
export function readBladeElements(
  symbols: readonly CodeSymbol[],
  lines: readonly string[],
): CodeSymbol[] {
  return symbols.map((symbol) => {
    if (symbol.kind !== "element" || !COMPONENT.test(symbol.name)) return symbol;
    const before = (lines[symbol.line - 1] ?? "").slice(symbol.column - 1);
    const match = SLOT.exec(before);
    const name = match?.groups?.["short"] ?? match?.groups?.["long"];
    if (match === null || name === undefined) return { ...symbol, kind: "component" };
    return {
      ...symbol,
      kind: "slot",
      name,
      column: symbol.column + match[0].lastIndexOf(name),
    };
  });
}

/** Adds to what was found in a text what its embedded texts hold. */
export async function readEmbeds(
  text: string,
  lines: readonly string[],
  found: TreeTags,
): Promise<TreeTags> {
  const groups = new Map<string, RawEmbed[]>();
  const isTypedWhole = found.embeds.some(({ kind, tag }) => kind === "script" && isTyped(tag));
  for (const embed of found.embeds) {
    const key = grammarOf(embed, isTypedWhole);
    if (key === null) continue;
    getOrInsert<string, RawEmbed[]>(groups, `${key} ${embed.kind}`, () => []).push(embed);
  }
  let all = found;
  for (const [group, embeds] of groups) {
    const [grammar = "", kind] = group.split(" ");
    const inner = await analyseByTree(keepOnly(text, embeds), lines, grammar);
    if (inner === null) continue;
    // Expressions use names; what one declares, such as a loop's variable, is local to it.
    all = join(all, kind === "expression" ? { ...inner, symbols: [], isPartial: false } : inner);
  }
  return all;
}

/** What Blade writes of PHP: echoes, and the arguments of directives that compute. */
const BLADE_CODE =
  /\{\{(?!--)([\s\S]*?)\}\}|\{!!([\s\S]*?)!!\}|@(?:if|elseif|unless|foreach|forelse|for|while|switch|case|isset|empty|json|class|checked|selected|disabled|can|cannot|error|auth|php)\s*\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/g;

/**
 * Reads a Blade template: its markup as HTML, its PHP as PHP, its sections by rules. No grammar knows the whole, so
 * what looks like an error in one of them is none.
 */
export async function analyseBlade(
  text: string,
  lines: readonly string[],
  language: Language,
): Promise<TreeTags | null> {
  const hidden = text.replace(
    /\{\{--[\s\S]*?--\}\}/g,
    (comment) => comment.replace(/[^\r\n]/g, " "),
  );
  const markup = await analyseByTree(hidden, lines, "html");
  if (markup === null) return null;
  const sections = scanBlade(hidden);
  const elements = readBladeElements(markup.symbols, lines);
  const code = [...hidden.matchAll(BLADE_CODE)].map((match): RawEmbed => {
    const inner = match[1] ?? match[2] ?? match[3] ?? "";
    const start = match.index + match[0].indexOf(inner, 2);
    return { kind: "expression", tag: "", start, end: start + inner.length };
  });
  let all = await readEmbeds(hidden, lines, { ...markup, symbols: elements });
  const imports = findImports(lines, language);
  const slots = elements.filter(({ kind }) => kind === "slot");
  const named = [...sections, ...slots].map(({ name, line, column }): Occurrence => ({
    name,
    line,
    column,
    kind: "definition",
  }));
  const nothing = { isPartial: false, units: [], embeds: [], brokenRows: [], types: [] };
  all = join(all, { ...nothing, symbols: sections, occurrences: named, imports });
  const OPEN = "<?php ";
  const first = code[0]?.start ?? 0;
  if (first > OPEN.length) {
    const php = OPEN + keepOnly(hidden, code).slice(OPEN.length);
    const inner = await analyseByTree(php, lines, "php");
    if (inner !== null) {
      // Alone, a loop's head is no statement, so that its keyword looks like a name.
      const occurrences = inner.occurrences.filter(({ name }) => name !== "as");
      all = join(all, { ...inner, occurrences, symbols: [] });
    }
  }
  return { ...all, isPartial: false };
}

function grammarOf({ kind, tag }: RawEmbed, isTypedWhole: boolean): string | null {
  if (kind === "style") return /\blang\s*=/.test(tag) && !/["']css["']/.test(tag) ? null : "css";
  if (kind === "expression") return isTypedWhole ? "typescript" : "javascript";
  // Templates and data in script tags are no code.
  const type = /\btype\s*=\s*["']?([^"'\s>]+)/.exec(tag)?.[1] ?? "module";
  if (isTyped(tag)) return "typescript";
  return /^(?:module|text\/(?:java|ecma)script|application\/javascript|text\/babel)$/.test(type)
    ? "javascript"
    : null;
}

function isTyped(tag: string): boolean {
  return /\blang\s*=\s*["']?tsx?\b/.test(tag);
}

function keepOnly(text: string, embeds: readonly RawEmbed[]): string {
  const parts: string[] = [];
  let at = 0;
  const blank = (to: number) => parts.push(text.slice(at, to).replace(/[^\r\n]/g, " "));
  for (const { kind, start, end } of [...embeds].sort((a, b) => a.start - b.start)) {
    if (start < at) continue;
    // Expressions are statements of one text: a semicolon on the sign before keeps them apart.
    if (kind === "expression" && start > at) {
      blank(start - 1);
      parts.push(";");
    } else blank(start);
    parts.push(text.slice(start, end));
    at = end;
  }
  blank(text.length);
  return parts.join("");
}

function join(outer: TreeTags, inner: TreeTags): TreeTags {
  const tagged = [
    ...outer.symbols.map((symbol, index) => ({ symbol, key: index, from: outer.symbols })),
    ...inner.symbols.map((symbol, index) => ({ symbol, key: index, from: inner.symbols })),
  ].sort((a, b) => a.symbol.line - b.symbol.line || a.symbol.column - b.symbol.column);
  const places = new Map<CodeSymbol, number>(tagged.map(({ symbol }, index) => [symbol, index]));
  const symbols = tagged.map(({ symbol, from }) => {
    const parent = symbol.parent === null ? undefined : from[symbol.parent];
    return { ...symbol, parent: parent === undefined ? null : places.get(parent) ?? null };
  });
  return {
    ...outer,
    isPartial: outer.isPartial || inner.isPartial,
    symbols,
    occurrences: [...outer.occurrences, ...inner.occurrences].sort((a, b) =>
      a.line - b.line || a.column - b.column
    ),
    imports: [...outer.imports, ...inner.imports].sort((a, b) => a.line - b.line),
    types: [...outer.types, ...inner.types],
    units: [...outer.units, ...inner.units],
  };
}
