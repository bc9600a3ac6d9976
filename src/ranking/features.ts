/**
 * Turns the facts about candidates into features from 0 to 1, comparable within one question. It depends
 * on its arguments alone.
 */
import { unpackCounts } from "../analysis/record/word_counts.ts";
import { foldName, readLastPart } from "../analysis/tokens.ts";
import type { Features } from "./rank.ts";
import type { Candidate, Pool } from "./candidates.ts";
import type { NameFacts } from "./content_facts.ts";
import { stemPairsOf, stemsOf } from "./content_facts.ts";
import type { QueryForm } from "./query_kind.ts";
import { createLiteralScale } from "./query_kind.ts";
import { stemWord } from "../base/text/stem.ts";

/** What the features of all candidates share. */
interface Frame {
  readonly query: QueryForm;
  readonly stems: readonly string[];
  readonly words: ReadonlySet<string>;
  readonly idf: (stem: string) => number;
  /** What all words of the question tell together. */
  readonly total: number;
  readonly max: {
    readonly text: number;
    readonly chunk: number;
    readonly hits: number;
    readonly uses: number;
    readonly phrase: number;
    readonly mentions: number;
  };
}

/** The features of each candidate, in their order. */
export function computeFeatures(query: QueryForm, pool: Pool): Features[] {
  const mentions = computeMentions(query, pool);
  const frame = buildFrame(query, pool, mentions);
  const weighLiterals = createLiteralScale(pool.candidates.map(({ literals }) => literals));
  return pool.candidates.map((candidate, at) => ({
    text: shareOf(computeTextScore(candidate), frame.max.text),
    mentions: shareOf(mentions[at] ?? 0, frame.max.mentions),
    spread: countHits(candidate, frame.max.chunk) / frame.max.hits,
    phrase: shareOf(candidate.phraseScore, frame.max.phrase),
    ...computePathFeatures(candidate.path, frame),
    ...computeDefinitionFeatures(candidate, frame),
    literal: weighLiterals(candidate.literals),
    uses: shareOf(Math.log1p(candidate.users.length), frame.max.uses),
    size: Math.min(1, Math.log1p(candidate.lineCount) / LOG_LINES),
  }));
}

// Files of 22,000 lines have 1.
const LOG_LINES = 10;
// A chunk counts as a hit from this share of the best one's score.
const HIT_SHARE = 0.4;
const PREFIX_MATCH = 0.8;
const MIN_PREFIX_CHARS = 3;
// What the second and third best add to the best, of chunks and of names.
const NEXT_CHUNKS = [1, 0.5, 0.25];
const NEXT_NAMES = [1, 0.4, 0.2];
// Words side by side in code say less than in the name of a definition.
const PAIR_IN_CODE = 0.4;
const OTHER_CASE = 0.9;
const NOT_IN_HOLDER = 0.5;
const NOT_FILE_NAME = 0.65;

/**
 * How often each candidate has the words of the question, each word by the logarithm of its count times what it tells. A long
 * file may have more than a short one: what has many places of a subject is more often meant. While
 * contents of an older index have no counts yet, no content has any. So files are compared by what
 * is known of all.
 */
function computeMentions(query: QueryForm, { candidates, idf, otherIdf }: Pool): number[] {
  const isLacking = candidates.some(({ chunks, counts }) => chunks.length > 0 && counts === null);
  if (isLacking) return candidates.map(() => 0);
  const stems = query.words.map(({ stem }) => stem).filter((stem) => !stem.includes(" "));
  const weights = stems.map((stem) => idf.get(stem) ?? otherIdf);
  return candidates.map(({ counts }) =>
    counts === null ? 0 : sum(
      unpackCounts(counts, stems).map((count, at) => Math.log1p(count) * (weights[at] ?? 0)),
    )
  );
}

function buildFrame(query: QueryForm, pool: Pool, mentions: readonly number[]): Frame {
  const { candidates, idf: weights, otherIdf } = pool;
  const stems = query.words.map(({ stem }) => stem);
  const chunk = Math.max(0, ...candidates.map(({ chunks }) => chunks[0]?.score ?? 0));
  return {
    query,
    stems,
    words: new Set(stems),
    idf: (stem) => weights.get(stem) ?? otherIdf,
    total: Math.max(Number.MIN_VALUE, sum(stems.map((stem) => weights.get(stem) ?? otherIdf))),
    max: {
      text: Math.max(0, ...candidates.map(computeTextScore)),
      chunk,
      hits: Math.max(1, ...candidates.map((candidate) => countHits(candidate, chunk))),
      uses: Math.max(0, ...candidates.map(({ users }) => Math.log1p(users.length))),
      phrase: Math.max(0, ...candidates.map(({ phraseScore }) => phraseScore)),
      mentions: Math.max(0, ...mentions),
    },
  };
}

function computeTextScore({ chunks }: Candidate): number {
  return sum(NEXT_CHUNKS.map((share, at) => share * (chunks[at]?.score ?? 0)));
}

function countHits({ chunks }: Candidate, best: number): number {
  return chunks.filter(({ score }) => score > HIT_SHARE * best).length;
}

/** The name of a file without endings; that of its folder where every folder has such a file. */
export function parseFileName(path: string): { readonly name: string; readonly folders: string[] } {
  const folders = path.split("/");
  const base = folders.pop() ?? "";
  const plain = base.replace(/\.d(?=\.\w+$)/, "").replace(/(?<=.)\.[^.]*$/, "");
  return { name: HEADS.has(plain) ? folders.at(-1) ?? plain : plain, folders };
}

const HEADS = new Set(["index", "mod", "init", "__init__", "lib", "main"]);

/** What a path says to every question. */
interface PathFacts {
  /** The name of the file without case and separators. */
  readonly folded: string;
  /** Stems of its words, in order. */
  readonly parts: readonly string[];
  /** Pairs of them that follow each other. */
  readonly pairs: ReadonlySet<string>;
  /** Stems of the name and of its folder, each once. */
  readonly near: readonly string[];
  readonly folders: ReadonlySet<string>;
}

// Paths come back with each question; about 1 KB each (estimated).
const MAX_PATHS = 2_000;
const known = new Map<string, PathFacts>();

function readPathFacts(path: string): PathFacts {
  const found = known.get(path);
  if (found !== undefined) return found;
  const { name, folders } = parseFileName(path);
  const parts = stemsOf(name);
  const folded = foldName(name);
  const facts: PathFacts = {
    folded,
    parts,
    pairs: new Set(stemPairsOf(name)),
    near: [...new Set([...parts, stemWord(folded), ...stemsOf(folders.at(-1) ?? "")])],
    folders: new Set(folders.flatMap(stemsOf)),
  };
  if (known.size >= MAX_PATHS) known.clear();
  known.set(path, facts);
  return facts;
}

function computePathFeatures(path: string, frame: Frame): Features {
  const { stems, words, idf, total } = frame;
  const { parts, near, folders } = readPathFacts(path);
  const cover = sum(parts.map((part) => idf(part) * rateMatch(part, stems)));
  const [subject = ""] = stems;
  return {
    name_cover: shareOf(cover, sum(parts.map(idf))),
    name_words: shareOf(stems.filter((stem) => near.includes(stem)).length, stems.length),
    folder_words: sum([...words].filter((stem) => folders.has(stem)).map(idf)) / total,
    subject: near.some((part) => rateMatch(part, [subject]) > 0) ? 1 : 0,
    path: frame.query.kind === "path" ? comparePath(path, frame.query) : 0,
  };
}

/** How well a word of a name is met: 1 when it is asked for, less when one begins with the other. */
function rateMatch(part: string, stems: readonly string[]): number {
  if (stems.includes(part)) return 1;
  if (part.length < MIN_PREFIX_CHARS) return 0;
  const isMet = stems.some((stem) =>
    stem.length >= MIN_PREFIX_CHARS && (stem.startsWith(part) || part.startsWith(stem))
  );
  return isMet ? PREFIX_MATCH : 0;
}

/** The feature `path` of a file that is meant, whether or not the path says more in front: where the project lies. */
export const WHOLE_PATH = 0.9;

/** The share of the segments asked for, from the end, that the path has. */
function comparePath(path: string, { path: asked, isAbsolute }: QueryForm): number {
  const own = path.toLowerCase().split("/").reverse();
  const wanted = asked.map((segment) => segment.toLowerCase()).reverse();
  const met = wanted.findIndex((segment, at) => own[at] !== segment);
  if (met < 0) return 1;
  const share = met / wanted.length;
  if (met === own.length && (isAbsolute || met > 1)) return WHOLE_PATH + (1 - WHOLE_PATH) * share;
  if (met > 0) return share;
  // A name without its ending, or a folder.
  const first = wanted[0] ?? "";
  if (own[0]?.startsWith(`${first}.`) === true) return PREFIX_MATCH;
  return ` ${own.slice(1).join(" ")} `.includes(` ${wanted.join(" ")} `) ? 0.5 : 0;
}

function computeDefinitionFeatures({ path, facts, pairs }: Candidate, frame: Frame): Features {
  const { query, stems } = frame;
  const names = new Set(stems.flatMap((stem) => facts.byPart.get(stem) ?? []));
  const scores = [...names].map((name) => scoreName(name, frame)).sort((a, b) => b - a);
  const ownPairs = readPathFacts(path).pairs;
  const paired = query.pairs.map(({ stem }) =>
    facts.pairs.has(stem) || ownPairs.has(stem) ? 1 : pairs.has(stem) ? PAIR_IN_CODE : 0
  );
  const identifiers = query.identifiers.flatMap((name) =>
    facts.byFolded.get(foldName(name))?.filter((own) => own.name === name) ?? []
  );
  return {
    definition: Math.min(1, sum(NEXT_NAMES.map((share, at) => share * (scores[at] ?? 0)))),
    pair: shareOf(sum(paired), paired.length),
    identifier: Math.max(0, ...identifiers.map(({ standing }) => standing)),
    exact: scoreExact(path, facts.byFolded, query.symbol),
  };
}

/** What the question says of a name, times what the name says of the question. */
function scoreName({ parts }: NameFacts, { words, idf, total }: Frame): number {
  const met = sum(parts.filter((part) => words.has(part)).map(idf));
  return (met / total) * shareOf(met, sum(parts.map(idf)));
}

function scoreExact(
  path: string,
  byFolded: ReadonlyMap<string, readonly NameFacts[]>,
  symbol: QueryForm["symbol"],
): number {
  if (symbol === null) return 0;
  const folded = foldName(symbol.name);
  const isFileName = readPathFacts(path).folded === folded;
  const holder = foldName(symbol.holders.at(-1) ?? "");
  const scores = (byFolded.get(folded) ?? []).map(({ name, standing, definitions }) => {
    const isHeld = holder === "" ||
      definitions.some((own) => foldName(own.holder ?? "") === holder);
    const isWritten = name === symbol.name || readLastPart(name) === symbol.name;
    return (isWritten ? 1 : OTHER_CASE) * (isHeld ? 1 : NOT_IN_HOLDER) *
      (holder === "" ? standing : 1);
  });
  return Math.max(0, ...scores) * (isFileName || holder !== "" ? 1 : NOT_FILE_NAME);
}

function shareOf(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
