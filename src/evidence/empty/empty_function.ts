/** Finds the bodies of functions and classes in a syntax tree, and judges a function by its body. */
import { anyOf } from "../../base/text/any_of.ts";
import type { Bodies, Language } from "../../language/languages.ts";
import type { SyntaxNode } from "../../syntax/tree_sitter.ts";
import type { StatementKind } from "./empty_wording.ts";
import { isMark, isStandInComment, kindOfStatement } from "./empty_wording.ts";

/** A language whose grammar tells what a body is. */
export type CodeLanguage = Language & { readonly bodies: Bodies };

/** Blocks nested deeper are not looked into: no real code has them, and the stack is limited. */
const MAX_DEPTH = 100;
/** Longest statement whose wording is compared, because a placeholder is short. */
export const MAX_STATEMENT_CHARS = 600;

/** What a node is to the judgement. */
export type Role = "function" | "class" | "neutral" | "comment" | "other";

/** The role of a node. Elixir writes definitions as calls, so their role is known by the first word. */
export function roleOf(node: SyntaxNode, { grammar, bodies: row }: CodeLanguage): Role {
  const { type } = node;
  if (row.comments.test(type)) return "comment";
  if (row.neutral.has(type)) return "neutral";
  if (row.functions.has(type)) return "function";
  if (row.classes.has(type)) return "class";
  if (row.named.has(type) && findLambda(node, row) !== null) return "function";
  if (type === "preproc_def" && node.childForFieldName("value") === null) return "neutral";
  if (grammar === "elixir") {
    if (type === "unary_operator") return /^@\w*doc\b/.test(node.text) ? "comment" : "other";
    const word = type === "call" ? node.childForFieldName("target")?.text ?? "" : "";
    if (/^def(?:macro)?p?$/.test(word)) return "function";
    if (/^def(?:module|impl)$/.test(word)) return "class";
    return /^(?:import|alias|use|require)$/.test(word) ? "neutral" : "other";
  }
  return row.neutralText !== undefined && /^(?:call|identifier)$/.test(type) &&
      row.neutralText.test(node.text.slice(0, 40))
    ? "neutral"
    : "other";
}

/** The lambda to which a node gives a name: its last part, or the last part of a declaration in it. */
function findLambda(node: SyntaxNode, row: Bodies): SyntaxNode | null {
  let last = node.lastNamedChild;
  while (last !== null && !row.lambdas.has(last.type)) {
    const isList = last.type === "expression_list" && last.namedChildCount === 1;
    if (!isList && !row.named.has(last.type)) return null;
    last = last.lastNamedChild;
  }
  return last;
}

/** The bodies of a function or class: one, or one for each clause; none where there is only a header. */
export function bodiesOf(
  node: SyntaxNode,
  { grammar, bodies: row }: CodeLanguage,
): readonly SyntaxNode[] {
  if (row.isBodyBeside && node.type === "function_body") return [node];
  const { namedChildren: children } = node;
  if (grammar === "haskell") {
    return children.filter(({ type }) => type === "match")
      .flatMap((match) => match.childForFieldName("expression") ?? []);
  }
  if (grammar === "elixir") {
    const block = children.find(({ type }) => type === "do_block");
    if (block !== undefined) return [block];
    const words = children.find(({ type }) => type === "arguments")?.lastNamedChild;
    return (words?.type === "keywords" ? words.namedChildren : [])
      .filter(({ text }) => text.startsWith("do:"))
      .flatMap((pair) => pair.childForFieldName("value") ?? []);
  }
  const holder = findLambda(node, row) ?? node;
  const body = holder.childForFieldName("body") ??
    holder.namedChildren.find(({ type }) => row.blocks.has(type));
  if (body !== undefined) return [body];
  // A lambda in Swift, and one with a short body in Python, is its own body.
  return row.lambdas.has(holder.type) && !row.isBodyOptional ? [holder] : [];
}

/** The text before the body, including what stands before the node itself, such as decorators. */
export function headerOf(node: SyntaxNode, language: CodeLanguage): string {
  const [body] = bodiesOf(node, language);
  const previous = language.bodies.isBodyBeside ? node.previousNamedSibling?.text ?? "" : "";
  const end = body === undefined ? node.text.length : body.startIndex - node.startIndex;
  const { parent } = node;
  const isWrapped = parent !== null &&
    /^(?:decorated_definition|export_statement)$/.test(parent.type);
  const before = isWrapped ? parent.text.slice(0, node.startIndex - parent.startIndex) : "";
  return `${before}${previous}${node.text.slice(0, end)}`.trim();
}

/** The kinds of the statements of a body. */
export function statementKinds(
  body: SyntaxNode,
  language: CodeLanguage,
  depth = 0,
): readonly StatementKind[] {
  const { blocks, lambdas, comments, noop } = language.bodies;
  if (depth > MAX_DEPTH) return ["real"];
  if (!blocks.has(body.type) && !lambdas.has(body.type)) return [kindOfNode(body, language)];
  const parts = body.namedChildren.filter(({ type }) =>
    !comments.test(type) && !/param|captures/.test(type)
  );
  if (parts.length > 0) {
    return parts.flatMap((part) =>
      blocks.has(part.type)
        ? statementKinds(part, language, depth + 1)
        : [kindOfNode(part, language)]
    );
  }
  // Words without a node of their own, such as `nil` in Swift, appear only in the text.
  const rest = textWithoutComments(body, language.bodies)
    .replace(/^\s*(?:[{(=]|do\b)|(?:[})]|\bend)\s*$/g, "");
  return rest.trim() === "" ? [] : [kindOfStatement(rest, noop)];
}

const BARE_VALUE = /^(?:identifier|variable_name|string|number|null|undefined|true|false)$/;

/** The kind of one statement. A condition or a `try` whose branches are all empty is as empty as its branches. */
function kindOfNode(node: SyntaxNode, language: CodeLanguage): StatementKind {
  const { type, namedChildren: [inner], namedChildCount } = node;
  const lone = type === "expression_statement" && namedChildCount === 1 ? inner : undefined;
  if (lone?.type === "if_expression") return kindOfNode(lone, language);
  if (/^if(?:_statement|_expression)?$|^try_statement$/.test(type)) {
    return kindOfBranches(node, language);
  }
  // The statement is only a name or a text whose value is not used.
  if (lone !== undefined && BARE_VALUE.test(lone.type)) return "noop";
  if (node.endIndex - node.startIndex > MAX_STATEMENT_CHARS) return "real";
  return kindOfStatement(textWithoutComments(node, language.bodies), language.bodies.noop);
}

function kindOfBranches(node: SyntaxNode, language: CodeLanguage): StatementKind {
  const { blocks, comments } = language.bodies;
  const isTry = node.type === "try_statement";
  const isClause = ({ type }: SyntaxNode) => /^(?:else|elif|except|catch|finally)/.test(type);
  const parts = node.namedChildren.flatMap((child) =>
    isClause(child) ? child.namedChildren : [child]
  );
  const branches = parts.filter(({ type }) => blocks.has(type));
  // A branch without a block, such as a bare `return x` or another condition, may do work.
  const isOther = ({ type }: SyntaxNode) =>
    !blocks.has(type) && (isTry ? !comments.test(type) : /statement|return|call/.test(type));
  const own = isTry ? node.namedChildren.filter((child) => !isClause(child)) : parts;
  if (branches.length === 0 || own.some(isOther)) return "real";
  const kinds = new Set(branches.flatMap((branch) => statementKinds(branch, language)));
  if ([...kinds].some((kind) => /real|constant|crash/.test(kind))) return "real";
  if (kinds.has("trivial") && !isTry) return "real";
  return kinds.has("placeholder") ? "placeholder" : kinds.has("trivial") ? "trivial" : "noop";
}

/** The text of a node without its comments. */
export function textWithoutComments(node: SyntaxNode, row: Bodies): string {
  return listComments(node, row).reverse().reduce((text, { startIndex, endIndex }) => {
    const [start, end] = [startIndex - node.startIndex, endIndex - node.startIndex];
    return `${text.slice(0, start)} ${text.slice(end)}`;
  }, node.text);
}

function listComments(node: SyntaxNode, row: Bodies): SyntaxNode[] {
  return node.namedChildren.flatMap((child) =>
    row.comments.test(child.type) ? [child] : child.childCount > 0 ? listComments(child, row) : []
  );
}

/** Whether a comment in a function says that work is still to be done. */
export function hasMark(node: SyntaxNode, row: Bodies): boolean {
  return listComments(node, row).some(({ text }) => isMark(text));
}

/** Judged as neither work nor a stand-in for it: an empty constructor. */
export const NEUTRAL = "";

/**
 * Judges a function by its own body.
 *
 * @param options `isCreated`: whether the session wrote the whole function; only then a bare null or nothing
 * as the whole body is an empty implementation.
 * @returns why it is empty; null where it does work; {@link NEUTRAL}.
 */
export function judgeFunction(
  node: SyntaxNode,
  language: CodeLanguage,
  { isCreated, classHeader }: { readonly isCreated: boolean; readonly classHeader: string },
): string | null {
  const { bodies: row } = language;
  const bodies = bodiesOf(node, language);
  const isDeclared = /\b(?:abstract|interface)\b/.test(classHeader);
  if (bodies.length === 0 && (!row.isBodyOptional || isDeclared)) return null;
  const kinds = new Set(bodies.flatMap((body) => statementKinds(body, language)));
  const header = headerOf(node, language);
  if (kinds.has("real") || row.abstract?.test(header)) return null;
  if (kinds.has("placeholder")) return "the body only says that it is not implemented";
  if (kinds.has("constant")) {
    return hasStandIn(node, row)
      ? "a comment says that the value of its body stands in for the work"
      : null;
  }
  const name = (node.childForFieldName("name") ?? node.childForFieldName("key"))?.text ??
    /([\w$]+)\s*(?:[(=:]|$)/.exec(header)?.[1] ?? "";
  if (kinds.has("crash")) {
    return mayCrash(name, header) ? null : "the body only fails, and does not say why";
  }
  const isTrivial = kinds.has("trivial");
  const isMeant = isNamedEmpty(name, header, isTrivial) || isVoidByDesign(header, classHeader);
  if ((isMeant && !hasMark(node, row)) || row.abstractClass?.test(classHeader)) return null;
  if (isTrivial) {
    return isCreated ? "the whole body of the new function is a value that says nothing" : null;
  }
  if (!isConstructor(node, header, { language, classHeader })) return "the body is empty";
  return row.promotes?.test(header) ? null : NEUTRAL;
}

/** Words in the name of a function whose work it is to fail. */
const CRASH_WORDS = anyOf(
  /^(?:fail(?:s|ing|ure|ed)?|dies?|aborts?|panics?|crash(?:es)?|throws?|raises?)$/,
  /^(?:unreachable|unsupported|never)$/,
);
/** What a header says of a function that does not come back. */
const NO_RETURN = /-> ?!|\b(?:noreturn|NoReturn|never|Never)\b|:\s*Nothing\b/;

/** Whether a function says that it fails: by a whole word of its name, or by what it gives back. */
function mayCrash(name: string, header: string): boolean {
  const words = name.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, " ").toLowerCase();
  return NO_RETURN.test(header) || words.split(/[^\p{L}]+/u).some((word) => CRASH_WORDS.test(word));
}

/** Words in the name of a type whose members do nothing by design. */
const VOID_WORDS = anyOf(
  /\b(?:[Nn]ull|[Nn]o_?[Oo]p|[Dd]ummy|[Ss]ilent|[Dd]iscard(?:ing)?|[Dd]isabled|[Bb]lackhole)(?=[A-Z_])/,
  /\B(?:Noop|NoOp|Dummy|Disabled)\b/,
);
/** The type whose method a function in Go is. */
const RECEIVER = /^func\s*\(([^)]*)\)/;

/** Whether a member belongs to a type that stands for doing nothing, such as `NullLogger`. */
function isVoidByDesign(header: string, classHeader: string): boolean {
  return VOID_WORDS.test(`${classHeader} ${RECEIVER.exec(header)?.[1] ?? ""}`);
}

/** The name of a function that promises to give nothing, such as `findNone` or `get_nothing`. */
const NAMES_NOTHING = new RegExp(
  "^_*(?:(?:always|build|choose|create|fetch|find|get|give|load|lookup|make|pick|read|resolve|return|select|use)s?_?)" +
    "(?:none|null|nil|nothing|nobody|no_?one)$",
  "i",
);
/** A declared result that may be nothing, in the languages that declare it. */
const ALLOWS_NOTHING = anyOf(
  /[|:]\s*(?:null|undefined|None)\b|(?:null|None)\s*\||\b(?:Optional|Option|Maybe)\b|->\s*None\b/,
  /\w[>\])]?\?(?:\s|$)|:\s*\?\w|\)\s*\(?\*|@Nullable\b/,
);

/** Whether the name of a function promises no more than its body does. */
function isNamedEmpty(name: string, header: string, isTrivial: boolean): boolean {
  if (/^_*(?:no_?op|do_?nothing)|_?no_?op$/i.test(name)) return true;
  if (!isTrivial) return name === "main" || /^func init\b/.test(header);
  return /^_*(?:empty|nothing|none|null|nil)/i.test(name) || /->\s*Self\b/.test(header) ||
    (NAMES_NOTHING.test(name) && ALLOWS_NOTHING.test(header));
}

/** Whether a comment in a function, or behind it on its last line, calls its value a stand-in. */
function hasStandIn(node: SyntaxNode, row: Bodies): boolean {
  let behind: SyntaxNode | null = node;
  // A parent begins before; signs that only end a statement are passed.
  do {
    behind = behind.nextSibling ?? behind.parent;
  } while (behind !== null && (behind.startIndex < node.endIndex || /^[;,]$/.test(behind.type)));
  const isBehind = behind !== null && behind.startPosition.row === node.endPosition.row &&
    row.comments.test(behind.type);
  return [...listComments(node, row), ...isBehind ? [behind] : []]
    .some((comment) => comment !== null && isStandInComment(comment.text));
}

function isConstructor(
  node: SyntaxNode,
  header: string,
  { language: { grammar, bodies }, classHeader }: {
    readonly language: CodeLanguage;
    readonly classHeader: string;
  },
): boolean {
  if (/(?:con|de)structor|init_declaration/.test(node.type)) return true;
  const own = bodies.constructors?.exec(header);
  if (!own || grammar !== "cpp") return Boolean(own);
  // In C++ a constructor is known only by its name: that of its class, or the same name twice in `A::A`.
  return new RegExp(`\\b(?:class|struct)\\s+${own[1]}\\b`).test(classHeader) ||
    new RegExp(`\\b${own[1]}(?:<[^>]*>)?::~?${own[1]}\\s*\\(`).test(header);
}

/** A call for a test that is still to be written. */
const TODO_TEST = /^(?:it|test|describe|specify|suite)\.todo$/;
const SUITE = /^(?:describe|context|suite)(?:\.(?:only|each))?$/;
/** Calls that begin with a text, and whose work is the function in the last argument: routes and tests. */
const HANDED_OVER = /(?:^|\.)(?:get|post|put|patch|delete|all|it|test|specify)$/;

/** What a call or an object is by the functions that it passes on: why it is empty, or the node whose parts tell. */
export type Registration = string | SyntaxNode;

/**
 * What a statement, or a pair of an object, of JavaScript is by the functions that it passes on: a route with its handler,
 * a test, a suite of tests, the methods of a component; null for any other node.
 */
export function readRegistration(node: SyntaxNode, language: CodeLanguage): Registration | null {
  if (!/^(?:javascript|typescript|tsx)$/.test(language.grammar ?? "")) return null;
  if (node.type === "pair") {
    const value = node.childForFieldName("value");
    const isCode = value?.type === "object" &&
      value.namedChildren.some((member) =>
        member.type === "method_definition" ||
        /function/.test(member.childForFieldName("value")?.type ?? "")
      );
    return isCode ? value : null;
  }
  const [call] = node.namedChildren;
  const isCall = node.type === "expression_statement" && node.namedChildCount === 1;
  if (!isCall || call?.type !== "call_expression") return null;
  const name = call.childForFieldName("function")?.text ?? "";
  if (TODO_TEST.test(name)) return "the test is still to be written";
  const args = call.childForFieldName("arguments")?.namedChildren ?? [];
  const last = args.at(-1);
  if (last === undefined || !language.bodies.lambdas.has(last.type)) return null;
  const [body] = bodiesOf(last, language);
  if (body === undefined) return null;
  if (SUITE.test(name)) {
    const isEmpty = body.namedChildren.every(({ type }) => language.bodies.comments.test(type));
    return isEmpty ? "the suite has no test" : body;
  }
  const kinds = statementKinds(body, language);
  if (kinds.some((kind) => kind !== "noop" && kind !== "placeholder")) return null;
  const isHandedOver = HANDED_OVER.test(name) && /string/.test(args[0]?.type ?? "");
  return isHandedOver || kinds.includes("placeholder") || hasMark(last, language.bodies)
    ? "the function that it is handed does nothing"
    : null;
}
