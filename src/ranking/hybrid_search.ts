/**
 * Ranks files by words and by meaning: words choose the files, word vectors put them in order. The
 * embedding model is asked for a question in a language that no table puts into English. There it
 * also finds files that no word leads to. For other questions it is asked about the best files,
 * where the configuration wants that.
 */
import { CodeIntelError } from "../base/errors.ts";
import type { CodeIndex } from "../index/index_api.ts";
import type { Comparison, VectorIndex } from "../index/vectors/meaning_api.ts";
import type { NearSpan } from "../index/vectors/vector_table.ts";
import type { RatedFile, SearchOptions } from "./code_search.ts";
import { rateFiles } from "./code_search.ts";
import { replaceName, replaceWords } from "./other_words.ts";
import { asRequest, readQuery } from "./query_kind.ts";
import type { QueryForm } from "./query_kind.ts";
import type { KindWeights, Ranked } from "./rank.ts";
import { computeShares, rank } from "./rank.ts";
import { computeTieFeatures } from "./request_features.ts";
import { createVectorFeature } from "./vector_feature.ts";
import { WEIGHTS } from "./weights.ts";
import type { WordTable } from "../word_vectors/word_table.ts";
import { loadWordTable } from "../word_vectors/load_table.ts";

/** How files are ranked. */
export interface HybridOptions extends SearchOptions {
  readonly signal?: AbortSignal;
  /** Longest time for vectors that are missing; default the index's own. */
  readonly embedBudgetMs?: number;
}

/** Files of a question, best first. */
export interface HybridResult {
  readonly query: QueryForm;
  /** Whether another name was asked for, since nothing has that of the question. */
  readonly isGuessed: boolean;
  readonly files: readonly Ranked<RatedFile>[];
  /** Whether vectors took part. */
  readonly isHybrid: boolean;
  /** Why they did not, where they should have. */
  readonly notice: string | null;
}

/** Vectors of the model are made after the questions that need them. */
const FOREIGN_NOTICE =
  "A question in this language is answered by vectors of the embedding model, and files lack them still: some are made after each such question, all by `code-intel index --vectors`; the same question in English words needs none.";
// Beyond these a file is not lifted to the first page by its meaning alone.
const COMPARED_FILES = 12;
const NEAREST_SPANS = 60;

/** Ranks the files of the index for a question. */
export async function searchHybrid(
  index: Pick<CodeIndex, "read" | "meaning">,
  question: string,
  options: HybridOptions,
): Promise<HybridResult> {
  const asked = readQuery(question, options.isLiteral);
  const { query, others } = options.past?.isRequest === true
    ? { query: asRequest(asked), others: NO_OTHERS }
    : await inOtherWords(index, asked, options);
  const isGuessed = query.symbol !== null && others.size > 0;
  const read = formatReadNotice(others);
  const weights = keepPresent(WEIGHTS[query.kind], options.past);
  const weight = (weights.vector ?? 0) * (options.scales?.vector ?? 1);
  const of = query.kind === "foreign" ? "foreign" : "all";
  const meaning = weight > 0 ? await index.meaning(of) : null;
  const isStatic = (weights.word_vector ?? 0) * (options.scales?.vector ?? 1) > 0;
  const table = isStatic ? await loadWordTable() : null;
  const byWords = async (near: readonly NearSpan[]) => {
    const voted = (weights.past ?? 0) > 0 ? options.past?.first ?? [] : [];
    const also = [...new Set([...near.map(({ path }) => path), ...voted])];
    const rated = await index.read((view) => rateFiles(view, query, { ...options, also, table }));
    const files = rank(rated, weights, options.scales);
    return query.kind === "request" ? rankTied(files, weights, options) : files;
  };
  if (meaning === null) {
    return { query, isGuessed, files: await byWords([]), isHybrid: false, notice: read };
  }
  try {
    const near = of === "foreign" ? await findNear(meaning, query.meant, options) : [];
    const files = await byWords(near);
    const task = { meaning, question: query.meant, query, table, options };
    const { notice, ...found } = await putInOrder(task, files);
    return { query, isGuessed, ...found, notice: notice ?? read };
  } catch (error) {
    if (!(error instanceof CodeIntelError) || error.code !== "embedding_failed") throw error;
    const { message } = error;
    return { query, isGuessed, files: await byWords([]), isHybrid: false, notice: message };
  }
}

const NO_OTHERS: ReadonlyMap<string, string> = new Map();

/** A question in words and names that the repository has; paths and other languages are asked for as they stand. */
async function inOtherWords(
  index: Pick<CodeIndex, "read">,
  asked: QueryForm,
  { memory, isLiteral }: HybridOptions,
): Promise<{ readonly query: QueryForm; readonly others: ReadonlyMap<string, string> }> {
  const plain = { query: asked, others: NO_OTHERS };
  if (isLiteral === true) return plain;
  if (asked.symbol !== null) {
    const { name } = asked.symbol;
    const other = await index.read((view) => memory.findOtherName(view, name));
    if (other === null) return plain;
    return { query: replaceName(asked, other), others: new Map([[name, other]]) };
  }
  if (asked.kind !== "sentence" && asked.kind !== "error") return plain;
  const words = asked.words.map(({ text }) => text);
  // Words that only comments and texts have are in no name, but most of them in the table.
  const vocabulary = (await loadWordTable())?.words ?? [];
  const others = await index.read((view) => memory.findOthers(view, words, vocabulary));
  return { query: replaceWords(asked, others), others };
}

function formatReadNotice(others: ReadonlyMap<string, string>): string | null {
  if (others.size === 0) return null;
  const pairs = [...others].map(([word, other]) => `"${other}" instead of "${word}"`);
  return `No file has some words of the question, so it was asked with ${pairs.join(", ")}.`;
}

/** Ranks once more, with what ties files to those that fit best. */
function rankTied(
  files: readonly Ranked<RatedFile>[],
  weights: KindWeights,
  { past, scales }: HybridOptions,
): readonly Ranked<RatedFile>[] {
  if (past === undefined) return files;
  const shares = computeShares(files, weights);
  const paths = new Map(files.map(({ item }) => [item.candidate.content, item.path]));
  const placed = files.map(({ item }, at) => ({
    path: item.path,
    share: shares[at] ?? 0,
    users: item.candidate.users.flatMap((content) => paths.get(content) ?? []),
  }));
  const ties = computeTieFeatures(placed, past);
  const rated = files.map(({ item }) => ({
    ...item,
    features: { ...item.features, ...ties.get(item.path) },
  }));
  return rank(rated, weights, scales);
}

async function findNear(
  meaning: VectorIndex,
  question: string,
  { signal }: HybridOptions,
): Promise<readonly NearSpan[]> {
  // Without a vector to compare with the model is not loaded.
  if ((await meaning.progress()).digests === 0) return [];
  const limits = { limit: NEAREST_SPANS, ...(signal === undefined ? {} : { signal }) };
  return [
    ...await meaning.findNearest(question, { ...limits, layer: "text" }),
    ...await meaning.findNearest(question, { ...limits, layer: "digest" }),
  ];
}

interface Task {
  readonly meaning: VectorIndex;
  readonly question: string;
  readonly query: QueryForm;
  readonly table: WordTable | null;
  readonly options: HybridOptions;
}

async function putInOrder(
  task: Task,
  files: readonly Ranked<RatedFile>[],
): Promise<Omit<HybridResult, "query" | "isGuessed">> {
  const paths = files.slice(0, COMPARED_FILES).map(({ item }) => item.path);
  const isForeign = task.query.kind === "foreign";
  const plain = { files, isHybrid: false, notice: isForeign ? FOREIGN_NOTICE : null };
  if (paths.length < 2) return plain;
  const comparison = await compare(task, paths);
  if (comparison.files.size === 0) return plain;
  const toFeature = createVectorFeature(comparison, paths);
  const rated = files.map(({ item }): RatedFile => {
    const line = comparison.files.get(item.path)?.[0]?.startLine;
    return {
      ...item,
      features: { ...item.features, vector: toFeature(item.path) },
      ...(line === undefined ? {} : { nearLine: line }),
    };
  });
  const weights = trustVectors(
    task.query,
    1 - comparison.missing / paths.length,
    task.options.past,
  );
  const notice = isForeign && comparison.missing > 0 ? FOREIGN_NOTICE : null;
  return { files: rank(rated, weights, task.options.scales), isHybrid: true, notice };
}

/** Where the past says nothing no file can have its share: scores stay what they are without it. */
function keepPresent(weights: KindWeights, past: HybridOptions["past"]): KindWeights {
  return past === undefined || past.first.length === 0 ? { ...weights, past: 0 } : weights;
}

/**
 * While vectors are missing, meaning counts by the square of the share that is there: over halves taken by
 * chance, the order was then never worse than by words alone, and better with each more. A question
 * that no words lead to has nothing else.
 */
function trustVectors(
  { kind }: QueryForm,
  knownShare: number,
  past: HybridOptions["past"],
): KindWeights {
  const weights = keepPresent(WEIGHTS[kind], past);
  if (kind === "foreign") return weights;
  return { ...weights, vector: (weights.vector ?? 0) * knownShare ** 2 };
}

/** Whole texts say more to a question in another language; digests are there first. */
async function compare(task: Task, paths: readonly string[]): Promise<Comparison> {
  const { meaning, question, query, options } = task;
  const { signal, embedBudgetMs } = options;
  const how = {
    ...(signal === undefined ? {} : { signal }),
    ...(embedBudgetMs === undefined ? {} : { budgetMs: embedBudgetMs }),
  };
  if (query.kind === "foreign") {
    const texts = await meaning.compare(question, paths, { ...how, layer: "text", budgetMs: 0 });
    if (texts.missing <= paths.length / 4) return texts;
  }
  // Word vectors are there already: vectors of the model are not waited for.
  const atOnce = query.kind !== "foreign" && task.table !== null ? { budgetMs: 0 } : {};
  return await meaning.compare(question, paths, { ...atOnce, ...how });
}
