/**
 * Whether a document was made from a text. The format has no hash of the content, so the text itself has to answer: each
 * place must be a word that can name its symbol. Pure.
 */
import type { ColumnUnit, ScipDocument } from "./decode.ts";
import { ROW_NUMBERS } from "./decode.ts";
import type { Descriptors } from "../../resolve/proven_places.ts";

const encoder = new TextEncoder();
const ASCII = /^[\0-\x7f]*$/;

/** Where a column lies in a line, in units of UTF-16 as texts have them here; null where no character begins there. */
export type ToColumn = (column: number) => number | null;

/**
 * Makes the columns of one line; the line is read once, however many columns are asked for.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { createColumns } from "./fit.ts";
 * const toColumn = createColumns("😀 run()", "utf8");
 * equal(toColumn(5), 3);
 * equal(toColumn(2), null);
 * ```
 */
export function createColumns(line: string, unit: ColumnUnit): ToColumn {
  if (unit === "utf16" || unit === "unknown" || ASCII.test(line)) {
    return (column) => column <= line.length ? column : null;
  }
  const known = new Map<number, number>();
  let counted = 0;
  let at = 0;
  for (const character of line) {
    known.set(counted, at);
    counted += unit === "utf32" ? 1 : encoder.encode(character).length;
    at += character.length;
  }
  known.set(counted, at);
  return (column) => known.get(column) ?? null;
}

/** A place of a document within the text. */
export interface FittedPlace {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in units of UTF-16. */
  readonly column: number;
  /** The word that stands there; empty for a place without extent. */
  readonly word: string;
  /** As in the rows of the document. */
  readonly symbol: number;
  readonly roles: number;
}

/** The name of a symbol and a word that stands for it, as a text. */
export type OtherName = `${string} ${string}`;

/** A document that the text may have been made into. */
export interface Fitted {
  /** In order. */
  readonly places: readonly FittedPlace[];
  /** Other names that the document gives: `import { a as b }`, `export { a as b }`. */
  readonly given: ReadonlySet<OtherName>;
  /** Other names that it uses and does not give: it fits only where another document gives them. */
  readonly used: ReadonlySet<OtherName>;
}

/** The way to a symbol by its number; null where its text is no symbol. */
export type Describe = (symbol: number) => Descriptors | null;

/** Units that are tried where the indexer does not say how it counts: most that are silent run on JavaScript. */
const TRIED: readonly ColumnUnit[] = ["utf16", "utf8", "utf32"];
/** Longer texts name nothing. */
const MAX_WORD_CHARS = 1_000;
const WORD = /^[#@$~]?[\p{L}\p{N}\p{M}_$]+[?!]?$/u;
const WORD_SIGN = /[\p{L}\p{N}\p{M}_]/u;
/** Some indexers mark the whole of `a as b`. */
const RENAMED = /^([\p{L}\p{N}_.]+) as ([\p{L}\p{N}_]+)$/u;
/** What stands at the definition of a constructor. */
const MAKER_WORD = /^(?:constructor|init|__init__|__construct|initialize|new)$/;
const QUOTED = /^(["'`])(.*)\1$/su;

/** The places of a document in a text; null where the document was made from another one. */
export function fitDocument(
  document: ScipDocument,
  text: string,
  describe: Describe,
): Fitted | null {
  const lines = text.split(/\r\n|\n|\r/);
  const units = document.unit === "unknown" ? TRIED : [document.unit];
  for (const unit of units) {
    const places = readPlaces({ ...document, unit }, lines);
    const names = places === null ? null : readNames(places, describe);
    if (places !== null && names !== null) return { places, ...names };
  }
  return null;
}

/** The words of all places; null where one is no whole word. */
function readPlaces({ rows, unit }: ScipDocument, lines: readonly string[]): FittedPlace[] | null {
  const places: FittedPlace[] = [];
  let last = -1;
  let toColumn: ToColumn = () => null;
  for (let at = 0; at < rows.length; at += ROW_NUMBERS) {
    const [row = -1, from = 0, to = 0, symbol = 0, roles = 0] = rows.subarray(at, at + ROW_NUMBERS);
    const line = lines[row];
    if (line === undefined) return null;
    if (row !== last) toColumn = createColumns(line, unit);
    last = row;
    const start = toColumn(from);
    const end = toColumn(to);
    if (start === null || end === null || end - start > MAX_WORD_CHARS) return null;
    const word = line.slice(start, end);
    if (word !== "" && !isWhole(line, start, end)) return null;
    places.push({ line: row + 1, column: start + 1, word, symbol, roles });
  }
  return places;
}

/** Whether neither end of a range cuts a word. */
function isWhole(line: string, start: number, end: number): boolean {
  const cuts = (at: number) => isSign(line[at - 1]) && isSign(line[at]);
  return !cuts(start) && !cuts(end);
}

function isSign(character: string | undefined): boolean {
  return character !== undefined && WORD_SIGN.test(character);
}

/** The other names of symbols in a document; null where a word can be no name at all. */
function readNames(
  places: readonly FittedPlace[],
  describe: Describe,
): Pick<Fitted, "given" | "used"> | null {
  const locals = new Map<number, string>();
  const named = new Set<string>();
  const others: (FittedPlace & { readonly name: string })[] = [];
  const given = new Set<OtherName>();
  for (const place of places) {
    const { line, symbol, word } = place;
    if (word === "") continue;
    const [, first = word, second] = RENAMED.exec(word) ?? [];
    if (symbol < 0) {
      const known = locals.get(symbol) ?? plainName(second ?? first);
      if (known !== plainName(second ?? first)) return null;
      locals.set(symbol, known);
      continue;
    }
    const way = describe(symbol);
    if (way === null) return null;
    if (!canName(first, way)) others.push({ ...place, name: nameOfSymbol(way) });
    else {
      named.add(`${line} ${symbol}`);
      if (second !== undefined) given.add(`${nameOfSymbol(way)} ${second}`);
    }
  }
  // `import { a as b }` has both words on one line, for the same symbol.
  for (const { line, symbol, name, word } of others) {
    if (!WORD.test(word)) return null;
    if (named.has(`${line} ${symbol}`)) given.add(`${name} ${word}`);
  }
  const used = others.map(({ name, word }): OtherName => `${name} ${word}`);
  return { given, used: new Set(used.filter((name) => !given.has(name))) };
}

/** Whether a word can stand for the symbol at the end of a way. */
export function canName(word: string, way: Descriptors): boolean {
  const last = way[way.length - 1] ?? way[0];
  const quoted = QUOTED.exec(word);
  if (last.kind === "namespace" || isModule(last.name)) {
    // What a package is called where it is used is for the code to say; a path names its last part.
    return quoted === null || namesModule(quoted[2] ?? "", way);
  }
  const name = nameOfSymbol(way);
  const plain = plainName(word);
  if (isMaker(last.name) && MAKER_WORD.test(plain)) return true;
  // `status0:` is the first `status` of a file: its number tells it from others.
  if (plain === name) return true;
  return last.kind === "meta" && name.startsWith(plain) && /^\d+$/.test(name.slice(plain.length));
}

/** Symbols that indexers make for a module as a whole, or for a type that has no name. */
function isModule(name: string): boolean {
  return /^(?:__init__|typeLiteral\d+)$/.test(name);
}

/** The name that stands for a symbol in a text: a constructor is called by the name of its type. */
function nameOfSymbol(way: Descriptors): string {
  const last = way[way.length - 1] ?? way[0];
  const named = isMaker(last.name) ? way[way.length - 2] ?? last : last;
  return plainName(named.name);
}

function isMaker(name: string): boolean {
  return /^(?:<(?:constructor|init|clinit)>|constructor|init|__init__|__construct|initialize|new)$/
    .test(name);
}

/** Without quotes, signs, and what tells a getter from a setter. */
function plainName(name: string): string {
  const bare = name.replace(/^<(?:get|set)>/, "");
  const meta = /^(["'`])(.*)\1(\d*)$/su.exec(bare);
  const inner = meta === null ? bare : `${meta[2]}${meta[3]}`;
  return inner.replace(/^[#@$~]/, "");
}

function namesModule(literal: string, way: Descriptors): boolean {
  const part = literal.split("/").filter((one) => !/^\.{0,2}$/.test(one)).at(-1);
  if (part === undefined) return true;
  const stem = part.replace(/\.[cm]?[jt]sx?$/, "");
  return way.some(({ name }) => name.includes(stem));
}
