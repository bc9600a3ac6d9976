/**
 * The Map looked over as a whole: which agreements can be used, and which of them the code has left behind.
 * Nothing is written into an agreement: a symbol that is gone on this branch may be there on another. Pure.
 */
import type { AgreementList } from "./agreement_folder.ts";
import type { OutcomeLine } from "./outcome_log.ts";
import { toUsable } from "./recall.ts";

/** An agreement that names symbols which are not defined now. */
export interface StaleAgreement {
  /** Name of its file in `.code-intel/agreements/`. */
  readonly id: string;
  /** Its symbols that no file defines. */
  readonly missing: readonly string[];
}

/** The state of the Map. */
export interface MapReport {
  /** Files that were read as agreements. */
  readonly agreements: number;
  /** Those that a search may answer from. */
  readonly usable: number;
  /** Marked as wrong by a person, or learned only from work that failed afterwards. */
  readonly leftOut: number;
  /** Usable by what they say, but none of their symbols is defined now: no answer comes from them. */
  readonly stale: readonly StaleAgreement[];
  /** Still usable, with some symbols that are gone. */
  readonly partlyStale: readonly StaleAgreement[];
  /** Whether symbols were looked up; without it nothing is said to be stale. */
  readonly isChecked: boolean;
  readonly unreadable: AgreementList["unreadable"];
  /** Files beyond the bound, which were not looked at. */
  readonly passedOver: number;
}

/** Of the names those that are defined now; null where nobody can say. */
export type FindDefined = (names: readonly string[]) => Promise<ReadonlySet<string> | null>;

/** Looks over every agreement that was read. */
export async function checkMap(
  { agreements, unreadable, passedOver }: AgreementList,
  outcomes: readonly OutcomeLine[],
  findDefined: FindDefined,
): Promise<MapReport> {
  const allowed = toUsable(agreements, outcomes);
  const names = [...new Set(allowed.flatMap(({ symbols }) => symbols))];
  const defined = names.length === 0 ? new Set<string>() : await findDefined(names);
  const lists = { stale: [] as StaleAgreement[], partlyStale: [] as StaleAgreement[] };
  for (const { name, symbols } of defined === null ? [] : allowed) {
    const missing = symbols.filter((symbol) => !defined?.has(symbol));
    if (missing.length === 0) continue;
    const list = missing.length === symbols.length ? lists.stale : lists.partlyStale;
    list.push({ id: name, missing });
  }
  return {
    ...lists,
    agreements: agreements.length,
    usable: allowed.length - lists.stale.length,
    leftOut: agreements.length - allowed.length,
    isChecked: defined !== null,
    unreadable,
    passedOver,
  };
}
