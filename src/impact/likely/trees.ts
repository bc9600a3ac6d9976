/**
 * Small trees of decisions that correct a sum of weighted features: each asks a few features and adds a number. A line
 * of text is a tree, so that the table of them can be read and compared. Pure.
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
export function toMean<Name extends string>(tree: Tree<Name>): number {
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
export function toTreeText<Name extends string>(tree: Tree<Name>): string {
  if (typeof tree === "number") return toDigits(tree);
  const toPart = (part: Tree<Name>) =>
    typeof part === "number" ? toDigits(part) : `(${toTreeText(part)})`;
  const { name, bound, mean, atMost, more } = tree;
  return [name, toDigits(bound), toDigits(mean), toPart(atMost), toPart(more)].join(" ");
}

function toDigits(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/**
 * What the trees add for some features, feature by feature: the answer to each question counts for the feature that it
 * asks, by how much it moves the mean. The parts and `base` add up to the whole.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as equal } from "node:assert/strict";
 * import { addTrees, parseTree } from "./trees.ts";
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
    base += toMean(tree);
    let here = tree;
    while (typeof here !== "number") {
      const next: Tree<Name> = (features[here.name] ?? 0) <= here.bound ? here.atMost : here.more;
      parts[here.name] = (parts[here.name] ?? 0) + toMean(next) - here.mean;
      here = next;
    }
    whole += here;
  }
  return { base, whole, parts };
}
