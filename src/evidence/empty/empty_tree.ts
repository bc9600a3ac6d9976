/** Looks for work, and for placeholders, in the part of a syntax tree that a range covers. */
import type { LineRange } from "../../git/trees/changed_lines.ts";
import type { SyntaxNode } from "../../syntax/tree_sitter.ts";
import type { CodeLanguage } from "./empty_function.ts";
import {
  bodiesOf,
  headerOf,
  judgeFunction,
  MAX_STATEMENT_CHARS,
  NEUTRAL,
  readRegistration,
  roleOf,
  textWithoutComments,
} from "./empty_function.ts";
import { kindOfStatement } from "./empty_wording.ts";

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
const LEAVES = /^(?:return|throw|raise|yield|control_transfer)/;
const SAYS_SOMETHING = /[\p{L}\p{N}"'`]/u;

/** What the lines `span` hold; `created` are the lines that the session wrote. */
export function findInTree(
  root: SyntaxNode,
  language: CodeLanguage,
  { span, created }: { readonly span: LineRange; readonly created: readonly LineRange[] },
): Findings {
  const walk = new Walk(language, span, created);
  walk.visit(root, { depth: 0, classHeader: "" });
  return walk.findings;
}

/** The innermost function round a line, and why it is empty; null for both where there is none. */
export interface FoundFunction {
  readonly lines: LineRange | null;
  readonly reason: string | null;
}

/**
 * The innermost function round a line, or with `isGap` round the gap behind it.
 */
export function findFunctionAt(
  root: SyntaxNode,
  language: CodeLanguage,
  { line, isGap }: { readonly line: number; readonly isGap: boolean },
): FoundFunction {
  let node: SyntaxNode | undefined = root;
  let found: FoundFunction = { lines: null, reason: null };
  let classHeader = "";
  for (let depth = 0; node !== undefined && depth < MAX_DEPTH; depth++) {
    const role = roleOf(node, language);
    if (role === "class") classHeader = headerOf(node, language);
    if (role === "function") {
      const lines = { start: node.startPosition.row + 1, end: node.endPosition.row + 1 };
      const reason = judgeFunction(node, language, { isCreated: false, classHeader }) || null;
      found = { lines, reason };
    }
    node = node.namedChildren.find(({ startPosition, endPosition, text }) => {
      const last = endPosition.row + 1;
      // The doc string may be all that is left of a function.
      const isRound = line < last || (line === last && (!isGap || /["']{3}$/.test(text)));
      return startPosition.row + 1 <= line && isRound;
    });
  }
  return found;
}

/** Where a node lies. */
interface WalkContext {
  readonly depth: number;
  readonly classHeader: string;
}

class Walk {
  readonly findings: Findings = { isReal: false, isNeutral: false, reasons: [] };
  readonly #language: CodeLanguage;
  readonly #span: LineRange;
  readonly #created: readonly LineRange[];

  constructor(language: CodeLanguage, span: LineRange, created: readonly LineRange[]) {
    this.#language = language;
    this.#span = span;
    this.#created = created;
  }

  visit(node: SyntaxNode, place: WalkContext): void {
    if (this.findings.isReal || !this.#isInSpan(node)) return;
    const role = roleOf(node, this.#language);
    if (place.depth > MAX_DEPTH) this.findings.isReal = true;
    else if (role === "neutral") this.#visitNeutral(node, place);
    else if (role === "function") this.#visitFunction(node, place);
    else if (role === "class") this.#visitClass(node, place);
    else if (role === "other") this.#visitOther(node, place);
  }

  #visitNeutral(node: SyntaxNode, place: WalkContext): void {
    this.findings.isNeutral = true;
    // In PHP a namespace may enclose its members.
    const body = node.childForFieldName("body");
    if (body !== null) this.visit(body, deeper(place));
  }

  #visitFunction(node: SyntaxNode, place: WalkContext): void {
    if (this.#take(node, place)) return;
    const bodies = bodiesOf(node, this.#language);
    const [first] = bodies;
    if (first === undefined || this.#isHeaderInSpan(node, first)) this.findings.isReal = true;
    for (const body of bodies) this.#visitParts(body, deeper(place));
  }

  /** Notes what the function as a whole is. Returns false when it is real, so that its parts count. */
  #take(node: SyntaxNode, { classHeader }: WalkContext): boolean {
    const isCreated = this.#isCreated(node);
    const reason = judgeFunction(node, this.#language, { isCreated, classHeader });
    if (reason === NEUTRAL) this.findings.isNeutral = true;
    else if (reason !== null) this.findings.reasons.push(reason);
    return reason !== null;
  }

  #visitClass(node: SyntaxNode, place: WalkContext): void {
    const { comments, noop, emptyClass, isBodyOptional } = this.#language.bodies;
    const bodies = bodiesOf(node, this.#language);
    const classHeader = headerOf(node, this.#language);
    const members = bodies.flatMap((body) => body.namedChildren)
      .filter(({ type, text }) => !comments.test(type) && noop?.test(text) !== true);
    if (members.length === 0) {
      const isLegal = emptyClass.test(classHeader) || (bodies.length === 0 && !isBodyOptional);
      if (isLegal) this.findings.isReal = true;
      else this.findings.reasons.push("the class has no members");
    }
    this.#visitMembers(node, members, {
      body: bodies[0],
      place: { ...deeper(place), classHeader },
    });
  }

  /** Visits the members of a class or the like; a header in the range is what all of them are. */
  #visitMembers(
    node: SyntaxNode,
    members: readonly SyntaxNode[],
    { body, place }: { readonly body: SyntaxNode | undefined; readonly place: WalkContext },
  ): void {
    if (members.length > 0 && body !== undefined && this.#isHeaderInSpan(node, body)) {
      const whole = new Walk(this.#language, { start: 1, end: Infinity }, this.#created);
      for (const member of members) whole.visit(member, place);
      if (whole.findings.isReal) this.findings.isReal = true;
      else if (whole.findings.reasons.length === 0) this.findings.isNeutral = true;
    }
    for (const member of members) this.visit(member, place);
  }

  #visitOther(node: SyntaxNode, place: WalkContext): void {
    const { isBodyBeside, comments, blocks } = this.#language.bodies;
    if (isBodyBeside && /signature$/.test(node.type)) {
      let body = node.nextNamedSibling;
      while (body !== null && comments.test(body.type)) body = body.nextNamedSibling;
      if (body?.type === "function_body") {
        if (!this.#take(body, place)) this.findings.isReal = true;
        return;
      }
    }
    if (this.#takeStatement(node) || this.#takeRegistration(node, place)) return;
    // A `return` and the like does its work on its first line, even where only brackets follow it.
    const row = node.startPosition.row + 1;
    if (LEAVES.test(node.type) && row >= this.#span.start && row <= this.#span.end) {
      this.findings.isReal = true;
    } else if (node.namedChildCount > 0) this.#visitParts(node, deeper(place));
    else if (!blocks.has(node.type) && SAYS_SOMETHING.test(node.text)) this.findings.isReal = true;
  }

  /** Notes a call that passes on an empty function as its work. Returns false for any other node. */
  #takeRegistration(node: SyntaxNode, place: WalkContext): boolean {
    const found = readRegistration(node, this.#language);
    if (found === null) return false;
    if (typeof found === "string") {
      const [first, last] = [node.startPosition.row + 1, node.endPosition.row + 1];
      const isNew = this.#created.some(({ start, end }) => first >= start && last <= end);
      if (isNew) this.findings.reasons.push(found);
      return isNew;
    }
    const { comments } = this.#language.bodies;
    const members = found.namedChildren.filter(({ type }) => !comments.test(type));
    this.#visitMembers(node, members, { body: found, place: deeper(place) });
    return true;
  }

  #visitParts(node: SyntaxNode, place: WalkContext): void {
    if (node.namedChildCount === 0 || this.#language.bodies.lambdas.has(node.type)) {
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
  #visitLeafBody(node: SyntaxNode, place: WalkContext): void {
    if (!this.#isInSpan(node)) return;
    for (const child of node.namedChildren) this.visit(child, deeper(place));
    if (node.namedChildCount === 0 && SAYS_SOMETHING.test(node.text)) this.findings.isReal = true;
  }

  /** Notes a placeholder statement. Returns false for any other node. */
  #takeStatement(node: SyntaxNode): boolean {
    const { bodies } = this.#language;
    const { parent, endIndex, startIndex } = node;
    if (parent === null || endIndex - startIndex > MAX_STATEMENT_CHARS) return false;
    if (parent.parent !== null && !bodies.blocks.has(parent.type)) return false;
    const text = textWithoutComments(node, bodies).trim().replace(/;$/, "");
    if (bodies.noop?.test(text)) {
      if (bodies.handlers.has(parent.parent?.type ?? "")) this.findings.isReal = true;
      // A text whose value is not used is a doc string.
      else if (!/["']/.test(text)) this.findings.reasons.push(`"${text}" does nothing`);
      return true;
    }
    if (kindOfStatement(text) !== "placeholder") return false;
    this.findings.reasons.push("it only says that it is not implemented");
    return true;
  }

  #isInSpan({ startPosition, endPosition }: SyntaxNode): boolean {
    // A node that includes its line break ends, for a reader, on the line before.
    const isAtStart = endPosition.column === 0 && endPosition.row > startPosition.row;
    const last = endPosition.row + (isAtStart ? 0 : 1);
    return startPosition.row + 1 <= this.#span.end && last >= this.#span.start;
  }

  #isHeaderInSpan(node: SyntaxNode, body: SyntaxNode): boolean {
    if (node.id === body.id) return false;
    const previous = body.previousSibling;
    const isOnOwnLine = previous !== null && previous.endPosition.row < body.startPosition.row;
    const first = node.startPosition.row + 1;
    const last = Math.max(first, body.startPosition.row + (isOnOwnLine ? 0 : 1));
    return first <= this.#span.end && last >= this.#span.start;
  }

  /** Whether the session wrote the header and the first statement of a function. */
  #isCreated(node: SyntaxNode): boolean {
    const { isBodyBeside, comments } = this.#language.bodies;
    const head = isBodyBeside ? node.previousNamedSibling ?? node : node;
    const [body] = bodiesOf(node, this.#language);
    const inner = body?.namedChildren.find(({ type }) => !comments.test(type));
    const rows = [head, inner ?? body ?? node].map(({ startPosition }) => startPosition.row + 1);
    return rows.every((row) => this.#created.some(({ start, end }) => row >= start && row <= end));
  }
}

function deeper(place: WalkContext): WalkContext {
  return { ...place, depth: place.depth + 1 };
}
