/**
 * What Blade adds to markup: sections, stacks and slots, which other templates fill or show, and the components among the
 * elements. Pure.
 */
import type { CodeSymbol } from "../analysis.ts";
import { createPlaces } from "./places.ts";

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

/** The symbols that directives make, in the order of their places; what holds what is told by their ends. */
export function scanBlade(text: string): CodeSymbol[] {
  const places = createPlaces(text);
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
