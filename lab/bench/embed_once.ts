/**
 * One process that embeds a project and prints what it took as JSON: `embed_once.ts ROOT FOLDER`: texts a
 * second with one thread and two, its memory, and how much an answer is slowed meanwhile.
 */
import process from "node:process";
import { createEmbedder } from "../../src/embedding/embedder.ts";
import type { CodeIndex } from "../../src/index/index_api.ts";
import { RankingMemory } from "../../src/ranking/content_facts.ts";
import { searchHybrid } from "../../src/ranking/hybrid_search.ts";
import { computeMedian } from "../harness/measure.ts";
import { pause, print, timeMs } from "../harness/run.ts";
import { openBenchIndex } from "./meaning_once.ts";

const WARM_FILES = 4;
const MEASURED_FILES = 60;
const IDLE_MS = 1_000;
const ANSWERS = 40;
/** An agent asks, reads, and asks again. */
const PAUSE_MS = 100;
/** So long a server at rest is watched. */
const WATCHED_MS = 10_000;

const rss = () => Deno.memoryUsage().rss;

async function measureRate(root: string, folder: string, maxWorkers: number) {
  const embedder = createEmbedder({ maxWorkers, idleMs: IDLE_MS });
  const index = openBenchIndex(root, folder, embedder);
  await index.sync();
  const meaning = await index.meaning();
  if (meaning === null) throw new Error("There is no model");
  const servingBytes = rss();
  await meaning.finish("digest", { maxFiles: WARM_FILES });
  const before = (await meaning.progress()).digests;
  const startedAt = performance.now();
  await meaning.finish("digest", { maxFiles: MEASURED_FILES });
  const seconds = (performance.now() - startedAt) / 1_000;
  const embeddingBytes = rss();
  await pause(3 * IDLE_MS);
  const afterBytes = rss();
  const { digests } = await meaning.progress(-1);
  await index.close();
  embedder.close();
  return { rate: (digests - before) / seconds, servingBytes, embeddingBytes, afterBytes };
}

async function measureAnswers(index: CodeIndex): Promise<number> {
  const memory = new RankingMemory();
  const times: number[] = [];
  for (let at = 0; at < ANSWERS; at++) {
    const query = "how is the balance of an account computed";
    times.push(
      await timeMs(async () => {
        // As each call of a tool does it.
        using _held = index.hold();
        await searchHybrid(index, query, { memory, embedBudgetMs: 0 });
      }),
    );
    await pause(PAUSE_MS);
  }
  return computeMedian(times.slice(ANSWERS / 4));
}

/** The share of a core that this process takes while nobody asks it anything. */
async function measureRest(): Promise<number> {
  const before = process.cpuUsage();
  await pause(WATCHED_MS);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / WATCHED_MS;
}

/** What one process found out. */
export type EmbedOnce = Awaited<ReturnType<typeof measure>>;

async function measure([root = "", folder = ""]: readonly string[]) {
  const one = await measureRate(root, `${folder}/one`, 1);
  const two = await measureRate(root, `${folder}/two`, 2);
  const embedder = createEmbedder();
  const index = openBenchIndex(root, `${folder}/answers`, embedder);
  await index.sync();
  const meaning = await index.meaning();
  /** Answers with nothing behind them and with two threads at work. */
  const quietMs = await measureAnswers(index);
  const startedAt = performance.now();
  meaning?.start();
  await pause(3_000);
  const busyMs = await measureAnswers(index);
  await meaning?.whenResting();
  return {
    /** Digests a second, with one thread and with two. */
    oneWorker: one.rate,
    twoWorkers: two.rate,
    /** Memory of the process before the model, with it in two threads, and after it was given back. */
    servingBytes: one.servingBytes,
    embeddingBytes: two.embeddingBytes,
    afterBytes: two.afterBytes,
    quietMs,
    busyMs,
    /** From an activity to the rest after it, and the share of a core that is used then. */
    restMs: performance.now() - startedAt,
    restRatio: await measureRest(),
  };
}

if (import.meta.main) {
  print(JSON.stringify(await measure(Deno.args)));
  Deno.exit(0);
}
