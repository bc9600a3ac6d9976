/** Walks the changed part of a syntax tree and finds small wrong versions of its lines. */
import type { SyntaxNode } from "../../syntax/tree_sitter.ts";
import type { Span } from "./mutant_nodes.ts";
import {
  headOf,
  isCompared,
  isLimit,
  isPassedOver,
  isPattern,
  isPlain,
  joinsTexts,
  toBracketed,
  toCondition,
  toSpan,
} from "./mutant_nodes.ts";
import { listPatternChanges } from "./pattern_changes.ts";
import type { Part } from "./whole_changes.ts";
import {
  dropOperands,
  enterNode,
  findWords,
  turnBranch,
  writeBoundProbe,
} from "./whole_changes.ts";
import type { ConditionPlace, Mutant, MutantKind, MutantRules } from "./mutant_rules.ts";
import {
  classifyOperator,
  COMMUTATIVE,
  isLeavable,
  listDeclared,
  LOOP,
  LOOP_BODY,
  nearName,
  OPEN_LOOP,
  ORDERING,
  ROUNDS_DOWN,
  UNSAFE,
} from "./mutant_rules.ts";

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

const CALL = /^(?:call|(?:function_)?call_expression|method_invocation)$/;
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
  /** True in what compares two things for their order: equal ones may come in any. */
  readonly isOrdering: boolean;
}

const OUTSIDE: Place = {
  depth: 0,
  isLoopHead: false,
  isOpenLoop: false,
  isInFunction: false,
  isUnsafe: false,
  isOrdering: false,
};

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
    if (!isChanged || outer.depth > MAX_DEPTH) return;
    if (isPattern(node) && !outer.isUnsafe) this.#changePattern(node);
    if (isPassedOver(node)) return;
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
      const isOrdering = ORDERING.test(node.childForFieldName("name")?.text ?? headOf(node.parent));
      const inside = { isLoopHead: false, isOpenLoop: false, isInFunction: true };
      return { ...outer, ...inside, isUnsafe, isOrdering };
    }
    if (outer.isInFunction || outer.depth !== 1) return outer;
    const { text } = node;
    return { ...outer, isUnsafe: text.length <= MOST_STATEMENT_CHARS && UNSAFE.test(text) };
  }

  #look(node: SyntaxNode, place: Place): void {
    const rules = this.#rules;
    if (rules.operators.has(node.type)) this.#replaceOperators(node, place);
    this.#swapTwo(node);
    if (CALL.test(node.type)) this.#takeNearName(node);
    if (place.isLoopHead) return;
    const isChanged = (line: number) => this.#isChanged(line, line);
    for (const part of enterNode(rules.language, node, { functions: rules.functions, isChanged })) {
      this.#put(part);
    }
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
      if (this.#leaveOutOne(node, child) || this.#roundUp(node, child)) continue;
      if (kind === "logical" && this.#dropOperands(node, child.text)) continue;
      if (kind === "equality" && this.#isTurned(node)) continue;
      if (kind !== "bound") this.#add(kind, child, after);
      else if (!place.isOrdering && !isLimit(node)) {
        this.#add(kind, child, after, place.isLoopHead ? {} : this.#writeProbe(node));
      }
    }
  }

  /** A division of whole numbers that rounds up, or keeps the rest: the same where no test has a rest. */
  #roundUp(node: SyntaxNode, operator: SyntaxNode): boolean {
    const [{ text: left }, by] = [node.firstChild ?? operator, node.lastChild?.text ?? ""];
    const isWhole = ROUNDS_DOWN.test(this.#rules.language) && operator.text === "/" &&
      /^\d+$/.test(by) && Number(by) > 1;
    if (operator.text === "//") this.#add("bound", operator, "/", { isSubtle: true });
    else if (isWhole) {
      this.#add("bound", node, `(${left} + ${Number(by) - 1}) / ${by}`, { isSubtle: true });
    }
    return isWhole || operator.text === "//";
  }

  /** Whether a node is a condition of which both sides are tried. */
  #isTurned({ parent }: SyntaxNode): boolean {
    const holder = parent?.type.includes("parenthesized") ? parent.parent : parent;
    return findWords(this.#rules.language) !== null &&
      this.#rules.conditions.some(({ type }) => type === holder?.type);
  }

  #dropOperands({ childCount, children: [left, , right] }: SyntaxNode, operator: string): boolean {
    if (childCount !== 3 || !left || !right) return false;
    const dropped = dropOperands(this.#rules.language, [left, operator, right]);
    for (const part of dropped) this.#put(part);
    return dropped.length > 0;
  }

  /** The version of a comparison that fails where the bound is met. */
  #writeProbe({ children, startIndex: start, endIndex: end }: SyntaxNode): Pick<Mutant, "probe"> {
    const parts = children.map((child) => child?.text ?? "");
    const after = writeBoundProbe(this.#rules.language, parts);
    return after === null ? {} : { probe: { start, end, after, failing: true, passing: false } };
  }

  /** `merge(a, b)` becomes `merge(b, a)`, and `{ ...a, ...b }` `{ ...b, ...a }`. */
  #swapTwo(node: SyntaxNode): void {
    const given = CALL.test(node.type) ? node.childForFieldName("arguments") : node;
    const [a, b] = given?.namedChildren ?? [];
    if (given?.namedChildCount !== 2 || !a || !b) return;
    const name = /^(?:(?:self|this)\.|\$this->)?(\w+)$/.exec(headOf(given))?.[1] ?? "";
    const isSwapped = given === node
      ? /^(?:object|dictionary)$/.test(node.type) &&
        [a, b].every(({ type }) => /spread|splat/.test(type))
      : isPlain(a) && isPlain(b) && !COMMUTATIVE.test(name) &&
        listDeclared(this.#file.text).has(name);
    if (!isSwapped) return;
    const between = this.#file.text.slice(a.endIndex, b.startIndex);
    const span = { ...toSpan(a), endIndex: b.endIndex };
    this.#add("swap", span, `${b.text}${between}${a.text}`, { isSubtle: true });
  }

  /** A call of a function that does nearly the same. */
  #takeNearName(node: SyntaxNode): void {
    const called = node.childForFieldName("function") ?? node.childForFieldName("name");
    const name = called?.namedChildCount ? called.lastNamedChild : called;
    const other = nearName(this.#rules.language, name?.text ?? "");
    if (!name || other === undefined || name.childCount > 0) return;
    this.#add("swap", name, other, /match$/.test(other) ? { isSubtle: true } : {});
  }

  #changePattern(node: SyntaxNode): void {
    const { text, startIndex, startPosition } = node;
    // What the file has elsewhere is no part of the change.
    const isKnown = this.#file.text.split("\n").some((row, at) =>
      row.includes(text) && !this.#isChanged(at + 1, at + 1)
    );
    if (isKnown) return;
    const from = /^[a-zA-Z]*#*(?:"""|'''|["'`/])/.exec(text)?.[0].length ?? 0;
    const to = Math.max(text.lastIndexOf(text[from - 1] ?? ""), from);
    for (const { start, end, after } of listPatternChanges(text.slice(from, to))) {
      const at = startIndex + from;
      this.#add("pattern", { startIndex: at + start, endIndex: at + end, startPosition }, after);
    }
    const isReplacing = /\.replace$/.test(headOf(node.parent));
    if (node.type !== "regex" || !isReplacing) return;
    const flags = text.slice(to + 1);
    const other = flags.includes("g") ? flags.replace("g", "") : `${flags}g`;
    this.#add(
      "pattern",
      { startIndex: startIndex + to, endIndex: node.endIndex, startPosition },
      `/${other}`,
    );
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
    // Where not even a far one is noticed, the number only says how much is done at once.
    const far = { start: node.startIndex, end: node.endIndex, after: `${Number(whole) * 100 + 7}` };
    const probe = { ...far, failing: null, passing: true };
    this.#add("constant", node, [Number(whole) + 1, ...rest].join("."), { probe });
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
    const condition = at === null ? null : toCondition(node, at);
    const span = condition ?? (at === null ? toBracketed(node) : null);
    if (span === null) return;
    const before = this.#textOf(span);
    if (before.length > MOST_CONDITION_CHARS || /^(?:let|var|case|some)\b/.test(before)) return;
    const { startIndex: start, endIndex: end, startPosition: { row } } = span;
    const turned = turnBranch(this.#rules.language, before, { line: row + 1, start, end });
    for (const part of turned) this.#put(part);
    if (turned.length > 0 || (condition !== null && isCompared(condition))) return;
    const [head, tail] = this.#rules.not;
    this.#add("condition", span, `${head}${before}${tail}`);
  }

  #textOf({ startIndex, endIndex }: Span): string {
    return this.#file.text.slice(startIndex, endIndex);
  }

  #add(
    kind: MutantKind,
    { startIndex: start, endIndex: end, startPosition: { row } }: Span,
    after: string,
    more: Pick<Mutant, "probe" | "isSubtle"> = {},
  ): void {
    this.#put({ kind, line: row + 1, start, end, after, ...more });
  }

  #put(part: Part): void {
    const before = this.#file.text.slice(part.start, part.end);
    if (!this.#isChanged(part.line, part.line) || before === part.after) return;
    this.found.push({ ...part, path: this.#file.path, before });
  }

  #isChanged(first: number, last: number): boolean {
    return this.#file.ranges.some(({ start, end }) => start <= last && end >= first);
  }
}
