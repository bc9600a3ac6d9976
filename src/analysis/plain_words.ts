/**
 * Names in code that the tree does not part: bodies of macros, and what a repair blanked out. By the
 * lexical rules that the languages of the C family share. Pure.
 */
import type { RawMark } from "./trees/raw_tags.ts";

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
export function readPlainWords(code: string, begin: Begin): RawMark[] {
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
  return readPlainWords(blanked, { start: 0, row: 0, column: 0 });
}
