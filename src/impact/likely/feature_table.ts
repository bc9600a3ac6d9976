/**
 * What makes it likely that a file has to change together with the targets: every feature with its weight and what it
 * says. The weights were chosen on real commits by the figures of their benchmark (`docs/history.md`), as their scale:
 * the softmax of the sums says how likely files are. Pure.
 */

/** Every feature: its weight, and what makes it 1, or large. */
export const LIKELY_FEATURES = {
  lift: { weight: 1.8, what: "it changed together with the targets more often than by chance" },
  mostly: { weight: 0.8, what: "most of its own changes were made together with the targets" },
  alike: {
    weight: 0.7,
    what: "a commit with a message like the request changed it and the targets",
  },
  kind: { weight: 0.75, what: "commits of this kind that changed the targets changed it too" },
  last_time: { weight: 0.55, what: "it changed together with the targets lately" },
  message: { weight: 1.2, what: "commits with messages like the request changed it" },
  lately: { weight: 0.85, what: "the last commit changed it" },
  proven: { weight: 0.55, what: "a resolved link leads straight from it to the change" },
  named: { weight: 0.55, what: "it uses the name of a changed symbol" },
  own_test: { weight: 1.35, what: "it is a test named for a target" },
  name: { weight: 0.7, what: "its name has the words of a target's name" },
  folder: { weight: 0.9, what: "it lies near a target" },
  text: { weight: 1.65, what: "its best parts have the words of the request, most of all files" },
  name_words: { weight: 0.2, what: "every word of the request is in its name" },
  name_cover: { weight: 0.9, what: "the request holds every word of its name" },
  pair: { weight: 0.65, what: "words side by side in the request are so in names here" },
  identifier: { weight: 2, what: "an identifier of the request is defined here" },
  literal: { weight: 0.7, what: "it has the names that the request writes as code" },
  same_literal: {
    weight: 1,
    what: "it has the names that the request writes as code and a target has",
  },
  path_word: { weight: 0.75, what: "its name has a word of the request" },
  folder_word: { weight: 0.65, what: "its folders have a word of the request" },
  test_habit: { weight: 1.1, what: "it is a test, and the targets never change without tests" },
  test_words: { weight: 1.05, what: "it is a test of sources, and its parts have the words" },
  tested: { weight: 1.7, what: "it is source, and tests change" },
} as const satisfies Readonly<
  Record<string, { readonly weight: number; readonly what: string }>
>;

/** Name of a feature. */
export type LikelyFeature = keyof typeof LIKELY_FEATURES;

/** The features of one file; those that are 0 are absent. */
export type LikelyFeatures = Readonly<Partial<Record<LikelyFeature, number>>>;

/** Weights by feature: those of the table, or others that are tried. */
export type LikelyWeights = Readonly<Record<LikelyFeature, number>>;

/** The names in the order of the table. */
export const LIKELY_NAMES = Object.keys(LIKELY_FEATURES) as readonly LikelyFeature[];

/** The weights of the table. */
export const LIKELY_WEIGHTS: LikelyWeights = Object.fromEntries(
  LIKELY_NAMES.map((name) => [name, LIKELY_FEATURES[name].weight]),
) as LikelyWeights;
