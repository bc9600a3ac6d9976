/**
 * The weights of the features by kind of question. Those of `sentence` were fitted to the questions
 * of the benchmark, and to 734 questions that readers wrote about 46 other repositories (decision
 * 0061). Each of the latter had a third of the weight. The results were rounded. Those of `error`,
 * and `exact` and `pair` in `symbol`, were chosen on thousands of questions that other repositories
 * answer themselves (decision 0052). There the questions of the benchmark had to lose nothing. The
 * rest of `symbol` and most of `translated` was fitted to the benchmark with one repository left
 * out in turn (`docs/retrieval.md`). Those of `foreign` were fitted to few questions, those of
 * `path` are chosen. Those of `request` were chosen on real commits by the figures of their
 * benchmark (`docs/history.md`), as their scale: the softmax of the sums says how likely files are.
 * Those of `pair` and `folder_words` in `translated` were raised since made questions in glossary
 * words, and those in Japanese and Korean, gained by it. That of `past` in `sentence` was chosen on
 * commits, in other kinds smaller by guess. Pure.
 */
import type { KindWeights } from "./rank.ts";
import type { QueryKind } from "./query_kind.ts";

/** The table of weights. */
export const WEIGHTS: Readonly<Record<QueryKind, KindWeights>> = {
  symbol: {
    text: 1,
    name_cover: 0.45,
    name_words: 0.6,
    definition: 0.2,
    pair: 0.5,
    exact: 1.2,
    uses: 0.65,
  },
  path: {
    text: 0.3,
    path: 2,
    name_cover: 0.5,
    name_words: 0.5,
    folder_words: 0.3,
    definition: 0.2,
  },
  sentence: {
    text: 1,
    mentions: 0.7,
    spread: 0.27,
    name_cover: 0.6,
    name_words: 0.3,
    folder_words: 0.15,
    subject: 0.55,
    definition: 0.62,
    pair: 0.4,
    identifier: 0.3,
    uses: 0.25,
    word_vector: 1.3,
    vector: 0.65,
    past: 1.3,
  },
  request: {
    text: 3,
    name_cover: 1.25,
    name_words: 0.9,
    pair: 0.85,
    identifier: 0.9,
    literal: 1.5,
    past: 2.4,
    lately: 1,
    seldom: 0.6,
    together: 2.6,
    kin: 1.7,
    uses_it: 1.05,
  },
  error: {
    text: 1,
    phrase: 1,
    name_cover: 0.3,
    name_words: 0.4,
    definition: 0.35,
    pair: 0.8,
    identifier: 0.3,
    uses: 0.05,
    past: 0.6,
  },
  translated: {
    text: 1,
    mentions: 0.15,
    spread: 0.25,
    name_cover: 0.7,
    name_words: 0.9,
    folder_words: 0.8,
    subject: 0.2,
    definition: 0.8,
    pair: 1.6,
    identifier: 0.2,
    uses: 0.25,
    size: 0.5,
    word_vector: 0.35,
    vector: 0.8,
    past: 1.2,
  },
  foreign: {
    text: 1,
    spread: 0.35,
    name_cover: 0.2,
    name_words: 1,
    definition: 0.5,
    identifier: 0.5,
    uses: 0.2,
    size: 0.35,
    vector: 4,
  },
};
