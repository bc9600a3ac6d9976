/** Makes the facts about types of what the patterns found: short forms of values, and where each name holds. Pure. */
import type { TypeFact } from "../analysis.ts";
import { IN_BLOCK, isMember } from "../../language/kinds.ts";
import { packPosition } from "../../base/text/position.ts";
import { createBlockFinder } from "./bindings.ts";
import type { SelfName } from "../occurrences.ts";
import { createSelfTest } from "../occurrences.ts";
import type { Spelling } from "./expression_text.ts";
import { findExpressionStart, shortenExpression } from "./expression_text.ts";
import { writePythonType } from "./python_type_text.ts";
import type { RawTags, RawTyped } from "./raw_tags.ts";

const MAX_TYPE_CHARS = 400;
/** What names alone are joined to may be longer. */
const MAX_UNION_CHARS = 4_000;
const UNION = /^[\w$.|\s]+$/;
const MAX_RESULT_CHARS = 300;
/** Most characters of expressions that are read of a text (guessed): expressions may hold one another. */
const MAX_READ_CHARS = 4_000_000;
/** What a search for the beginning of an expression costs that finds none. */
const MAX_LOST_CHARS = 2_000;
/** Kinds of facts about variables. */
const HIDING: ReadonlySet<string> = new Set([
  "type",
  "value",
  "each",
  "context",
  "attribute",
  "returned",
  "injected",
]);
/** Kinds of facts that are no variables of a block. */
const APART: ReadonlySet<string> = new Set(["chain", "attribute", "returned"]);

/** What is read beside the patterns. */
export interface TypeFactsOptions {
  readonly spelling: Spelling;
  /** Places of symbols' names: they hold wherever the symbol is seen. */
  readonly nameStarts: ReadonlySet<number>;
  readonly selves: readonly SelfName[];
  /** Members of what has no plain name: place, name and the index where what stands before the dot ends. */
  readonly chained: readonly ChainedName[];
}

/** A member of something without a plain name. */
export interface ChainedName {
  readonly name: string;
  readonly start: number;
  readonly line: number;
  readonly column: number;
  readonly end: number;
}

/** The facts of a text, in the order of their places. */
export function buildTypeFacts(
  text: string,
  tags: RawTags,
  options: TypeFactsOptions,
): readonly TypeFact[] {
  const { spelling, nameStarts, selves, chained } = options;
  const members = listChained(text, chained);
  let { readChars } = members;
  const found = [...tags.typed, ...listResults(text, tags, spelling), ...members.found];
  const findBlock = createBlockFinder([...tags.locals, ...tags.blocks]);
  const held = new Map(tags.bounds.map(({ start, within }) => [start, within]));
  const isSelf = createSelfTest(selves);
  const toPlace = createPlaceFinder(text);
  const facts: TypeFact[] = [];
  const others = listUntold(text, tags, found);
  for (const raw of [...found, ...others].sort((a, b) => a.start - b.start)) {
    readChars += raw.text.length;
    const short = readChars > MAX_READ_CHARS ? null : writeFact(raw, spelling);
    // Whoever hides a name of which more is known has to be known too.
    if (short === null && !HIDING.has(raw.kind)) continue;
    const { name, start, row, column, kind } = raw;
    const [from, to] = raw.within ?? held.get(start) ?? findBlock(start, start + 1);
    const isApart = APART.has(kind);
    if (short === null && !isApart && (to === Infinity || nameStarts.has(start))) continue;
    const isOfBlock = to !== Infinity && !nameStarts.has(start) && !isApart;
    facts.push({
      name,
      line: row + 1,
      column: column + 1,
      kind,
      text: withSelf(short ?? "", kind, (word) => isSelf(word, start)),
      ...(isOfBlock ? { within: [toPlace(from), toPlace(to)] } : {}),
    });
  }
  // A function of Python is known in its whole scope, whatever block defines it.
  if (spelling !== "python") facts.push(...readInBlocks(tags, nameStarts, toPlace));
  facts.sort((a, b) => a.line - b.line || a.column - b.column);
  const isKnown = new Set(facts.filter(({ text: short }) => short !== "").map(({ name }) => name));
  return facts.filter(({ name, text: short }) =>
    short !== "" || isKnown.has(name) || name === "this"
  );
}

/** What functions answer with, as their signatures say. */
function listResults(text: string, { definitions }: RawTags, spelling: Spelling): RawTyped[] {
  return definitions.flatMap(
    ({ name, nameStart: start, row, column, result, kind }): RawTyped[] => {
      if (result === undefined || kind === "type") return [];
      const said = writeResult(text, { start, result, spelling });
      return [{ name, start, row, column, kind: "result", text: said }];
    },
  );
}

/** Members with the expression before their dot, and how many characters were read for them. */
function listChained(text: string, chained: readonly ChainedName[]) {
  const found: RawTyped[] = [];
  let readChars = 0;
  for (const { name, start, line, column, end } of chained) {
    if (readChars > MAX_READ_CHARS) break;
    const from = findExpressionStart(text, end);
    readChars += end - (from ?? end - MAX_LOST_CHARS);
    if (from === null || from >= end) continue;
    const place = { name, start, row: line - 1, column: column - 1 };
    found.push({ ...place, kind: "chain", text: text.slice(from, end) });
  }
  return { found, readChars };
}

/** Definitions that only their block knows. */
function readInBlocks(
  { definitions, locals, blocks }: RawTags,
  nameStarts: ReadonlySet<number>,
  toPlace: (index: number) => number,
): readonly TypeFact[] {
  const findBlock = createBlockFinder([...locals, ...blocks]);
  return definitions.toSorted((a, b) => a.start - b.start).flatMap((one): TypeFact[] => {
    const { name, kind, scope, nameStart, start, end, row, column } = one;
    const [from, to] = findBlock(start, end);
    const isOuter = to === Infinity || scope !== undefined || isMember(kind);
    if (isOuter || !nameStarts.has(nameStart)) return [];
    const within = [toPlace(from), toPlace(to)] as const;
    return [{ name, line: row + 1, column: column + 1, kind: "value", text: IN_BLOCK, within }];
  });
}

/** Names that are bound and of which nothing more is said. */
function listUntold(text: string, tags: RawTags, found: readonly RawTyped[]): RawTyped[] {
  const told = new Set(found.map(({ start }) => start));
  return tags.bounds.filter(({ start }) => !told.has(start)).map(({ name, start, row }) => ({
    name,
    start,
    row,
    column: start - text.lastIndexOf("\n", start - 1) - 1,
    kind: "value",
    text: "",
  }));
}

/** The result of a function as it is written; that of an asynchronous one of Python is promised. */
function writeResult(
  text: string,
  { start, result, spelling }: {
    readonly start: number;
    readonly result: readonly [number, number];
    readonly spelling: Spelling;
  },
): string {
  const written = text.slice(...result);
  if (spelling !== "python") return written;
  const isAsync = /\basync\s+def\s+$/.test(text.slice(Math.max(0, start - 40), start));
  const isPromise = isAsync && !/^["']?(?:\w+\.)*Async(?:Iter|Gen)/.test(written);
  return isPromise ? `Promise<${writePythonType(written)}>` : writePythonType(written);
}

function writeFact(
  { kind, text, part = "", isShort }: RawTyped,
  spelling: Spelling,
): string | null {
  if (isShort === true) return text === "" ? null : text;
  if (kind === "value" || kind === "each" || kind === "chain") {
    const short = shortenExpression(text, spelling);
    return short === null ? null : `${short}${kind === "each" ? "[]" : ""}${part}`;
  }
  if (kind === "context") return writeContext(text, part, spelling);
  const type = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "").replace(/^(?::|extends\b)\s*/, "")
    .replace(/\s+/g, " ").trim();
  const most = kind === "result"
    ? MAX_RESULT_CHARS
    : kind === "alias" && UNION.test(type)
    ? MAX_UNION_CHARS
    : MAX_TYPE_CHARS;
  if (type === "" || type.length > most) return null;
  return part === "" ? type : part === "..." ? `[]${type}` : `<${type}>${part}`;
}

/** `callee@argument@parameter`, `=place@parameter` or `:type@parameter`, each after `()` for each call of a result. */
function writeContext(text: string, part: string, spelling: Spelling): string | null {
  const [, calls = "", sign = "", rest = ""] = /^((?:\(\))*)([:=]?)([\s\S]*)$/.exec(text) ?? [];
  if (sign === ":") {
    const type = rest.replace(/\s+/g, " ").trim();
    return type.length > MAX_TYPE_CHARS ? null : `${calls}:${type}${part}`;
  }
  const cut = sign === "=" ? rest.length : rest.lastIndexOf("@");
  const short = shortenExpression(rest.slice(0, cut), spelling);
  return short === null ? null : `${calls}${sign}${short}${rest.slice(cut)}${part}`;
}

const OF_SELF = /^[\p{L}_$][\p{L}\p{N}_$]*/u;

function withSelf(text: string, kind: string, isSelf: (word: string) => boolean): string {
  if (kind !== "value" && kind !== "each" && kind !== "chain") return text;
  const word = OF_SELF.exec(text)?.[0];
  return word !== undefined && isSelf(word) ? `this${text.slice(word.length)}` : text;
}

/** Answers the position of an index. */
export function createPlaceFinder(text: string): (index: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (index) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return packPosition(low + 1, index - (starts[low] ?? 0) + 1);
  };
}
