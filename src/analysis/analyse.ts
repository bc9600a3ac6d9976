/**
 * Analyses one text: its symbols, occurrences, imports and chunks. Loads grammars and their patterns
 * when it first needs them; else pure, so that it can run in any worker.
 */
import type { Language } from "../language/languages.ts";
import { languageByName, languageOfPath } from "../language/languages.ts";
import { isCallable, isField, isVariable } from "../language/kinds.ts";
import type { Analysis, AnalysisOptions, CodeSymbol } from "./analysis.ts";
import { analyseByRules } from "./rule_analysis.ts";
import type { TreeTags } from "./trees/tree_analysis.ts";
import { analyseByTree } from "./trees/tree_analysis.ts";
import type { ChunkUnit } from "./chunks/chunker.ts";
import { chunkLines, listUnits } from "./chunks/chunker.ts";
import { analyseBlade, readEmbeds } from "./embedded.ts";
import { findSpecialUnits } from "./chunks/find_units.ts";

/** Adds to what a tree tells what rules find in its broken rows. */
export function repairBrokenParts(found: TreeTags, text: string, language: Language): TreeTags {
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
  const known = new Map(own.map((symbol) => [keyOfLine(symbol), symbol]));
  const isLost = (symbol: CodeSymbol) =>
    isBroken(symbol.line) && !known.has(keyOfLine(symbol)) && !isLocal(symbol, rules);
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
        (one) => known.get(keyOfLine(one)) ?? (isLost(one) ? one : undefined),
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

function keyOfLine({ line, name }: CodeSymbol): string {
  return `${line} ${name}`;
}

function isLocal({ kind, parent }: CodeSymbol, all: readonly CodeSymbol[]): boolean {
  if (!isVariable(kind) && !isField(kind)) return false;
  return parent !== null && isCallable(all[parent]?.kind ?? "");
}

const CHARS_PER_TOKEN = 4;
/** Headers have one ending in C and C++: what only C++ has tells. */
const IS_CPP =
  /^\s*(?:template\s*<|namespace\b|class\s+\w+[^;]*$|using\s+\w|(?:public|private|protected)\s*:)|\bstd::\w/m;

/** What was found in a text, chunks apart. */
interface Found {
  readonly tags: Pick<
    Analysis,
    "parser" | "isPartial" | "symbols" | "occurrences" | "imports" | "types"
  >;
  readonly units: readonly ChunkUnit[];
}

const NOTHING: Found = {
  tags: { parser: "none", isPartial: false, symbols: [], occurrences: [], imports: [], types: [] },
  units: [],
};

/**
 * Everything that the index keeps of a text.
 *
 * Never refuses a text. A text with errors gives what can be read of it (`isPartial`). Rules read a
 * text that the parser gives up. Text of no language is only cut into chunks.
 *
 * @throws when a vendored grammar cannot be loaded.
 */
export async function analyseText(text: string, options: AnalysisOptions): Promise<Analysis> {
  const language = options.language === undefined
    ? languageOfPath(options.path)
    : languageByName(options.language);
  const lines = splitLines(text);
  const { tags, units } = language === undefined ? NOTHING : await findTags(text, lines, language);
  const { symbols } = tags;
  const name = language?.name ?? null;
  const found = { language: name, lineCount: lines.length, ...tags };
  if (options.chunkMaxTokens === 0) return { ...found, chunks: [] };
  const special = name === null
    ? []
    : findSpecialUnits({ path: options.path, language: name, lines, symbols });
  return {
    ...found,
    chunks: chunkLines(lines, {
      maxChars: options.chunkMaxTokens * CHARS_PER_TOKEN,
      // Of units with the same lines the first counts, so special ones come before.
      units: [...special, ...listUnits(symbols), ...units],
      symbols,
    }),
  };
}

/** The lines of a text; a line feed at its end begins no further one. */
function splitLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

async function findTags(
  text: string,
  lines: readonly string[],
  language: Language,
): Promise<Found> {
  const grammar = language.name === "C" && IS_CPP.test(text) ? "cpp" : language.grammar;
  const own = language.name === "Blade"
    ? await analyseBlade(text, lines, language)
    : grammar === null
    ? null
    : await analyseByTree(text, lines, grammar);
  if (own === null) {
    const isPartial = language.grammar !== null;
    const found = analyseByRules(text, language);
    return { tags: { parser: "regex", isPartial, types: [], ...found }, units: [] };
  }
  const { isPartial, symbols, occurrences, imports, types, units } = language.name === "Blade"
    ? own
    : own.embeds.length > 0
    ? await readEmbeds(text, lines, own)
    : repairBrokenParts(own, text, language);
  return {
    tags: { parser: "tree-sitter", isPartial, symbols, occurrences, imports, types },
    units: units.map(([startRow, endRow]) => ({
      startLine: startRow + 1,
      endLine: endRow + 1,
      kind: "block",
      name: "",
    })),
  };
}
