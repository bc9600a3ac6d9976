/**
 * Measures the symbols of a query frame against the request, on one scale from 0 to 1: by what was learned, by words, and by
 * meaning where these do not decide. Above 0.6 a symbol is a fact, below 0.3 it is rejected, and better names are looked for.
 * The scale is calibrated on labelled pairs (`deno task relevance`, fixture `tests/fixtures/relevance/`).
 */
import { splitIdentifier } from "../analysis/tokens.ts";
import { stemWord } from "../base/text/stem.ts";
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
export function parseRelevanceText(text: string): RelevanceText {
  const { terms, english, coverage } = translate(text);
  const isTranslated = coverage >= MIN_COVERAGE;
  const words = [...terms.flat(), ...text.match(WORD) ?? []].flatMap(splitIdentifier);
  return {
    meant: isTranslated ? english : text,
    words: [...new Set(words)],
    stems: new Set(words.map(stemWord)),
  };
}

const WORD = /[\p{L}\p{N}\p{M}_$]+/gu;
const MIN_COVERAGE = 0.5;

/** A symbol as words: `AuthService.login` gives `auth service login`. */
export function splitSymbolWords(symbol: string): string {
  return splitIdentifier(symbol).join(" ");
}

/** The share of the words of a name that the request has, 0 to 1; what holds it may be left out. */
export function computeWordShare({ stems }: Pick<RelevanceText, "stems">, symbol: string): number {
  const last = symbol.replace(/\(.*$/, "").split(/[.#/\\]|::|->/).findLast((part) => part !== "");
  return Math.max(...[symbol, last ?? symbol].map((name) => {
    const parts = splitIdentifier(name);
    const met = parts.filter((part) => stems.has(stemWord(part))).length;
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
 * import { computeRelevance, classifyScore } from "./measure_symbols.ts";
 * ok((computeRelevance({ share: 0, cosine: 0.9 }) ?? 0) > 0.6);
 * equal(classifyScore(computeRelevance({ share: 0, cosine: -0.3 })), "REJECTED");
 * equal(computeRelevance({ share: 0, cosine: null }), null);
 * ```
 */
export function computeRelevance(
  { share, cosine }: { readonly share: number; readonly cosine: number | null },
  { reject, fact }: Calibration = CALIBRATION,
): number | null {
  if (share >= SURE_SHARE) return FACT_SCORE + (1 - FACT_SCORE) * share;
  if (cosine === null) return null;
  const [low, high] = [computeLogit(REJECT_SCORE), computeLogit(FACT_SCORE)];
  const at = (cosine + SHARE_WEIGHT * share - reject) / (fact - reject);
  return 1 / (1 + Math.exp(-(low + at * (high - low))));
}

/** What a score says; null where it says nothing. */
export function classifyScore(score: number | null): RelevanceSource | null {
  if (score === null) return null;
  if (score > FACT_SCORE) return "FACT";
  return score < REJECT_SCORE ? "REJECTED" : "HYPOTHESIS";
}

function computeLogit(share: number): number {
  return Math.log(share / (1 - share));
}

/** A symbol with what came of it. */
export interface SymbolRelevance {
  readonly symbol: string;
  /** Null where nothing can be said. */
  readonly source: RelevanceSource | null;
  /** 0 to 1; null where it was learned. */
  readonly score: number | null;
  /** Defined names that fit the request better; only of a rejected one. */
  readonly suggestions: readonly string[];
  /** Where it is defined; absent while that is not known of all files. */
  readonly defined?: SymbolPlaces;
}

/** Where a name is defined. */
export interface SymbolPlaces {
  /** As `path:line`, the first few. */
  readonly places: readonly string[];
  /** Defined names with the same words, where it is defined nowhere. */
  readonly near: readonly string[];
}

/** What measuring works with. */
export interface MeasureDeps {
  /** The cosines of a text and names; null where nothing is known of one of them. */
  readonly compare: (
    text: string,
    names: readonly string[],
  ) => Promise<readonly (number | null)[]>;
  /** Symbols that earlier work confirmed for such a request. */
  readonly findLearned: (request: string) => Promise<readonly string[]>;
  /** Defined names that have a word. */
  readonly findNames: (word: string) => Promise<readonly string[]>;
  /**
   * Where a name is defined, as `path:line`; null while the index does not know all files, which is waited for a while
   * where it is asked for.
   */
  readonly findPlaces: (
    name: string,
    options: { readonly isAwaited: boolean },
  ) => Promise<readonly string[] | null>;
}

/** What is measured. */
export interface MeasureInput {
  readonly symbols: readonly string[];
  /** Words of the request that name the target, the most telling first. */
  readonly target: readonly string[];
  /** The whole request. */
  readonly request: string;
}

const MAX_SYMBOLS = 20;
const MAX_SUGGESTIONS = 5;
const MAX_WORDS = 8;
/** A longer text is about too much to be near a name. */
const MAX_TEXT_CHARS = 200;

/** The symbols of which something can be said, in their order, each once. */
export async function measureSymbols(
  { symbols, target, request }: MeasureInput,
  deps: MeasureDeps,
): Promise<SymbolRelevance[]> {
  const asked = [...new Set(symbols)].slice(0, MAX_SYMBOLS);
  if (asked.length === 0) return [];
  const texts = [...new Set([...target, request])].filter((text) => text.trim() !== "")
    .map(parseRelevanceText);
  const learned = new Set((await deps.findLearned(request)).map(plainSymbol));
  const shares = new Map(asked.map((symbol) => [
    symbol,
    Math.max(0, ...texts.map((text) => computeWordShare(text, symbol))),
  ]));
  const open = asked.filter((symbol) =>
    !learned.has(plainSymbol(symbol)) &&
    computeRelevance({ share: shares.get(symbol) ?? 0, cosine: null }) === null
  );
  const cosines = await compareAll(open, texts, deps);
  const measured = asked.map((symbol) => {
    if (learned.has(plainSymbol(symbol))) return { symbol, source: "FACT" as const, score: null };
    const cosine = cosines.get(symbol) ?? null;
    const score = computeRelevance({ share: shares.get(symbol) ?? 0, cosine });
    return { symbol, source: classifyScore(score), score };
  });
  const placed = await Promise.all(measured.map(async (one) => {
    const defined = await locate(one.symbol, deps, { isAwaited: one.source === "REJECTED" });
    if (defined === null) return one;
    const isStrange = defined.places.length === 0 && one.source === "HYPOTHESIS" &&
      (shares.get(one.symbol) ?? 0) === 0 && (one.score ?? 1) < STRANGE_SCORE;
    if (isStrange) return { ...one, defined, source: "REJECTED" as const };
    const isOpen = one.source !== "FACT" && isInNamedFile(defined, texts);
    return { ...one, defined, source: isOpen ? null : one.source };
  }));
  const isRejected = placed.some(({ source }) => source === "REJECTED");
  const suggestions = isRejected ? await suggest(texts, deps) : [];
  return placed.filter((one) => one.source !== null || "defined" in one)
    .map((one) => ({ ...one, suggestions: one.source === "REJECTED" ? suggestions : [] }));
}

/**
 * Below this score a name that nothing defines, and that has no word of the request, is not meant by it: the middle
 * between what is rejected in any case and what is a fact.
 */
const STRANGE_SCORE = (REJECT_SCORE + FACT_SCORE) / 2;
const MAX_NEAR = 3;

/**
 * Whether a name is defined in a file whose name stands in the request: "show it in the report" may mean `renderLine` of
 * `report.ts`, although no word of the two is alike. That is neither a fact nor a doubt.
 */
function isInNamedFile({ places }: SymbolPlaces, texts: readonly RelevanceText[]): boolean {
  return places.some((place) => {
    const [, name = ""] = /([^/]+?)(?:\.[^/]*)?:\d+$/.exec(place) ?? [];
    const words = splitIdentifier(name).map(stemWord);
    // Short ones, as in `a.ts`, stand in every sentence.
    return words.some((word) => word.length > 2) &&
      texts.some(({ stems }) => words.every((word) => stems.has(word)));
  });
}

/** Where a symbol is defined, or which names are like it; null where that is not known. */
async function locate(
  symbol: string,
  deps: MeasureDeps,
  options: { readonly isAwaited: boolean },
): Promise<SymbolPlaces | null> {
  const plain = symbol.replace(/\(.*$/, "").trim();
  const places = await deps.findPlaces(plain, options);
  if (places === null || places.length > 0) return places === null ? null : { places, near: [] };
  const words = splitIdentifier(plain).filter((word) => word.length > 2);
  const names = new Set((await Promise.all(words.map((word) => deps.findNames(word)))).flat());
  const toShared = (name: string) =>
    splitIdentifier(name).filter((word) => words.includes(word)).length;
  const near = [...names].sort((a, b) => toShared(b) - toShared(a) || (a < b ? -1 : 1));
  return { places, near: near.slice(0, MAX_NEAR) };
}

/** The nearest of the texts counts. */
async function compareAll(
  symbols: readonly string[],
  texts: readonly RelevanceText[],
  { compare }: MeasureDeps,
): Promise<ReadonlyMap<string, number>> {
  const cosines = new Map<string, number>();
  if (symbols.length === 0) return cosines;
  for (const text of new Set(texts.map(({ meant }) => meant.slice(0, MAX_TEXT_CHARS)))) {
    const found = await compare(text, symbols.map(splitSymbolWords));
    symbols.forEach((symbol, at) => {
      const cosine = found[at] ?? null;
      if (cosine !== null) cosines.set(symbol, Math.max(cosines.get(symbol) ?? -1, cosine));
    });
  }
  return cosines;
}

/** Defined names with words of the request, those first of which it has the most. */
async function suggest(texts: readonly RelevanceText[], deps: MeasureDeps): Promise<string[]> {
  const [text] = texts;
  if (text === undefined) return [];
  const words = text.words.filter((word) => word.length > 2).slice(0, MAX_WORDS);
  const names = new Set((await Promise.all(words.map((word) => deps.findNames(word)))).flat());
  const toMet = (name: string) =>
    new Set(splitIdentifier(name).map(stemWord).filter((stem) => text.stems.has(stem))).size;
  return [...names].map((name) => ({ name, met: toMet(name), share: computeWordShare(text, name) }))
    .sort((a, b) => b.met - a.met || b.share - a.share || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS).map(({ name }) => name);
}

function plainSymbol(symbol: string): string {
  return splitSymbolWords(symbol.replace(/\(.*$/, ""));
}
