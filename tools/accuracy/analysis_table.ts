/**
 * Analyses folders of real code and prints, a row a language: files, megabytes, symbols, texts with
 * errors, speed; then every fault of the chunks. `deno task accuracy FOLDER…`
 */
import process from "node:process";
import { analyseText } from "../../src/index/mod.ts";
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

const rows = new Map<string, Row>();
const faults: string[] = [];
const partial: string[] = [];

for (const folder of Deno.args) {
  for await (const { path, language, text } of readCorpus(folder)) {
    const row = rows.get(language) ?? {
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
    // The first text of a language loads its grammar, which is not what is measured.
    if (row.files === 0) await analyseText(text, { path, chunkMaxTokens: CHUNK_MAX_TOKENS });
    // Processor time, because other work on the machine says nothing about the analysis.
    const begin = process.cpuUsage();
    const analysis = await analyseText(text, { path, chunkMaxTokens: CHUNK_MAX_TOKENS });
    const { user, system } = process.cpuUsage(begin);
    row.ms += (user + system) / 1_000;
    row.files++;
    row.chars += text.length;
    row.symbols += analysis.symbols.length;
    row.occurrences += analysis.occurrences.length;
    row.imports += analysis.imports.length;
    row.chunks += analysis.chunks.length;
    row.partial += analysis.isPartial ? 1 : 0;
    row.byRules += analysis.parser === "regex" ? 1 : 0;
    rows.set(language, row);
    if (analysis.isPartial) partial.push(`${folder}/${path}`);
    for (const fault of findChunkFaults(text, analysis, CHUNK_MAX_TOKENS * 4)) {
      faults.push(`${folder}/${path}: ${fault}`);
    }
  }
}

const print = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
print(
  "language     files     MB  symbols  occurrences  imports  chunks  partial  by rules   MB/s",
);
for (const [language, row] of [...rows].sort((a, b) => b[1].chars - a[1].chars)) {
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
  print(`${language.padEnd(11)}${figures.join(" ")}`);
}
if (partial.length > 0) print(`\nWith errors:\n${partial.slice(0, 40).join("\n")}`);
if (faults.length > 0) {
  print(`\nFaults: ${faults.length}\n${faults.slice(0, 40).join("\n")}`);
  Deno.exit(1);
}
