/**
 * Ranks the files of a worktree for a question: candidates, features, penalties, score, in one state of
 * the index. It knows nothing of replies; `semantic_search.ts` makes the answer.
 */
import type { IndexView } from "../index/read/view.ts";
import type { Candidate, CandidateScope } from "./candidates.ts";
import { collectCandidates } from "./candidates.ts";
import type { RankingMemory } from "./content_facts.ts";
import { computeFeatures } from "./features.ts";
import type { Features, GroupScales, Penalty, Ranked } from "./rank.ts";
import { findPenalties, PROSE, rank } from "./rank.ts";
import type { QueryForm } from "./query_kind.ts";
import { addSoundMatches, readQuery } from "./query_kind.ts";
import type { PastVotes } from "./request_features.ts";
import { rateByHistory } from "./request_features.ts";
import { WEIGHTS } from "./weights.ts";
import type { NearWindow } from "./vector_feature.ts";
import { computeWordNearness } from "./vector_feature.ts";
import type { WordTable } from "../word_vectors/word_table.ts";

/** A file that may be the answer, with what it is ranked by. */
export interface RatedFile {
  readonly path: string;
  readonly candidate: Candidate;
  readonly features: Features;
  readonly penalties: readonly Penalty[];
  /** Where the lines begin whose meaning is nearest to the question. */
  readonly nearLine?: number;
  /** How near its windows are by word vectors; absent where these took no part. */
  readonly near?: readonly NearWindow[];
}

/** A file with its score. */
export interface ScoredFile {
  readonly item: RatedFile;
  readonly score: number;
}

/** How files are ranked. */
export interface SearchOptions extends Omit<CandidateScope, "hasWindows"> {
  readonly memory: RankingMemory;
  /** The table of word vectors; without it they take no part. */
  readonly table?: WordTable | null;
  readonly scales?: GroupScales;
  /** True asks for the words as they are written, also for those that no file has. */
  readonly isLiteral?: boolean;
  /** The past, asked with the question; absent where it says nothing. */
  readonly past?: PastVotes;
}

/** The feature `exact` of a file that defines a type of the name is at least this, that of one with a function less. */
const TYPE_STANDING = 0.58;

/** The files of a question, rated but not yet in order. */
export function rateFiles(view: IndexView, asked: QueryForm, options: SearchOptions): RatedFile[] {
  const query = addSoundMatches(asked, options.memory.hear(view, asked.loans));
  const { past, table = null, memory } = options;
  const scope = { ...options, hasWindows: table !== null };
  const pool = collectCandidates(view, query, memory, scope);
  const features = computeFeatures(query, pool);
  const near = table === null ? null : computeWordNearness([query.text], pool.candidates, table);
  const files = pool.candidates.map(({ path, language, facts }, at) => {
    // Where the type that is asked for stands, nothing is announced.
    const isType = (features[at]?.exact ?? 0) >= TYPE_STANDING;
    return { path, language, announces: facts.announces && !isType };
  });
  const found = findPenalties(files, query.words.map(({ stem }) => stem));
  const penalties = liftFromDefiners(found, features);
  const said = past === undefined ? [] : rateByHistory(files.map(({ path }) => path), past);
  return pool.candidates.map((candidate, at) => {
    const { value, windows } = near?.[at] ?? {};
    return {
      path: candidate.path,
      candidate,
      features: {
        ...features[at],
        ...said[at],
        ...(value === undefined ? {} : { word_vector: value }),
      },
      penalties: (penalties[at] ?? []).filter(({ name }) => isHeld(query, name)),
      ...(windows === undefined ? {} : { near: windows }),
    };
  });
}

/**
 * The penalties without those of files that define the name that is asked for, where no other file does: a test or an
 * example that alone has it is what is meant.
 */
function liftFromDefiners(
  penalties: readonly (readonly Penalty[])[],
  features: readonly Features[],
): readonly (readonly Penalty[])[] {
  const defines = features.map(({ exact = 0 }) => exact > 0);
  const isElsewhere = defines.some((own, at) => own && penalties[at]?.length === 0);
  return isElsewhere ? penalties : penalties.map((own, at) => defines[at] === true ? [] : own);
}

/** Who asks for work changes tests, examples and old versions too. */
function isHeld({ kind }: QueryForm, penalty: Penalty["name"]): boolean {
  return kind !== "request" || penalty === PROSE;
}

/** The files of a question, best first. */
export function searchCode(
  view: IndexView,
  question: string,
  options: SearchOptions,
): { readonly query: QueryForm; readonly files: readonly Ranked<RatedFile>[] } {
  const query = readQuery(question);
  const rated = rateFiles(view, query, options);
  return { query, files: rank(rated, WEIGHTS[query.kind], options.scales) };
}
