/**
 * What a new request is told of earlier ones: learned terms that fit it, and failures of requests like it.
 * Measures by words; a measure by meaning can be put beside it.
 */
import type { StoredTerm } from "./agreement.ts";
import { keyOfSymbol } from "./confirm.ts";
import type { MapHit } from "./map.ts";
import { buildDocument, combine, MIN_MAP_SCORE, scoreAgreement, searchMap } from "./map.ts";
import type { OutcomeLine } from "./outcome_log.ts";
import { keepFinalOutcomes } from "./outcome_log.ts";
import type { FindDefined } from "../../workflow/context/learning.ts";
import type { LearnedTermList } from "./agreement_folder.ts";
import { clipLine } from "../../base/text/clip.ts";
import { listRequestWords } from "./request_words.ts";

/**
 * The later sessions whose request a learned term fits, and which were finished well by changing other files and other
 * symbols. Where no file was learned nothing can be said.
 *
 * @param outcomes The last word about each session.
 */
export function countMisses(agreement: StoredTerm, outcomes: readonly OutcomeLine[]): number {
  const files = new Set(agreement.files);
  if (files.size === 0) return 0;
  const keys = new Set(agreement.symbols.map(keyOfSymbol));
  return outcomes.filter((line) =>
    line.result === "success" && line.files.length > 0 && line.sessionId !== null &&
    !agreement.sessions.includes(line.sessionId) &&
    (agreement.learnedAt === null || line.at > agreement.learnedAt) &&
    !line.files.some((path) => files.has(path)) &&
    !line.symbols.some((symbol) => keys.has(keyOfSymbol(symbol))) &&
    scoreAgreement(line.query, agreement) >= MIN_MAP_SCORE
  ).length;
}

/**
 * The share of sessions that a learned term served, 0 to 1: confirmed ones against misses.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { toTrust } from "./recall.ts";
 * equal(toTrust({ confirmed: 3 }, 1), 0.75);
 * ```
 */
export function toTrust({ confirmed }: Pick<StoredTerm, "confirmed">, misses: number): number {
  return confirmed / (confirmed + misses);
}

/** Most learned terms, and symbols of one, that a reply names. */
const NAMED = { agreements: 20, symbols: 5 } as const;

/** A learned term that names symbols which are not defined now. */
export interface StaleAgreement {
  /** Name of its file in `.code-intel/agreements/`. */
  readonly id: string;
  /** Its symbols that no file defines. */
  readonly missing: readonly string[];
}

/** The state of the Map. */
export interface MapReport {
  /** Files that were read as learned terms. */
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
  readonly unreadable: LearnedTermList["unreadable"];
  /** Files beyond the bound, which were not looked at. */
  readonly passedOver: number;
}

/** Looks over every learned term that was read. */
export async function checkMap(
  { agreements, unreadable, passedOver }: LearnedTermList,
  outcomes: readonly OutcomeLine[],
  findDefined: FindDefined,
): Promise<MapReport> {
  const allowed = keepUsable(agreements, outcomes);
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

/** Requests below this are about something else (by the rows of its test). */
export const MIN_SIMILARITY = 0.4;

/**
 * How alike two requests are, 0 to 1: the words that both have, measured against both lengths.
 *
 * @param vector A measure by meaning of the same pair, where there is one.
 *
 * @example
 * ```ts
 * import { ok } from "node:assert/strict";
 * import { measureSimilarity } from "./recall.ts";
 * ok(measureSimilarity("Fix the login timeout", "login times out: timeout too short") > 0.4);
 * ok(measureSimilarity("Fix the login timeout", "Add CSV export") === 0);
 * ```
 */
export function measureSimilarity(a: string, b: string, vector: number | null = null): number {
  const [left, right] = [listRequestWords(a), listRequestWords(b)];
  if (left.size === 0 || right.size === 0) return combine(0, vector);
  let common = 0;
  for (const word of left) if (right.has(word)) common++;
  return combine(common / Math.sqrt(left.size * right.size), vector);
}

/** A failure of an earlier request that is like the present one. */
export interface PastFailure {
  readonly line: OutcomeLine;
  readonly similarity: number;
}

/** Past work that did not end well on requests like this one, most alike first, then newest first. */
export function findFailures(
  query: string,
  outcomes: readonly OutcomeLine[],
  { maxFailures }: { readonly maxFailures: number },
): readonly PastFailure[] {
  return keepFinalOutcomes(outcomes)
    .filter(({ result, rootCause }) => result === "failure" || result === "partial" && rootCause)
    .map((line) => ({ line, similarity: measureSimilarity(query, line.query) }))
    .filter(({ similarity }) => similarity >= MIN_SIMILARITY)
    .sort((a, b) => b.similarity - a.similarity || (a.line.at < b.line.at ? 1 : -1))
    .slice(0, maxFailures);
}

/**
 * The learned terms that may be used: not rejected by a person, and not learned only from sessions that
 * turned out to have failed.
 */
export function keepUsable(
  agreements: readonly StoredTerm[],
  outcomes: readonly OutcomeLine[],
): readonly StoredTerm[] {
  const failed = new Set(
    keepFinalOutcomes(outcomes).filter(({ result }) => result === "failure")
      .map(({ sessionId }) => sessionId),
  );
  return agreements.filter(({ isRejected, sessions }) =>
    !isRejected && (sessions.length === 0 || sessions.some((id) => !failed.has(id)))
  );
}

/**
 * The usable learned terms that fit a request, best first. One that sent later sessions to the wrong files comes further
 * down, and at last not at all.
 */
export function findAgreements(
  query: string,
  { agreements, outcomes }: {
    readonly agreements: readonly StoredTerm[];
    readonly outcomes: readonly OutcomeLine[];
  },
  options: { readonly maxHits: number },
): readonly MapHit[] {
  const usable = keepUsable(agreements, outcomes);
  const byName = new Map(usable.map((agreement) => [agreement.name, agreement]));
  const finals = keepFinalOutcomes(outcomes);
  return searchMap(query, usable.map(buildDocument), {
    ...options,
    toTrust: ({ id }) => {
      const agreement = byName.get(id);
      return agreement === undefined ? 1 : toTrust(agreement, countMisses(agreement, finals));
    },
  });
}

/** What is known of the symbols of a learned term today. */
export interface CheckedHit extends MapHit {
  /** Symbols that exist now. */
  readonly symbols: readonly string[];
  /** Where they are defined now, relative to the project. */
  readonly files: readonly string[];
  /** False when there was no time to look. */
  readonly isChecked: boolean;
}

const MAX_TERM_CHARS = 100;
const MAX_NAMES = 5;

/** What a start reply says of earlier work; nothing at all where there is nothing. */
export function buildRecallFields(recalled: {
  readonly agreements: readonly CheckedHit[];
  /** Names of files whose symbols are all gone. */
  readonly stale: readonly string[];
  readonly failures: readonly PastFailure[];
}): Readonly<Record<string, unknown>> {
  const { agreements, stale, failures } = recalled;
  return {
    ...(agreements.length === 0 ? {} : {
      agreements: agreements.map(buildTermField),
      agreements_hint:
        "Learned from earlier work: look at these symbols and files first, then check that they fit.",
    }),
    ...(stale.length === 0 ? {} : { stale_agreements: stale.slice(0, MAX_NAMES) }),
    ...(failures.length === 0 ? {} : { past_failures: failures.map(buildFailureField) }),
  };
}

function buildTermField({ document, symbols, files, isChecked }: CheckedHit) {
  return {
    term: clipLine(document.terms[0] ?? "", MAX_TERM_CHARS),
    symbols: symbols.slice(0, MAX_NAMES),
    files: files.slice(0, MAX_NAMES),
    confirmed: document.confirmed,
    from: document.id,
    ...(isChecked ? {} : { unchecked: true }),
  };
}

function buildFailureField({ line }: PastFailure) {
  return {
    request: clipLine(line.query, 120),
    outcome: line.outcome,
    ...(line.phase === null ? {} : { phase: line.phase }),
    root_cause: line.rootCause === null ? "not on record" : clipLine(line.rootCause, 240),
    ...(line.files.length === 0 ? {} : { files: line.files.slice(0, MAX_NAMES) }),
    ...(line.sessionId === null ? {} : { session: line.sessionId }),
  };
}
