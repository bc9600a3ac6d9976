/**
 * Makes symbols of raw definitions: what holds what, which variables are local, doc, signature and
 * visibility. Pure.
 */
import { holdsMethods, isCallable, isField, isVariable } from "../language/kinds.ts";
import type { CodeSymbol } from "./analysis.ts";
import type { LanguageQuery } from "./queries/language_query.ts";
import type { RawDefinition, RawTags } from "./trees/raw_tags.ts";

/** The first sentence of a comment or doc string, without the signs that make it one. Pure. */

const MAX_CHARS = 200;

/** First sentence of comment lines or of a doc string; empty where there is none. */
export function readDocSentence(text: string): string {
  // A doc comment longer than this has its first sentence before.
  const lines = text.slice(0, 4_000).split(/\r?\n/).map(cleanLine);
  const words: string[] = [];
  for (const line of lines) {
    if (line === "" || /^[@\\:](?:\w+)/.test(line) || /^[-=*#~_/]+$/.test(line)) {
      if (words.length > 0) break;
      continue;
    }
    words.push(line);
    if (/[.!?。！？]$/.test(line)) break;
  }
  const plain = words.join(" ").replace(/<\/?\w+>/g, "").replace(/\s+/g, " ").trim();
  const end = /[.!?](?=\s+[\p{Lu}<{`"'(])|[。！？]/u.exec(plain);
  const sentence = end === null ? plain : plain.slice(0, end.index + 1);
  return sentence.length > MAX_CHARS ? `${sentence.slice(0, MAX_CHARS - 1)}…` : sentence;
}

function cleanLine(line: string): string {
  return line
    .trim()
    .replace(
      /^(?:[rRbBuUfF]{0,2}(?:"""|'''|["'])|\/\*+!?|\/{2,}!?|<!--|\{-+\s*\|?|--+\s*[|^]?|#+!?|%+|;+)/,
      "",
    )
    .replace(/(?:"""|'''|["']|\*+\/|-->|-+\})$/, "")
    .replace(/^\s*\*+(?!\*)/, "")
    .replace(/^<summary>|<\/summary>$/g, "")
    .trim();
}

const MAX_SIGNATURE_CHARS = 200;

/** Symbols, and the name places of what turned out to be local. */
export interface BuiltSymbols {
  /** In the order of their places. */
  readonly symbols: readonly CodeSymbol[];
  /** Indices in the text of the symbols' names. */
  readonly nameStarts: ReadonlySet<number>;
  /** Indices in the text of local names. */
  readonly localStarts: ReadonlySet<number>;
}

interface Open {
  readonly start: number;
  readonly end: number;
  /** Position of the symbol; null for a place where variables are local. */
  readonly index: number | null;
  readonly kind: string;
  readonly nameStart: number;
}

/** The symbols of a text whose lines are `lines`. */
export function buildSymbols(
  text: string,
  lines: readonly string[],
  tags: RawTags,
  query: LanguageQuery,
): BuiltSymbols {
  const symbols: CodeSymbol[] = [];
  const nameStarts = new Set<number>();
  const localStarts = new Set<number>();
  const byName = new Map<string, number>();
  const open: Open[] = [];
  const definitions = tags.definitions.filter(isNamed).sort(byPlace);
  if (query.joinsClauses === true) joinClauses(definitions);
  const locals = [...tags.locals].sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  let local = 0;
  for (const raw of definitions) {
    for (; local < locals.length; local++) {
      const [start, end] = locals[local] ?? [0, 0];
      if (start > raw.start || start === raw.start && end < raw.end) break;
      close(open, start, end);
      open.push({ start, end, index: null, kind: "", nameStart: start });
    }
    close(open, raw.start, raw.end);
    const around = open.at(-1);
    if (around?.index === null && canBeLocal(raw.kind) && raw.scope === undefined) {
      localStarts.add(raw.nameStart);
      continue;
    }
    const parent = holderOf(open, raw, byName);
    const holder = parent === null ? undefined : symbols[parent];
    const kind = choosePlainKind(raw, holder);
    const index = symbols.length;
    symbols.push(buildSymbol(raw, { text, lines, tags, query, kind, parent, holder }));
    // An element is a symbol where it stands, but what it names is defined elsewhere.
    if (kind !== "element") nameStarts.add(raw.nameStart);
    const known = byName.get(raw.name);
    const isKnownType = known !== undefined && holdsMethods(symbols[known]?.kind ?? "");
    // A constructor of C++ outside of its class bears the name of the class, and holds nothing.
    const isMade = raw.scope !== undefined && lastOf(raw.scope) === raw.name;
    const isFirst = known === undefined && !isMade;
    if (isFirst || holdsMethods(kind) && !isKnownType) byName.set(raw.name, index);
    open.push({ start: raw.start, end: raw.end, index, kind, nameStart: raw.nameStart });
  }
  return { symbols, nameStarts, localStarts };
}

/** Whether a definition of the kind is local in a function. */
function canBeLocal(kind: string): boolean {
  return isVariable(kind) || kind === "prototype";
}

/** Whether a type may be written in a definition of the kind, before its name. */
function canHoldType(kind: string): boolean {
  return canBeLocal(kind) || isField(kind) || kind === "typedef" || kind === "function";
}

/** A blank (`_`) names nothing. */
function isNamed({ name }: RawDefinition): boolean {
  return name !== "" && name !== "_";
}

function byPlace(a: RawDefinition, b: RawDefinition): number {
  return a.start - b.start || b.end - a.end || a.nameStart - b.nameStart;
}

/** Makes one of neighbours with the same name; a later one without a kind of its own is taken out. */
function joinClauses(definitions: RawDefinition[]): void {
  let kept = 0;
  for (const raw of definitions) {
    const last = definitions[kept - 1];
    const isClause = last !== undefined && last.name === raw.name && last.kind === raw.kind &&
      raw.start >= last.end;
    if (!isClause) {
      definitions[kept++] = raw;
      continue;
    }
    last.end = raw.end;
    last.endRow = raw.endRow;
  }
  definitions.length = kept;
}

/** Leaves open what holds a range; of two equal ranges none holds the other. */
function close(open: Open[], start: number, end: number): void {
  for (;;) {
    const top = open.at(-1);
    if (top === undefined) return;
    const isEqual = top.index !== null && top.start === start && top.end === end;
    if (top.end >= end && top.end > start && !isEqual) return;
    open.pop();
  }
}

/** The last name of a scope. */
function lastOf(scope: string): string {
  return scope.split(/\.|::|\\|:/).at(-1) ?? "";
}

function holderOf(
  open: readonly Open[],
  raw: RawDefinition,
  byName: ReadonlyMap<string, number>,
): number | null {
  if (raw.scope !== undefined && raw.scope !== "this") {
    const named = byName.get(lastOf(raw.scope));
    if (named !== undefined) return named;
  }
  const isMember = isField(raw.kind);
  const isOfType = holdsMethods(raw.kind);
  for (let at = open.length - 1; at >= 0; at--) {
    const one = open[at];
    if (one === undefined || one.index === null) continue;
    // A parameter that is a property belongs to the class, not to its constructor.
    if (isMember && isCallable(one.kind)) continue;
    // A type that is written where a variable or another name for it is made: `struct Q {…} q;`.
    if (isOfType && canHoldType(one.kind) && raw.start < one.nameStart) continue;
    return one.index;
  }
  return null;
}

function choosePlainKind(raw: RawDefinition, holder: CodeSymbol | undefined): string {
  // Patterns tell these apart only for their names.
  if (raw.kind === "operator" || raw.kind === "destructor") return "method";
  const isHeld = holder !== undefined && holdsMethods(holder.kind) || raw.scope !== undefined;
  if (raw.kind === "function" && isHeld && !/^(?:module\.)?exports$/.test(raw.scope ?? "")) {
    return "method";
  }
  if (raw.kind === "variable" && isHeld && raw.scope === undefined) return "property";
  return raw.kind;
}

function buildSymbol(raw: RawDefinition, context: {
  readonly text: string;
  readonly lines: readonly string[];
  readonly tags: RawTags;
  readonly query: LanguageQuery;
  readonly kind: string;
  readonly parent: number | null;
  readonly holder: CodeSymbol | undefined;
}): CodeSymbol {
  const { text, lines, tags, query, kind, parent, holder } = context;
  const startRow = firstRowOf(raw.startRow, tags.leads, holder);
  const signature = cutSignature(text, raw);
  const doc = raw.docstring === undefined
    ? readDocSentence(lines.slice(startRow, raw.startRow).join("\n"))
    : readDocSentence(raw.docstring);
  const isScript = /^(?:module\.)?exports$/.test(raw.scope ?? "");
  const isExported = raw.isExported || isScript ||
    (parent === null && tags.exportedNames.has(raw.name)) ||
    query.isVisible?.({
      name: raw.name,
      kind,
      header: text.slice(raw.start, raw.nameStart),
      parentKind: holder?.kind ?? (raw.scope === undefined ? "" : "scope"),
    });
  const scope = raw.scope === "this" || isScript ? undefined : raw.scope;
  return {
    name: raw.name,
    kind,
    line: raw.row + 1,
    column: raw.column + 1,
    startLine: startRow + 1,
    endLine: raw.endRow + 1,
    parent,
    ...(scope === undefined ? {} : { scope }),
    ...(signature === "" ? {} : { signature }),
    ...(doc === "" ? {} : { doc }),
    ...(isExported === undefined ? {} : { isExported }),
    ...(raw.bases.size === 0 ? {} : { bases: [...raw.bases] }),
  };
}

/** The row where the comments and attributes right above a definition begin. */
function firstRowOf(
  row: number,
  leads: ReadonlyMap<number, number>,
  holder: CodeSymbol | undefined,
): number {
  let first = row;
  const above = holder === undefined ? 0 : holder.line;
  for (;;) {
    const next = leads.get(first - 1);
    if (next === undefined || next < Math.min(above, row)) return first;
    first = next;
  }
}

function cutSignature(text: string, { params, result }: RawDefinition): string {
  if (params === undefined) return "";
  const isAfter = result !== undefined && result[0] >= params[1];
  const whole = isAfter ? text.slice(params[0], result[1]) : text.slice(params[0], params[1]);
  const before = result === undefined || isAfter ? "" : `: ${text.slice(result[0], result[1])}`;
  // Bounded first: white space is folded over what can be shown.
  const line = `${whole.slice(0, 2_000)}${before}`.replace(/\s+/g, " ").trim();
  return line.length > MAX_SIGNATURE_CHARS ? `${line.slice(0, MAX_SIGNATURE_CHARS - 1)}…` : line;
}
