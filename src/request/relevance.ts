/**
 * How much a symbol has to do with a request, on one scale from 0 to 1: above 0.6 it is taken as a fact, below
 * 0.3 as wrong. The scale is calibrated on labelled pairs (`deno task relevance`, fixture
 * `tests/fixtures/relevance/`) and the table of word vectors. It depends on its arguments alone.
 */
import { splitIdentifier } from "../analysis/tokens.ts";
import { toStem } from "../base/text/stem.ts";
import { translate } from "../ranking/languages/translate.ts";

/** What the server makes of a symbol that a query frame names. */
export type RelevanceSource = "FACT" | "HYPOTHESIS" | "REJECTED";

/** From this score on a symbol counts as meant by the request; the marks are fitted to this scale. */
export const FACT_SCORE = 0.6;
/** Below this score a symbol counts as unrelated to the request; the marks are fitted to this scale. */
export const REJECT_SCORE = 0.3;

/** Where the scale has its two marks, in cosine plus {@link SHARE_WEIGHT} times the shared words. */
export interface Calibration {
  /** Stands at {@link REJECT_SCORE}: 1 of 100 right pairs of the fixture lies below. */
  readonly reject: number;
  /** Stands at {@link FACT_SCORE}: 97 of 100 pairs above are right ones. */
  readonly fact: number;
}

/** The calibration for the table of word vectors: a new table asks for a new one. */
export const CALIBRATION: Calibration = { reject: -0.058, fact: 0.181 };

/** What words that the name and the request share add to the cosine of both. */
export const SHARE_WEIGHT = 0.1;
/** From this share of its words on a name is known by them alone: 299 of 300 such pairs are right ones. */
export const SURE_SHARE = 0.5;

/** A request as symbols are compared with it. */
export interface RelevanceText {
  /** In English as far as the table of words goes: what is embedded. */
  readonly meant: string;
  /** Its words, those of identifiers apart, lower case. */
  readonly words: readonly string[];
  readonly stems: ReadonlySet<string>;
}

/** Reads words of a request, in whatever language. */
export function toRelevanceText(text: string): RelevanceText {
  const { terms, english, coverage } = translate(text);
  const isTranslated = coverage >= MIN_COVERAGE;
  const words = [...terms.flat(), ...text.match(WORD) ?? []].flatMap(splitIdentifier);
  return {
    meant: isTranslated ? english : text,
    words: [...new Set(words)],
    stems: new Set(words.map(toStem)),
  };
}

const WORD = /[\p{L}\p{N}\p{M}_$]+/gu;
const MIN_COVERAGE = 0.5;

/** A symbol as words: `AuthService.login` gives `auth service login`. */
export function toSymbolWords(symbol: string): string {
  return splitIdentifier(symbol).join(" ");
}

/** The share of the words of a name that the request has, 0 to 1; what holds it may be left out. */
export function toWordShare({ stems }: Pick<RelevanceText, "stems">, symbol: string): number {
  const last = symbol.replace(/\(.*$/, "").split(/[.#/\\]|::|->/).findLast((part) => part !== "");
  return Math.max(...[symbol, last ?? symbol].map((name) => {
    const parts = splitIdentifier(name);
    const met = parts.filter((part) => stems.has(toStem(part))).length;
    return parts.length === 0 ? 0 : met / parts.length;
  }));
}

/**
 * The score of a symbol, null where nothing can be said: few words are shared and others have no vectors.
 *
 * @param cosine of request and name, both as word vectors; null where one has none.
 *
 * @example
 * ```ts
 * import { ok, strictEqual as equal } from "node:assert/strict";
 * import { toRelevance, toSource } from "./relevance.ts";
 * ok((toRelevance({ share: 0, cosine: 0.9 }) ?? 0) > 0.6);
 * equal(toSource(toRelevance({ share: 0, cosine: -0.3 })), "REJECTED");
 * equal(toRelevance({ share: 0, cosine: null }), null);
 * ```
 */
export function toRelevance(
  { share, cosine }: { readonly share: number; readonly cosine: number | null },
  { reject, fact }: Calibration = CALIBRATION,
): number | null {
  if (share >= SURE_SHARE) return FACT_SCORE + (1 - FACT_SCORE) * share;
  if (cosine === null) return null;
  const [low, high] = [toLogit(REJECT_SCORE), toLogit(FACT_SCORE)];
  const at = (cosine + SHARE_WEIGHT * share - reject) / (fact - reject);
  return 1 / (1 + Math.exp(-(low + at * (high - low))));
}

/** What a score says; null where it says nothing. */
export function toSource(score: number | null): RelevanceSource | null {
  if (score === null) return null;
  if (score > FACT_SCORE) return "FACT";
  return score < REJECT_SCORE ? "REJECTED" : "HYPOTHESIS";
}

function toLogit(share: number): number {
  return Math.log(share / (1 - share));
}
