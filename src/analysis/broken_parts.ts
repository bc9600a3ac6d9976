/**
 * What rules tell of the parts of a text that its tree has errors in: definitions and names that the tree lost. What the
 * tree tells of them counts first.
 */
import type { Language } from "../language/languages.ts";
import { isCallable, isField, isVariable } from "../language/kinds.ts";
import type { CodeSymbol } from "./analysis.ts";
import { analyseByRules } from "./rule_analysis.ts";
import type { TreeTags } from "./trees/tree_analysis.ts";

/** Adds to what a tree tells what rules find in its broken rows. */
export function mendBroken(found: TreeTags, text: string, language: Language): TreeTags {
  const { brokenRows } = found;
  if (brokenRows.length === 0 || language.rulesMislead) return found;
  const isBroken = (line: number) =>
    brokenRows.some(([first, last]) => first < line && line - 1 <= last);
  const rules = analyseByRules(text, language);
  const places = new Set(found.occurrences.map(({ line, column }) => `${line}:${column}`));
  const lost = rules.occurrences.filter(({ line, column }) =>
    isBroken(line) && !places.has(`${line}:${column}`)
  );
  return {
    ...found,
    symbols: mendSymbols(found.symbols, rules.symbols, isBroken),
    occurrences: [...found.occurrences, ...lost].sort((a, b) =>
      a.line - b.line || a.column - b.column
    ),
  };
}

interface Placed {
  readonly symbol: CodeSymbol;
  /** What holds it, if anything. */
  readonly holder: CodeSymbol | undefined;
}

/** The tree's symbols in their order, and among them those of the rules that it lost. */
function mendSymbols(
  own: readonly CodeSymbol[],
  rules: readonly CodeSymbol[],
  isBroken: (line: number) => boolean,
): readonly CodeSymbol[] {
  const known = new Map(own.map((symbol) => [toKey(symbol), symbol]));
  const isLost = (symbol: CodeSymbol) =>
    isBroken(symbol.line) && !known.has(toKey(symbol)) && !isLocal(symbol, rules);
  const merged: Placed[] = [];
  let next = 0;
  const takeOwn = (isBefore: (symbol: CodeSymbol) => boolean) => {
    for (let one = own[next]; one !== undefined && isBefore(one); one = own[++next]) {
      merged.push({ symbol: one, holder: one.parent === null ? undefined : own[one.parent] });
    }
  };
  for (const symbol of rules) {
    if (!isLost(symbol)) continue;
    takeOwn((one) =>
      one.startLine < symbol.line || one.line === symbol.line && one.column < symbol.column
    );
    merged.push({
      symbol,
      holder: findHolder(
        symbol,
        rules,
        (one) => known.get(toKey(one)) ?? (isLost(one) ? one : undefined),
      ),
    });
  }
  takeOwn(() => true);
  const places = new Map(merged.map(({ symbol }, at) => [symbol, at]));
  return merged.map(({ symbol, holder }, at) => {
    const parent = holder === undefined ? undefined : places.get(holder);
    // What holds a symbol comes before it, whatever the rules take for its holder.
    return { ...symbol, parent: parent === undefined || parent >= at ? null : parent };
  });
}

/** The nearest holder by the rules that is a symbol of the answer. */
function findHolder(
  { parent }: CodeSymbol,
  rules: readonly CodeSymbol[],
  find: (symbol: CodeSymbol) => CodeSymbol | undefined,
): CodeSymbol | undefined {
  let holder = parent === null ? undefined : rules[parent];
  while (holder !== undefined) {
    const found = find(holder);
    if (found !== undefined) return found;
    holder = holder.parent === null ? undefined : rules[holder.parent];
  }
  return undefined;
}

function toKey({ line, name }: CodeSymbol): string {
  return `${line} ${name}`;
}

function isLocal({ kind, parent }: CodeSymbol, all: readonly CodeSymbol[]): boolean {
  if (!isVariable(kind) && !isField(kind)) return false;
  return parent !== null && isCallable(all[parent]?.kind ?? "");
}
