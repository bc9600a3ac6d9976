/** The labelled pairs of requests and names that the scale of relevance is calibrated on. */
import { join } from "node:path";
import { splitParts } from "../../src/analysis/tokens.ts";
import {
  computeWordShare,
  parseRelevanceText,
  SHARE_WEIGHT,
  splitSymbolWords,
} from "../../src/request/measure_symbols.ts";
import { compareTexts } from "../../src/word_vectors/load_table.ts";
import { REPOSITORY } from "../../tools/task.ts";

/** A request and a name, and whether the name is about what the request asks for. */
export interface LabelledPair {
  readonly language: "en" | "ja";
  readonly request: string;
  readonly symbol: string;
  readonly isRelated: boolean;
}

/** A pair with what is known of it. */
export interface MeasuredPair extends LabelledPair {
  readonly share: number;
  /** Null where one of both has no known word. */
  readonly cosine: number | null;
  /** Cosine with what shared words add: what a calibration sets its marks on. */
  readonly value: number;
}

const FIXTURE = "tests/fixtures/relevance/pairs.jsonl";

/** Reads the fixture: a line has a request with names that are related to it and names that are not. */
export async function readPairs(path = join(REPOSITORY, FIXTURE)): Promise<LabelledPair[]> {
  const lines = (await Deno.readTextFile(path)).split("\n").filter((line) => line !== "");
  return lines.flatMap((line) => {
    const { language, request, related, unrelated } = JSON.parse(line);
    const toPair = (isRelated: boolean) => (symbol: string) => ({
      language,
      request,
      symbol,
      isRelated,
    });
    return [...related.map(toPair(true)), ...unrelated.map(toPair(false))];
  });
}

/** Measures the pairs as the program does. */
export async function measurePairs(pairs: readonly LabelledPair[]): Promise<MeasuredPair[]> {
  return await Promise.all(pairs.map(async (pair) => {
    const text = parseRelevanceText(pair.request);
    const share = computeWordShare(text, pair.symbol);
    const names = [splitParts(splitSymbolWords(pair.symbol))];
    const [cosine = null] = await compareTexts(splitParts(text.meant), names);
    return { ...pair, share, cosine, value: (cosine ?? 0) + SHARE_WEIGHT * share };
  }));
}
