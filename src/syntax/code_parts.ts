/**
 * Reads what code declares, calls, compares and gives back, from its syntax tree. Lines take the place of statements
 * where there is no tree: in a language without a grammar, in code with errors, inside macros, in packed files.
 */
import { getOrInsert } from "../base/once.ts";
import type { Bodies, Language } from "../language/languages.ts";
import { maskText, splitComments } from "../language/mask.ts";
import type { SyntaxNode } from "./tree_sitter.ts";
import { parseText } from "./tree_sitter.ts";

/** Types of nodes of all grammars, by what they are. */
const TYPES = {
  call:
    "call call_expression method_invocation invocation_expression function_call command selector apply infix " +
    "function_call_expression member_call_expression nullsafe_member_call_expression scoped_call_expression " +
    "macro_invocation type_conversion_expression infix_expression echo_statement print_intrinsic exit_statement debugger_statement",
  throw: "throw_statement raise_statement throw_expression",
  return: "return_statement return_expression return control_transfer_statement",
  assert: "assert_statement",
  handler: "catch_clause except_clause except_group_clause rescue catch_block",
  condition: "if_statement if_expression if preproc_if while_statement",
  comparison:
    "binary_expression comparison_operator binary comparison_expression equality_expression binary_operator",
  option: "pair named_argument keyword_argument",
  assignment: "assignment assignment_expression delete_statement",
  import: "import_statement import_from_statement import",
} as const;
const KINDS = new Map<string, PartKind>(
  Object.entries(TYPES).flatMap(([kind, types]) =>
    types.split(" ").map((type) => [type, kind as PartKind])
  ),
);

/** What a part of code is. */
export type PartKind = keyof typeof TYPES | "function" | "class";

/** A part of code. Lines count from 1. */
export interface CodePart {
  readonly kind: PartKind;
  /**
   * What is called, with `()` for inner arguments (`expect().toBe`); the header of a function, class or handler; the value
   * that is given back; the condition; the operator; the key of an option; what is assigned to; a whole import.
   */
  readonly head: string;
  /** Name of a function or class; empty for others. */
  readonly name: string;
  /** Texts of the arguments; both sides of a comparison; the value of an option or assignment. */
  readonly args: readonly string[];
  /** Arguments of the first call in what is called: `a` of `expect(a).toBe(b)`. */
  readonly inner: readonly string[];
  /** The first statement of its body; empty where there is none. */
  readonly body: string;
  /** The statement that holds it, on one line, without the block behind it. */
  readonly statement: string;
  /** The same with its block, as it is written. */
  readonly whole: string;
  /** Where that statement begins; parts of one statement have one place. */
  readonly at: number;
  readonly first: number;
  readonly last: number;
  /** Where the block begins that holds it; 0 at the top. */
  readonly block: number;
  /** Whether no function and no class is round it. */
  readonly isTop: boolean;
}

type Own = Pick<CodePart, "kind" | "head"> & Partial<CodePart>;

const ARGUMENTS =
  /arguments|argument_|call_suffix|lambda|^block$|do_block|token_tree|template_string/;
const COMPARES = /^(?:[=!]==?|~=|\/=|is|is not|in|not in)$/;
/** Code nested deeper is not read: no real code has it, and the stack is limited. */
const MAX_DEPTH = 400;
/** Longer texts are generated or packed, and are read by lines (measured: a second for so many characters without blanks). */
const MOST_CHARS = 200_000;
/** So much of a line is read as the arguments of a call. */
const MOST_ARGUMENT_CHARS = 500;
const NOTHING = { name: "", args: [], inner: [], body: "", block: 0, isTop: false };

/** The parts of a text in the order in which they begin. */
export async function readCode(
  text: string,
  language: Language | undefined,
): Promise<readonly CodePart[]> {
  const readLines = () => readCodeLines(text, language);
  if (language?.bodies === undefined || text.length > MOST_CHARS) return readLines();
  using tree = await parseText(text, language.name);
  return tree === null ? readLines() : readTree(tree.root, language.bodies, readLines);
}

function readTree(
  root: SyntaxNode,
  row: Bodies,
  readLines: () => readonly CodePart[],
): readonly CodePart[] {
  const parts: CodePart[] = [];
  /** Lines of which the tree may have missed something. */
  const missed = new Set<number>();
  const statements = new Map<number, Pick<CodePart, "statement" | "whole" | "at">>();
  const readStatement = (node: SyntaxNode) =>
    getOrInsert(statements, node.id, () => {
      const block = findBlock(node, row);
      return {
        statement: joinToOneLine(textBefore(node, block)),
        whole: node.text,
        at: node.startIndex,
      };
    });
  const visit = (
    node: SyntaxNode,
    place: { holder: SyntaxNode; statement: SyntaxNode; depth: number; isTop: boolean },
  ): void => {
    if (place.depth > MAX_DEPTH) return;
    const { type, startPosition: { row: first }, endPosition: { row: last } } = node;
    const isAlone = type === "identifier" && place.statement.id === node.id;
    const own: Own | null = isAlone ? { kind: "call", head: node.text } : readNode(node, row);
    if (own !== null) {
      const where = { first: first + 1, last: last + 1, block: place.holder.startIndex };
      const { isTop } = place;
      parts.push({ ...NOTHING, ...readStatement(place.statement), ...where, isTop, ...own });
    }
    if (/^(?:ERROR|token_tree|text)$/.test(type)) {
      for (let at = first; at <= last; at++) missed.add(at + 1);
    }
    const isHolder = place.depth === 0 || isBlock(node, row) || isFunction(node, row);
    const isTop = place.isTop && own?.kind !== "function" && own?.kind !== "class";
    for (const child of node.namedChildren) {
      const inner = isHolder ? { holder: node, statement: child } : place;
      visit(child, { ...inner, depth: place.depth + 1, isTop });
    }
  };
  visit(root, { holder: root, statement: root, depth: 0, isTop: true });
  if (missed.size === 0) return parts;
  for (const { first } of parts) missed.delete(first);
  return [...parts, ...readLines().filter(({ first }) => missed.has(first))]
    .sort((one, other) => one.first - other.first);
}

function isFunction({ type }: SyntaxNode, { functions, lambdas }: Bodies): boolean {
  return functions.has(type) || lambdas.has(type);
}

function isBlock({ type }: SyntaxNode, { blocks }: Bodies): boolean {
  return blocks.has(type) || type === "then" || type === "else";
}

function findBlock(node: SyntaxNode, row: Bodies): SyntaxNode | null {
  return node.namedChildren.find((child) => isBlock(child, row)) ?? null;
}

/** What a node is by itself; null where it is none of the kinds. */
function readNode(node: SyntaxNode, row: Bodies): Own | null {
  if (isFunction(node, row)) return readDefinition(node, row, "function");
  if (row.classes.has(node.type)) return readDefinition(node, row, "class");
  const kind = KINDS.get(node.type);
  if (kind === undefined) return null;
  const { text, namedChildren: children } = node;
  if (kind === "comparison" || /^infix/.test(node.type)) return readOperator(node);
  if (kind === "call") return readCall(node);
  if (kind === "return") {
    if (/^throw\b/.test(text)) return { kind: "throw", head: text };
    return /^return\b/.test(text) ? { kind, head: text.replace(/^return\s*|\s*;$/g, "") } : null;
  }
  if (kind === "handler") {
    const block = findBlock(node, row) ?? node.nextNamedSibling;
    const body = block === null ? "" : firstStatement(block, row);
    return { kind, head: joinToOneLine(textBefore(node, findBlock(node, row))), body };
  }
  if (kind === "condition") {
    const condition = node.childForFieldName("condition") ?? children[0];
    return { kind, head: condition?.text.replaceAll(/^\(\s*|\s*\)$/g, "") ?? "" };
  }
  if (kind !== "option" && kind !== "assignment") return { kind, head: text };
  const [left, right] = [children[0], children.at(-1)];
  const args = left === undefined || left === right ? [] : [right?.text ?? ""];
  return { kind, head: left?.text.replaceAll(/^["']|["':]+$/g, "") ?? "", args };
}

function readDefinition(node: SyntaxNode, row: Bodies, kind: "function" | "class"): Own {
  // What a grammar puts before or around a definition belongs to it.
  const beside = node.type === "function_body" ? node.previousNamedSibling : null;
  let begin = node.parent?.type === "decorated_definition" ? node.parent : beside ?? node;
  let before = begin === node ? "" : textBefore(begin, begin === beside ? null : node);
  for (let mark = begin.previousNamedSibling; mark?.type === "attribute_item";) {
    [begin, before] = [mark, `${mark.text}\n${before}`];
    mark = mark.previousNamedSibling;
  }
  const name = (beside ?? node).childForFieldName("name") ??
    ["name", "key", "left"].map((field) => node.parent?.childForFieldName(field)).find(Boolean);
  const block = node.childForFieldName("body") ?? findBlock(node, row) ??
    (/lambda|^function_body$/.test(node.type) ? node : null);
  const head = `${before}${beside === null ? textBefore(node, block) : ""}`.trim();
  return {
    kind,
    head,
    name: name?.text ?? /^[^{]*?([\w$]+)\s*\(/.exec(head)?.[1] ?? "",
    body: block === null ? "" : firstStatement(block, row),
    first: begin.startPosition.row + 1,
  };
}

/** The text of the first statement in a block; of a value that is a body, the value. */
function firstStatement(block: SyntaxNode, row: Bodies): string {
  if (!isBlock(block, row) && !isFunction(block, row)) return block.text;
  const first = block.namedChildren.find(({ type }) => !row.comments.test(type));
  return first === undefined ? "" : isBlock(first, row) ? firstStatement(first, row) : first.text;
}

/** A comparison, or a word between two values that is a call of its own: `a shouldBe b`. */
function readOperator(node: SyntaxNode): Own | null {
  const [left, right] = [node.firstNamedChild, node.lastNamedChild];
  if (left === null || right === null || left.id === right.id) return null;
  const head = node.text.slice(left.endIndex - node.startIndex, right.startIndex - node.startIndex)
    .replaceAll(/[`\s]+/g, " ").trim();
  const args = [left.text, right.text];
  // Streams of C++ and functions of Haskell are given what stands behind the sign.
  if (head === "<<" || head === "$") {
    return { kind: "call", head: left.text.split("<<")[0]?.trim() ?? "", args: [right.text] };
  }
  if (/^[a-z]\w+$/i.test(head) && !COMPARES.test(head) || right.text.startsWith("{")) {
    return { kind: "call", head, args };
  }
  return COMPARES.test(head) ? { kind: "comparison", head, args } : null;
}

function readCall(node: SyntaxNode): Own | null {
  const { parent, namedChildren: [first] } = node;
  if (node.type === "selector") {
    // Dart has the name before its arguments, as a neighbour.
    if (first?.type !== "argument_part" || parent === null) return null;
    const args = readArguments(first);
    return { kind: "call", head: normaliseCallee(textBefore(parent, node)), args };
  }
  const own = splitCall(node);
  if (own.head === "def" || own.head === "defp") {
    const [head = ""] = own.args;
    return { kind: "function", head: `def ${head}`, name: /^\w+/.exec(head)?.[0] ?? "" };
  }
  const called = [first, first?.namedChildren[0]].find((one) =>
    one !== undefined && KINDS.get(one.type) === "call"
  );
  const inner = called === undefined ? [] : splitCall(called).args;
  // A macro of C that opens a block is written before it.
  const behind = parent?.nextNamedSibling;
  const isOpen = behind?.type === "compound_statement" && !parent?.text.endsWith(";");
  return { kind: "call", ...own, inner, ...isOpen ? { last: behind.endPosition.row + 1 } : {} };
}

function splitCall(node: SyntaxNode): { readonly head: string; readonly args: readonly string[] } {
  const holder = node.childForFieldName("arguments") ??
    node.namedChildren.find(({ type }) => ARGUMENTS.test(type)) ?? null;
  if (holder !== null) {
    return { head: normaliseCallee(textBefore(node, holder)), args: readArguments(holder) };
  }
  const callee = ["function", "name", "macro", "type"].map((field) => node.childForFieldName(field))
    .find((one) => one !== null);
  const args = callee === undefined && node.type === "call"
    ? []
    : node.namedChildren.filter(({ id }) => id !== callee?.id).map(({ text }) => text);
  return { head: normaliseCallee(callee?.text ?? /^[\w.]+/.exec(node.text)?.[0] ?? ""), args };
}

function readArguments({ namedChildren }: SyntaxNode): readonly string[] {
  const [only] = namedChildren;
  return namedChildren.length === 1 && only !== undefined && /arguments$/.test(only.type)
    ? readArguments(only)
    : namedChildren.map(({ text }) => text);
}

/** What is called, on one line and without arguments in it. */
function normaliseCallee(head: string): string {
  return head.replace(/<[^<>()]*>\s*$/, "").replaceAll(/\([^]*\)|`[^`]*`/g, "()")
    .replaceAll(/\s+/g, "");
}

/** The text of a node before one of its parts; all of it where there is none. */
function textBefore(node: SyntaxNode, part: SyntaxNode | null): string {
  return part === null ? node.text : node.text.slice(0, part.startIndex - node.startIndex);
}

function joinToOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

const CALL = /([\w.$:@>\\-]*\w)\s*([!?]?)\s*\(/g;
/** A call without brackets. */
const COMMAND = /^\s*([A-Za-z_][\w.!?]*)\s+(?=[\w"'$@:[{])/;
const MARK = /^\s*(?:@|#\[|\[)\w/;
const WORD = /^[\s}]*(assert|throw|raise|catch|except|rescue|if|#if)\b\s*(.*)$|\b(return)\b(.*)$/;
const WORDS: Readonly<Record<string, PartKind>> = {
  raise: "throw",
  catch: "handler",
  except: "handler",
  rescue: "handler",
  if: "condition",
  "#if": "condition",
};

/** The parts of a text line by line, without a tree: what begins a line by a word, and what stands before a bracket. */
function readCodeLines(text: string, language: Language | undefined): readonly CodePart[] {
  const code = language === undefined ? text : splitComments(text, language).code;
  const masked = language === undefined ? code : maskText(code, language);
  const lines = masked.replaceAll("\u0001", " ").replaceAll("\u0002", '"').split("\n");
  return code.split("\n").flatMap((raw, at): CodePart[] => {
    const [line = "", whole] = [lines[at], raw.trim()];
    const where = {
      first: at + 1,
      last: at + 1,
      at: -1 - at,
      statement: joinToOneLine(raw),
      whole,
    };
    const base = { ...NOTHING, ...where };
    if (MARK.test(line)) return [{ ...base, kind: "function", head: whole }];
    const calls = [...line.matchAll(CALL)].map(
      ({ 0: found, 1: name, 2: sign, index }): CodePart => {
        const from = index + found.length;
        const args = [raw.slice(from, from + MOST_ARGUMENT_CHARS).replace(/\)[^)]*$/, "")];
        return { ...base, kind: "call", head: `${name}${sign}`, args };
      },
    );
    const command = COMMAND.exec(line);
    if (command !== null) {
      const args = [raw.slice(command[0].length).replace(/;\s*$/, "")];
      calls.push({ ...base, kind: "call", head: command[1] ?? "", args });
    }
    const [, first, behind, last, value = ""] = WORD.exec(line) ?? [];
    const word = first ?? last;
    if (word === undefined) return calls;
    const kind = WORDS[word] ?? word as PartKind;
    const [rest = "", body = ""] = kind === "handler"
      ? (behind ?? "").split(/[{:]/)
      : [behind ?? value];
    const head = rest.replaceAll(/^[\s(]+|[\s){:;}]+$/g, "");
    const own = kind === "handler"
      ? { kind, head: joinToOneLine(`${word} ${rest}`), body: body.replace(/\}.*$/, "").trim() }
      : { kind, head };
    // What a handler does on the lines behind it is not known.
    const isOpen = kind === "handler" && !/[{:]\s*\S/.test(behind ?? "");
    return [...calls, { ...base, ...own, ...isOpen ? { body: "…" } : {} }];
  });
}
