/**
 * Measures the symbols of a query frame against the request: by what was learned, by words, and by meaning
 * where these do not decide. Names that fit better are looked for where a symbol is rejected.
 */
import { splitIdentifier } from "../analysis/mod.ts";
import { toStem } from "../base/text/stem.ts";
import type { RelevanceSource, RelevanceText } from "./relevance.ts";
import {
  CALIBRATIONS,
  toRelevance,
  toRelevanceText,
  toSource,
  toSymbolWords,
  toWordShare,
} from "./relevance.ts";

/** A symbol with what came of it. */
export interface SymbolRelevance {
  readonly symbol: string;
  readonly source: RelevanceSource;
  /** 0 to 1; null where it was learned. */
  readonly score: number | null;
  /** Defined names that fit the request better; only of a rejected one. */
  readonly suggestions: readonly string[];
}

/** What measuring works with. */
export interface MeasureDeps {
  /** Name of the model and the cosines of a text and names; null where there is no model, or no time. */
  readonly compare: (
    text: string,
    names: readonly string[],
  ) => Promise<{ readonly model: string; readonly cosines: readonly number[] } | null>;
  /** Symbols that earlier work confirmed for such a request. */
  readonly findLearned: (request: string) => Promise<readonly string[]>;
  /** Defined names that have a word. */
  readonly findNames: (word: string) => Promise<readonly string[]>;
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
    .map(toRelevanceText);
  const learned = new Set((await deps.findLearned(request)).map(toPlain));
  const shares = new Map(asked.map((symbol) => [
    symbol,
    Math.max(0, ...texts.map((text) => toWordShare(text, symbol))),
  ]));
  const open = asked.filter((symbol) =>
    !learned.has(toPlain(symbol)) &&
    toRelevance({ share: shares.get(symbol) ?? 0, cosine: null }, undefined) === null
  );
  const compared = await compareAll(open, texts, deps);
  const measured = asked.map((symbol) => {
    if (learned.has(toPlain(symbol))) return { symbol, source: "FACT" as const, score: null };
    const score = toRelevance(
      { share: shares.get(symbol) ?? 0, cosine: compared.cosines.get(symbol) ?? null },
      CALIBRATIONS[compared.model],
    );
    return { symbol, source: toSource(score), score };
  });
  const isRejected = measured.some(({ source }) => source === "REJECTED");
  const suggestions = isRejected ? await suggest(texts, deps) : [];
  return measured.flatMap(({ symbol, source, score }) =>
    source === null
      ? []
      : [{ symbol, source, score, suggestions: source === "REJECTED" ? suggestions : [] }]
  );
}

interface Compared {
  readonly model: string;
  /** The nearest of the texts counts. */
  readonly cosines: ReadonlyMap<string, number>;
}

async function compareAll(
  symbols: readonly string[],
  texts: readonly RelevanceText[],
  { compare }: MeasureDeps,
): Promise<Compared> {
  const cosines = new Map<string, number>();
  let model = "";
  for (const text of new Set(texts.map(({ meant }) => meant.slice(0, MAX_TEXT_CHARS)))) {
    const found = symbols.length === 0 ? null : await compare(text, symbols.map(toSymbolWords));
    if (found === null) break;
    model = found.model;
    symbols.forEach((symbol, at) => {
      cosines.set(symbol, Math.max(cosines.get(symbol) ?? -1, found.cosines[at] ?? -1));
    });
  }
  return { model, cosines };
}

/** Defined names with words of the request, those first of which it has the most. */
async function suggest(texts: readonly RelevanceText[], deps: MeasureDeps): Promise<string[]> {
  const [text] = texts;
  if (text === undefined) return [];
  const words = text.words.filter((word) => word.length > 2).slice(0, MAX_WORDS);
  const names = new Set((await Promise.all(words.map((word) => deps.findNames(word)))).flat());
  const toMet = (name: string) =>
    new Set(splitIdentifier(name).map(toStem).filter((stem) => text.stems.has(stem))).size;
  return [...names].map((name) => ({ name, met: toMet(name), share: toWordShare(text, name) }))
    .sort((a, b) => b.met - a.met || b.share - a.share || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS).map(({ name }) => name);
}

function toPlain(symbol: string): string {
  return toSymbolWords(symbol.replace(/\(.*$/, ""));
}
