/**
 * Calibrates the scale of relevance: `deno task relevance`. It measures the labelled pairs, proposes where the marks
 * of the scale belong for the table of word vectors, and prints what the marks of the program give.
 */
import type { Calibration } from "../../src/request/measure_symbols.ts";
import { CALIBRATION, toRelevance, toSource } from "../../src/request/measure_symbols.ts";
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
  const called = pairs.map((pair) => ({
    ...pair,
    source: toSource(
      toRelevance(
        { share: pair.share, cosine: calibration === null ? null : pair.cosine },
        calibration ?? undefined,
      ),
    ),
  }));
  const count = (test: (pair: typeof called[number]) => boolean) => called.filter(test).length;
  const facts = count(({ source }) => source === "FACT");
  const rejected = count(({ source }) => source === "REJECTED");
  const rightFacts = count(({ source, isRelated }) => source === "FACT" && isRelated);
  const wrongRejected = count(({ source, isRelated }) => source === "REJECTED" && isRelated);
  const related = count(({ isRelated }) => isRelated);
  return {
    pairs: pairs.length,
    factPrecision: toShare(rightFacts, facts),
    factRecall: toShare(rightFacts, related),
    rejectPrecision: toShare(rejected - wrongRejected, rejected),
    rejectRecall: toShare(rejected - wrongRejected, pairs.length - related),
    wronglyRejected: toShare(wrongRejected, related),
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

function toShare(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}

async function main(): Promise<void> {
  const print = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
  const pairs = await measurePairs(await readPairs());
  const proposed = proposeMarks(pairs);
  print(
    `Marks ${JSON.stringify(CALIBRATION)}; the pairs propose ` +
      `${JSON.stringify({ reject: round(proposed.reject), fact: round(proposed.fact) })}\n`,
  );
  print(
    "| pairs | FACT precision | FACT recall | REJECTED precision | REJECTED recall | wrongly rejected |",
  );
  print("|---|---|---|---|---|---|");
  const rows: readonly (readonly [string, readonly MeasuredPair[], Calibration | null])[] = [
    ["all", pairs, CALIBRATION],
    ["English", pairs.filter(({ language }) => language === "en"), CALIBRATION],
    ["Japanese", pairs.filter(({ language }) => language === "ja"), CALIBRATION],
    ["all, words alone", pairs, null],
  ];
  for (const [name, own, calibration] of rows) {
    const { pairs: total, ...figures } = toFigures(own, calibration);
    print(
      `| ${name} (${total}) | ${Object.values(figures).map((one) => one.toFixed(3)).join(" | ")} |`,
    );
  }
}

function round(value: number): number {
  return Number(value.toFixed(3));
}

if (import.meta.main) await main();
