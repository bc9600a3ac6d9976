/** Chooses among definitions the nearest to the name that was asked for, whatever found them. */
import type { Tag } from "../../language/tags.ts";
import { isText, languageOfPath } from "../../language/languages.ts";
import type { NameMatch } from "../explorer.ts";
import type { SymbolName } from "./symbol_name.ts";
import { beginsWord, compareNames, isInScope } from "./symbol_name.ts";

/** The nearest definitions. */
export interface Nearest<T extends Tag> {
  readonly match: NameMatch;
  readonly tags: readonly T[];
  /** Places of the same plain name, whatever holds them. */
  readonly sameNamed: number;
}

/** The nearest definitions, if any, and what the caller should know of the others. */
export interface NearestFound<T extends Tag> {
  readonly nearest?: Nearest<T>;
  readonly notices: readonly string[];
}

/** How near the name of a definition is to the wanted one. */
export type CompareNames = (found: string, wanted: SymbolName) => NameMatch | undefined;

/** False for files of data and prose: each key of a data file would otherwise count as a definition of that name. */
export function isCodePath(path: string): boolean {
  return !isText(languageOfPath(path));
}

/** Exact names first, then other cases, then names that hold it; one tag a place, none merged. */
export function pickNearest<T extends Tag>(
  tags: readonly T[],
  wanted: SymbolName,
  compare: CompareNames = compareNames,
): NearestFound<T> {
  const notices: string[] = [];
  const byMatch: Record<NameMatch, T[]> = { exact: [], "case_insensitive": [], "sub_word": [] };
  for (const tag of tags) {
    const match = compare(tag.name, wanted);
    if (match !== undefined) byMatch[match].push(tag);
  }
  for (const match of ["exact", "case_insensitive", "sub_word"] as const) {
    const named = byMatch[match];
    const inScope = toPlaces(named.filter((tag) => isInScope(tag, wanted)));
    const words = inScope.filter((tag) => match !== "sub_word" || beginsWord(tag.name, wanted));
    const chosen = words.length > 0 ? words : inScope;
    const sameNamed = toPlaces(named).length;
    if (chosen.length > 0) return { nearest: { match, tags: chosen, sameNamed }, notices };
    if (match === "exact" && named.length > 0) {
      notices.push(
        `"${wanted.name}" is defined ${sameNamed} times, but not in ${
          wanted.scope.join(".")
        }; ask for "${wanted.name}" alone to see them.`,
      );
    }
  }
  return { notices };
}

/**
 * One tag a place: parsers report a struct and its typedef, a getter and its setter, or a function under
 * the object that it is put into. The one that tells most stands for the place.
 */
function toPlaces<T extends Tag>(tags: readonly T[]): readonly T[] {
  const places = new Map<string, T>();
  for (const tag of tags) {
    const key = JSON.stringify([tag.path, tag.line, tag.name]);
    const known = places.get(key);
    if (known === undefined || toDetail(tag) > toDetail(known)) places.set(key, tag);
  }
  return [...places.values()];
}

function toDetail({ endLine, signature, scope }: Tag): number {
  return Number(endLine !== undefined) * 4 + Number(signature !== undefined) * 2 +
    Number(scope !== undefined);
}
