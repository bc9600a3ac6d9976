/**
 * The Map looked over as a whole: which agreements can be used, and which of them the code has left behind.
 * Nothing is written into an agreement: a symbol that is gone on this branch may be there on another. Pure.
 */
import type { FindDefined } from "../../workflow/context/learning.ts";
import type { AgreementList } from "./agreement_folder.ts";
import type { OutcomeLine } from "./outcome_log.ts";
import { toUsable } from "./recall.ts";

/** Most agreements, and symbols of one, that a reply names. */
const NAMED = { agreements: 20, symbols: 5 } as const;

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

/** The fields of a reply about the Map. */
export function toMapFields(report: MapReport): Readonly<Record<string, unknown>> {
  const { stale, partlyStale, unreadable, passedOver, leftOut, isChecked } = report;
  const list = (all: readonly StaleAgreement[]) =>
    all.slice(0, NAMED.agreements).map(({ id, missing }) => ({
      id,
      missing: missing.slice(0, NAMED.symbols),
    }));
  return {
    agreements: report.agreements,
    usable: report.usable,
    stale: stale.length,
    ...(stale.length === 0 ? {} : { stale_agreements: list(stale) }),
    ...(partlyStale.length === 0 ? {} : { partly_stale: list(partlyStale) }),
    ...(leftOut === 0 ? {} : { left_out: leftOut }),
    ...(unreadable.length === 0 ? {} : { unreadable: unreadable.slice(0, NAMED.agreements) }),
    ...(passedOver === 0 ? {} : { passed_over: passedOver }),
    ...(isChecked ? {} : { unchecked: true }),
  };
}
