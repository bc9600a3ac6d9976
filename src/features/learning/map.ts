/**
 * The Map: what was learned, as documents that a search can look through before the code. Also how
 * well a document fits a question. Pure.
 */
import type { StoredTerm } from "./agreement.ts";
import { keyOfSymbol } from "./confirm.ts";
import { listRequestWords } from "./request_words.ts";

/** A learned term as a document to search. */
export interface MapDocument {
  /** Name of its file in `.code-intel/agreements/`, and so its id. */
  readonly id: string;
  readonly terms: readonly string[];
  readonly symbols: readonly string[];
  /** Relative to the project. */
  readonly files: readonly string[];
  /** How often it was confirmed. */
  readonly confirmed: number;
}

/** What a search finds in the Map. */
export interface MapHit {
  readonly document: MapDocument;
  /** 0 to 1, see {@link scoreAgreement}. */
  readonly score: number;
}

/** Below this a document says nothing about the question (by the rows of its test). */
export const MIN_MAP_SCORE = 0.35;

/** What a whole term in the question is worth by itself; the rest is how much of the question it covers. */
const TERM_SHARE = 0.7;
/** A symbol that is named in the question, whatever else it asks. */
const NAMED_SCORE = 0.95;

/** The parts of a document that a question is compared with. */
export type ScoredAgreement = Pick<MapDocument, "terms" | "symbols">;

/**
 * How well a learned term fits a question, 0 to 1, by words alone: 0.7 and more where a whole term is in
 * it, 0.95 and more where a symbol is named. Another measure can be put beside it by {@link combine}.
 *
 * @example
 * ```ts
 * import { ok } from "node:assert/strict";
 * import { scoreAgreement } from "./map.ts";
 * const login = { terms: ["login form"], symbols: ["AuthService.login"] };
 * ok(scoreAgreement("Add a captcha to the login form", login) >= 0.7);
 * ok(scoreAgreement("Make the export faster", login) === 0);
 * ```
 */
export function scoreAgreement(query: string, agreement: ScoredAgreement): number {
  const asked = listRequestWords(query);
  if (asked.size === 0) return 0;
  const symbolWords = listRequestWords(agreement.symbols.join(" "));
  const named = agreement.symbols.some((symbol) => isNamed(query, symbol)) ? NAMED_SCORE : 0;
  const scores = agreement.terms.map((term) => {
    const words = listRequestWords(term);
    const found = countCommon(words, asked);
    if (found === 0) return 0;
    const covered = found / words.size;
    // The question may use words of the symbol beside those of the term; they explain it half as well.
    const either = countCommon(asked, new Set([...words, ...symbolWords]));
    const explained = (found + either) / 2 / asked.size;
    return covered * (TERM_SHARE + (1 - TERM_SHARE) * explained);
  });
  return Math.min(1, Math.max(named, ...scores, 0));
}

/** Puts a measure by meaning beside the one by words: the better one counts, both together a little more. */
export function combine(words: number, vector: number | null): number {
  if (vector === null) return words;
  return Math.min(1, Math.max(words, vector) + 0.1 * Math.min(words, vector));
}

/** True when a question names a symbol as code: qualified, or as an identifier that is no plain word. */
function isNamed(query: string, symbol: string): boolean {
  const name = keyOfSymbol(symbol);
  if (name !== symbol && query.includes(symbol)) return true;
  const isCode = /\p{Ll}\p{Lu}|_|\d/u.test(name);
  return isCode && query.split(/[^\p{L}\p{N}\p{M}_$]+/u).includes(name);
}

function countCommon(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common;
}

/** How the Map is searched. */
export interface MapSearchOptions {
  readonly maxHits: number;
  /** What a score is multiplied with, 0 to 1; default 1. Asked only of documents that fit. */
  readonly toTrust?: (document: MapDocument) => number;
}

/** The best documents for a question, best first; equal ones by how often they were confirmed. */
export function searchMap(
  query: string,
  documents: readonly MapDocument[],
  { maxHits, toTrust = () => 1 }: MapSearchOptions,
): readonly MapHit[] {
  return documents
    .map((document) => ({ document, score: scoreAgreement(query, document) }))
    .filter(({ score }) => score >= MIN_MAP_SCORE)
    .map(({ document, score }) => ({ document, score: score * toTrust(document) }))
    .filter(({ score }) => score >= MIN_MAP_SCORE)
    .sort((a, b) =>
      b.score - a.score || b.document.confirmed - a.document.confirmed ||
      (a.document.id < b.document.id ? -1 : 1)
    )
    .slice(0, maxHits);
}

/** A learned term as a document. */
export function buildDocument(agreement: StoredTerm): MapDocument {
  const { name, terms, symbols, files, confirmed } = agreement;
  return { id: name, terms, symbols, files, confirmed };
}
