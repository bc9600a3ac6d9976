/** Analyses a text by its syntax tree and the patterns of its grammar. Loads both on first use; else pure. */
import { LIMITS } from "../../base/settings/limits.ts";
import { isMember, isVariable } from "../../language/kinds.ts";
import type { SyntaxNode, SyntaxTree } from "../../syntax/tree_sitter.ts";
import { loadQuery, parseWithGrammar } from "../../syntax/tree_sitter.ts";
import type { CodeSymbol, ImportEntry, Occurrence, TypeFact } from "../analysis.ts";
import { findLocals } from "./bindings.ts";
import { buildOccurrences } from "../occurrences.ts";
import type { RawEmbed, RawMark, RawTags } from "./raw_tags.ts";
import { readBlankedWords } from "./raw_tags.ts";
import { loadLanguageQuery } from "../queries/load.ts";
import type { BuiltSymbols } from "../symbols.ts";
import { buildSymbols } from "../symbols.ts";
import { readTags } from "./tag_reader.ts";
import { buildBlockFacts } from "./block_facts.ts";
import type { ChainedName } from "./type_facts.ts";
import { buildTypeFacts } from "./type_facts.ts";

/**
 * Longest parse, and longest search in a tree, in the thread's own time. What is analysed is kept, so a busy machine must
 * not make rules of what a tree would tell: far more than an answer would wait for.
 */
const STEP_MS = LIMITS.treeStepMs.value;

/** What a tree tells. */
export interface TreeTags {
  readonly isPartial: boolean;
  /** In the order of their places. */
  readonly symbols: readonly CodeSymbol[];
  /** In the order of their places. */
  readonly occurrences: readonly Occurrence[];
  readonly imports: readonly ImportEntry[];
  /** In the order of their places. */
  readonly types: readonly TypeFact[];
  /** Rows of parts that are chunks but no symbols. */
  readonly units: RawTags["units"];
  /** Rows of which it tells little or nothing, first and last. */
  readonly brokenRows: readonly (readonly [startRow: number, endRow: number])[];
  /** Texts of other languages inside. */
  readonly embeds: readonly RawEmbed[];
}

/**
 * Reads a text with a grammar of `wasm/`.
 *
 * @param lines the same text, cut at line feeds.
 * @returns null when the text took longer than `LIMITS.treeStepMs` or broke its grammar.
 */
export async function analyseByTree(
  text: string,
  lines: readonly string[],
  grammar: string,
): Promise<TreeTags | null> {
  const query = await loadLanguageQuery(grammar);
  const compiled = await loadQuery(grammar, "tags", query.tags);
  using first = await parseWithGrammar(text, grammar, { timeoutMs: STEP_MS });
  if (first === null) return null;
  using better = first.root.hasError && query.repair !== undefined
    ? await parseRepaired(text, grammar, { first, repair: query.repair })
    : null;
  const tree = better?.tree ?? first;
  const matches = compiled.findMatches(tree.root, STEP_MS);
  if (matches === null) return null;
  const tags = readTags(text, matches, query);
  const built = buildSymbols(text, lines, tags, query);
  const { symbols, nameStarts, localStarts } = built;
  const selves = tags.definitions.flatMap(({ self, start, end }) =>
    self === undefined ? [] : [{ name: self, start, end }]
  );
  const marks = better === null
    ? tags.marks
    : joinMarks(tags.marks, readBlankedWords(text, better.text));
  const chained: ChainedName[] = [];
  const onChained = ({ name, line, column }: Occurrence, { start }: RawMark, end: number) =>
    void chained.push({ name, line, column, start, end });
  const occurrences = buildOccurrences(text, marks, {
    nameStarts,
    localStarts,
    locals: findLocalPlaces(marks, tags, built),
    receivers: tags.receivers,
    callsApart: query.callsApart,
    separators: query.separators,
    hasDollarNames: query.spelling === "script",
    selves,
    ...(query.spelling === undefined || query.spelling === "python" ? {} : { onChained }),
  });
  return {
    // A repair may have blanked names out.
    isPartial: better === null
      ? first.root.hasError
      : better.tree.root.hasError || hasBlanked(text, better.text),
    brokenRows: tree.root.hasError ? findBrokenRows(tree, lines) : [],
    symbols,
    occurrences,
    types: query.spelling === undefined
      ? buildBlockFacts(text, tags, {
        nameStarts,
        localStarts,
        occurrences,
        definesOutside: query.definesOutside === true,
        bindsByWriting: query.bindsByWriting === true,
      })
      : buildTypeFacts(text, tags, { spelling: query.spelling, nameStarts, selves, chained }),
    imports: tags.imports,
    units: tags.units,
    embeds: tags.embeds,
  };
}

/** Whether a repair took more than blanks. */
function hasBlanked(text: string, repaired: string): boolean {
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) !== repaired.charCodeAt(at) && /\S/.test(text.charAt(at))) return true;
  }
  return false;
}

/** Rows that the tree has no good node for: its errors, and what it leaves out at its top. */
function findBrokenRows(
  { root }: SyntaxTree,
  lines: readonly string[],
): readonly (readonly [number, number])[] {
  const broken = findErrors(root).filter(({ isError }) => isError)
    .map(({ startPosition, endPosition }) => [startPosition.row, endPosition.row] as const);
  let next = 0;
  for (const child of root.children) {
    if (child === null) continue;
    const { row } = child.startPosition;
    if (lines.slice(next, row).some(hasText)) broken.push([next, row - 1]);
    next = Math.max(next, child.endPosition.row + 1);
  }
  if (lines.slice(next).some(hasText)) broken.push([next, lines.length]);
  return broken;
}

/**
 * The nodes of a tree that stand for an error: text that fits no rule, and what a rule misses. A pattern for them would
 * be quadratic where one error has thousands of children, and would have to be compiled for each grammar.
 */
function findErrors(root: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const ahead: SyntaxNode[] = [root];
  for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
    if (node.isError || node.isMissing) found.push(node);
    for (const child of node.children.toReversed()) {
      // A single word that fits no rule is an error of which `hasError` knows nothing.
      if (child?.hasError || child?.isError || child?.isMissing) ahead.push(child);
    }
  }
  return found;
}

function hasText(line: string): boolean {
  return line.trim() !== "";
}

/** The marks that name a variable of a block, a parameter and the like. */
function findLocalPlaces(
  marks: readonly RawMark[],
  tags: RawTags,
  { nameStarts, localStarts }: BuiltSymbols,
): ReadonlySet<number> {
  const { definitions, imports } = tags;
  const inBlocks = definitions.filter(({ nameStart }) => localStarts.has(nameStart))
    .map(({ nameStart: start, name, row }) => ({ start, name, row }));
  if (tags.bounds.length + inBlocks.length === 0) return localStarts;
  // What a function takes out of a module leads there, whatever variable holds it.
  const brought = new Set(imports.map(({ alias, line }) => `${line} ${alias}`));
  return findLocals(marks, {
    blocks: [...tags.locals, ...tags.blocks],
    bounds: [...tags.bounds, ...inBlocks],
    definitions: definitions.filter(({ kind, scope, nameStart }) =>
      scope === undefined && !isMember(kind) && !localStarts.has(nameStart)
    ).map(({ name, start, end, kind }) => ({
      name,
      start,
      end,
      isVariable: isVariable(kind),
    })),
    isFixed: ({ start, name, row }) => nameStarts.has(start) || brought.has(`${row + 1} ${name}`),
  });
}

/** Both in the order of their places; of two at one place the first list's counts. */
function joinMarks(marks: readonly RawMark[], more: readonly RawMark[]): RawMark[] {
  const known = new Set(marks.map(({ start }) => start));
  return [...marks, ...more.filter(({ start }) => !known.has(start))]
    .sort((a, b) => a.start - b.start);
}

/** A tree with the text that it was made of. */
interface RepairedTree extends Disposable {
  readonly tree: SyntaxTree;
  readonly text: string;
}

/** The tree of the repaired text where that has fewer errors. */
async function parseRepaired(
  text: string,
  grammar: string,
  { first, repair }: {
    readonly first: SyntaxTree;
    readonly repair: (text: string) => string;
  },
): Promise<RepairedTree | null> {
  const repaired = repair(text);
  if (repaired === text) return null;
  const tree = await parseWithGrammar(repaired, grammar, { timeoutMs: STEP_MS });
  const count = (root: SyntaxNode) => root.hasError ? findErrors(root).length : 0;
  if (tree === null) return null;
  const dispose = () => tree[Symbol.dispose]();
  if (count(tree.root) < count(first.root)) {
    return { tree, text: repaired, [Symbol.dispose]: dispose };
  }
  dispose();
  return null;
}
