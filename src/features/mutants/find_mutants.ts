/** Walks the changed part of a syntax tree and finds small wrong versions of its lines. */
import type { SyntaxNode } from "../../syntax/tree_sitter.ts";
import { parseText } from "../../syntax/tree_sitter.ts";
import type { ConditionPlace, Mutant, MutantKind, MutantRules } from "./mutant_rules.ts";
import {
  applyMutant,
  buildMutantRules,
  classifyOperator,
  isEqualitySign,
  isLeavable,
  isTelling,
  LOOP,
  LOOP_BODY,
  MUTANT_KINDS,
  OPEN_LOOP,
  PASSED_OVER,
  UNSAFE,
} from "./mutant_rules.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { Language } from "../../language/languages.ts";
import { languageByName, languageOfPath } from "../../language/languages.ts";
import { listScripts } from "../../syntax/embedded_scripts.ts";

/** Changed lines, counted from 1, both ends included. */
export interface ChangedRange {
  readonly start: number;
  readonly end: number;
}

/** The file of a tree. */
interface WalkedFile {
  readonly path: string;
  readonly text: string;
  readonly ranges: readonly ChangedRange[];
}

const MAX_DEPTH = 400;
const MOST_CONDITION_CHARS = 300;
/** A longer statement outside of functions is judged by its parts. */
const MOST_STATEMENT_CHARS = 5_000;
const TRUTHS = new Map([
  ["true", "false"],
  ["false", "true"],
  ["True", "False"],
  ["False", "True"],
]);
/** Returned values for which the constant itself is changed, or that say nothing. */
const LITERAL = /^(?:null|nil|None|undefined|void 0|true|false|True|False|-?\d[\d._]*|\(\)|\{\})$/;

/** The mutants of the changed lines, in the order of the tree. */
export function walkForMutants(
  file: WalkedFile,
  root: SyntaxNode,
  rules: MutantRules,
): readonly Mutant[] {
  const walk = new Walk(file, rules);
  walk.visit(root, OUTSIDE);
  return walk.found;
}

/** Where a node lies. */
interface Place {
  readonly depth: number;
  /** True in what says how long a loop goes on. */
  readonly isLoopHead: boolean;
  /** True in what is repeated until the body itself ends it. */
  readonly isOpenLoop: boolean;
  readonly isInFunction: boolean;
  readonly isUnsafe: boolean;
}

const OUTSIDE: Place = {
  depth: 0,
  isLoopHead: false,
  isOpenLoop: false,
  isInFunction: false,
  isUnsafe: false,
};

type Span = Pick<SyntaxNode, "startIndex" | "endIndex" | "startPosition">;

class Walk {
  readonly found: Mutant[] = [];
  readonly #file: WalkedFile;
  readonly #rules: MutantRules;

  constructor(file: WalkedFile, rules: MutantRules) {
    this.#file = file;
    this.#rules = rules;
  }

  visit(node: SyntaxNode, outer: Place): void {
    const isChanged = this.#isChanged(node.startPosition.row + 1, node.endPosition.row + 1);
    if (!isChanged || outer.depth > MAX_DEPTH || isPassedOver(node)) return;
    const place = this.#toPlace(node, outer);
    if (!place.isUnsafe) this.#look(node, place);
    const isLoop = LOOP.test(node.type);
    const isOpen = OPEN_LOOP.test(node.type);
    for (const child of node.namedChildren) {
      if (child === null) continue;
      const isBody = isLoop && LOOP_BODY.test(child.type);
      this.visit(child, {
        ...place,
        depth: place.depth + 1,
        isLoopHead: isLoop ? !isBody : place.isLoopHead,
        isOpenLoop: place.isOpenLoop || (isOpen && isBody),
      });
    }
  }

  /** A function is judged as a whole; outside of functions each statement is. */
  #toPlace(node: SyntaxNode, outer: Place): Place {
    if (this.#rules.functions.has(node.type)) {
      const isUnsafe = outer.isInFunction ? outer.isUnsafe : UNSAFE.test(node.text);
      return { ...outer, isLoopHead: false, isOpenLoop: false, isInFunction: true, isUnsafe };
    }
    if (outer.isInFunction || outer.depth !== 1) return outer;
    const { text } = node;
    return { ...outer, isUnsafe: text.length <= MOST_STATEMENT_CHARS && UNSAFE.test(text) };
  }

  #look(node: SyntaxNode, place: Place): void {
    const rules = this.#rules;
    if (rules.operators.has(node.type)) this.#replaceOperators(node, place);
    if (place.isLoopHead) return;
    if (rules.constants.has(node.type)) this.#replaceConstant(node, place);
    if (rules.returns.has(node.type)) this.#replaceReturned(node);
    if (rules.statements.has(node.type) && !place.isOpenLoop) this.#leaveOutCalls(node);
    for (const { type, at } of rules.conditions) {
      if (type === node.type) this.#turn(node, at);
    }
  }

  #replaceOperators(node: SyntaxNode, place: Place): void {
    for (const child of node.children) {
      const after = child === null ? undefined : this.#rules.swaps.get(child.text);
      if (child === null || after === undefined) continue;
      const kind = classifyOperator(child.text);
      if (place.isLoopHead && kind !== "bound") continue;
      if (kind === "arithmetic" && (place.isOpenLoop || joinsTexts(node))) continue;
      if (this.#leaveOutOne(node, child)) continue;
      this.#add(kind, child, after);
    }
  }

  /** `n + 1` becomes `n`, which is nearer to it than `n - 1`. */
  #leaveOutOne(node: SyntaxNode, operator: SyntaxNode): boolean {
    const before = operator.previousSibling;
    const isOne = /^[-+]$/.test(operator.text) && operator.nextSibling?.text === "1";
    if (!isOne || before === null || operator.nextSibling?.id !== node.lastChild?.id) return false;
    this.#add("bound", { ...toSpan(operator), endIndex: node.endIndex }, "");
    return true;
  }

  #replaceConstant(node: SyntaxNode, { isOpenLoop }: Place): void {
    const { text } = node;
    const turned = TRUTHS.get(text);
    if (turned !== undefined) this.#add("constant", node, turned);
    if (turned !== undefined || isOpenLoop || !/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return;
    const [whole = "", ...rest] = text.split(".");
    this.#add("constant", node, [Number(whole) + 1, ...rest].join("."));
  }

  #replaceReturned(node: SyntaxNode): void {
    const { nothing } = this.#rules;
    const [first, last] = [node.firstNamedChild, node.lastNamedChild];
    if (nothing === null || first === null || last === null) return;
    const span = { ...toSpan(first), endIndex: last.endIndex };
    const before = this.#textOf(span);
    if (!/^return\b/.test(node.text) || LITERAL.test(before)) return;
    this.#add("return", span, nothing);
  }

  #leaveOutCalls(node: SyntaxNode): void {
    const { calls, gap, classes } = this.#rules;
    if (classes.has(node.parent?.type ?? "")) return;
    const isStatement = node.type === "expression_statement";
    const parts = isStatement ? [node.lastNamedChild] : node.namedChildren;
    for (const part of parts) {
      if (part === null || !calls.has(part.type)) continue;
      const left = isStatement ? node : part;
      if (isLeavable(left.text)) this.#add("call", left, gap);
    }
  }

  #turn(node: SyntaxNode, at: ConditionPlace["at"]): void {
    const span = at === null ? toBracketed(node) : toCondition(node, at);
    if (span === null) return;
    const before = this.#textOf(span);
    if (before.length > MOST_CONDITION_CHARS || /^(?:let|var|case|some)\b/.test(before)) return;
    const [head, tail] = this.#rules.not;
    this.#add("condition", span, `${head}${before}${tail}`);
  }

  #textOf({ startIndex, endIndex }: Span): string {
    return this.#file.text.slice(startIndex, endIndex);
  }

  #add(kind: MutantKind, span: Span, after: string): void {
    const line = span.startPosition.row + 1;
    const before = this.#textOf(span);
    if (!this.#isChanged(line, line) || before === after) return;
    const { startIndex: start, endIndex: end } = span;
    this.found.push({ path: this.#file.path, line, kind, start, end, before, after });
  }

  #isChanged(first: number, last: number): boolean {
    return this.#file.ranges.some(({ start, end }) => start <= last && end >= first);
  }
}

function toSpan({ startIndex, endIndex, startPosition }: SyntaxNode): Span {
  return { startIndex, endIndex, startPosition };
}

function isPassedOver(node: SyntaxNode): boolean {
  if (PASSED_OVER.test(node.type)) return true;
  // Attributes of modules in Elixir, types of functions among them.
  if (node.type === "unary_operator" && node.text.startsWith("@")) return true;
  return /call|invocation/.test(node.type) && isTelling(node.text);
}

/** Whether an addition puts texts together: no test of numbers is about it. */
function joinsTexts(node: SyntaxNode): boolean {
  return node.namedChildren.some((child) =>
    child !== null && /string|template|encapsed|quoted|heredoc/.test(child.type)
  );
}

/** What stands in the brackets of a node, where that is no comparison whose sign is turned already. */
function toBracketed(node: SyntaxNode): Span | null {
  const { children } = node;
  const open = children.findIndex((child) => child?.type === "(");
  const close = children.findLastIndex((child) => child?.type === ")");
  const [first, last] = [children[open + 1], children[close - 1]];
  if (open < 0 || close <= open + 1 || !first || !last) return null;
  return first === last && isCompared(first) ? null : { ...toSpan(first), endIndex: last.endIndex };
}

/** The condition of a node without its brackets, where it is no comparison whose sign is turned already. */
function toCondition(node: SyntaxNode, at: string | number): Span | null {
  let condition = typeof at === "number" ? node.namedChild(at) : node.childForFieldName(at);
  while (condition !== null && condition.childCount === 3 && condition.child(0)?.type === "(") {
    condition = condition.namedChild(0);
  }
  return condition === null || !condition.isNamed || isCompared(condition)
    ? null
    : toSpan(condition);
}

function isCompared(node: SyntaxNode): boolean {
  return node.children.some((child) => child !== null && isEqualitySign(child.text));
}

/** A changed source file. */
export interface ChangedSource {
  /** Relative to the worktree. */
  readonly path: string;
  readonly text: string;
  /** Lines that the session added or rewrote. */
  readonly ranges: readonly ChangedRange[];
}

/** Most mutants of one line: they say much the same. */
const MOST_ON_LINE = 3;

/** The mutants of a file, by line and the more telling ones first; none where its language has no grammar for them. */
export async function findMutants(file: ChangedSource): Promise<readonly Mutant[]> {
  const found: Mutant[] = [];
  for (const { language, text } of splitParts(file)) {
    const rules = buildMutantRules(language);
    if (rules === null) continue;
    using tree = await parseText(text, language.name);
    if (tree !== null) found.push(...walkForMutants(file, tree.root, rules));
  }
  return thinOut(found);
}

/** Whether the file with the change is of its language as much as it is without. */
export async function isSound(
  { path, text }: Pick<ChangedSource, "path" | "text">,
  mutant: Mutant,
): Promise<boolean> {
  const before = splitParts({ path, text });
  const after = splitParts({ path, text: applyMutant(text, mutant) });
  for (const [at, { language, text: part }] of before.entries()) {
    const errors = await countErrors(part, language);
    const mutated = await countErrors(after[at]?.text ?? "", language);
    if (errors === null || mutated === null || mutated > errors) return false;
  }
  return before.length === after.length;
}

/** Null where nothing parses the text. */
async function countErrors(text: string, language: Language): Promise<number | null> {
  using tree = await parseText(text, language.name);
  if (tree === null) return null;
  return tree.root.hasError ? Math.max(1, tree.root.descendantsOfType("ERROR").length) : 0;
}

/** The texts of a file that run: all of it, or its scripts with blanks round them. */
function splitParts(
  { path, text }: Pick<ChangedSource, "path" | "text">,
): readonly { readonly language: Language; readonly text: string }[] {
  const language = languageOfPath(path);
  if (language === undefined || text.length > LIMITS.fileBytes.value) return [];
  if (!language.holdsScripts) return [{ language, text }];
  return listScripts(text).flatMap((script) => {
    const inner = languageByName(script.language);
    return inner === undefined ? [] : [{ language: inner, text: script.padded }];
  });
}

function thinOut(found: readonly Mutant[]): readonly Mutant[] {
  const order = (kind: MutantKind) => MUTANT_KINDS.indexOf(kind);
  const sorted = found.toSorted((a, b) =>
    a.line - b.line || order(a.kind) - order(b.kind) || a.start - b.start
  );
  return sorted.filter(({ line }, at) => sorted[at - MOST_ON_LINE]?.line !== line);
}
