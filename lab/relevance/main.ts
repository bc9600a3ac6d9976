/**
 * Calibrates the scale of relevance: `deno task relevance`. It measures the labelled pairs, proposes where the marks
 * of the scale belong for the table of word vectors, and prints what the marks of the program give.
 */
import { CALIBRATION, classifyScore, computeRelevance } from "../../src/request/measure_symbols.ts";
import type { Calibration } from "../../src/request/measure_symbols.ts";
import { computeShare, formatFigure, toTable } from "../harness/figures.ts";
import { print } from "../harness/run.ts";
import type { MeasuredPair } from "./pairs.ts";
import { measurePairs, readPairs } from "./pairs.ts";

/** How often each source is right. */
export interface SourceFigures {
  readonly pairs: number;
  /** Share of the pairs called FACT that are related, and share of the related ones that are called so. */
  readonly factPrecision: number;
  readonly factRecall: number;
  /** Share of the pairs called REJECTED that are not related, and share of those that are called so. */
  readonly rejectPrecision: number;
  readonly rejectRecall: number;
  /** Share of the related pairs that are rejected: honest frames that are refused. */
  readonly wronglyRejected: number;
}

/** The figures of a calibration; null: of words alone. */
export function toFigures(
  pairs: readonly MeasuredPair[],
  calibration: Calibration | null,
): SourceFigures {
  const count = (wanted: string, isRelated: boolean) =>
    pairs.filter((pair) => {
      const cosine = calibration === null ? null : pair.cosine;
      const relevance = computeRelevance({ share: pair.share, cosine }, calibration ?? undefined);
      return classifyScore(relevance) === wanted && pair.isRelated === isRelated;
    }).length;
  const [rightFacts, wrongFacts] = [count("FACT", true), count("FACT", false)];
  const [wrongRejected, rightRejected] = [count("REJECTED", true), count("REJECTED", false)];
  const related = pairs.filter(({ isRelated }) => isRelated).length;
  return {
    pairs: pairs.length,
    factPrecision: computeShare(rightFacts, rightFacts + wrongFacts),
    factRecall: computeShare(rightFacts, related),
    rejectPrecision: computeShare(rightRejected, rightRejected + wrongRejected),
    rejectRecall: computeShare(rightRejected, pairs.length - related),
    wronglyRejected: computeShare(wrongRejected, related),
  };
}

const REJECTED_SHARE = 0.01;
const FACT_PRECISION = 0.97;

/** Marks that the pairs themselves ask for. */
export function proposeMarks(pairs: readonly MeasuredPair[]): Calibration {
  const related = pairs.filter(({ isRelated }) => isRelated).map(({ value }) => value)
    .sort((a, b) => a - b);
  const down = [...pairs].sort((a, b) => b.value - a.value);
  let right = 0;
  let fact = 1;
  down.forEach(({ isRelated, value }, at) => {
    right += Number(isRelated);
    if (right / (at + 1) >= FACT_PRECISION) fact = value;
  });
  return { reject: related[Math.floor(REJECTED_SHARE * related.length)] ?? 0, fact };
}

async function main(): Promise<void> {
  const pairs = await measurePairs(await readPairs());
  const { reject, fact } = proposeMarks(pairs);
  const round = (value: number) => Number(formatFigure(value));
  const proposed = JSON.stringify({ reject: round(reject), fact: round(fact) });
  print(`Marks ${JSON.stringify(CALIBRATION)}; the pairs propose ${proposed}\n`);
  const of = (wanted: string) => pairs.filter(({ language }) => language === wanted);
  const rows: readonly (readonly [string, readonly MeasuredPair[], Calibration | null])[] = [
    ["all", pairs, CALIBRATION],
    ["English", of("en"), CALIBRATION],
    ["Japanese", of("ja"), CALIBRATION],
    ["all, words alone", pairs, null],
  ];
  const columns = ["FACT precision", "FACT recall", "REJECTED precision", "REJECTED recall"];
  print(toTable(
    ["pairs", ...columns, "wrongly rejected"],
    rows.map(([name, own, calibration]) => {
      const { pairs: total, ...figures } = toFigures(own, calibration);
      return [`${name} (${total})`, ...Object.values(figures).map(formatFigure)];
    }),
  ));
}

if (import.meta.main) await main();
