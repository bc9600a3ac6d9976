/** Asks the questions of a benchmark of the real index with the real ranking, and of the plain rows. */
import { createEmbedder } from "../../src/embedding/embedder.ts";
import type { CodeIndex } from "../../src/index/index_api.ts";
import type { VectorIndex } from "../../src/index/vectors/meaning_api.ts";
import { RankingMemory } from "../../src/ranking/content_facts.ts";
import { searchHybrid } from "../../src/ranking/hybrid_search.ts";
import { readQuery } from "../../src/ranking/query_kind.ts";
import type { RatedFile } from "../../src/ranking/code_search.ts";
import type { QueryKind } from "../../src/ranking/query_kind.ts";
import type { Ranked } from "../../src/ranking/rank.ts";
import { computeNdcg } from "../harness/figures.ts";
import type { FitFile, FitQuery } from "../harness/fit.ts";
import type { Answer, ShownLines } from "./answer.ts";
import { createAsk, toLineShare } from "./answer.ts";
import { PLAIN_ROWS } from "./plain_rows.ts";
import type { BenchmarkQuery, Corpus, Place } from "./queries.ts";
import { forEachCorpus } from "./queries.ts";

/** One question with what came of it; the features are those that the program orders by. */
export interface Measured extends FitQuery {
  readonly query: BenchmarkQuery;
  readonly kind: QueryKind;
  /** As the program answers without settings. */
  readonly ndcg: number;
  /** Without word vectors and vectors of the model. */
  readonly byWords: number;
  /** With vectors of the model for every question; null without vectors. */
  readonly withModel: number | null;
  /** Files by their nearest vector, whatever their words; null without vectors. */
  readonly vectorsAlone: number | null;
  /** Of the first asking, of the next one, and of the next one by words alone, in milliseconds. */
  readonly firstMs: number;
  readonly againMs: number;
  readonly wordsMs: number;
  /** What the tool answers. */
  readonly answer: Answer;
  /** Null where no lines are known. */
  readonly lines: LineShares | null;
  /** Scores of the plain rows by their names. */
  readonly plain: Readonly<Record<string, number>>;
}

/** Of the lines that are right, the shares among the first that are shown. */
export interface LineShares {
  /** By a plain choice: three chunks of the first three files by their words, of the others one. */
  readonly plain: number;
  /** Among the lines that the tool points at. */
  readonly pointed: number;
  /** Among those whose text it shows. */
  readonly printed: number;
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

/** Where things lie, and what is asked. */
export interface MeasureOptions extends Omit<Place, "embedder"> {
  /** The last layer of vectors; absent: words alone. */
  readonly vectors?: "digests" | "texts" | undefined;
  /** Also the plain rows; they start many programs. */
  readonly withPlain: boolean;
  /** Asks each question once by each way, which says nothing of how long a repeated one takes. */
  readonly isQuick?: boolean;
}

/** A question about something that a repository does not have, and the answer. */
export interface AbsentAnswer {
  readonly repo: string;
  readonly question: string;
  readonly answer: Answer;
}

/** Asks each repository for what it does not have. */
export async function askAbsent(
  questions: readonly Pick<AbsentAnswer, "repo" | "question">[],
  place: Place,
): Promise<AbsentAnswer[]> {
  const answers: AbsentAnswer[] = [];
  await forEachCorpus(questions, place, async ({ root, index }, own) => {
    const ask = createAsk(root, toUnset(index), new RankingMemory());
    for (const one of own) answers.push({ ...one, answer: await ask(one.question) });
  });
  return answers;
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
  await forEachCorpus(queries, { ...options, embedder }, async (corpus, own) => {
    costs.push(await toCost(corpus, options));
    const plain = options.withPlain ? await rankPlainly(corpus.root, own) : [];
    const memory = new RankingMemory();
    const ask = createAsk(corpus.root, toUnset(corpus.index), memory);
    for (const [at, query] of own.entries()) {
      const { ranked, ...found } = await measure(corpus.index, query, { memory, ...options });
      const answer = await ask(query.query);
      const lines = query.lines === null ? null : {
        plain: toLineShare(await choosePlainly(corpus.index, ranked), query.lines),
        pointed: toLineShare(answer.pointed, query.lines),
        printed: toLineShare(answer.printed, query.lines),
      };
      measured.push({ ...found, answer, lines, plain: plain[at] ?? {} });
    }
  });
  return { measured, costs };
}

async function toCost(
  { name: repo, index, report }: Corpus,
  { vectors }: MeasureOptions,
): Promise<IndexCost> {
  const { files, chunks } = report.counts;
  const meaning = vectors === undefined ? null : await index.meaning();
  const before = await countVectors(meaning);
  const startedMs = performance.now();
  await meaning?.finish("digest");
  if (vectors === "texts") await meaning?.finish("text");
  const madeMs = performance.now() - startedMs;
  const after = await countVectors(meaning);
  const { sizeBytes: databaseBytes } = await index.status();
  const cost = { repo, files, chunks, analysed: report.parsed, buildMs: report.durationMs };
  return { ...cost, databaseBytes, made: after - before, madeMs, vectors: after };
}

async function countVectors(meaning: VectorIndex | null): Promise<number> {
  const { digests, texts } = await meaning?.progress() ?? { digests: 0, texts: 0 };
  return digests + texts;
}

const WORDS_ALONE = { vector: 0, keyword: 1, definition: 1, reference: 1 };
const NEAREST_SPANS = 2_000;

async function measure(
  index: CodeIndex,
  query: BenchmarkQuery,
  { memory, vectors, isQuick = false }: MeasureOptions & { readonly memory: RankingMemory },
): Promise<
  Omit<Measured, "plain" | "answer" | "lines"> & { readonly ranked: readonly Ranked<RatedFile>[] }
> {
  const ask = async (more = {}, of = toUnset(index)) => {
    const startedMs = performance.now();
    // What is missing stays missing, so that a state is measured as it is.
    const how = { memory, embedBudgetMs: 0, ...more };
    const { files } = await searchHybrid(of, query.query, how);
    const ms = performance.now() - startedMs;
    return { ms, files, score: computeNdcg(files.map(({ item }) => item.path), query.targets) };
  };
  const first = await ask();
  const again = isQuick ? first : await ask();
  if (!isQuick) await ask({ scales: WORDS_ALONE });
  const words = await ask({ scales: WORDS_ALONE });
  const { repo, targets } = query;
  const meaning = vectors === undefined ? null : await index.meaning();
  return {
    query,
    repo,
    targets,
    kind: readQuery(query.query).kind,
    ndcg: first.score,
    byWords: words.score,
    withModel: meaning === null ? null : (await ask({}, index)).score,
    vectorsAlone: meaning === null ? null : await askVectors(meaning, query),
    firstMs: first.ms,
    againMs: again.ms,
    wordsMs: words.ms,
    files: toFitFiles(first.files, targets),
    ranked: first.files,
  };
}

const SHOWN_FILES = 10;
const PLAIN_FILES = 3;
const PLAIN_CHUNKS = 3;

/** The lines of a plain choice of chunks, with which that of the tool is compared. */
async function choosePlainly(
  index: CodeIndex,
  files: readonly Ranked<RatedFile>[],
): Promise<ShownLines[]> {
  return await index.read((view) =>
    files.slice(0, SHOWN_FILES).flatMap(({ item: { path, candidate } }, at) => {
      const { content, chunks } = candidate;
      const best = chunks.slice(0, at < PLAIN_FILES ? PLAIN_CHUNKS : 1).map(({ number }) => number);
      const [first = null] = view.findChunksAt([{ content, line: 1 }]);
      const shown = best.length > 0 || first === null ? best : [first];
      return view.readChunks(shown)
        .map(({ startLine, endLine }) => ({ path, start: startLine, end: endLine }));
    })
  );
}

/** The index as it answers where no setting asks the model for every question. */
function toUnset(index: CodeIndex): CodeIndex {
  const meaning: CodeIndex["meaning"] = (of) =>
    of === "all" ? Promise.resolve(null) : index.meaning(of);
  return new Proxy(index, {
    get: (target, key) => {
      if (key === "meaning") return meaning;
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

async function askVectors(meaning: VectorIndex, query: BenchmarkQuery): Promise<number> {
  const { meant } = readQuery(query.query);
  const near = await meaning.findNearest(meant, { limit: NEAREST_SPANS });
  return computeNdcg(near.map(({ path }) => path), query.targets);
}

// A fit looks no further; what lies behind pulls at no weight.
const FITTED_FILES = 60;

/** The first files and all targets, as a fit takes them. */
function toFitFiles(files: readonly Ranked<RatedFile>[], targets: readonly string[]): FitFile[] {
  return files.map(({ item }) => item)
    .filter(({ path }, at) => at < FITTED_FILES || targets.includes(path))
    .map(({ path, features, penalties }) => ({
      path,
      features,
      factor: penalties.reduce((product, penalty) => product * penalty.factor, 1),
    }));
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
      if (row !== undefined) row[name] = computeNdcg(await ranker.rank(query), targets);
    }
    ranker.close();
  }
  return scores;
}
