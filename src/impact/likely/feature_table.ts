/**
 * What makes it likely that a file has to change together with the targets: every feature with its weight and what it
 * says. The weights were fitted to real commits of many repositories (`docs/history.md`), as their scale: the softmax of
 * the sums says how likely files are. `tree_table.ts` corrects the sums. Pure.
 */

/** A question about one feature with what follows where it is at most the bound, and where it is more. */
export interface Split<Name extends string> {
  readonly name: Name;
  readonly bound: number;
  readonly atMost: Tree<Name>;
  readonly more: Tree<Name>;
  /** What a file has on average that comes to this question. */
  readonly mean: number;
}

/** A question, or the number that is added. */
export type Tree<Name extends string> = Split<Name> | number;

/** The number that a tree has on average. */
export function meanOf<Name extends string>(tree: Tree<Name>): number {
  return typeof tree === "number" ? tree : tree.mean;
}

/**
 * Reads a line such as `lift 0.3 0.1 (text 0.9 0 -0.1 0.2) 0.4`: a feature, its bound, the mean, what follows up to the
 * bound, and what follows beyond it.
 *
 * @throws {Error} for another text: the tables are the program's own.
 */
export function parseTree<Name extends string>(text: string): Tree<Name> {
  const words = text.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const readNumber = () => {
    const value = Number(words[at++]);
    if (Number.isNaN(value)) throw new Error(`"${text}" is no tree`);
    return value;
  };
  const readPart = (): Tree<Name> => {
    if (words[at] !== "(") return readNumber();
    at++;
    const split = readSplit();
    at++;
    return split;
  };
  const readSplit = (): Split<Name> => {
    const name = words[at++] as Name;
    const [bound, mean] = [readNumber(), readNumber()];
    return { name, bound, mean, atMost: readPart(), more: readPart() };
  };
  return words.length === 1 ? readNumber() : readSplit();
}

/** The line of a tree, as {@link parseTree} reads it. */
export function formatTree<Name extends string>(tree: Tree<Name>): string {
  if (typeof tree === "number") return formatDigits(tree);
  const toPart = (part: Tree<Name>) =>
    typeof part === "number" ? formatDigits(part) : `(${formatTree(part)})`;
  const { name, bound, mean, atMost, more } = tree;
  return [name, formatDigits(bound), formatDigits(mean), toPart(atMost), toPart(more)].join(" ");
}

function formatDigits(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/**
 * What the trees add for some features, feature by feature: the answer to each question counts for the feature that it
 * asks, by how much it moves the mean. The parts and `base` add up to the whole.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as equal } from "node:assert/strict";
 * import { addTrees, parseTree } from "./feature_table.ts";
 * const trees = [parseTree<"a" | "b">("a 0.5 0.25 0 (b 0.5 1 0.5 1.5)")];
 * equal(addTrees(trees, { a: 1 }), { base: 0.25, whole: 0.5, parts: { a: 0.75, b: -0.5 } });
 * ```
 */
export function addTrees<Name extends string>(
  trees: readonly Tree<Name>[],
  features: Readonly<Partial<Record<Name, number>>>,
): {
  readonly base: number;
  readonly whole: number;
  readonly parts: Readonly<Partial<Record<Name, number>>>;
} {
  const parts: Partial<Record<Name, number>> = {};
  let [base, whole] = [0, 0];
  for (const tree of trees) {
    base += meanOf(tree);
    let here = tree;
    while (typeof here !== "number") {
      const next: Tree<Name> = (features[here.name] ?? 0) <= here.bound ? here.atMost : here.more;
      parts[here.name] = (parts[here.name] ?? 0) + meanOf(next) - here.mean;
      here = next;
    }
    whole += here;
  }
  return { base, whole, parts };
}

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
