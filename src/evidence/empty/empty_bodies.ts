/**
 * Finds the bodies of functions and classes in a syntax tree, and judges a function by its body.
 */
import type { SyntaxNode } from "../../syntax/tree_sitter.ts";
import type { EmptyBodyRule } from "./empty_rules.ts";
import { findLambda } from "./empty_rules.ts";
import type { StatementKind } from "./empty_wording.ts";
import { isMark, kindOfStatement, saysStandIn } from "./empty_wording.ts";

/** A grammar with its rule for empty bodies. */
export interface Grammar {
  readonly name: string;
  readonly rule: EmptyBodyRule;
}

/** What one function is. */
export type FunctionVerdict =
  | { readonly kind: "real" | "neutral" }
  | { readonly kind: "empty"; readonly reason: string };

/** Blocks nested deeper are not looked into: no real code has them, and the stack is limited. */
const MAX_DEPTH = 100;
/** Longest statement whose wording is compared, because a placeholder is short. */
const MAX_STATEMENT_CHARS = 600;

/**
 * The bodies of a function or class: one, or one for each clause; none where there is only a
 * header.
 */
export function bodiesOf(node: SyntaxNode, { name, rule }: Grammar): readonly SyntaxNode[] {
  if (rule.isBodyBeside && node.type === "function_body") return [node];
  if (name === "haskell") return haskellBodies(node);
  if (name === "elixir") return elixirBodies(node);
  const holder = findLambda(node, rule) ?? node;
  // A lambda in Swift, and one with a short body in Python, is its own body.
  const field = holder.childForFieldName("body");
  if (field !== null) return [field];
  const block = holder.namedChildren.find((child) => rule.blocks.has(child.type));
  if (block !== undefined) return [block];
  return rule.lambdas.has(holder.type) && !rule.isBodyOptional ? [holder] : [];
}

function haskellBodies(node: SyntaxNode): readonly SyntaxNode[] {
  return node.namedChildren.flatMap((child) => {
    const body = child.type === "match" ? child.childForFieldName("expression") : null;
    return body === null ? [] : [body];
  });
}

function elixirBodies(node: SyntaxNode): readonly SyntaxNode[] {
  const block = node.namedChildren.find(({ type }) => type === "do_block");
  if (block !== undefined) return [block];
  const keywords = node.namedChildren.find(({ type }) => type === "arguments")?.lastNamedChild;
  if (keywords?.type !== "keywords") return [];
  return keywords.namedChildren.flatMap((pair) => {
    const value = pair.text.startsWith("do:") ? pair.childForFieldName("value") : null;
    return value === null ? [] : [value];
  });
}

/** The text before the body, including what stands before the node itself, such as decorators. */
export function headerOf(node: SyntaxNode, grammar: Grammar): string {
  const [body] = bodiesOf(node, grammar);
  const previous = grammar.rule.isBodyBeside ? node.previousNamedSibling?.text ?? "" : "";
  const own = body === undefined
    ? node.text
    : node.text.slice(0, body.startIndex - node.startIndex);
  const { parent } = node;
  const isWrapped = parent !== null &&
    /^(?:decorated_definition|export_statement)$/.test(parent.type);
  const before = isWrapped ? parent.text.slice(0, node.startIndex - parent.startIndex) : "";
  return `${before}${previous}${own}`.trim();
}

/** The kinds of the statements of a body. */
export function statementKinds(
  body: SyntaxNode,
  grammar: Grammar,
  depth = 0,
): readonly StatementKind[] {
  const { rule } = grammar;
  if (depth > MAX_DEPTH) return ["real"];
  if (!rule.blocks.has(body.type) && !rule.lambdas.has(body.type)) {
    return [kindOfNode(body, grammar)];
  }
  const parts = body.namedChildren.filter(({ type }) =>
    !rule.comments.test(type) && !/param|captures/.test(type)
  );
  if (parts.length > 0) {
    return parts.flatMap((part) =>
      rule.blocks.has(part.type)
        ? statementKinds(part, grammar, depth + 1)
        : [kindOfNode(part, grammar)]
    );
  }
  // Words without a node of their own, such as `nil` in Swift, appear only in the text.
  const rest = textWithoutComments(body, rule).replace(
    /^\s*(?:[{(=]|do\b)|(?:[})]|\bend)\s*$/g,
    "",
  );
  return rest.trim() === "" ? [] : [kindOfStatement(rest, rule.noop)];
}

/**
 * The kind of one statement. A condition whose branches are all empty is as empty as its branches.
 */
export function kindOfNode(node: SyntaxNode, grammar: Grammar): StatementKind {
  if (/^if(?:_statement|_expression)?$/.test(node.type)) return kindOfCondition(node, grammar);
  if (node.type === "expression_statement" && node.namedChildCount === 1) {
    const [inner] = node.namedChildren;
    if (inner !== undefined && /^if_expression$/.test(inner.type)) {
      return kindOfNode(inner, grammar);
    }
  }
  if (node.type === "try_statement") return kindOfTry(node, grammar);
  // The statement is only a name or a text whose value is not used.
  if (node.type === "expression_statement" && isBareValue(node)) return "noop";
  if (node.endIndex - node.startIndex > MAX_STATEMENT_CHARS) return "real";
  return kindOfStatement(textWithoutComments(node, grammar.rule), grammar.rule.noop);
}

function kindOfCondition(node: SyntaxNode, grammar: Grammar): StatementKind {
  const { blocks } = grammar.rule;
  const parts = node.namedChildren.flatMap((child) =>
    /^else|elif/.test(child.type) ? child.namedChildren : [child]
  );
  const branches = parts.filter(({ type }) => blocks.has(type));
  // A branch without a block, such as a bare `return x` or another condition, may do work.
  const isOther = ({ type }: SyntaxNode) => !blocks.has(type) && /statement|return|call/.test(type);
  if (branches.length === 0 || parts.some(isOther)) return "real";
  const kinds = branches.flatMap((branch) => [...statementKinds(branch, grammar)]);
  if (!kinds.every((kind) => kind === "noop" || kind === "placeholder")) return "real";
  return kinds.includes("placeholder") ? "placeholder" : "noop";
}

function isBareValue({ namedChildren: [inner], namedChildCount }: SyntaxNode): boolean {
  return namedChildCount === 1 && inner !== undefined &&
    /^(?:identifier|variable_name|string|number|null|undefined|true|false)$/.test(inner.type);
}

/** The kind of a `try`: where every part is empty, the statement is too. */
function kindOfTry(node: SyntaxNode, grammar: Grammar): StatementKind {
  const { blocks, comments } = grammar.rule;
  const parts = node.namedChildren.flatMap((child) => {
    if (blocks.has(child.type)) return [child];
    return child.namedChildren.filter(({ type }) => blocks.has(type));
  });
  const isWhole = node.namedChildren.every(({ type }) =>
    blocks.has(type) || comments.test(type) || /^(?:except|catch|finally|else)/.test(type)
  );
  if (!isWhole || parts.length === 0) return "real";
  const kinds = new Set(parts.flatMap((part) => [...statementKinds(part, grammar)]));
  if ((["real", "constant", "crash"] as const).some((kind) => kinds.has(kind))) return "real";
  return (["placeholder", "trivial"] as const).find((kind) => kinds.has(kind)) ?? "noop";
}

/** The text of a node without its comments. */
export function textWithoutComments(node: SyntaxNode, rule: EmptyBodyRule): string {
  let text = node.text;
  const comments: SyntaxNode[] = [];
  collectComments(node, rule, comments);
  for (const comment of comments.reverse()) {
    const start = comment.startIndex - node.startIndex;
    text = `${text.slice(0, start)} ${text.slice(comment.endIndex - node.startIndex)}`;
  }
  return text;
}

function collectComments(node: SyntaxNode, rule: EmptyBodyRule, into: SyntaxNode[]): void {
  for (const child of node.namedChildren) {
    if (rule.comments.test(child.type)) into.push(child);
    else if (child.childCount > 0) collectComments(child, rule, into);
  }
}

/**
 * Judges a function by its own body.
 *
 * @param options `isCreated`: whether the session wrote the whole function; only then a bare null or nothing
 * as the whole body is an empty implementation.
 */
export function judgeFunction(
  node: SyntaxNode,
  grammar: Grammar,
  options: { readonly isCreated: boolean; readonly classHeader: string },
): FunctionVerdict {
  const { rule } = grammar;
  const bodies = bodiesOf(node, grammar);
  if (bodies.length === 0 && !rule.isBodyOptional) return { kind: "real" };
  if (bodies.length === 0 && /\b(?:abstract|interface)\b/.test(options.classHeader)) {
    return { kind: "real" };
  }
  const kinds = bodies.flatMap((body) => [...statementKinds(body, grammar)]);
  if (kinds.includes("real")) return { kind: "real" };
  const header = headerOf(node, grammar);
  if (rule.abstract?.test(header)) return { kind: "real" };
  if (kinds.includes("placeholder")) {
    return { kind: "empty", reason: "the body only says that it is not implemented" };
  }
  if (kinds.includes("constant")) {
    return hasStandIn(node, rule)
      ? {
        kind: "empty",
        reason: "a comment says that the value of its body stands in for the work",
      }
      : { kind: "real" };
  }
  if (kinds.includes("crash")) {
    return mayCrash(node, header)
      ? { kind: "real" }
      : { kind: "empty", reason: "the body only fails, and does not say why" };
  }
  const isMeant = saysSo(node, header, kinds) || isVoidByDesign(header, options.classHeader);
  if (isMeant && !hasMark(node, rule)) return { kind: "real" };
  const isAbstract = rule.abstractClass?.test(options.classHeader) ?? false;
  if (isAbstract) return { kind: "real" };
  if (kinds.includes("trivial")) {
    if (!options.isCreated) return { kind: "real" };
    return {
      kind: "empty",
      reason: "the whole body of the new function is a value that says nothing",
    };
  }
  if (isConstructor(node, header, { grammar, classHeader: options.classHeader })) {
    return { kind: rule.promotes?.test(header) ? "real" : "neutral" };
  }
  return { kind: "empty", reason: "the body is empty" };
}

/** Words in the name of a function whose work it is to fail. */
const CRASH_WORDS = new Set(
  "fail fails failing failure failed die dies abort aborts panic panics crash crashes unreachable unsupported never throw throws raise raises"
    .split(" "),
);
/** What a header says of a function that does not come back. */
const NO_RETURN = /-> ?!|\bnoreturn\b|\bNoReturn\b|\bnever\b|\bNever\b|:\s*Nothing\b/;

/** Whether a function says that it fails: by a whole word of its name, or by what it gives back. */
function mayCrash(node: SyntaxNode, header: string): boolean {
  if (NO_RETURN.test(header)) return true;
  const words = toFunctionName(node, header).replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, " ")
    .toLowerCase().split(/[^\p{L}]+/u);
  return words.some((word) => CRASH_WORDS.has(word));
}

function toFunctionName(node: SyntaxNode, header: string): string {
  return (node.childForFieldName("name") ?? node.childForFieldName("key"))?.text ??
    /([\w$]+)\s*(?:[(=:]|$)/.exec(header)?.[1] ?? "";
}

/** Words in the name of a type whose members do nothing by design. */
const VOID_WORDS =
  /\b(?:[Nn]ull|[Nn]o_?[Oo]p|[Nn]op|[Dd]ummy|[Ss]ilent|[Dd]iscard(?:ing)?|[Dd]isabled|[Bb]lackhole)(?=[A-Z_])|\B(?:Noop|NoOp|Dummy|Disabled)\b/;
/** The type whose method a function in Go is. */
const RECEIVER = /^func\s*\(([^)]*)\)/;

/** Whether a member belongs to a type that stands for doing nothing, such as `NullLogger`. */
function isVoidByDesign(header: string, classHeader: string): boolean {
  return VOID_WORDS.test(`${classHeader} ${RECEIVER.exec(header)?.[1] ?? ""}`);
}

/** Whether the name of a function promises no more than its body does. */
function saysSo(node: SyntaxNode, header: string, kinds: readonly StatementKind[]): boolean {
  const name = toFunctionName(node, header);
  if (/^_*(?:no_?op|do_?nothing)|_?no_?op$/i.test(name)) return true;
  if (!kinds.includes("trivial")) return name === "main" || /^func init\b/.test(header);
  return /^_*(?:empty|nothing|none|null|nil)/i.test(name) || /->\s*Self\b/.test(header) ||
    (NAMES_NOTHING.test(name) && ALLOWS_NOTHING.test(header));
}

/** The name of a function that promises to give nothing, such as `findNone` or `get_nothing`. */
const NAMES_NOTHING =
  /^_*(?:(?:always|build|choose|create|fetch|find|get|give|load|lookup|make|pick|read|resolve|return|select|use)s?_?)(?:none|null|nil|nothing|nobody|no_?one)$/i;
/** A declared result that may be nothing, in the languages that declare it. */
const ALLOWS_NOTHING =
  /\|\s*(?:null|undefined|None)\b|(?:null|None)\s*\||\b(?:Optional|Option|Maybe)\b|\w[>\])]?\?(?:\s|$)|:\s*\?\w|->\s*None\b|:\s*(?:null|undefined)\b|\)\s*\(?\*|@Nullable\b/;

/** Whether a comment in a function says that work is still to be done. */
export function hasMark(node: SyntaxNode, rule: EmptyBodyRule): boolean {
  const comments: SyntaxNode[] = [];
  collectComments(node, rule, comments);
  return comments.some(({ text }) => isMark(text));
}

/** Whether a comment in a function, or behind it on its last line, calls its value a stand-in. */
function hasStandIn(node: SyntaxNode, rule: EmptyBodyRule): boolean {
  const comments: SyntaxNode[] = [];
  collectComments(node, rule, comments);
  const behind = nextNode(node);
  const isBehind = behind !== null && behind.startPosition.row === node.endPosition.row;
  return [...comments, ...isBehind && rule.comments.test(behind.type) ? [behind] : []]
    .some(({ text }) => saysStandIn(text));
}

/** The node behind another one in the text, past the signs that only end a statement. */
function nextNode(node: SyntaxNode): SyntaxNode | null {
  let last: SyntaxNode | null = node;
  while (last !== null) {
    const next: SyntaxNode | null = last.nextSibling;
    if (next !== null && !/^[;,]$/.test(next.type)) return next;
    last = next ?? last.parent;
  }
  return null;
}

function isConstructor(
  node: SyntaxNode,
  header: string,
  options: { readonly grammar: Grammar; readonly classHeader: string },
): boolean {
  if (/(?:con|de)structor|init_declaration/.test(node.type)) return true;
  const { name, rule } = options.grammar;
  const match = rule.constructors?.exec(header) ?? null;
  if (match === null) return false;
  // In C++ a constructor is known only by its name: that of its class, or the same name twice in
  // `A::A`.
  if (name !== "cpp") return true;
  const own = match[1] ?? "";
  return new RegExp(`\\b(?:class|struct)\\s+${own}\\b`).test(options.classHeader) ||
    new RegExp(`\\b${own}(?:<[^>]*>)?::~?${own}\\s*\\(`).test(header);
}
