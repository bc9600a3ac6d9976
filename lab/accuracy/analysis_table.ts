/** Analyses folders of real code: a row a language with files, symbols, texts with errors and speed, then faults of the chunks. */
import process from "node:process";
import type { Analysis } from "../../src/analysis/analysis.ts";
import { analyseText } from "../../src/analysis/analyse.ts";
import { findChunkFaults } from "./chunk_faults.ts";
import { readCorpus } from "./checkout.ts";

const CHUNK_MAX_TOKENS = 512;

/** What is counted of each language: the column with its width, and what a text adds to it. */
const COLUMNS = [
  ["files", 6, () => 1],
  ["MB", 6, ({ text }) => text.length / 1e6],
  ["symbols", 8, ({ analysis }) => analysis.symbols.length],
  ["occurrences", 12, ({ analysis }) => analysis.occurrences.length],
  ["imports", 8, ({ analysis }) => analysis.imports.length],
  ["chunks", 7, ({ analysis }) => analysis.chunks.length],
  ["partial", 8, ({ analysis }) => Number(analysis.isPartial)],
  ["by rules", 9, ({ analysis }) => Number(analysis.parser === "regex")],
  ["ms", 0, ({ ms }) => ms],
] as const satisfies readonly (readonly [string, number, (one: Analysed) => number])[];

interface Analysed {
  readonly text: string;
  readonly analysis: Analysis;
  /** Processor time, because other work on the machine says nothing about the analysis. */
  readonly ms: number;
}

/** What the analyses of some folders gave. */
export interface AnalysisTable {
  /** Lines to print. */
  readonly lines: readonly string[];
  /** How many faults the chunks have. */
  readonly faults: number;
}

/** Analyses every file of the folders; the figures of each language are one line. */
export async function makeAnalysisTable(folders: readonly string[]): Promise<AnalysisTable> {
  const rows = new Map<string, number[]>();
  const faults: string[] = [];
  const partial: string[] = [];
  for (const folder of folders) {
    for await (const { path, language, text } of readCorpus(folder)) {
      const options = { path, chunkMaxTokens: CHUNK_MAX_TOKENS };
      // The first text of a language loads its grammar, which is not what is measured.
      if (!rows.has(language)) await analyseText(text, options);
      const row = rows.get(language) ?? COLUMNS.map(() => 0);
      const begin = process.cpuUsage();
      const analysis = await analyseText(text, options);
      const { user, system } = process.cpuUsage(begin);
      const one = { text, analysis, ms: (user + system) / 1_000 };
      rows.set(language, COLUMNS.map(([, , add], at) => (row[at] ?? 0) + add(one)));
      if (analysis.isPartial) partial.push(`${folder}/${path}`);
      for (const fault of findChunkFaults(text, analysis, CHUNK_MAX_TOKENS * 4)) {
        faults.push(`${folder}/${path}: ${fault}`);
      }
    }
  }
  const lines = [HEAD, ...toLines(rows)];
  if (partial.length > 0) lines.push("", "With errors:", ...partial.slice(0, MAX_LISTED));
  if (faults.length > 0) lines.push("", `Faults: ${faults.length}`, ...faults.slice(0, MAX_LISTED));
  return { lines, faults: faults.length };
}

const MAX_LISTED = 40;
const HEAD =
  "language     files     MB  symbols  occurrences  imports  chunks  partial  by rules   MB/s";

function toLines(rows: ReadonlyMap<string, readonly number[]>): string[] {
  return [...rows].sort((a, b) => (b[1][1] ?? 0) - (a[1][1] ?? 0)).map(([language, row]) => {
    const figures = COLUMNS.slice(0, -1).map(([name, width], at) =>
      (row[at] ?? 0).toFixed(name === "MB" ? 2 : 0).padStart(width)
    );
    const speed = 1_000 * (row[1] ?? 0) / (row.at(-1) ?? 0);
    return `${language.padEnd(11)}${figures.join(" ")} ${speed.toFixed(2).padStart(6)}`;
  });
}
