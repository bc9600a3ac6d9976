/** Analyses folders of real code: a row a language with files, symbols, texts with errors and speed, then faults of the chunks. */
import process from "node:process";
import type { Analysis } from "../../src/analysis/analysis.ts";
import { analyseText } from "../../src/analysis/analyse.ts";
import { findChunkFaults } from "./chunk_faults.ts";
import { readCorpus } from "./corpus.ts";

const CHUNK_MAX_TOKENS = 512;

interface Row {
  files: number;
  chars: number;
  symbols: number;
  occurrences: number;
  imports: number;
  chunks: number;
  partial: number;
  byRules: number;
  ms: number;
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
  const rows = new Map<string, Row>();
  const faults: string[] = [];
  const partial: string[] = [];
  for (const folder of folders) {
    for await (const { path, language, text } of readCorpus(folder)) {
      const row = rows.get(language) ?? makeRow();
      rows.set(language, row);
      // The first text of a language loads its grammar, which is not what is measured.
      if (row.files === 0) await analyseText(text, { path, chunkMaxTokens: CHUNK_MAX_TOKENS });
      // Processor time, because other work on the machine says nothing about the analysis.
      const begin = process.cpuUsage();
      const analysis = await analyseText(text, { path, chunkMaxTokens: CHUNK_MAX_TOKENS });
      const { user, system } = process.cpuUsage(begin);
      row.ms += (user + system) / 1_000;
      count(row, text, analysis);
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

function makeRow(): Row {
  return {
    files: 0,
    chars: 0,
    symbols: 0,
    occurrences: 0,
    imports: 0,
    chunks: 0,
    partial: 0,
    byRules: 0,
    ms: 0,
  };
}

function count(row: Row, text: string, analysis: Analysis): void {
  row.files++;
  row.chars += text.length;
  row.symbols += analysis.symbols.length;
  row.occurrences += analysis.occurrences.length;
  row.imports += analysis.imports.length;
  row.chunks += analysis.chunks.length;
  row.partial += analysis.isPartial ? 1 : 0;
  row.byRules += analysis.parser === "regex" ? 1 : 0;
}

function toLines(rows: ReadonlyMap<string, Row>): string[] {
  return [...rows].sort((a, b) => b[1].chars - a[1].chars).map(([language, row]) => {
    const figures = [
      String(row.files).padStart(6),
      (row.chars / 1e6).toFixed(2).padStart(6),
      String(row.symbols).padStart(8),
      String(row.occurrences).padStart(12),
      String(row.imports).padStart(8),
      String(row.chunks).padStart(7),
      String(row.partial).padStart(8),
      String(row.byRules).padStart(9),
      (row.chars / 1e3 / row.ms).toFixed(2).padStart(6),
    ];
    return `${language.padEnd(11)}${figures.join(" ")}`;
  });
}
