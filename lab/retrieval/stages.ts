/** How long each stage of a question takes, and how much memory the process that answers has. Pure, save for the asking. */
import type { IndexView } from "../../src/index/read/view.ts";
import { collectCandidates } from "../../src/ranking/candidates.ts";
import { measureAnswer } from "../../src/ranking/confidence.ts";
import { computeFeatures } from "../../src/ranking/features.ts";
import { RankingMemory } from "../../src/ranking/content_facts.ts";
import { pickChunks } from "../../src/ranking/pick_chunks.ts";
import { readQuery } from "../../src/ranking/query_kind.ts";
import { rank } from "../../src/ranking/rank.ts";
import { rateFiles } from "../../src/ranking/code_search.ts";
import { WEIGHTS } from "../../src/ranking/weights.ts";
import { computeWordNearness } from "../../src/ranking/vector_feature.ts";
import type { WordTable } from "../../src/word_vectors/word_table.ts";
import { loadWordTable } from "../../src/word_vectors/load_table.ts";
import { computeQuantile, toTable } from "../harness/figures.ts";
import type { BenchmarkQuery, Place } from "./queries.ts";
import { forEachCorpus } from "./queries.ts";

/** Milliseconds of each stage of each question, by the name of the stage. */
export type StageTimes = Readonly<Record<string, readonly number[]>>;

const PAGE_FILES = 10;

/** Times the stages of each question on indexes that were asked it once before. */
export async function timeStages(
  queries: readonly BenchmarkQuery[],
  place: Place,
): Promise<StageTimes> {
  const times: Record<string, number[]> = {};
  const table = await loadWordTable();
  await forEachCorpus(queries, place, async ({ index }, own) => {
    const memory = new RankingMemory();
    for (const { query: question } of own) {
      await index.read((view) => timeOne(view, { question, memory, table }));
      const found = await index.read((view) => timeOne(view, { question, memory, table }));
      for (const [stage, ms] of Object.entries(found)) (times[stage] ??= []).push(ms);
    }
  });
  return times;
}

function timeOne(
  view: IndexView,
  { question, memory, table }: {
    readonly question: string;
    readonly memory: RankingMemory;
    readonly table: WordTable | null;
  },
): Record<string, number> {
  const times: Record<string, number> = {};
  const time = <T>(stage: string, action: () => T): T => {
    const startedMs = performance.now();
    const result = action();
    times[stage] = performance.now() - startedMs;
    return result;
  };
  const startedMs = performance.now();
  const query = time("read the question", () => readQuery(question));
  const pool = time(
    "collect candidates",
    () => collectCandidates(view, query, memory, { hasWindows: table !== null }),
  );
  time("features", () => computeFeatures(query, pool));
  time(
    "word vectors",
    () => table === null ? null : computeWordNearness([query.text], pool.candidates, table),
  );
  const midMs = performance.now();
  // The files once more, as the program rates them: its time is that of the stages above.
  const rated = rateFiles(view, query, { memory, table });
  const againMs = performance.now() - midMs;
  const files = time("order", () => rank(rated, WEIGHTS[query.kind]));
  const page = files.slice(0, PAGE_FILES);
  time("choose lines", () => pickChunks(view, query, page));
  time("how sure", () => measureAnswer(view, memory, { query, files }));
  times["all"] = performance.now() - startedMs - againMs;
  return times;
}

/** The stages as a table: middle and slow end. */
export function toStagesTable(times: StageTimes): string {
  const rows = Object.entries(times).map(([stage, own]) => [
    stage,
    ...[0.5, 0.95].map((share) => `${computeQuantile(own, share).toFixed(1)} ms`),
  ]);
  return toTable(["stage", "p50", "p95"], rows);
}
