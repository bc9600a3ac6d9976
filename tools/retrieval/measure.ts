/** Asks the questions of a benchmark of the real index with the real ranking, and of the plain rows. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createEmbedder } from "../../src/embedding/mod.ts";
import type { Embedder } from "../../src/embedding/mod.ts";
import type { CodeIndex, MeaningIndex } from "../../src/index/mod.ts";
import { RankingMemory, readQuery, searchHybrid } from "../../src/ranking/mod.ts";
import type { QueryKind } from "../../src/ranking/mod.ts";
import { openCorpus } from "./corpora.ts";
import type { Corpus } from "./corpora.ts";
import type { FitFile, FitQuery } from "./fit.ts";
import { toNdcg } from "./metric.ts";
import { PLAIN_ROWS } from "./plain_rows.ts";
import type { BenchmarkQuery } from "./queries.ts";

/** What takes part: words, word vectors too, and the model's vectors of every second file or of all. */
export type VectorState = "words alone" | "just indexed" | "half of the vectors" | "all vectors";

/** One question with what came of it; the features are those of words and meaning together. */
export interface Measured extends FitQuery {
  readonly query: BenchmarkQuery;
  readonly kind: QueryKind;
  /** With all that there is. */
  readonly ndcg: number;
  /** By the state of the vectors; without the last two where they are not asked for. */
  readonly states: Readonly<Partial<Record<VectorState, number>>>;
  /** The candidates by words alone. */
  readonly byWords: FitQuery;
  /** Files by their nearest vector, whatever their words; null without vectors. */
  readonly vectorsAlone: number | null;
  /** Of the first asking, of the next one, and of the next one by words alone, in milliseconds. */
  readonly firstMs: number;
  readonly againMs: number;
  readonly wordsMs: number;
  /** Scores of the plain rows by their names. */
  readonly plain: Readonly<Record<string, number>>;
}

/** What the index of one repository cost. */
export interface IndexCost {
  readonly repo: string;
  readonly files: number;
  readonly chunks: number;
  /** Contents that the cache did not have, and the time to bring the index up to date. */
  readonly analysed: number;
  readonly buildMs: number;
  readonly databaseBytes: number;
  /** Vectors that were made now, the time for them, and vectors in all. */
  readonly made: number;
  readonly madeMs: number;
  readonly vectors: number;
}

/** Where things lie. */
export interface MeasureOptions {
  readonly reposDir: string;
  readonly cacheDir: string;
  /** The last layer of vectors; absent: words alone. */
  readonly vectors?: "digests" | "texts" | undefined;
  /** Also the plain rows; they start many programs. */
  readonly withPlain: boolean;
}

/** Measures all questions, one repository after the other. */
export async function measureAll(
  queries: readonly BenchmarkQuery[],
  options: MeasureOptions,
): Promise<{ readonly measured: readonly Measured[]; readonly costs: readonly IndexCost[] }> {
  const measured: Measured[] = [];
  const costs: IndexCost[] = [];
  using stack = new DisposableStack();
  const embedder = options.vectors === undefined
    ? undefined
    : stack.adopt(createEmbedder(), (one) => one.close());
  for (const [repo, own] of Map.groupBy(queries, (query) => query.repo)) {
    const corpus = await openCorpus(repo, { ...options, embedder });
    try {
      costs.push(await toCost(corpus, options));
      const plain = options.withPlain ? await rankPlainly(corpus.root, own) : [];
      const half = await measureHalves(repo, own, { ...options, embedder });
      const memory = new RankingMemory();
      for (const [at, query] of own.entries()) {
        const found = await measure(corpus.index, query, { memory, half: half[at], ...options });
        measured.push({ ...found, plain: plain[at] ?? {} });
      }
    } finally {
      await corpus.index.close();
    }
  }
  return { measured, costs };
}

async function toCost(corpus: Corpus, { vectors }: MeasureOptions): Promise<IndexCost> {
  const { name: repo, index, report, databaseBytes } = corpus;
  const { files, chunks } = report.counts;
  const { parsed: analysed } = report;
  const cost = { repo, files, chunks, analysed, buildMs: report.durationMs, databaseBytes };
  const meaning = vectors === undefined ? null : await index.meaning();
  if (meaning === null) return { ...cost, made: 0, madeMs: 0, vectors: 0 };
  const before = await countVectors(meaning);
  const startedMs = performance.now();
  await meaning.finish("digest");
  if (vectors === "texts") await meaning.finish("text");
  const madeMs = performance.now() - startedMs;
  const after = await countVectors(meaning);
  const { sizeBytes } = await index.status();
  return { ...cost, databaseBytes: sizeBytes, made: after - before, madeMs, vectors: after };
}

async function countVectors(meaning: MeaningIndex): Promise<number> {
  const { digests, texts } = await meaning.progress();
  return digests + texts;
}

/** The mean scores with the vectors of one half of the files and of the other. */
async function measureHalves(
  repo: string,
  queries: readonly BenchmarkQuery[],
  options: HalfOptions,
): Promise<number[]> {
  if (options.embedder === undefined) return [];
  const even = await measureHalf(repo, queries, { ...options, lost: 0 });
  const odd = await measureHalf(repo, queries, { ...options, lost: 1 });
  return even.map((score, at) => (score + (odd[at] ?? 0)) / 2);
}

type HalfOptions = MeasureOptions & { readonly embedder: Embedder | undefined };

/** The scores with a copy of the database that lost the vectors of every second file. */
async function measureHalf(
  repo: string,
  queries: readonly BenchmarkQuery[],
  options: HalfOptions & { readonly lost: 0 | 1 },
): Promise<number[]> {
  const cacheDir = await Deno.makeTempDir({ prefix: "code-intel-half-" });
  try {
    const folder = join(cacheDir, repo);
    await copyDatabase(join(options.cacheDir, repo), folder);
    const db = new DatabaseSync(join(folder, "index.db"));
    db.prepare("DELETE FROM spans WHERE path % 2 = ? OR layer = 1").run(options.lost);
    db.close();
    const { index } = await openCorpus(repo, { ...options, cacheDir });
    try {
      const memory = new RankingMemory();
      const scores: number[] = [];
      for (const query of queries) {
        const { files } = await searchHybrid(index, query.query, { memory, embedBudgetMs: 0 });
        scores.push(toNdcg(files.map(({ item }) => item.path), query.targets));
      }
      return scores;
    } finally {
      await index.close();
    }
  } finally {
    await Deno.remove(cacheDir, { recursive: true });
  }
}

/** Nobody writes meanwhile: the file and what is still beside it are one state. */
async function copyDatabase(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  for (const name of ["index.db", "index.db-wal"]) {
    await Deno.copyFile(join(from, name), join(to, name)).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
  }
}

const WORDS_ALONE = { vector: 0, keyword: 1, definition: 1, reference: 1 };
const NEAREST_SPANS = 2_000;

async function measure(
  index: CodeIndex,
  query: BenchmarkQuery,
  { memory, half, vectors }: MeasureOptions & {
    readonly memory: RankingMemory;
    readonly half: number | undefined;
  },
): Promise<Omit<Measured, "plain">> {
  const ask = async (more = {}, of: Parameters<typeof searchHybrid>[0] = index) => {
    const startedMs = performance.now();
    // What is missing stays missing, so that a state is measured as it is.
    const how = { memory, embedBudgetMs: 0, ...more };
    const { files } = await searchHybrid(of, query.query, how);
    const ms = performance.now() - startedMs;
    const score = toNdcg(files.map(({ item }) => item.path), query.targets);
    return { ms, score, fit: files.map(({ item }) => toFitFile(item)) };
  };
  const first = await ask();
  const again = await ask();
  await ask({ scales: WORDS_ALONE });
  const words = await ask({ scales: WORDS_ALONE });
  const withoutModel = { read: index.read.bind(index), meaning: () => Promise.resolve(null) };
  const fresh = await ask({}, withoutModel);
  const { repo, targets } = query;
  const meaning = vectors === undefined ? null : await index.meaning();
  return {
    query,
    repo,
    targets,
    kind: readQuery(query.query).kind,
    ndcg: first.score,
    states: {
      "words alone": words.score,
      "just indexed": fresh.score,
      ...(half === undefined ? {} : { "half of the vectors": half }),
      ...(vectors === undefined ? {} : { "all vectors": first.score }),
    },
    byWords: { repo, targets, files: words.fit },
    vectorsAlone: meaning === null ? null : await askVectors(meaning, query),
    firstMs: first.ms,
    againMs: again.ms,
    wordsMs: words.ms,
    files: first.fit,
  };
}

async function askVectors(meaning: MeaningIndex, query: BenchmarkQuery): Promise<number> {
  const { meant } = readQuery(query.query);
  const near = await meaning.findNearest(meant, { limit: NEAREST_SPANS });
  return toNdcg(near.map(({ path }) => path), query.targets);
}

function toFitFile(
  item: {
    readonly path: string;
    readonly features: FitFile["features"];
    readonly penalties: readonly { readonly factor: number }[];
  },
): FitFile {
  const factor = item.penalties.reduce((product, penalty) => product * penalty.factor, 1);
  return { path: item.path, features: item.features, factor };
}

async function rankPlainly(
  root: string,
  queries: readonly BenchmarkQuery[],
): Promise<Record<string, number>[]> {
  const scores = queries.map((): Record<string, number> => ({}));
  for (const [name, create] of Object.entries(PLAIN_ROWS)) {
    const ranker = await create(root);
    if (ranker === null) continue;
    for (const [at, { query, targets }] of queries.entries()) {
      const row = scores[at];
      if (row !== undefined) row[name] = toNdcg(await ranker.rank(query), targets);
    }
    ranker.close();
  }
  return scores;
}
