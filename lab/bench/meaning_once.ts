/**
 * One process that searches a project by meaning and prints what it took as JSON: `meaning_once.ts ROOT FOLDER`. A
 * process of its own, so that its memory is that of a user's server.
 */
import { walkFiles } from "../../src/backends/regular_files.ts";
import type { Embedder } from "../../src/embedding/embedder.ts";
import { createEmbedder } from "../../src/embedding/embedder.ts";
import type { CodeIndex } from "../../src/index/index_api.ts";
import { RankingMemory } from "../../src/ranking/content_facts.ts";
import { searchHybrid } from "../../src/ranking/hybrid_search.ts";
import { computeQuantile } from "../harness/figures.ts";
import { openIndex } from "../harness/open_index.ts";
import { print, timeMs } from "../harness/run.ts";

const QUESTIONS = [
  "how is the balance of an account computed",
  "validate the payment before the invoice is sent",
  "where are expired sessions removed from the cache",
  "merge two branches of a snapshot",
  "read the configuration of the worker queue",
  "retry a failed request with another token",
  "parse an address of a customer",
  "stream the report in chunks",
  "apply the policy of the router to each event",
  "what happens when a record has no value",
  "close all open buffers when the worker stops",
  "order of the rules in the filter",
];
const ROUNDS = 3;
const PLAIN_SCALES = { vector: 1, keyword: 1, definition: 1, reference: 1 };

/** Opens the index of a folder as the program does. */
export function openBenchIndex(root: string, folder: string, embedder: Embedder): CodeIndex {
  const listFiles = () => walkFiles(root, { includeIgnored: true });
  const options = { projectRoot: root, folder, embedder, listFiles };
  return openIndex(options, { maxChunks: 10_000, meaningOf: "foreign" });
}

/**
 * The real embedder for questions; the texts get vectors by chance. To embed 20,000 texts takes a quarter of
 * an hour, and what a question costs does not depend on the numbers.
 */
function createHastyEmbedder(): Embedder {
  const real = createEmbedder();
  let state = 1;
  const next = () => (state = state * 48271 % 2147483647) / 2147483647 - 0.5;
  return {
    ...real,
    embedPassage: () => {
      const vector = Float32Array.from({ length: 384 }, next);
      const length = Math.hypot(...vector);
      return Promise.resolve(vector.map((value) => value / length));
    },
  };
}

/** Times an action over all questions, after one round that does not count: middle and slow end in milliseconds. */
async function timeQuestions(
  action: (question: string) => Promise<unknown>,
): Promise<{ readonly p50: number; readonly p95: number }> {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const question of QUESTIONS) {
      const ms = await timeMs(() => action(question));
      if (round > 0) times.push(ms);
    }
  }
  return { p50: computeQuantile(times, 0.5), p95: computeQuantile(times, 0.95) };
}

/** What one process found out; `nearest` of all vectors, as questions in another language ask for them. */
export type MeaningOnce = Awaited<ReturnType<typeof measure>>;

async function measure([root = "", folder = ""]: readonly string[]) {
  const embedder = createHastyEmbedder();
  const index = openBenchIndex(root, folder, embedder);
  await index.sync();
  const meaning = await index.meaning();
  if (meaning === null) throw new Error("There is no model");
  await meaning.finish("digest");
  const { digests: vectors } = await meaning.progress();
  const memory = new RankingMemory();
  const words = await timeQuestions((question) =>
    searchHybrid(index, question, { memory, scales: { ...PLAIN_SCALES, vector: 0 } })
  );
  // The first round embeds each question; it is remembered afterwards.
  const hybrid = await timeQuestions((question) => searchHybrid(index, question, { memory }));
  const nearest = await timeQuestions((question) => meaning.findNearest(question, { limit: 60 }));
  const { chunks } = (await index.status()).counts;
  await index.close();
  embedder.close();
  return { chunks, vectors, words, hybrid, nearest };
}

if (import.meta.main) {
  print(JSON.stringify(await measure(Deno.args)));
  Deno.exit(0);
}
