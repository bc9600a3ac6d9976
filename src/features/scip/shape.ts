/**
 * What a place, and what a definition, depends on: where a type has changed, code that uses it may lead elsewhere without a
 * changed byte of its own. A place depends on all that is named in the function round it, a definition on all that is
 * named in it; of a type, what its members name is theirs, and of a function that says its result only the head counts. Pure.
 */
import { getOrInsert } from "../../base/once.ts";
import type { FittedPlace } from "./fit.ts";
import { ROLE_DEFINITION } from "./decode.ts";

/** A definition that is known of the text without the index. Lines and columns are 1-based. */
export interface Span {
  readonly line: number;
  readonly column: number;
  readonly startLine: number;
  readonly endLine: number;
  /** Whether it holds members of their own: a class, an interface, a namespace. */
  readonly isType: boolean;
  /** Whether it only says what the file belongs to: the package at its head, which not every indexer marks. */
  readonly isSpace?: boolean;
  /** Last line of what decides its type, where the language has every function say its result. */
  readonly headEndLine?: number;
}

/** The dependences of one document. */
export interface Shape {
  /** For each symbol that it defines, the symbols that the definition names. */
  readonly needs: ReadonlyMap<number, ReadonlySet<number>>;
  /** For each line the symbols that its places depend on. */
  needsAt(line: number): ReadonlySet<number>;
}

/** Reads the shape of a document; its places are in order. */
export function readShape(places: readonly FittedPlace[], spans: readonly Span[]): Shape {
  const byLine = Map.groupBy(places.filter(({ symbol }) => symbol >= 0), ({ line }) => line);
  const holders = findHolders(spans);
  const named = new Map<Span, ReadonlySet<number>>();
  const namesOf = (span: Span) =>
    getOrInsert(named, span, () => readNames(span, { byLine, holders }));
  const headOf = (span: Span) => {
    const { headEndLine } = span;
    return headEndLine === undefined
      ? namesOf(span)
      : readNames({ ...span, endLine: headEndLine }, { byLine, holders });
  };
  const byName = new Map(spans.map((span) => [`${span.line}:${span.column}`, span]));
  const needs = new Map<number, Set<number>>();
  for (const { symbol, roles, line, column } of places) {
    if (symbol < 0 || (roles & ROLE_DEFINITION) === 0) continue;
    const span = byName.get(`${line}:${column}`) ?? holders.get(line)?.at(-1);
    const own = getOrInsert(needs, symbol, () => new Set());
    for (const other of span === undefined ? namesOn(byLine, line) : headOf(span)) own.add(other);
  }
  return {
    needs,
    needsAt: (line) => {
      const outermost = holders.get(line)?.find(({ isType }) => !isType);
      return outermost === undefined ? namesOn(byLine, line) : namesOf(outermost);
    },
  };
}

interface NamesOptions {
  readonly byLine: ReadonlyMap<number, readonly FittedPlace[]>;
  readonly holders: ReadonlyMap<number, readonly Span[]>;
}

function readNames(span: Span, { byLine, holders }: NamesOptions): ReadonlySet<number> {
  const found = new Set<number>();
  for (let line = span.startLine; line <= span.endLine; line++) {
    if (span.isType && holders.get(line)?.at(-1) !== span && line !== span.line) continue;
    for (const symbol of namesOn(byLine, line)) found.add(symbol);
  }
  return found;
}

function namesOn(byLine: NamesOptions["byLine"], line: number): ReadonlySet<number> {
  return new Set((byLine.get(line) ?? []).map(({ symbol }) => symbol));
}

/** For each line the definitions round it, outermost first. */
function findHolders(spans: readonly Span[]): ReadonlyMap<number, readonly Span[]> {
  const found = new Map<number, Span[]>();
  const sorted = spans.toSorted((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  for (const span of sorted) {
    for (let line = span.startLine; line <= span.endLine; line++) {
      getOrInsert(found, line, () => []).push(span);
    }
  }
  return found;
}
