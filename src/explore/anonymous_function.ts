/**
 * Finds the function without a name that a line is in: a callback, a closure, a static block. The index knows definitions
 * only, so the text is parsed, and the function is named by its place.
 */
import { languageByName } from "../language/languages.ts";
import { loadQuery, parseWithGrammar } from "../syntax/tree_sitter.ts";
import type { SyntaxNode } from "../syntax/tree_sitter.ts";
import { LIMITS } from "../base/settings/limits.ts";

/** A function without a name. Lines are 1-based. */
export interface AnonymousFunction {
  /** Made of its place: `(function in it "adds")`. */
  readonly name: string;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
  readonly startLine: number;
  readonly endLine: number;
}

const SCRIPT = "arrow_function function_expression generator_function class_static_block";

/** The nodes of each grammar that are functions without a name. */
export const ANONYMOUS: Readonly<Record<string, string>> = {
  javascript: SCRIPT,
  typescript: SCRIPT,
  tsx: SCRIPT,
  php: "anonymous_function arrow_function",
  python: "lambda",
  go: "func_literal",
  rust: "closure_expression",
  java: "lambda_expression static_initializer",
  kotlin: "lambda_literal anonymous_function anonymous_initializer getter setter",
  scala: "lambda_expression",
  cpp: "lambda_expression",
  c_sharp: "lambda_expression anonymous_method_expression accessor_declaration",
  ruby: "block do_block",
  swift: "lambda_literal computed_getter computed_setter",
  lua: "function_definition",
  elixir: "anonymous_function",
  dart: "function_expression",
};

/** The patterns of a grammar of {@link ANONYMOUS}. */
export function toAnonymousQuery(grammar: string): string | undefined {
  return ANONYMOUS[grammar]?.split(" ").map((type) => `(${type}) @whole`).join("\n");
}

/** The innermost of several lines that holds the line, or null. One on a single line is a part of its statement. */
export async function findAnonymousFunction(
  text: string,
  { language, line }: { readonly language: string | null; readonly line: number },
): Promise<AnonymousFunction | null> {
  const grammar = language === null ? null : languageByName(language)?.grammar ?? null;
  const query = grammar === null ? undefined : toAnonymousQuery(grammar);
  if (grammar === null || query === undefined) return null;
  const timeoutMs = LIMITS.parseTimeoutMs.value;
  using tree = await parseWithGrammar(text, grammar, { timeoutMs });
  if (tree === null) return null;
  const compiled = await loadQuery(grammar, "anonymous", query);
  const nodes = (compiled.findMatches(tree.root, timeoutMs) ?? [])
    .flatMap(({ captures }) => captures.map(({ node }) => node))
    .filter(({ startPosition, endPosition }) =>
      startPosition.row < endPosition.row && startPosition.row < line &&
      line <= endPosition.row + 1
    );
  const inner = nodes.reduce<SyntaxNode | null>(
    (best, node) => best === null || node.startIndex >= best.startIndex ? node : best,
    null,
  );
  return inner === null ? null : {
    name: toPlaceName(text, inner),
    column: inner.startPosition.column + 1,
    startLine: inner.startPosition.row + 1,
    endLine: inner.endPosition.row + 1,
  };
}

const CALLEE = /[\p{L}_$@][\p{L}\p{N}_$.:!?]*(?=\s*(?:<[^<>]*>)?\s*$)/u;
const TITLE = /^\s*(["'`])((?:(?!\1).){1,80})\1/u;
/** A call without brackets, or with its own behind it: `it "adds" do`, `run {`. */
const BARE_CALL =
  /([\p{L}_$@][\p{L}\p{N}_$.:!?]*)\s*(?:\([^()]*\)|(["'`])((?:(?!\2).){1,80})\2)?\s*$/u;
const ASSIGNED = /([\p{L}_$@][\p{L}\p{N}_$.]*)["']?\s*(?::=|=>?|:)\s*(?:async\s*)?$/u;
const MAX_NAME_CHARS = 120;

/** What stands before the function on its line says whose it is. */
function toPlaceName(text: string, node: SyntaxNode): string {
  const { row } = node.startPosition;
  if (node.type === "class_static_block" || node.type === "static_initializer") {
    return "(static block)";
  }
  if (node.type === "anonymous_initializer") return "(init block)";
  const lineStart = text.lastIndexOf("\n", node.startIndex - 1) + 1;
  const before = text.slice(Math.max(lineStart, node.startIndex - 400), node.startIndex).trimEnd();
  const assigned = ASSIGNED.exec(before)?.[1];
  if (assigned !== undefined) return toName(assigned);
  const open = lastOpen(before);
  const bare = open < 0 ? BARE_CALL.exec(before) : null;
  const callee = open < 0 ? bare?.[1] : CALLEE.exec(before.slice(0, open))?.[0];
  const title = open < 0 ? bare?.[3] : TITLE.exec(before.slice(open + 1))?.[2];
  if (callee === undefined) return `(function at line ${row + 1})`;
  return toName(title === undefined ? callee : `${callee} ${JSON.stringify(title)}`);
}

/** Where the bracket stands that is still open at the end, or -1. */
function lastOpen(text: string): number {
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    const char = text.charAt(at);
    if (char === ")") depth++;
    else if (char === "(" && depth-- === 0) return at;
  }
  return -1;
}

function toName(place: string): string {
  return `(function in ${place.slice(0, MAX_NAME_CHARS)})`;
}
