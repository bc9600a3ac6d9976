/** Search by meaning: what a question costs in small and large projects, and what embedding costs. */
import { dirname, join } from "node:path";
import { makeTempFolders, REPOSITORY } from "../../tools/demo/server.ts";
import type { EmbedOnce } from "./embed_once.ts";
import type { MeaningOnce, Quantiles } from "./meaning_once.ts";
import type { Figure } from "../../tools/measure.ts";
import { runProgram } from "../../tools/measure.ts";
import { makeSampleFile } from "./sample_code.ts";

/** A file of the sample has 12 chunks. */
const SIZES: readonly { readonly name: string; readonly files: number; readonly aim: string }[] = [
  { name: "1k", files: 84, aim: "aim: at most 8 ms by words" },
  { name: "10k", files: 834, aim: "aim: at most 8 ms by words, 40 ms with meaning" },
  { name: "100k", files: 8_334, aim: "aim: at most 80 ms" },
];
const EMBEDDED_FILES = 100;

/** Every figure of meaning, over files of about 8 KB in four languages. */
export async function measureMeaning(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { name, files, aim } of SIZES) {
    await using folders = await makeTempFolders();
    const { root, stateDir } = folders;
    for (let at = 0; at < files; at++) await writeSample(root, at);
    const once: MeaningOnce = await runScript("meaning_once.ts", root, join(stateDir, name));
    const note = `${once.chunks} chunks, ${once.vectors} vectors by chance; ${aim}`;
    figures.push(
      ...toFigures(`question by words, ${name} chunks`, once.words, note),
      ...toFigures(`question by meaning, ${name} chunks`, once.hybrid, note),
      ...toFigures(`nearest of all vectors, ${name} chunks`, once.nearest, note),
    );
  }
  return [...figures, ...await measureEmbedding()];
}

async function measureEmbedding(): Promise<readonly Figure[]> {
  await using folders = await makeTempFolders();
  const { root, stateDir } = folders;
  for (let at = 0; at < EMBEDDED_FILES; at++) await writeSample(root, at);
  const once: EmbedOnce = await runScript("embed_once.ts", root, stateDir);
  const rate = (name: string, value: number, note: string): Figure => ({
    name,
    value,
    unit: "per s",
    note,
  });
  const bytes = (name: string, value: number, note: string): Figure => ({
    name,
    value,
    unit: "bytes",
    note,
  });
  return [
    rate("digests embedded, one thread", once.oneWorker, "each stands for 150 lines"),
    rate("digests embedded, two threads", once.twoWorkers, "aim: at least 25 chunks a second"),
    bytes("memory before the model", once.servingBytes, "aim: at most 200 MB"),
    bytes("memory with the model, two threads", once.embeddingBytes, "aim: at most 500 MB"),
    bytes("memory after it was given back", once.afterBytes, "aim: as before"),
    {
      name: "answer while vectors are made",
      value: once.busyMs / once.quietMs,
      unit: "ratio",
      note: `of ${once.quietMs.toFixed(1)} ms without; aim: at most 1.20`,
    },
    {
      name: `from a search to the rest after it, ${EMBEDDED_FILES} files`,
      value: once.restMs,
      unit: "ms",
      note: "while asked 40 times; aim: at most a minute for 500 files",
    },
    {
      name: "processor of a server at rest",
      value: once.restRatio,
      unit: "ratio",
      note: "of one core, over ten seconds; aim: at most 0.01",
    },
  ];
}

function toFigures(name: string, { p50, p95 }: Quantiles, note: string): readonly Figure[] {
  return [
    { name: `${name}, p50`, value: p50, unit: "ms", note },
    { name: `${name}, p95`, value: p95, unit: "ms", note },
  ];
}

async function writeSample(root: string, at: number): Promise<void> {
  const { path, text } = makeSampleFile(at);
  await Deno.mkdir(dirname(join(root, path)), { recursive: true });
  await Deno.writeTextFile(join(root, path), text);
}

async function runScript<T>(script: string, root: string, folder: string): Promise<T> {
  const path = join(REPOSITORY, "lab/bench", script);
  const args = ["run", "-A", "--no-check", path, root, folder];
  return JSON.parse(await runProgram(Deno.execPath(), args, REPOSITORY));
}

if (import.meta.main) {
  for (const { name, value, unit, note } of await measureMeaning()) {
    Deno.stdout.writeSync(
      new TextEncoder().encode(`${name.padEnd(44)} ${value.toFixed(2)} ${unit} ${note}\n`),
    );
  }
}
