/** Says which symbols of the index the functions of a recording are. What the index does not know is dropped. Pure. */
import { isCallable } from "../../../language/kinds.ts";
import type { FunctionName } from "../../../index/seen_runs.ts";
import type { SymbolHit } from "../../../index/read/view.ts";
import type { RunRecord } from "../store/run_record.ts";
import type { RanFunction, Recording } from "./recording.ts";

/** The part of a symbol that tells whether a line is in it. */
export type SymbolRange = Pick<SymbolHit, "qualifiedName" | "kind" | "startLine" | "endLine">;

/** The part of a record that a recording gives. */
export type ResolvedRecording = Pick<RunRecord, "functions" | "tests" | "loaded" | "calls">;

/** Code of a file or a class as it is loaded: it lies in no function. */
const AT_IMPORT = /^<(?:module|class)>$/;

/**
 * The innermost function that holds a line, of several on one line the one with the name; null for none. The ranges of
 * the index begin with the decorators.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { findRanSymbol } from "./resolve_functions.ts";
 * const symbols = [
 *   { qualifiedName: "A", kind: "class", startLine: 1, endLine: 9 },
 *   { qualifiedName: "A.run", kind: "method", startLine: 2, endLine: 5 },
 *   { qualifiedName: "A.run.inner", kind: "function", startLine: 3, endLine: 4 },
 * ];
 * equal(findRanSymbol(symbols, { path: "a.py", line: 3, name: "A.run.<locals>.inner" }), "A.run.inner");
 * equal(findRanSymbol(symbols, { path: "a.py", line: 4, name: "<lambda>" }), "A.run.inner");
 * equal(findRanSymbol(symbols, { path: "a.py", line: 8, name: "" }), null);
 * ```
 */
export function findRanSymbol(
  symbols: readonly SymbolRange[],
  { line, name }: RanFunction,
): string | null {
  if (AT_IMPORT.test(name)) return null;
  const size = ({ startLine, endLine }: SymbolRange) => endLine - startLine;
  const around = symbols.filter(({ kind, startLine, endLine }) =>
    isCallable(kind) && startLine <= line && line <= endLine
  ).reverse().sort((one, other) => size(one) - size(other));
  const last = lastPart(name);
  const named = around.find((one) => last !== "" && lastPart(one.qualifiedName) === last);
  return (named ?? around[0])?.qualifiedName ?? null;
}

function lastPart(name: string): string {
  return /([\p{L}\p{N}_$#]+)\W*$/u.exec(name)?.[1] ?? "";
}

/**
 * Puts symbols in the place of the functions.
 *
 * @param listSymbols those of a file; null for one whose content is not that of the index.
 */
export function resolveRecording(
  { functions, tests, loaded, calls }: Recording,
  listSymbols: (path: string) => readonly SymbolRange[] | null,
): ResolvedRecording {
  const known = new Map<string, number>();
  const found: FunctionName[] = [];
  const symbols = new Map<string, readonly SymbolRange[] | null>();
  const positions = functions.map((one) => {
    const own = symbols.has(one.path) ? symbols.get(one.path) ?? null : listSymbols(one.path);
    symbols.set(one.path, own);
    const name = own === null ? null : findRanSymbol(own, one);
    if (name === null) return -1;
    const key = `${one.path}\n${name}`;
    const at = known.get(key) ?? found.push({ path: one.path, name }) - 1;
    known.set(key, at);
    return at;
  });
  // Millions of facts: a mark for each function is ten times as fast as a set for each test.
  const marks = new Uint32Array(found.length);
  let mark = 0;
  const toPositions = (ran: readonly number[]) => {
    mark++;
    const own: number[] = [];
    for (const one of ran) {
      const position = positions[one] ?? -1;
      if (position < 0 || marks[position] === mark) continue;
      marks[position] = mark;
      own.push(position);
    }
    return own;
  };
  return {
    functions: found,
    // What was skipped ran nothing that a run of it would not show better.
    tests: tests.filter(({ outcome }) => outcome !== "skipped").map(({ outcome: _, ...test }) => ({
      ...test,
      ran: toPositions(test.ran),
    })),
    loaded: toPositions(loaded),
    calls: calls.flatMap(([caller, callee, line]) => {
      const [from = -1, to = -1] = [positions[caller], positions[callee]];
      const isApart = from >= 0 && to >= 0 && found[from]?.path !== found[to]?.path;
      return isApart ? [[from, to, line] as const] : [];
    }),
  };
}
