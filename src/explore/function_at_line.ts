/** Answers `getFunctionAtLine`: the innermost function that holds a line, with its text. */
import { toCountText } from "../base/text/plain_text.ts";
import { isCallable } from "../language/kinds.ts";
import { toProblem } from "../base/problem.ts";
import { say, tool } from "../base/text/words.ts";
import type { SymbolHit } from "../index/read/view.ts";
import type { AnonymousFunction } from "./anonymous_function.ts";
import { findAnonymousFunction } from "./anonymous_function.ts";
import type { ExploreOptions, ExploreRefused } from "./explorer.ts";
import type { ExplorerOptions } from "./index_access.ts";
import { liesUnder, openIndex, toDefinition, toTag } from "./index_access.ts";
import { PARTIAL_NOTICE } from "./line_notices.ts";
import { resolveLimits } from "./scope.ts";
import { refuseFile } from "./structure.ts";
import type { FunctionAtLineInput, FunctionFound } from "./structure_types.ts";
import type { TextFacts } from "./names/text_facts.ts";
import { analyseNow, readFacts, readTextNow } from "./names/text_facts.ts";

/** Finds the function of a line. */
export async function getFunctionAtLine(
  context: ExplorerOptions,
  input: FunctionAtLineInput,
  options: ExploreOptions,
): Promise<FunctionFound | ExploreRefused> {
  const limits = await resolveLimits(context, { path: input.path }, options.signal);
  if (limits.kind === "refused") return { kind: "refused", problems: limits.problems.map(toPath) };
  const { path, isFile } = limits;
  if (!isFile) return refuse("not_a_file", `"${path}" is a folder`, "file_path");
  const access = await openIndex(context, { ...options, isAbout: liesUnder(path) });
  const text = readTextNow(context.projectRoot, path);
  if (text === null || text === "too_large") return refuseFile(path, text);
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  if (lines.at(-1) === "") lines.pop();
  if (input.line > lines.length) {
    return refuse(
      "line_outside",
      `"${path}" has ${toCountText(lines.length, "line")}`,
      "line_number",
    );
  }
  const isKnown = access.kind === "ready" &&
    access.freshness.pendingFiles?.includes(path) !== true;
  const known = isKnown ? await context.index.read((view) => readFacts(view, path)) : null;
  // The lines and the index must be of one text.
  const facts = known?.lines === lines.length
    ? known
    : await analyseNow(context.index, text, { path });
  const freshness = access.kind === "ready" && facts === known ? access.freshness : "live";
  const anonymous = await findAnonymousFunction(text, {
    language: facts.language,
    line: input.line,
  });
  return toAnswer(facts, { lines, input: { ...input, path }, freshness, anonymous });
}

function toPath<T extends { readonly at?: string }>(problem: T): T {
  return problem.at === "path" ? { ...problem, at: "file_path" } : problem;
}

function refuse(code: string, message: string, at: string): ExploreRefused {
  const hint = at === "file_path"
    ? say`Name one file; ${tool("analyze_structure")} shows what a folder holds.`
    : "Give a line of the file, the first is 1.";
  return { kind: "refused", problems: [toProblem(code, message, { at, hint })] };
}

interface Frame {
  readonly lines: readonly string[];
  readonly input: FunctionAtLineInput;
  readonly freshness: FunctionFound["freshness"];
  /** The innermost function without a name that holds the line. */
  readonly anonymous: AnonymousFunction | null;
}

function toAnswer(facts: TextFacts, { lines, input, freshness, anonymous }: Frame): FunctionFound {
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
      nearest: nearest.map((hit) => toDefinition(toTag(hit))),
      total: 0,
      shownSymbols: [],
    };
  }
  const { startLine, endLine } = found;
  return {
    ...rest,
    definition: { ...toDefinition(toTag(found)), startLine, endLine },
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
