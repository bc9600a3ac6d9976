/**
 * How likely the right file is among the first three of an answer. What tells it is how much of the question the best
 * files say, and how far they are ahead of the others.
 */
import { hasAllCounts, unpackCounts } from "../analysis/record/word_counts.ts";
import { stemWord } from "../base/text/stem.ts";
import type { IndexView } from "../index/read/view.ts";
import type { Candidate } from "./candidates.ts";
import type { RatedFile, ScoredFile } from "./code_search.ts";
import { WHOLE_PATH } from "./features.ts";
import type { RankingMemory } from "./content_facts.ts";
import { stemsOf } from "./content_facts.ts";
import type { QueryForm } from "./query_kind.ts";

/** How likely the right file is among the first three: in at least 95 of a hundred answers, or nobody knows, or hardly. */
export type Confidence = "high" | "medium" | "low";

/** What the first files of an answer have of the question, as shares of what its words tell. */
export interface AnswerEvidence {
  /** What the best file says. */
  readonly cover: number;
  /** What the best of the first three says. */
  readonly coverOfThree: number;
  /** What no chunk of the index says. */
  readonly unknown: number;
  /** Words that no chunk has, and no path of the first files. */
  readonly unknownWords: readonly string[];
  /** Of the best file, before what counts against files of its kind: a question may be about a document or an example. */
  readonly score: number;
  /** Scores of the second and of the fourth as shares of the best one's. */
  readonly second: number;
  readonly fourth: number;
}

const FIRST = 3;

/** Measures the first files of an answer. */
export function measureAnswer(
  view: IndexView,
  memory: RankingMemory,
  { query, files }: { readonly query: QueryForm; readonly files: readonly ScoredFile[] },
): AnswerEvidence {
  const all = Math.max(1, view.countAllChunks());
  const counts = memory.countsOf(view, query.words.map(({ text }) => text));
  const words = query.words.map(({ text, stem }, at) => {
    const count = counts[at] ?? 0;
    return { text, stem, count, tells: Math.log(1 + (all - count + 0.5) / (count + 0.5)) };
  });
  const whole = words.reduce((sum, { tells }) => sum + tells, 0) || 1;
  const shareOf = (own: readonly { readonly tells: number }[]) =>
    own.reduce((sum, { tells }) => sum + tells, 0) / whole;
  const known = words.filter(({ count }) => count > 0).map(({ text }) => text);
  const first = files.slice(0, FIRST);
  const saying = findSaid(view, first.map(({ item }) => item.candidate), known);
  const inPaths = first.map(({ item }) => new Set(item.path.split("/").flatMap(stemsOf)));
  const covers = inPaths.map((inPath, at) => {
    const said = new Set(saying[at]);
    return shareOf(words.filter(({ text, stem }) => said.has(text) || inPath.has(stem)));
  });
  const unknown = words.filter(({ count, stem }) =>
    count === 0 && !inPaths.some((inPath) => inPath.has(stem))
  );
  const best = files[0]?.score ?? 0;
  const held = files[0]?.item.penalties.reduce((product, { factor }) => product * factor, 1) ?? 1;
  const toShare = (score = 0) => best === 0 ? 0 : score / best;
  return {
    cover: covers[0] ?? 0,
    coverOfThree: Math.max(0, ...covers),
    unknown: shareOf(unknown),
    unknownWords: unknown.map(({ text }) => text),
    score: best / held,
    second: toShare(files[1]?.score),
    fourth: toShare(files[FIRST]?.score),
  };
}

/** Those of the words that each of the files has: by its counts, where it has them. */
function findSaid(
  view: IndexView,
  candidates: readonly Candidate[],
  words: readonly string[],
): readonly (readonly string[])[] {
  const stems = words.map(stemWord);
  const isCounted = ({ counts }: Candidate) => counts !== null && hasAllCounts(counts);
  const uncounted = candidates.filter((one) => !isCounted(one)).map(({ content }) => content);
  const read = uncounted.length === 0 ? [] : view.findWordsIn(uncounted, words);
  return candidates.map((one) => {
    const { content, counts } = one;
    if (counts === null || !isCounted(one)) return read[uncounted.indexOf(content)] ?? [];
    const found = unpackCounts(counts, stems);
    return words.filter((_, at) => (found[at] ?? 0) > 0);
  });
}

// Fitted to the questions of the benchmark, to those that readers wrote, to made ones and to sixty that nothing answers; each
// judged by what was fitted without its repository (decision 0061).
const RIGHT = {
  cover: 1,
  coverOfThree: 0.7,
  unknown: -1.65,
  score: 6.85,
  secondGap: 0.1,
  fourthGap: 3,
  none: -4,
} as const;
const HIGH = 0.94;
/** How likely a question is about something else: fitted to the same without the made ones, whose words nobody chose to ask. */
const ELSEWHERE = { coverOfThree: -8.1, unknown: 4.6, score: -21.6, none: 11.2 } as const;
const LOW = 0.4;
/** Of a word in another language there are several in English, so that only the score tells: of 32 such questions none has less. */
const TRANSLATED_LOW = 0.23;

/** How sure an answer is; a name or a path that is there is sure. */
export function rateConfidence(
  grounds: AnswerEvidence,
  { query, best, isGuessed }: {
    readonly query: QueryForm;
    readonly best: RatedFile | undefined;
    /** Whether another name was asked for than the question has. */
    readonly isGuessed?: boolean;
  },
): Confidence {
  if (best === undefined || query.kind === "foreign") return "low";
  const { exact = 0, path = 0 } = best.features;
  if (exact > 0 || path >= WHOLE_PATH) return isGuessed === true ? "medium" : "high";
  const { cover, coverOfThree, unknown, score, second, fourth } = grounds;
  if (query.kind === "translated") return score < TRANSLATED_LOW ? "low" : "medium";
  const elsewhere = ELSEWHERE.coverOfThree * coverOfThree + ELSEWHERE.unknown * unknown +
    ELSEWHERE.score * score + ELSEWHERE.none;
  if (computeLikelihood(elsewhere) >= LOW) return "low";
  if (query.kind !== "sentence" && query.kind !== "error") return "medium";
  const right = RIGHT.cover * cover + RIGHT.coverOfThree * coverOfThree +
    RIGHT.unknown * unknown + RIGHT.score * score + RIGHT.secondGap * (1 - second) +
    RIGHT.fourthGap * (1 - fourth) + RIGHT.none;
  return computeLikelihood(right) >= HIGH ? "high" : "medium";
}

function computeLikelihood(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
