/** What the patterns of a grammar find in one tree, as plain records: places are indices and 0-based rows. Pure types. */
import type { ImportEntry, Occurrence, TypeFactKind } from "../analysis.ts";

/** Comments, strings, characters, numbers and directives are passed over; what is left is names. */
const TOKEN =
  /\/\/.*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\.[^'\n]*|[^'\\\n])'|\b\d[\w.']*|^[ \t]*#[ \t]*\w+|(?<word>[\p{L}_][\p{L}\p{N}_]*)(?<call>[ \t]*\()?/gmu;
const KEYWORDS: ReadonlySet<string> = new Set(
  ("alignof auto bool break case catch char class const constexpr continue default defined delete do double else enum " +
    "explicit extern false float for friend goto if inline int long mutable namespace new noexcept nullptr operator " +
    "override private protected public register return short signed sizeof static struct switch template this throw " +
    "true try typedef typename union unsigned using virtual void volatile while decltype static_assert static_cast " +
    "const_cast reinterpret_cast dynamic_cast abstract as async await base byte decimal event foreach get in " +
    "interface internal is lock null object out params readonly ref sealed set string uint ulong ushort var where")
    .split(" "),
);

/** Where a stretch of code begins. */
export interface Begin {
  /** Index in the whole text. */
  readonly start: number;
  /** 0-based. */
  readonly row: number;
  /** 0-based, in UTF-16 units. */
  readonly column: number;
}

/** The names in a stretch of code, in the order of their places. */
export function readWordsWithoutTree(code: string, begin: Begin): RawMark[] {
  const marks: RawMark[] = [];
  let row = begin.row;
  let lineStart = -begin.column;
  let seen = 0;
  for (const { index, groups } of code.matchAll(TOKEN)) {
    const name = groups?.["word"];
    if (name === undefined || KEYWORDS.has(name)) continue;
    for (let end = code.indexOf("\n", seen); end >= 0 && end < index;) {
      row++;
      lineStart = end + 1;
      end = code.indexOf("\n", lineStart);
    }
    seen = Math.max(lineStart, 0);
    marks.push({
      start: begin.start + index,
      row,
      column: index - lineStart,
      name,
      kind: groups?.["call"] === undefined ? "read" : "call",
    });
  }
  return marks;
}

/** The names in what `repaired` blanks out of `text`; both have the same length. */
export function readBlankedWords(text: string, repaired: string): RawMark[] {
  // What was left is taken out, line ends excepted, so that only what was blanked is read.
  const blanked = text.replace(/\S/g, (char, at: number) => repaired[at] === char ? " " : char);
  return readWordsWithoutTree(blanked, { start: 0, row: 0, column: 0 });
}

/** A definition as the patterns tell it. */
export interface RawDefinition {
  readonly name: string;
  kind: string;
  readonly nameStart: number;
  readonly row: number;
  readonly column: number;
  start: number;
  end: number;
  startRow: number;
  endRow: number;
  /** Pattern that gave the kind; the last one counts. */
  pattern: number;
  isExported: boolean;
  readonly bases: Set<string>;
  scope?: string;
  self?: string;
  params?: readonly [start: number, end: number];
  result?: readonly [start: number, end: number];
  docstring?: string;
}

/** A place that names something. */
export interface RawMark {
  readonly start: number;
  readonly row: number;
  readonly column: number;
  readonly name: string;
  readonly kind: Occurrence["kind"];
}

/** A place that binds a name: a parameter, a loop's or a `catch`'s variable. */
export interface RawBound {
  readonly start: number;
  readonly name: string;
  readonly row: number;
  /** Where it holds; absent: in the innermost block round it. */
  readonly within?: readonly [start: number, end: number];
}

/** What a text says of the type of a name; `text` is as it is written, and may have several names. */
export interface RawTyped {
  readonly name: string;
  readonly start: number;
  readonly row: number;
  readonly column: number;
  readonly kind: TypeFactKind;
  readonly text: string;
  /** What is taken out of the value: a member, or the number of a result. */
  readonly part?: string;
  /** The text is the short form already, empty where there is none. */
  readonly isShort?: boolean;
  /** Where it holds; absent: in the innermost block round it. */
  readonly within?: readonly [start: number, end: number];
}

/** A range in which `this` is an object without a name. */
export interface RawObject {
  readonly start: number;
  readonly end: number;
  /** The type that it extends, or `=` and the value that it is; `?` where nothing says it, empty where it may be anything. */
  readonly of: string;
}

/** Text of another language inside. */
export interface RawEmbed {
  readonly kind: "script" | "style" | "expression";
  /** The tag that begins it; empty for an expression. */
  readonly tag: string;
  readonly start: number;
  readonly end: number;
}

/** What the patterns found in one tree. */
export interface RawTags {
  readonly definitions: readonly RawDefinition[];
  /** In the order of their places, one a place. */
  readonly marks: readonly RawMark[];
  readonly imports: readonly ImportEntry[];
  /** Names that the content passes on apart from their definition. */
  readonly exportedNames: ReadonlySet<string>;
  /** Rows of comments and attributes that stand on their own lines: last row to first row. */
  readonly leads: ReadonlyMap<number, number>;
  /** Where variables are local, as start and end. */
  readonly locals: readonly (readonly [start: number, end: number])[];
  /** Where names hold that are bound inside, beside the bodies in `locals`: blocks, loops, lambdas. */
  readonly blocks: readonly (readonly [start: number, end: number])[];
  /** Places that bind a name. */
  readonly bounds: readonly RawBound[];
  /** What the names at these places are members of, by what patterns tell: see {@link Occurrence}. */
  readonly receivers: ReadonlyMap<number, string>;
  /** Rows of parts that are no symbols, first and last. */
  readonly units: readonly (readonly [startRow: number, endRow: number])[];
  readonly embeds: readonly RawEmbed[];
  readonly typed: readonly RawTyped[];
  readonly objects: readonly RawObject[];
  /** Methods of a type itself, by the places of their names. */
  readonly statics: readonly { readonly name: string; readonly start: number }[];
}
