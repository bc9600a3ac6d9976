/** Search by meaning: what a question costs in small and large projects, and what embedding costs. */
import { join } from "node:path";
import { makeTempFolders } from "../../tools/demo/server.ts";
import type { Figure } from "../harness/measure.ts";
import { figure } from "../harness/measure.ts";
import { runScript } from "../harness/run.ts";
import { writeSamples } from "../harness/sample_code.ts";
import type { EmbedOnce } from "./embed_once.ts";
import type { MeaningOnce } from "./meaning_once.ts";

/** A file of the sample has 12 chunks. */
const SIZES: readonly (readonly [name: string, files: number, aim: string])[] = [
  ["1k", 84, "aim: at most 8 ms by words"],
  ["10k", 834, "aim: at most 8 ms by words, 40 ms with meaning"],
  ["100k", 8_334, "aim: at most 80 ms"],
];
const EMBEDDED_FILES = 100;

/** Every figure of meaning, over files of about 8 KB in four languages. */
export async function measureMeaning(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [size, files, aim] of SIZES) {
    const once = await runOn<MeaningOnce>("bench/meaning_once.ts", files);
    const note = `${once.chunks} chunks, ${once.vectors} vectors by chance; ${aim}`;
    const ways = { "question by words": once.words, "question by meaning": once.hybrid };
    for (
      const [way, times] of Object.entries({ ...ways, "nearest of all vectors": once.nearest })
    ) {
      figures.push(
        figure(`${way}, ${size} chunks, p50`, times.p50, "ms", note),
        figure(`${way}, ${size} chunks, p95`, times.p95, "ms", note),
      );
    }
  }
  return [...figures, ...await measureEmbedding()];
}

async function measureEmbedding(): Promise<readonly Figure[]> {
  const once = await runOn<EmbedOnce>("bench/embed_once.ts", EMBEDDED_FILES);
  const { quietMs, busyMs } = once;
  const slowed = `of ${quietMs.toFixed(1)} ms without; aim: at most 1.20`;
  const rest = `from a search to the rest after it, ${EMBEDDED_FILES} files`;
  const restNote = "while asked 40 times; aim: at most a minute for 500 files";
  const idleNote = "of one core, over ten seconds; aim: at most 0.01";
  const twoNote = "aim: at least 25 chunks a second";
  return [
    figure("digests embedded, one thread", once.oneWorker, "per s", "each stands for 150 lines"),
    figure("digests embedded, two threads", once.twoWorkers, "per s", twoNote),
    figure("memory before the model", once.servingBytes, "bytes", "aim: at most 200 MB"),
    figure(
      "memory with the model, two threads",
      once.embeddingBytes,
      "bytes",
      "aim: at most 500 MB",
    ),
    figure("memory after it was given back", once.afterBytes, "bytes", "aim: as before"),
    figure("answer while vectors are made", busyMs / quietMs, "ratio", slowed),
    figure(rest, once.restMs, "ms", restNote),
    figure("processor of a server at rest", once.restRatio, "ratio", idleNote),
  ];
}

async function runOn<T>(script: string, files: number): Promise<T> {
  await using folders = await makeTempFolders();
  await writeSamples(folders.root, files);
  return await runScript(script, [folders.root, join(folders.stateDir, "index")]);
}
