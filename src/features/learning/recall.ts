/**
 * What a new request is told of earlier ones: agreements that fit it, and failures of requests like it.
 * Measures by words; a measure by meaning can be put beside it. Pure.
 */
import { clipLine } from "../../base/text/clip.ts";
import type { StoredAgreement } from "./agreement.ts";
import type { MapHit } from "./map.ts";
import { combine, searchMap, toDocument } from "./map.ts";
import { countMisses, toTrust } from "./misses.ts";
import type { OutcomeLine } from "./outcome_log.ts";
import { toFinalOutcomes } from "./outcome_log.ts";
import { toRequestWords } from "./request_words.ts";

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
 * import { toSimilarity } from "./recall.ts";
 * ok(toSimilarity("Fix the login timeout", "login times out: timeout too short") > 0.4);
 * ok(toSimilarity("Fix the login timeout", "Add CSV export") === 0);
 * ```
 */
export function toSimilarity(a: string, b: string, vector: number | null = null): number {
  const [left, right] = [toRequestWords(a), toRequestWords(b)];
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
  return toFinalOutcomes(outcomes)
    .filter(({ result, rootCause }) => result === "failure" || result === "partial" && rootCause)
    .map((line) => ({ line, similarity: toSimilarity(query, line.query) }))
    .filter(({ similarity }) => similarity >= MIN_SIMILARITY)
    .sort((a, b) => b.similarity - a.similarity || (a.line.at < b.line.at ? 1 : -1))
    .slice(0, maxFailures);
}

/**
 * The agreements that may be used: not rejected by a person, and not learned only from sessions that
 * turned out to have failed.
 */
export function toUsable(
  agreements: readonly StoredAgreement[],
  outcomes: readonly OutcomeLine[],
): readonly StoredAgreement[] {
  const failed = new Set(
    toFinalOutcomes(outcomes).filter(({ result }) => result === "failure")
      .map(({ sessionId }) => sessionId),
  );
  return agreements.filter(({ isRejected, sessions }) =>
    !isRejected && (sessions.length === 0 || sessions.some((id) => !failed.has(id)))
  );
}

/**
 * The usable agreements that fit a request, best first. One that sent later sessions to the wrong files comes further
 * down, and at last not at all.
 */
export function findAgreements(
  query: string,
  { agreements, outcomes }: {
    readonly agreements: readonly StoredAgreement[];
    readonly outcomes: readonly OutcomeLine[];
  },
  options: { readonly maxHits: number },
): readonly MapHit[] {
  const usable = toUsable(agreements, outcomes);
  const byName = new Map(usable.map((agreement) => [agreement.name, agreement]));
  const finals = toFinalOutcomes(outcomes);
  return searchMap(query, usable.map(toDocument), {
    ...options,
    toTrust: ({ id }) => {
      const agreement = byName.get(id);
      return agreement === undefined ? 1 : toTrust(agreement, countMisses(agreement, finals));
    },
  });
}

/** What is known of the symbols of an agreement today. */
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
export function toRecallFields(recalled: {
  readonly agreements: readonly CheckedHit[];
  /** Names of files whose symbols are all gone. */
  readonly stale: readonly string[];
  readonly failures: readonly PastFailure[];
}): Readonly<Record<string, unknown>> {
  const { agreements, stale, failures } = recalled;
  return {
    ...(agreements.length === 0 ? {} : {
      agreements: agreements.map(toAgreementField),
      agreements_hint:
        "Learned from earlier work: look at these symbols and files first, then check that they fit.",
    }),
    ...(stale.length === 0 ? {} : { stale_agreements: stale.slice(0, MAX_NAMES) }),
    ...(failures.length === 0 ? {} : { past_failures: failures.map(toFailureField) }),
  };
}

function toAgreementField({ document, symbols, files, isChecked }: CheckedHit) {
  return {
    term: clipLine(document.terms[0] ?? "", MAX_TERM_CHARS),
    symbols: symbols.slice(0, MAX_NAMES),
    files: files.slice(0, MAX_NAMES),
    confirmed: document.confirmed,
    from: document.id,
    ...(isChecked ? {} : { unchecked: true }),
  };
}

function toFailureField({ line }: PastFailure) {
  return {
    request: clipLine(line.query, 120),
    outcome: line.outcome,
    ...(line.phase === null ? {} : { phase: line.phase }),
    root_cause: line.rootCause === null ? "not on record" : clipLine(line.rootCause, 240),
    ...(line.files.length === 0 ? {} : { files: line.files.slice(0, MAX_NAMES) }),
    ...(line.sessionId === null ? {} : { session: line.sessionId }),
  };
}
