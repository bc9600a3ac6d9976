/** Looks for work, and for placeholders, in the part of a syntax tree that a range covers. */
import type { SyntaxNode } from "../../syntax/tree_sitter.ts";
import type { Grammar } from "./empty_bodies.ts";
import { bodiesOf, headerOf, judgeFunction, textWithoutComments } from "./empty_bodies.ts";
import { toRegistration } from "./empty_calls.ts";
import { roleOf } from "./empty_rules.ts";
import { kindOfStatement } from "./empty_wording.ts";

/** Lines, both included, counted from 1. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
}

/** What was found in a range. */
export interface Findings {
  /** True when something in the range does work. */
  isReal: boolean;
  /**
   * True when the range holds imports, decorators or an empty constructor, which neither do work
   * nor pretend to.
   */
  isNeutral: boolean;
  /** For each empty implementation in the range, why it is empty. */
  readonly reasons: string[];
}

/** Nodes nested deeper count as real: no real code has them, and the stack is limited. */
const MAX_DEPTH = 400;
const MAX_STATEMENT_CHARS = 600;

const LEAVES = /^(?:return|throw|raise|yield|control_transfer)/;

/** What the lines `span` hold; `created` are the lines that the session wrote. */
export function findInTree(
  root: SyntaxNode,
  grammar: Grammar,
  options: { readonly span: LineSpan; readonly created: readonly LineSpan[] },
): Findings {
  const walk = new Walk(grammar, options.span, options.created);
  walk.visit(root, { depth: 0, classHeader: "" });
  return walk.findings;
}

/**
 * Why the innermost function around the gap after `line` is empty; null when it is not, or when
 * there is no function.
 */
export function findEmptiedFunction(
  root: SyntaxNode,
  grammar: Grammar,
  line: number,
): string | null {
  let node: SyntaxNode | undefined = root;
  let reason: string | null = null;
  let classHeader = "";
  for (let depth = 0; node !== undefined && depth < MAX_DEPTH; depth++) {
    const role = roleOf(node, grammar.name, grammar.rule);
    if (role === "class") classHeader = headerOf(node, grammar);
    if (role === "function") {
      const verdict = judgeFunction(node, grammar, { isCreated: false, classHeader });
      reason = verdict.kind === "empty" ? verdict.reason : null;
    }
    node = node.namedChildren.find((child) => isRound(child, line));
  }
  return reason;
}

/** The lines of the innermost function around a line; null where there is none. */
export function findFunctionAt(root: SyntaxNode, grammar: Grammar, line: number): LineSpan | null {
  let node: SyntaxNode | undefined = root;
  let found: LineSpan | null = null;
  for (let depth = 0; node !== undefined && depth < MAX_DEPTH; depth++) {
    if (roleOf(node, grammar.name, grammar.rule) === "function") {
      found = { start: node.startPosition.row + 1, end: node.endPosition.row + 1 };
    }
    node = node.namedChildren.find(({ startPosition, endPosition }) =>
      startPosition.row < line && line <= endPosition.row + 1
    );
  }
  return found;
}

/**
 * Whether the gap after a line is inside a node, or just after the doc string that is all that is
 * left of it.
 */
function isRound({ startPosition, endPosition, text }: SyntaxNode, line: number): boolean {
  const last = endPosition.row + 1;
  return startPosition.row + 1 <= line && (line < last || (line === last && /["']{3}$/.test(text)));
}

/** Where a node lies. */
interface Place {
  readonly depth: number;
  readonly classHeader: string;
}

class Walk {
  readonly findings: Findings = { isReal: false, isNeutral: false, reasons: [] };
  readonly #grammar: Grammar;
  readonly #span: LineSpan;
  readonly #created: readonly LineSpan[];

  constructor(grammar: Grammar, span: LineSpan, created: readonly LineSpan[]) {
    this.#grammar = grammar;
    this.#span = span;
    this.#created = created;
  }

  visit(node: SyntaxNode, place: Place): void {
    if (this.findings.isReal || !this.#isInSpan(node)) return;
    if (place.depth > MAX_DEPTH) {
      this.findings.isReal = true;
      return;
    }
    const { name, rule } = this.#grammar;
    const role = roleOf(node, name, rule);
    if (role === "comment") return;
    if (role === "neutral") this.#visitNeutral(node, place);
    else if (role === "function") this.#visitFunction(node, place);
    else if (role === "class") this.#visitClass(node, place);
    else this.#visitOther(node, place);
  }

  #visitNeutral(node: SyntaxNode, place: Place): void {
    this.findings.isNeutral = true;
    // In PHP a namespace may enclose its members.
    const body = node.childForFieldName("body");
    if (body !== null) this.visit(body, deeper(place));
  }

  #visitFunction(node: SyntaxNode, place: Place): void {
    if (this.#take(node, place)) return;
    const bodies = bodiesOf(node, this.#grammar);
    const [first] = bodies;
    if (first === undefined || this.#isHeaderInSpan(node, first)) this.findings.isReal = true;
    for (const body of bodies) this.#visitParts(body, deeper(place));
  }

  /**
   * Notes what the function as a whole is. Returns false when it is real, so that its parts count.
   */
  #take(node: SyntaxNode, place: Place): boolean {
    const isCreated = this.#isCreated(node);
    const verdict = judgeFunction(node, this.#grammar, {
      isCreated,
      classHeader: place.classHeader,
    });
    if (verdict.kind === "empty") this.findings.reasons.push(verdict.reason);
    if (verdict.kind === "neutral") this.findings.isNeutral = true;
    return verdict.kind !== "real";
  }

  #visitClass(node: SyntaxNode, place: Place): void {
    const { rule } = this.#grammar;
    const bodies = bodiesOf(node, this.#grammar);
    const classHeader = headerOf(node, this.#grammar);
    const members = bodies.flatMap((body) => body.namedChildren).filter((member) =>
      !rule.comments.test(member.type) && !(rule.noop?.test(member.text) ?? false)
    );
    if (members.length === 0) {
      const isLegal = rule.emptyClass.test(classHeader) ||
        (bodies.length === 0 && !rule.isBodyOptional);
      if (isLegal) this.findings.isReal = true;
      else this.findings.reasons.push("the class has no members");
      return;
    }
    const [first] = bodies;
    const inner = { depth: place.depth + 1, classHeader };
    if (first !== undefined && this.#isHeaderInSpan(node, first)) this.#noteHeader(members, inner);
    for (const member of members) this.visit(member, inner);
  }

  /** Notes the header of a class as what all its members are. */
  #noteHeader(members: readonly SyntaxNode[], place: Place): void {
    const whole = new Walk(this.#grammar, { start: 1, end: Infinity }, this.#created);
    for (const member of members) whole.visit(member, place);
    if (whole.findings.isReal) this.findings.isReal = true;
    else if (whole.findings.reasons.length === 0) this.findings.isNeutral = true;
  }

  #visitOther(node: SyntaxNode, place: Place): void {
    const { rule } = this.#grammar;
    if (rule.isBodyBeside && /signature$/.test(node.type)) {
      const body = nextSibling(node, rule.comments);
      if (body?.type === "function_body") {
        if (!this.#take(body, place)) this.findings.isReal = true;
        return;
      }
    }
    if (this.#isStatement(node) && this.#takeStatement(node)) return;
    if (this.#takeRegistration(node, place)) return;
    // A `return` and the like does its work on its first line, even where only brackets follow it.
    if (LEAVES.test(node.type) && this.#isRowInSpan(node.startPosition.row)) {
      this.findings.isReal = true;
    } else if (node.namedChildCount > 0) this.#visitParts(node, deeper(place));
    else if (!rule.blocks.has(node.type) && /[\p{L}\p{N}"'`]/u.test(node.text)) {
      this.findings.isReal = true;
    }
  }

  /**
   * Notes a call that passes on an empty function as its work. Returns false for any other node.
   */
  #takeRegistration(node: SyntaxNode, place: Place): boolean {
    const found = toRegistration(node, this.#grammar);
    if (found === null) return false;
    if (found.kind === "empty") {
      const isNew = this.#created.some(({ start, end }) =>
        node.startPosition.row + 1 >= start && node.endPosition.row + 1 <= end
      );
      if (isNew) this.findings.reasons.push(found.reason);
      return isNew;
    }
    const { parts, body } = found;
    const inner = deeper(place);
    if (body !== null && this.#isHeaderInSpan(node, body)) this.#noteHeader(parts, inner);
    for (const part of parts) this.visit(part, inner);
    return true;
  }

  #visitParts(node: SyntaxNode, place: Place): void {
    if (node.namedChildCount === 0 || this.#grammar.rule.lambdas.has(node.type)) {
      return this.#visitLeafBody(node, place);
    }
    // The name of an include guard and the condition of an `#if` do no work of their own.
    const name = /^preproc_if/.test(node.type)
      ? node.childForFieldName("name") ?? node.childForFieldName("condition")
      : null;
    // The members of an object are named by what it is assigned to.
    const value = node.childForFieldName("value");
    const inner = value?.type === "object"
      ? { ...place, classHeader: node.text.slice(0, value.startIndex - node.startIndex) }
      : place;
    for (const child of node.namedChildren) {
      if (child.id !== name?.id) this.visit(child, inner);
    }
  }

  /** Notes a body that is one expression, or a lambda that is its own body. */
  #visitLeafBody(node: SyntaxNode, place: Place): void {
    if (!this.#isInSpan(node)) return;
    for (const child of node.namedChildren) this.visit(child, deeper(place));
    const isCode = node.namedChildCount === 0 && /[\p{L}\p{N}"'`]/u.test(node.text);
    if (isCode) this.findings.isReal = true;
  }

  #isStatement({ parent, endIndex, startIndex }: SyntaxNode): boolean {
    if (endIndex - startIndex > MAX_STATEMENT_CHARS) return false;
    return parent !== null &&
      (parent.parent === null || this.#grammar.rule.blocks.has(parent.type));
  }

  /** Notes a placeholder statement. Returns false for any other node. */
  #takeStatement(node: SyntaxNode): boolean {
    const { rule } = this.#grammar;
    const text = textWithoutComments(node, rule).trim().replace(/;$/, "");
    if (rule.noop?.test(text)) {
      const owner = node.parent?.parent?.type ?? "";
      if (rule.handlers.has(owner)) this.findings.isReal = true;
      // A text whose value is not used is a doc string.
      else if (!/["']/.test(text)) this.findings.reasons.push(`"${text}" does nothing`);
      return true;
    }
    if (kindOfStatement(text) !== "placeholder") return false;
    this.findings.reasons.push("it only says that it is not implemented");
    return true;
  }

  #isRowInSpan(row: number): boolean {
    return row + 1 >= this.#span.start && row + 1 <= this.#span.end;
  }

  #isInSpan(node: SyntaxNode): boolean {
    const { startPosition, endPosition } = node;
    // A node that includes its line break ends, for a reader, on the line before.
    const isAtStart = endPosition.column === 0 && endPosition.row > startPosition.row;
    const last = endPosition.row + (isAtStart ? 0 : 1);
    return startPosition.row + 1 <= this.#span.end && last >= this.#span.start;
  }

  #isHeaderInSpan(node: SyntaxNode, body: SyntaxNode): boolean {
    if (node.id === body.id) return false;
    const first = node.startPosition.row + 1;
    const last = Math.max(first, body.startPosition.row + (isOnOwnLine(body) ? 0 : 1));
    return first <= this.#span.end && last >= this.#span.start;
  }

  /** Whether the session wrote the header and the first statement of a function. */
  #isCreated(node: SyntaxNode): boolean {
    const head = this.#grammar.rule.isBodyBeside ? node.previousNamedSibling ?? node : node;
    const [body] = bodiesOf(node, this.#grammar);
    const inner = body?.namedChildren.find(({ type }) => !this.#grammar.rule.comments.test(type));
    const rows = [head, inner ?? body ?? node].map(({ startPosition }) => startPosition.row + 1);
    return rows.every((row) => this.#created.some(({ start, end }) => row >= start && row <= end));
  }
}

function deeper(place: Place): Place {
  return { ...place, depth: place.depth + 1 };
}

/** Whether only blanks stand before a node on its line. */
function isOnOwnLine(node: SyntaxNode): boolean {
  const previous = node.previousSibling;
  return previous !== null && previous.endPosition.row < node.startPosition.row;
}

function nextSibling(node: SyntaxNode, comments: RegExp): SyntaxNode | null {
  let next = node.nextNamedSibling;
  while (next !== null && comments.test(next.type)) next = next.nextNamedSibling;
  return next;
}
