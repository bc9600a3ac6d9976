/**
 * What makes it likely that a file has to change together with the targets: every feature with its weight and what it
 * says. The weights were fitted on real commits with one repository left out in turn (`docs/history.md`) and rounded.
 * Pure.
 */

/** Every feature: its weight, and what makes it 1, or large. */
export const LIKELY_FEATURES = {
  together: {
    weight: 0.55,
    what: "commits of the targets changed it too, late ones counting more",
  },
  lift: { weight: 2.7, what: "it changed together with the targets more often than by chance" },
  mostly: { weight: 0.7, what: "most of its own changes were made together with the targets" },
  alike: {
    weight: 1.4,
    what: "a commit with a message like the request changed it and the targets",
  },
  kind: { weight: 1, what: "commits of this kind that changed the targets changed it too" },
  last_time: { weight: 0.3, what: "it changed together with the targets lately" },
  message: { weight: 1.95, what: "commits with messages like the request changed it" },
  lately: { weight: 0.7, what: "the last commit changed it" },
  proven: { weight: 0.5, what: "a resolved link leads straight from it to the change" },
  named: { weight: 0.5, what: "it uses the name of a changed symbol" },
  asked: { weight: 0.3, what: "it uses a changed symbol that the request names" },
  own_test: { weight: 1.1, what: "it is a test named for a target" },
  name: { weight: 0.45, what: "its name has the words of a target's name" },
  folder: { weight: 0.25, what: "it lies near a target" },
  text: { weight: 2.45, what: "its best parts have the words of the request, most of all files" },
  name_words: { weight: 0.5, what: "every word of the request is in its name" },
  name_cover: { weight: 0.85, what: "the request holds every word of its name" },
  pair: { weight: 1.95, what: "words side by side in the request are so in names here" },
  identifier: { weight: 1.45, what: "an identifier of the request is defined here" },
  path_word: { weight: 0.4, what: "its name has a word of the request" },
  folder_word: { weight: 0.65, what: "its folders have a word of the request" },
  test_habit: { weight: 0.7, what: "it is a test, and the targets never change without tests" },
  test_words: { weight: 0.85, what: "it is a test of sources, and its parts have the words" },
  tested: { weight: 1.1, what: "it is source, and tests change" },
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
