/** Why a line that names something is in one list of references only: rules in order. Pure. */
import type { NamedLine } from "./compare_references.ts";
import type { DifferenceKind } from "./definition_facts.ts";

/** A line in one list only. */
export interface ReferenceDifference extends NamedLine {
  /** The name that was looked for. */
  readonly name: string;
  /** Whose list has it. */
  readonly side: "ripgrep" | "ours";
  /** The whole line. */
  readonly text: string;
  readonly language: string;
  /** Whether our tree of the file has errors. */
  readonly isPartial: boolean;
}

/** A `'` is part of a name in Rust alone. */
const LONGER = { Rust: /[$']$/, other: /\$$/ } as const;

/** All kinds. */
export const REFERENCE_KINDS: readonly DifferenceKind<ReferenceDifference, null>[] = [
  {
    id: "part of a longer name",
    cause: "theirs",
    text:
      "`rg -w` cuts words at `$` and `'`: `$Name`, the lifetime `'name` and the macro variable `$name` are other names.",
    holds: ({ side, ...place }) =>
      side === "ripgrep" &&
      (place.language === "Rust" ? LONGER.Rust : LONGER.other).test(before(place)),
  },
  {
    id: "text of a page",
    cause: "theirs",
    text: "Prose between elements of JSX: code to the lexer, text to the grammar.",
    holds: ({ side, language, name, text }) =>
      side === "ripgrep" && /^(?:TSX|JavaScript)$/.test(language) &&
      new RegExp(`[a-z,.;:>] +${name}(?: +[a-zA-Z]|$|[.,<])`, "i").test(text),
  },
  {
    id: "word of the language",
    cause: "theirs",
    text: "The name is also a word or a built-in type of the language, and means that here.",
    holds: ({ side, place }) => side === "ripgrep" && place === "keyword",
  },
  {
    id: "directive",
    cause: "terms",
    text: "In a directive that is no code (`#pragma`, `#error`).",
    holds: ({ side, place, text }) =>
      side === "ripgrep" && place === "directive" &&
      /^\s*#\s*(?:pragma|error|warning)\b/.test(text),
  },
  {
    id: "comment in a directive",
    cause: "theirs",
    text:
      "A comment inside an attribute of Rust or a directive, which the lexer takes for a part of it.",
    holds: ({ side, place, text }) =>
      side === "ripgrep" && place === "directive" && /^\s*(?:\/\/|\/?\*)/.test(text),
  },
  {
    id: "name in quotes",
    cause: "terms",
    text:
      'A name that is defined in quotes (`declare module "x"`, `"key"() {}`): a string to the lexer.',
    holds: ({ side, place }) => side === "ours" && place === "string",
  },
  {
    id: "broken text",
    cause: "ours",
    text: "In a stretch that the grammar cannot read.",
    holds: ({ side, isPartial }) => side === "ripgrep" && isPartial,
  },
];

function before({ text, byte }: { readonly text: string; readonly byte: number }): string {
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, byte));
}
