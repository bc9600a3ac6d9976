/** The labelled pairs of requests and names that the scale of relevance is calibrated on. */
import { join } from "node:path";
import type { Embedder } from "../../src/embedding/mod.ts";
import {
  SHARE_WEIGHT,
  toRelevanceText,
  toSymbolWords,
  toWordShare,
} from "../../src/request/relevance.ts";
import { REPOSITORY } from "../demo/server.ts";

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
  readonly cosine: number;
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

/** Embeds the pairs as the program does. */
export async function measurePairs(
  pairs: readonly LabelledPair[],
  embedder: Pick<Embedder, "embedQuery">,
): Promise<MeasuredPair[]> {
  const known = new Map<string, Promise<Float32Array>>();
  const embed = (text: string) => {
    const vector = known.get(text) ?? embedder.embedQuery(text);
    known.set(text, vector);
    return vector;
  };
  return await Promise.all(pairs.map(async (pair) => {
    const text = toRelevanceText(pair.request);
    const share = toWordShare(text, pair.symbol);
    const [left, right] = await Promise.all([
      embed(text.meant),
      embed(toSymbolWords(pair.symbol)),
    ]);
    const cosine = left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
    return { ...pair, share, cosine, value: cosine + SHARE_WEIGHT * share };
  }));
}
