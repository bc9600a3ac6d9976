/**
 * Families: the languages that import from one another, by one rule. What follows from that rule stands in the row of one
 * of its languages (`familyFacts`). Pure.
 */
import type { FamilyFacts } from "./language_row.ts";
import { ROWS } from "./rows.ts";

/** The families that other folders name. A row may name one that is not among them. */
export type Family =
  | "c"
  | "c_sharp"
  | "dart"
  | "elixir"
  | "go"
  | "haskell"
  | "jvm"
  | "lua"
  | "php"
  | "python"
  | "ruby"
  | "rust"
  | "script"
  | "shell"
  | "style"
  | "swift"
  | "zig";

/** What holds in each family. */
export const FAMILIES = Object.fromEntries(
  ROWS.flatMap(({ family, familyFacts }) =>
    family === undefined || familyFacts === undefined ? [] : [[family, familyFacts]]
  ),
) as Readonly<Record<Family, FamilyFacts>>;

/** The families whose row has a word. */
export function familiesWith(word: keyof FamilyFacts): ReadonlySet<Family> {
  const names = Object.keys(FAMILIES) as Family[];
  return new Set(names.filter((family) => FAMILIES[family][word] !== undefined));
}
