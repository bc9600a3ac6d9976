/**
 * One process that searches a project by meaning and prints what it took as JSON: `meaning_once.ts ROOT FOLDER`. A
 * process of its own, so that its memory is that of a user's server.
 */
import { walkFiles } from "../../src/backends/walk.ts";
import type { Embedder } from "../../src/embedding/embedder.ts";
import { createEmbedder } from "../../src/embedding/embedder.ts";
import type { CodeIndex } from "../../src/index/index_api.ts";
import { createCodeIndex } from "../../src/index/code_index.ts";
import { RankingMemory } from "../../src/ranking/content_facts.ts";
import { searchHybrid } from "../../src/ranking/hybrid_search.ts";

/** Middle and slow end of the times of several questions, in milliseconds. */
export interface Quantiles {
  readonly p50: number;
  readonly p95: number;
}

/** What one process found out. */
export interface MeaningOnce {
  readonly chunks: number;
  readonly vectors: number;
  readonly words: Quantiles;
  readonly hybrid: Quantiles;
  /** Nearest of all vectors, as questions in another language ask for them. */
  readonly nearest: Quantiles;
}

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
  return createCodeIndex({
    projectRoot: root,
    folder,
    embedder,
    listFiles: () => walkFiles(root, { includeIgnored: true }),
    loadSettings: () =>
      Promise.resolve({
        sourceDirs: [],
        excludePatterns: [],
        chunkMaxTokens: 512,
        maxChunks: 10_000,
        meaningOf: "foreign",
        syncTtlHours: 1,
      }),
  });
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

function toQuantiles(times: readonly number[]): Quantiles {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { p50: at(0.5) ?? 0, p95: at(0.95) ?? 0 };
}

/** Times an action over all questions, after one round that does not count. */
async function timeQuestions(action: (question: string) => Promise<unknown>): Promise<Quantiles> {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const question of QUESTIONS) {
      const startedAt = performance.now();
      await action(question);
      if (round > 0) times.push(performance.now() - startedAt);
    }
  }
  return toQuantiles(times);
}

async function main([root = "", folder = ""]: readonly string[]): Promise<void> {
  const embedder = createHastyEmbedder();
  const index = openBenchIndex(root, folder, embedder);
  await index.sync();
  const meaning = await index.meaning();
  if (meaning === null) throw new Error("There is no model");
  await meaning.finish("digest");
  const { digests } = await meaning.progress();
  const memory = new RankingMemory();
  const words = await timeQuestions((question) =>
    searchHybrid(index, question, { memory, scales: { ...PLAIN_SCALES, vector: 0 } })
  );
  // The first round embeds each question; it is remembered afterwards.
  const hybrid = await timeQuestions((question) => searchHybrid(index, question, { memory }));
  const nearest = await timeQuestions((question) => meaning.findNearest(question, { limit: 60 }));
  const { counts } = await index.status();
  await index.close();
  embedder.close();
  const result: MeaningOnce = { chunks: counts.chunks, vectors: digests, words, hybrid, nearest };
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(result)));
  Deno.exit(0);
}

if (import.meta.main) await main(Deno.args);
