/** Pairs the definitions of ctags with ours: same file, same name, at most two lines apart. Pure. */
import type { SymbolHit } from "../../src/index/read/view.ts";

/** One tag as ctags tells it. */
export interface CtagsTag {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** What holds it; empty at the top. */
  readonly scope: string;
  readonly scopeKind: string;
}

/** A definition of ours, as far as it is compared. */
export type OurSymbol = Pick<
  SymbolHit,
  "name" | "kind" | "path" | "line" | "startLine" | "endLine" | "parent" | "position"
>;

/** What both found, and what only one did. */
export interface Matched {
  readonly both: readonly (readonly [tag: CtagsTag, symbol: OurSymbol])[];
  readonly onlyCtags: readonly CtagsTag[];
  readonly onlyOurs: readonly OurSymbol[];
}

/** ctags gives the line of the whole definition where a name stands a little below, and the other way round. */
const MAX_LINES_APART = 2;

/** Pairs each tag with one definition at most, the nearest first. */
export function matchDefinitions(
  tags: readonly CtagsTag[],
  symbols: readonly OurSymbol[],
): Matched {
  const free = Map.groupBy(symbols, keyOf);
  const both: (readonly [CtagsTag, OurSymbol])[] = [];
  let rest = [...tags];
  for (let apart = 0; apart <= MAX_LINES_APART; apart++) {
    const unmatched: CtagsTag[] = [];
    for (const tag of rest) {
      const list = free.get(keyOf(tag)) ?? [];
      const at = list.findIndex(({ line }) => Math.abs(line - tag.line) === apart);
      const [symbol] = at < 0 ? [] : list.splice(at, 1);
      if (symbol === undefined) unmatched.push(tag);
      else both.push([tag, symbol]);
    }
    rest = unmatched;
  }
  return { both, onlyCtags: rest, onlyOurs: [...free.values()].flat() };
}

function keyOf({ path, name }: { readonly path: string; readonly name: string }): string {
  return `${path}\0${toPlainName(name)}`;
}

/** A name as both write it: without quotes, and operators without blanks. */
export function toPlainName(name: string): string {
  const plain = name.replace(/^(["'`])(.*)\1$/s, "$2");
  return /^operator\b/.test(plain) ? plain.replace(/\s+/g, "") : plain;
}
