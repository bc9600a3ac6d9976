/**
 * Collects the files that may answer a question, with the facts by which they are ranked. The number of
 * files and of statements is bounded whatever the size of the repository.
 */
import { splitIdentifier } from "../analysis/tokens.ts";
import { getOrInsert } from "../base/once.ts";
import type { ChunkScore, IndexView, RankedContent } from "../index/read/view.ts";
import type { KnownContent, RankingMemory } from "./content_facts.ts";
import type { QueryForm } from "./query_kind.ts";

/** A file that may be the answer. */
export interface Candidate extends RankedContent, KnownContent {
  /** Its chunks that have words of the question, best first. */
  readonly chunks: readonly ChunkScore[];
  /** Pairs of words of the question that stand side by side in its names and code. */
  readonly pairs: ReadonlySet<string>;
  /** Names that the question writes as code and that it has too. */
  readonly literals: ReadonlySet<string>;
  /** The best score of a chunk with a run of words of a message; 0 without one. */
  readonly phraseScore: number;
}

/** Everything that the features of one question are made from. */
export interface Pool {
  readonly candidates: readonly Candidate[];
  /** How much each word of the question tells, by its stem: the rarer the more. */
  readonly idf: ReadonlyMap<string, number>;
  /** What a word counts that the question does not have. */
  readonly otherIdf: number;
}

const NOTHING_KNOWN: KnownContent = {
  facts: { byPart: new Map(), byFolded: new Map(), pairs: new Set(), announces: false },
  windows: null,
  counts: null,
  users: [],
};
// 99.6 % of the questions of the benchmark have a target among the files of the best 400 chunks.
const MAX_CHUNKS = 400;
const MAX_PATHS = 60;
const MAX_DEFINERS = 60;
const MAX_PAIRS = 12;
// A word in a fiftieth of the chunks: as telling as the words of names are in the middle.
const OTHER_SHARE = 1 / 50;

/** Which files a question is about. */
export interface CandidateScope {
  /** Only this file, or the files below this folder; absent: the whole project. */
  readonly under?: string;
  /** Files that are candidates whatever their words are. */
  readonly also?: readonly string[];
  /** Whether word vectors take part. */
  readonly hasWindows?: boolean;
}

/** Collects the candidates of a question. */
export function collectCandidates(
  view: IndexView,
  query: QueryForm,
  memory: RankingMemory,
  scope: CandidateScope = {},
): Pool {
  memory.begin(view.stamp());
  const all = memory.countAll(view);
  const { under } = scope;
  const limits = { limit: MAX_CHUNKS, ...(under === undefined ? {} : { under }) };
  // The weights below ask for the same counts.
  const countsOf = (words: readonly string[]) => memory.countsOf(view, words);
  const scored = view.scoreChunks(query.text, { ...limits, countsOf });
  const chunks = Map.groupBy(scored, ({ content }) => content);
  const paths = view.searchPaths(query.text, MAX_PATHS);
  const names = query.symbol === null ? query.identifiers : [query.symbol.name];
  const phrases = Map.groupBy(view.scorePhrases(query.phrases, limits), ({ content }) => content);
  const pairs = collectPairs(view, query);
  const literals = collectLiterals(view, query.literals);
  const contents = new Set([
    ...chunks.keys(),
    ...phrases.keys(),
    ...view.findContents([...paths, ...scope.also ?? []]),
    ...names.flatMap((name) => view.findDefiners(name, MAX_DEFINERS)),
  ]);
  const files = memory.filesOf(view, [...contents]).filter(({ path }) => isUnder(path, under));
  const known = memory.factsOf(view, files, { hasWindows: scope.hasWindows === true });
  const candidates = files.map((file, at): Candidate => ({
    ...file,
    ...known[at] ?? NOTHING_KNOWN,
    chunks: chunks.get(file.content) ?? [],
    pairs: pairs.get(file.content) ?? new Set(),
    literals: literals.get(file.content) ?? new Set(),
    phraseScore: phrases.get(file.content)?.[0]?.score ?? 0,
  }));
  const toIdf = (count: number) => Math.log(1 + (all - count + 0.5) / (count + 0.5));
  const counts = countsOf(query.words.map(({ text }) => text));
  return {
    candidates,
    idf: new Map(query.words.map(({ stem }, at) => [stem, toIdf(counts[at] ?? 0)])),
    otherIdf: toIdf(all * OTHER_SHARE),
  };
}

function isUnder(path: string, under = "."): boolean {
  return under === "." || under === "" || path === under || path.startsWith(`${under}/`);
}

/** Which pairs of the question stand in which content. */
function collectPairs(view: IndexView, query: QueryForm): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>();
  const pairs = query.pairs.slice(0, MAX_PAIRS);
  const options = { limit: MAX_CHUNKS, columns: ["name", "body"] } as const;
  const holding = pairs.length === 0
    ? []
    : view.findPhrases(pairs.map(({ text }) => text), options);
  for (const [at, { stem }] of pairs.entries()) {
    for (const content of holding[at] ?? []) {
      getOrInsert(found, content, () => new Set<string>()).add(stem);
    }
  }
  return found;
}

/** A name that more contents have says nothing of which is meant. */
const MAX_HOLDERS = 1_000;

/** Which contents have which of the names: one of several parts anywhere in the text, another in the code. */
export function collectLiterals(
  view: IndexView,
  names: readonly string[],
): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>();
  const phrases = names.filter((name) => splitIdentifier(name).length > 1);
  const holding = phrases.length === 0 ? [] : view.findPhrases(phrases, { limit: MAX_HOLDERS });
  for (const name of names) {
    const contents = holding[phrases.indexOf(name)] ?? view.findNamers(name, MAX_HOLDERS);
    for (const content of contents) getOrInsert(found, content, () => new Set<string>()).add(name);
  }
  return found;
}
