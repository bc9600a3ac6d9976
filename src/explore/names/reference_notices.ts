/** What the answer of `findReferences` says beside its places: what was left out, and what is not proved. Pure. */
import { toCountText } from "../../base/text/plain_text.ts";
import type { SymbolHit } from "../../index/read/view.ts";
import type { Reference } from "../explorer.ts";
import type { SymbolName } from "./symbol_name.ts";

/** A place before its line is read. */
export type Spot = Omit<Reference, "text">;

/** The places of a name, as far as they were followed. */
export interface Spots {
  readonly spots: readonly Spot[];
  /** Definitions of the name. */
  readonly definitions: readonly SymbolHit[];
  /** Places that lead to another definition than the one that was asked for. */
  readonly elsewhere: number;
  /** Whether each place was followed. */
  readonly isResolved: boolean;
  /** Whether an indexer of the language proved where a shown place leads. */
  readonly isProven: boolean;
  /** Whether a line that names it twice for the same definition counts once, wherever it stands. */
  readonly isExact: boolean;
}

/** More places are followed only where they are shown: each one costs a few questions. */
export const MAX_RESOLVED = 2_000;

/** Says of a name without a place in code that files hold it all the same. */
export function toHoldingNotices(count: number): readonly string[] {
  if (count === 0) return [];
  const those = toCountText(count, "file");
  return [
    `The name stands in ${those}, but only in comments, strings or text of no known language; ` +
    "pass include_text to see it.",
  ];
}

/** Says which places were left out or are not proved. */
export function toNotices(spots: Spots, wanted: SymbolName): readonly string[] {
  const repeats = spots.isExact ? [] : [
    `The total is an upper bound: of lines that name it more than once, ${MAX_RESOLVED} places are followed; the rest may count twice.`,
  ];
  return [...repeats, ...toScopeNotices(spots, wanted)];
}

function toScopeNotices(
  { spots, elsewhere, isResolved }: Spots,
  wanted: SymbolName,
): readonly string[] {
  if (wanted.scope.length === 0) return [];
  const scope = wanted.scope.join(".");
  if (!isResolved) {
    return [
      `All places of "${wanted.name}" are listed: there are too many to follow each; give a smaller path.`,
    ];
  }
  const unproved = spots.filter(({ confidence }) => confidence === "name").length;
  const told = [
    ...elsewhere === 0
      ? []
      : elsewhere === 1
      ? [`1 place leads to another "${wanted.name}" and is left out.`]
      : [
        `${
          toCountText(elsewhere, "place leads", "places lead")
        } to another "${wanted.name}": left out.`,
      ],
    ...unproved === 0
      ? []
      : unproved === 1
      ? [`1 place is found by the name alone and not proved to mean ${scope}.`]
      : [
        `${
          toCountText(unproved, "place is", "places are")
        } found by the name alone and not proved to mean ${scope}.`,
      ],
  ];
  return told.length === 0 ? [] : [told.join(" ")];
}
