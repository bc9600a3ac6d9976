/**
 * Answers `getFunctionAtLine`: the innermost function that holds a line, with its text. The index knows definitions only, so
 * that functions without a name are found by parsing, and named by their place.
 */
import { languageByName } from "../language/languages.ts";
import type { SyntaxNode } from "../syntax/tree_sitter.ts";
import { loadQuery, parseWithGrammar } from "../syntax/tree_sitter.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { formatCount } from "../base/text/plain_text.ts";
import { isCallable } from "../language/kinds.ts";
import { makeProblem } from "../base/problem.ts";
import { say, tool } from "../base/text/words.ts";
import type { SymbolHit } from "../index/read/view.ts";
import type {
  ExploreOptions,
  FunctionAtLineInput,
  FunctionFound,
  QuestionRefused,
} from "./explorer.ts";
import type { ExplorerOptions } from "./index_access.ts";
import {
  convertSymbolToTag,
  convertTagToDefinition,
  liesUnder,
  openIndex,
  PARTIAL_NOTICE,
} from "./index_access.ts";
import { resolveLimits } from "./scope.ts";
import type { TextFacts } from "./structure.ts";
import { analyzeText, readFacts, readFileText, refuseFile } from "./structure.ts";

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
export function buildAnonymousQuery(grammar: string): string | undefined {
  return ANONYMOUS[grammar]?.split(" ").map((type) => `(${type}) @whole`).join("\n");
}

/** The innermost of several lines that holds the line, or null. One on a single line is a part of its statement. */
export async function findAnonymousFunction(
  text: string,
  { language, line }: { readonly language: string | null; readonly line: number },
): Promise<AnonymousFunction | null> {
  const grammar = language === null ? null : languageByName(language)?.grammar ?? null;
  const query = grammar === null ? undefined : buildAnonymousQuery(grammar);
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
    name: nameByPosition(text, inner),
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
function nameByPosition(text: string, node: SyntaxNode): string {
  const { row } = node.startPosition;
  if (node.type === "class_static_block" || node.type === "static_initializer") {
    return "(static block)";
  }
  if (node.type === "anonymous_initializer") return "(init block)";
  const lineStart = text.lastIndexOf("\n", node.startIndex - 1) + 1;
  const before = text.slice(Math.max(lineStart, node.startIndex - 400), node.startIndex).trimEnd();
  const assigned = ASSIGNED.exec(before)?.[1];
  if (assigned !== undefined) return formatName(assigned);
  const open = lastOpen(before);
  const bare = open < 0 ? BARE_CALL.exec(before) : null;
  const callee = open < 0 ? bare?.[1] : CALLEE.exec(before.slice(0, open))?.[0];
  const title = open < 0 ? bare?.[3] : TITLE.exec(before.slice(open + 1))?.[2];
  if (callee === undefined) return `(function at line ${row + 1})`;
  return formatName(title === undefined ? callee : `${callee} ${JSON.stringify(title)}`);
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

function formatName(place: string): string {
  return `(function in ${place.slice(0, MAX_NAME_CHARS)})`;
}

/** Finds the function of a line. */
export async function getFunctionAtLine(
  context: ExplorerOptions,
  input: FunctionAtLineInput,
  options: ExploreOptions,
): Promise<FunctionFound | QuestionRefused> {
  const limits = await resolveLimits(context, { path: input.path }, options.signal);
  if (limits.kind === "refused") {
    return { kind: "refused", problems: limits.problems.map(withFilePath) };
  }
  const { path, isFile } = limits;
  if (!isFile) return refuse("not_a_file", `"${path}" is a folder`, "file_path");
  const access = await openIndex(context, { ...options, isAbout: liesUnder(path) });
  const text = readFileText(context.projectRoot, path);
  if (text === null || text === "too_large") return refuseFile(path, text);
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  if (lines.at(-1) === "") lines.pop();
  if (input.line > lines.length) {
    return refuse(
      "line_outside",
      `"${path}" has ${formatCount(lines.length, "line")}`,
      "line_number",
    );
  }
  const isKnown = access.kind === "ready" &&
    access.freshness.pendingFiles?.includes(path) !== true;
  const known = isKnown ? await context.index.read((view) => readFacts(view, path)) : null;
  // The lines and the index must be of one text.
  const facts = known?.lines === lines.length
    ? known
    : await analyzeText(context.index, text, { path });
  const freshness = access.kind === "ready" && facts === known ? access.freshness : "live";
  const anonymous = await findAnonymousFunction(text, {
    language: facts.language,
    line: input.line,
  });
  return buildAnswer(facts, { lines, input: { ...input, path }, freshness, anonymous });
}

function withFilePath<T extends { readonly at?: string }>(problem: T): T {
  return problem.at === "path" ? { ...problem, at: "file_path" } : problem;
}

function refuse(code: string, message: string, at: string): QuestionRefused {
  const hint = at === "file_path"
    ? say`Name one file; ${tool("analyze_structure")} shows what a folder holds.`
    : "Give a line of the file, the first is 1.";
  return { kind: "refused", problems: [makeProblem(code, message, { at, hint })] };
}

interface Frame {
  readonly lines: readonly string[];
  readonly input: FunctionAtLineInput;
  readonly freshness: FunctionFound["freshness"];
  /** The innermost function without a name that holds the line. */
  readonly anonymous: AnonymousFunction | null;
}

function buildAnswer(
  facts: TextFacts,
  { lines, input, freshness, anonymous }: Frame,
): FunctionFound {
  const { path, line, contextLines } = input;
  const holding = facts.symbols
    .filter((hit) => hit.startLine <= line && line <= hit.endLine)
    .sort((a, b) =>
      (a.endLine - a.startLine) - (b.endLine - b.startLine) || b.position - a.position
    );
  const named = holding.find(({ kind }) => isCallable(kind));
  const found = pickInner(named, anonymous, { facts, path, holding });
  const notices = facts.isPartial ? [PARTIAL_NOTICE] : [];
  const rest = {
    kind: "found",
    path,
    source: facts.source,
    freshness,
    shownFiles: [path],
    ...(notices.length === 0 ? {} : { notices }),
  } as const;
  if (found === undefined) {
    const nearest = [...holding.slice(0, 1), ...findNearest(facts.symbols, line)];
    return {
      ...rest,
      content: [],
      contextBefore: [],
      contextAfter: [],
      nearest: nearest.map((hit) => convertTagToDefinition(convertSymbolToTag(hit))),
      total: 0,
      shownSymbols: [],
    };
  }
  const { startLine, endLine } = found;
  return {
    ...rest,
    definition: { ...convertTagToDefinition(convertSymbolToTag(found)), startLine, endLine },
    content: lines.slice(startLine - 1, endLine),
    contextBefore: lines.slice(Math.max(0, startLine - 1 - contextLines), startLine - 1),
    contextAfter: lines.slice(endLine, endLine + contextLines),
    nearest: [],
    total: 1,
    shownSymbols: [found.name],
  };
}

/** The one without a name, as a definition, where it lies inside the named one and is not its very body. */
function pickInner(
  named: SymbolHit | undefined,
  anonymous: AnonymousFunction | null,
  { facts, path, holding }: {
    readonly facts: TextFacts;
    readonly path: string;
    readonly holding: readonly SymbolHit[];
  },
): SymbolHit | undefined {
  if (anonymous === null) return named;
  const { name, column, startLine, endLine } = anonymous;
  // `const f = () => {…}` is one function: the name stands before it on its line.
  const isNamed = facts.symbols.some((hit) =>
    isCallable(hit.kind) && hit.line === startLine && hit.column < column &&
    hit.endLine === endLine
  );
  const isOutside = named !== undefined && named.startLine >= startLine &&
    named.endLine <= endLine;
  if (isNamed || isOutside) return named;
  const holder = holding.find((hit) => hit.startLine <= startLine && endLine <= hit.endLine);
  return {
    name,
    kind: "function",
    path,
    language: facts.language,
    line: startLine,
    column,
    startLine,
    endLine,
    parent: holder?.position ?? null,
    position: -1,
    qualifiedName: holder === undefined ? name : `${holder.qualifiedName}.${name}`,
  };
}

/** The function before the line and the one after it. */
function findNearest(symbols: readonly SymbolHit[], line: number): readonly SymbolHit[] {
  const all = symbols.filter(({ kind }) => isCallable(kind));
  const before = all.findLast(({ endLine }) => endLine < line);
  const after = all.find(({ startLine }) => startLine > line);
  return [before, after].filter((hit) => hit !== undefined);
}
