/**
 * The grammar of symbol names in a SCIP index: `<scheme> <manager> <package> <version> <descriptors>`, or `local <id>`
 * for what only one document knows. Pure; the facts are those of the comment on `Symbol` in `scip.proto`.
 */
import type { Descriptor, DescriptorKind, Descriptors } from "../../resolve/proven_places.ts";

const LOCAL = "local ";
/** Scheme, manager, name and version of the package stand before the descriptors, each with a space behind it. */
const HEADER_PARTS = 4;
/** Deeper ways are refused: no language nests like that. */
const MAX_DESCRIPTORS = 256;

const SUFFIXES: ReadonlyMap<string, DescriptorKind> = new Map([
  ["/", "namespace"],
  ["#", "type"],
  [".", "term"],
  [":", "meta"],
  ["!", "macro"],
]);
const SIMPLE = /[\p{L}\p{N}_+$-]+/uy;

/** Whether only one document knows the symbol. */
export function isLocalSymbol(symbol: string): boolean {
  return symbol.startsWith(LOCAL);
}

/**
 * The way to a symbol; null where the text is no symbol of the grammar, or a local one.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { parseDescriptors } from "./scip_symbol.ts";
 * deepEqual(parseDescriptors("scip-go gomod a.b/c v1 `a.b/c`/Server#Run()."), [
 *   { name: "a.b/c", kind: "namespace" },
 *   { name: "Server", kind: "type" },
 *   { name: "Run", kind: "method" },
 * ]);
 * ```
 */
export function parseDescriptors(symbol: string): Descriptors | null {
  if (isLocalSymbol(symbol)) return null;
  let at = 0;
  for (let part = 0; part < HEADER_PARTS; part++) {
    at = skipHeaderPart(symbol, at);
    if (at === -1) return null;
  }
  const found: Descriptor[] = [];
  while (at < symbol.length && found.length < MAX_DESCRIPTORS) {
    const next = readDescriptor(symbol, at);
    if (next === null) return null;
    found.push(next.descriptor);
    at = next.end;
  }
  const [first, ...rest] = found;
  return first === undefined || at < symbol.length ? null : [first, ...rest];
}

/** Where the part behind the next single space begins; a space within a part is written twice. */
function skipHeaderPart(symbol: string, from: number): number {
  let at = symbol.indexOf(" ", from);
  while (at !== -1 && symbol[at + 1] === " ") at = symbol.indexOf(" ", at + 2);
  return at === -1 ? -1 : at + 1;
}

interface ReadDescriptor {
  readonly descriptor: Descriptor;
  readonly end: number;
}

function readDescriptor(symbol: string, at: number): ReadDescriptor | null {
  const opening = symbol[at];
  if (opening === "[" || opening === "(") {
    const name = readName(symbol, at + 1);
    if (name === null || symbol[name.end] !== (opening === "[" ? "]" : ")")) return null;
    const kind = opening === "[" ? "type_parameter" : "parameter";
    return { descriptor: { name: name.text, kind }, end: name.end + 1 };
  }
  const name = readName(symbol, at);
  if (name === null) return null;
  const suffix = symbol[name.end] ?? "";
  const kind = SUFFIXES.get(suffix);
  if (kind !== undefined) return { descriptor: { name: name.text, kind }, end: name.end + 1 };
  if (suffix !== "(") return null;
  // A method has a mark between its brackets that tells overloads apart: `run(+1).`.
  const end = symbol.indexOf(").", name.end);
  return end === -1 ? null : { descriptor: { name: name.text, kind: "method" }, end: end + 2 };
}

interface ReadName {
  readonly text: string;
  readonly end: number;
}

/** A name as it is, or between backticks, where a backtick of its own is written twice. */
function readName(symbol: string, at: number): ReadName | null {
  if (symbol[at] !== "`") {
    SIMPLE.lastIndex = at;
    const text = SIMPLE.exec(symbol)?.[0];
    return text === undefined ? null : { text, end: at + text.length };
  }
  let end = symbol.indexOf("`", at + 1);
  while (end !== -1 && symbol[end + 1] === "`") end = symbol.indexOf("`", end + 2);
  if (end === -1) return null;
  return { text: symbol.slice(at + 1, end).replaceAll("``", "`"), end: end + 1 };
}
