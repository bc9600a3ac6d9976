/** Answers `getFunctionAtLine`: the innermost function that holds a line, with its text. */
import { toProblem } from "../base/problem.ts";
import type { SymbolHit } from "../index/mod.ts";
import { toDefinition } from "./definitions.ts";
import type { ExploreOptions, ExploreRefused } from "./explorer.ts";
import type { ExplorerOptions } from "./index_access.ts";
import { openIndex, toTag } from "./index_access.ts";
import type { TextFacts } from "./live_analysis.ts";
import { analyseNow, readTextNow } from "./live_analysis.ts";
import { resolveLimits } from "./scope.ts";
import { readFacts, refuseFile } from "./structure.ts";
import type { FunctionAtLineInput, FunctionFound } from "./structure_types.ts";

const CALLABLE = new Set(["function", "method", "constructor", "getter", "setter", "macro"]);

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
  const text = await readTextNow(context.projectRoot, path);
  if (text === null || text === "too_large") return refuseFile(path, text);
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  if (lines.at(-1) === "") lines.pop();
  if (input.line > lines.length) {
    return refuse("line_outside", `"${path}" has ${lines.length} lines`, "line_number");
  }
  const access = await openIndex(context, options);
  const isKnown = access.kind === "ready" &&
    access.freshness.pendingFiles?.includes(path) !== true;
  const known = isKnown ? await context.index.read((view) => readFacts(view, path)) : null;
  // The lines and the index must be of one text.
  const facts = known?.lines === lines.length ? known : await analyseNow(text, { path });
  const freshness = access.kind === "ready" && facts === known ? access.freshness : "live";
  return toAnswer(facts, { lines, input: { ...input, path }, freshness });
}

function toPath<T extends { readonly at?: string }>(problem: T): T {
  return problem.at === "path" ? { ...problem, at: "file_path" } : problem;
}

function refuse(code: string, message: string, at: string): ExploreRefused {
  const hint = at === "file_path"
    ? "Name one file; analyze_structure shows what a folder holds."
    : "Give a line of the file, the first is 1.";
  return { kind: "refused", problems: [toProblem(code, message, { at, hint })] };
}

interface Frame {
  readonly lines: readonly string[];
  readonly input: FunctionAtLineInput;
  readonly freshness: FunctionFound["freshness"];
}

function toAnswer(facts: TextFacts, { lines, input, freshness }: Frame): FunctionFound {
  const { path, line, contextLines } = input;
  const holding = facts.symbols
    .filter((hit) => hit.startLine <= line && line <= hit.endLine)
    .sort((a, b) =>
      (a.endLine - a.startLine) - (b.endLine - b.startLine) || b.position - a.position
    );
  const found = holding.find(({ kind }) => CALLABLE.has(kind));
  const notices = facts.isPartial ? ["The text has errors: names may be missing."] : [];
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

/** The function before the line and the one after it. */
function findNearest(symbols: readonly SymbolHit[], line: number): readonly SymbolHit[] {
  const all = symbols.filter(({ kind }) => CALLABLE.has(kind));
  const before = all.findLast(({ endLine }) => endLine < line);
  const after = all.find(({ startLine }) => startLine > line);
  return [before, after].filter((hit) => hit !== undefined);
}
