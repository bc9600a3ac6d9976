/**
 * What makes it likely that a file has to change together with the targets: every feature with its weight and what it
 * says. The weights were fitted to real commits of many repositories (`docs/history.md`), as their scale: the softmax of
 * the sums says how likely files are. `tree_table.ts` corrects the sums. Pure.
 */

/** Every feature: its weight, and what makes it 1, or large. */
export const LIKELY_FEATURES = {
  lift: { weight: 1.47, what: "it changed together with the targets more often than by chance" },
  mostly: { weight: 1.49, what: "most of its own changes were made together with the targets" },
  alike: {
    weight: 1.38,
    what: "a commit with a message like the request changed it and the targets",
  },
  kind: { weight: 0.62, what: "commits of this kind that changed the targets changed it too" },
  last_time: { weight: 0.93, what: "it changed together with the targets lately" },
  message: { weight: 1.94, what: "commits with messages like the request changed it" },
  lately: { weight: 0.86, what: "the last commit changed it" },
  proven: { weight: 0.54, what: "a resolved link leads straight from it to the change" },
  named: { weight: 0.37, what: "it uses the name of a changed symbol" },
  own_test: { weight: 0.64, what: "it is a test named for a target" },
  name: { weight: 0.74, what: "its name has the words of a target's name" },
  folder: { weight: 0.25, what: "it lies near a target" },
  text: { weight: 1.96, what: "its best parts have the words of the request, most of all files" },
  name_words: { weight: 0.45, what: "every word of the request is in its name" },
  name_cover: { weight: 0.78, what: "the request holds every word of its name" },
  pair: { weight: 1, what: "words side by side in the request are so in names here" },
  identifier: { weight: 0.43, what: "an identifier of the request is defined here" },
  literal: { weight: 0.31, what: "it has the names that the request writes as code" },
  same_literal: {
    weight: 0.93,
    what: "it has the names that the request writes as code and a target has",
  },
  path_word: { weight: 0.31, what: "its name has a word of the request" },
  folder_word: { weight: 0.06, what: "its folders have a word of the request" },
  test_habit: { weight: 0.6, what: "it is a test, and the targets never change without tests" },
  test_words: { weight: 0.86, what: "it is a test of sources, and its parts have the words" },
  tested: { weight: 1.14, what: "it is source, and tests change" },
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

/** What trees ask of a file beside its own features: the shares of files with its name, and of its neighbours. */
const BESIDE_NAMES = ["kin", "beside"] as const;

/** Name of a feature that trees ask. */
export type AskedFeature = LikelyFeature | typeof BESIDE_NAMES[number];

/** Every name that trees ask. */
export const ASKED_NAMES: readonly AskedFeature[] = [...LIKELY_NAMES, ...BESIDE_NAMES];
