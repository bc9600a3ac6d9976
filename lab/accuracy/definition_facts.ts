/** What the texts themselves say of a place, for the rules that explain differences. Pure. */
import { findTagsByRegex } from "../../src/analysis/rule_analysis.ts";
import { languageByName } from "../../src/language/languages.ts";
import type { CtagsTag, Matched, OurSymbol } from "./match_definitions.ts";

/** What the page says of a kind of difference. */
export interface KindText {
  /** Its name in the page. */
  readonly id: string;
  /** Whose doing: both are right in their own terms; the other program is wrong or blind; we are. */
  readonly cause: "terms" | "theirs" | "ours";
  /** One sentence. */
  readonly text: string;
}

/** A kind of difference between two lists. */
export interface DifferenceKind<T, Facts> extends KindText {
  readonly holds: (found: T, facts: Facts) => boolean;
}

/** A difference with its kind; null where no kind explains it. */
export interface Explained<T> {
  readonly found: T;
  readonly kind: KindText | null;
}

/** Gives each difference the first kind that holds. */
export function explain<T, Facts>(
  differences: readonly T[],
  kinds: readonly DifferenceKind<T, Facts>[],
  facts: Facts,
): Explained<T>[] {
  return differences.map((found) => ({
    found,
    kind: kinds.find(({ holds }) => holds(found, facts)) ?? null,
  }));
}

/** A pattern that matches the name itself. */
export function toPattern(name: string): string {
  return name.replace(/[^\w]/g, "\\$&");
}

/** Texts and languages of a checkout. */
export interface Texts {
  readonly lines: ReadonlyMap<string, readonly string[]>;
  readonly languages: ReadonlyMap<string, string>;
  readonly partial: ReadonlySet<string>;
  /** Imports as `path`, line and name, joined by blanks. */
  readonly imports: ReadonlySet<string>;
}

/** Facts that the rules ask for. All places are those of a tag or a symbol. */
export interface DefinitionFacts {
  /** The line of a place, without blanks round it. */
  line(place: Place): string;
  /** Whether the line begins with blanks. */
  isIndented(place: Place): boolean;
  language(place: Place): string;
  /** Whether our tree of the file has errors. */
  isPartial(place: Place): boolean;
  /** Whether the line stands in `#else` or `#if 0`, so that a reader of one branch passes it over. */
  isOtherBranch(place: Place): boolean;
  /** Whether both found this name within two lines of the place. */
  isPaired(place: Place): boolean;
  /** Whether the rules on lines, for machines without parsers, see a definition of the name here. */
  isSeenByRules(place: Place): boolean;
  /** Whether a macro of this name is defined anywhere. */
  isMacro(name: string): boolean;
  /** Whether an import of ours brings the name in on this line. */
  isImported(place: Place): boolean;
  /** Whether the line lies inside a function or method of ours, its first line excepted. */
  isInFunction(place: Place): boolean;
  /** Whether it stands between the name of a record of Java and its body. */
  isRecord(symbol: OurSymbol): boolean;
  /** What holds a definition of ours, nearest first. */
  holders(symbol: OurSymbol): readonly OurSymbol[];
  /** Whether a definition is among those that ctags does not have. */
  isOnlyOurs(symbol: OurSymbol): boolean;
}

/** Where something stands. */
export type Place = Pick<OurSymbol, "path" | "line" | "name">;

/** Facts about one checkout. */
export function createFacts(
  texts: Texts,
  { tags, symbols, matched }: {
    readonly tags: readonly CtagsTag[];
    readonly symbols: readonly OurSymbol[];
    readonly matched: Matched;
  },
): DefinitionFacts {
  const byPath = Map.groupBy(symbols, ({ path }) => path);
  const positions = new Map(
    [...byPath].map(([path, list]) =>
      [path, new Map(list.map((symbol) => [symbol.position, symbol]))] as const
    ),
  );
  const paired = new Set(
    matched.both.flatMap(([{ path, name, line }]) =>
      [-2, -1, 0, 1, 2].map((apart) => `${path}\0${name}\0${line + apart}`)
    ),
  );
  const macros = new Set(tags.filter(({ kind }) => kind === "macro").map(({ name }) => name));
  const only = new Set(matched.onlyOurs);
  const branches = remember((path) => findOtherBranches(texts.lines.get(path) ?? []));
  const rules = remember((path) => new Set(readByRules(path, texts)));
  const raw = ({ path, line }: Place) => texts.lines.get(path)?.[line - 1] ?? "";
  return {
    line: (place) => raw(place).trim(),
    isIndented: (place) => /^\s/.test(raw(place)),
    language: ({ path }) => texts.languages.get(path) ?? "",
    isPartial: ({ path }) => texts.partial.has(path),
    isOtherBranch: ({ path, line }) => branches(path).has(line),
    isPaired: ({ path, name, line }) => paired.has(`${path}\0${name}\0${line}`),
    isSeenByRules: ({ path, name, line }) => rules(path).has(`${line} ${name}`),
    isMacro: (name) => macros.has(name),
    isImported: ({ path, line, name }) => texts.imports.has(`${path} ${line} ${name}`),
    isInFunction: ({ path, line }) =>
      (byPath.get(path) ?? []).some(({ kind, startLine, endLine }) =>
        /^(?:function|method)$/.test(kind) && line > startLine && line <= endLine
      ),
    isRecord: (symbol) => {
      const holder = positions.get(symbol.path)?.get(symbol.parent ?? -1);
      return holder !== undefined &&
        /\brecord\s/.test(texts.lines.get(holder.path)?.[holder.line - 1] ?? "");
    },
    holders: (symbol) => {
      const held: OurSymbol[] = [];
      let at = symbol.parent;
      while (at !== null) {
        const holder = positions.get(symbol.path)?.get(at);
        if (holder === undefined) break;
        held.push(holder);
        at = holder.parent;
      }
      return held;
    },
    isOnlyOurs: (symbol) => only.has(symbol),
  };
}

/** Lines in all branches of conditions of the preprocessor but the first, and in `#if 0`. */
export function findOtherBranches(lines: readonly string[]): Set<number> {
  const found = new Set<number>();
  const open: boolean[] = [];
  lines.forEach((line, index) => {
    const directive = /^\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b\s*(.*)/.exec(line);
    const word = directive?.[1];
    if (word === undefined) {
      if (open.includes(true)) found.add(index + 1);
    } else if (word.startsWith("if")) open.push(/^0\b/.test(directive?.[2] ?? ""));
    else if (word === "endif") open.pop();
    else open[open.length - 1] = true;
  });
  return found;
}

function readByRules(path: string, { lines, languages }: Texts): string[] {
  const language = languageByName(languages.get(path) ?? "");
  if (language === undefined) return [];
  return findTagsByRegex(path, (lines.get(path) ?? []).join("\n"), language)
    .map(({ line, name }) => `${line} ${name}`);
}

function remember<T>(make: (path: string) => T): (path: string) => T {
  const known = new Map<string, T>();
  return (path) => {
    const value = known.get(path) ?? make(path);
    known.set(path, value);
    return value;
  };
}
