/** Finds the field that a name in another spelling means: other case, order of words, a part of it, a slip of the hand. Pure. */
import { computeEditDistance } from "./nearest.ts";

/** The words of a name: `exploredFiles`, `explored-files` and `Explored Files` have the same. */
export function splitNameWords(name: string): readonly string[] {
  return name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ").toLowerCase().split(/[^\p{L}\d]+/u)
    .filter((word) => word !== "");
}

/** The name of `known` that has the words of a name, in any case and order; undefined for none. */
export function findSameName(name: string, known: readonly string[]): string | undefined {
  const sort = (one: string) => splitNameWords(one).toSorted().join(" ");
  return known.find((one) => one === name) ??
    known.find((one) => sort(one) === sort(name)) ??
    known.find((one) => splitNameWords(one).join("") === splitNameWords(name).join(""));
}

/** How a field is found by its names. */
export interface NamedField {
  /** Other names of the field. */
  readonly aliases?: readonly string[];
  /** Only its own words lead to it. */
  readonly exact?: boolean;
}

/** Shorter names differ in a letter without being the same. */
const LEAST_CHARS = 6;

/**
 * The field of `free` that a sent name means; null where none is meant, or several could be.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { findMeantKey } from "./near_key.ts";
 * equal(findMeantKey("filesExplored", ["explored_files", "findings"], {}), "explored_files");
 * equal(findMeantKey("notes", ["explored_files", "findings"], {}), null);
 * ```
 */
export function findMeantKey(
  sent: string,
  free: readonly string[],
  fields: Readonly<Record<string, NamedField>>,
): string | null {
  const words = splitNameWords(sent);
  const joined = words.join("");
  if (joined === "") return null;
  const same = findSameName(sent, free);
  if (same !== undefined) return same;
  const rows = free.map((name) => ({ name, own: splitNameWords(name) }));
  const only = (isMeant: (row: (typeof rows)[number]) => boolean) => {
    const found = rows.filter((row) => fields[row.name]?.exact !== true && isMeant(row));
    return found.length === 1 ? found[0]?.name : undefined;
  };
  return only(({ name }) => fields[name]?.aliases?.includes(words.join("_")) === true) ??
    only(({ own }) =>
      joined.length >= LEAST_CHARS && computeEditDistance(joined, own.join("")) <= 2
    ) ??
    only(({ own }) => own.length > 1 && words.every((word) => own.includes(word))) ?? null;
}
