/** Asks the questions of a benchmark of the real index with the real ranking, and of the plain rows. */
import { createEmbedder } from "../../src/embedding/mod.ts";
import { RankingMemory, readQuery, searchHybrid } from "../../src/search/mod.ts";
import type { QueryKind } from "../../src/search/mod.ts";
import { openCorpus } from "./corpora.ts";
import type { Corpus } from "./corpora.ts";
import type { FitFile, FitQuery } from "./fit.ts";
import { toNdcg } from "./metric.ts";
import { PLAIN_ROWS } from "./plain_rows.ts";
import type { BenchmarkQuery } from "./queries.ts";

/** One question with what came of it. */
export interface Measured extends FitQuery {
  readonly query: BenchmarkQuery;
  readonly kind: QueryKind;
  readonly ndcg: number;
  /** Of the first asking, and of the next one, in milliseconds. */
  readonly firstMs: number;
  readonly againMs: number;
  /** Scores of the plain rows by their names. */
  readonly plain: Readonly<Record<string, number>>;
}

/** What the index of one repository cost. */
export interface IndexCost {
  readonly repo: string;
  readonly files: number;
  readonly chunks: number;
  readonly buildMs: number;
  readonly databaseBytes: number;
}

/** Vectors of no file yet, of every second half, of all, and the whole texts of chunks too. */
export type VectorState = "none yet" | "half" | "all" | "texts";

/** Where things lie. */
export interface MeasureOptions {
  readonly reposDir: string;
  readonly cacheDir: string;
  /** How much of the vectors is there; absent: words alone. */
  readonly vectors?: VectorState | undefined;
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
      const { files, chunks } = corpus.report.counts;
      const { databaseBytes, report: { durationMs: buildMs } } = corpus;
      costs.push({ repo, files, chunks, buildMs, databaseBytes });
      if (options.vectors !== undefined) await makeVectors(corpus, options.vectors);
      const plain = options.withPlain ? await rankPlainly(corpus.root, own) : [];
      const memory = new RankingMemory();
      for (const [at, query] of own.entries()) {
        measured.push({ ...await measure(corpus, query, memory), plain: plain[at] ?? {} });
      }
    } finally {
      await corpus.index.close();
    }
  }
  return { measured, costs };
}

async function makeVectors({ index, report }: Corpus, state: VectorState): Promise<void> {
  const meaning = await index.meaning();
  if (meaning === null || state === "none yet") return;
  const maxFiles = state === "half" ? Math.ceil(report.counts.files / 2) : Infinity;
  await meaning.finish("digest", { maxFiles });
  if (state === "texts") await meaning.finish("text");
}

async function measure(
  { index }: Corpus,
  query: BenchmarkQuery,
  memory: RankingMemory,
): Promise<Omit<Measured, "plain">> {
  const ask = async () => {
    const startedMs = performance.now();
    // What is missing stays missing, so that a state is measured as it is.
    const { files } = await searchHybrid(index, query.query, { memory, embedBudgetMs: 0 });
    return { files, ms: performance.now() - startedMs };
  };
  const { files, ms: firstMs } = await ask();
  const { ms: againMs } = await ask();
  return {
    query,
    repo: query.repo,
    targets: query.targets,
    kind: readQuery(query.query).kind,
    ndcg: toNdcg(files.map(({ item }) => item.path), query.targets),
    firstMs,
    againMs,
    files: files.map(({ item }): FitFile => ({
      path: item.path,
      features: item.features,
      factor: item.penalties.reduce((product, { factor }) => product * factor, 1),
    })),
  };
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
