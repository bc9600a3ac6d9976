/**
 * Fits trees that correct the scores of ranked lists: gradient boosting of the cross entropy between the softmax of the
 * scores and an even share for each target (ListNet), a tree grown leaf by leaf over binned features. Each tree sees a
 * part of the lists and features, drawn by a fixed series of numbers: the same rows give the same trees. Pure.
 */
import type { AskedFeature, Tree } from "../../src/impact/likely/feature_table.ts";
import { formatTree } from "../../src/impact/likely/feature_table.ts";
import { createChance } from "../harness/chance.ts";

/** The text of `src/impact/likely/tree_table.ts`. */
export function toTreeTable(trees: readonly Tree<AskedFeature>[]): string {
  return `/** The trees that correct the weights of likely files, one a line: \`parseTree\` of \`feature_table.ts\` says how it is read. */
import type { AskedFeature, Tree } from "./feature_table.ts";
import { parseTree } from "./feature_table.ts";

/** Made by \`deno task history … --fit\` from real commits (\`docs/history.md\`). */
const LINES = \`
${trees.map(formatTree).join("\n")}
\`;

/** The trees as they are asked. */
export const LIKELY_TREES: readonly Tree<AskedFeature>[] = LINES.trim().split("\\n")
  .map((line) => parseTree(line));
`;
}

/** One ranked list: its files with their scores so far. */
export interface BoostList<Name extends string> {
  readonly files: readonly {
    readonly score: number;
    readonly isTarget: boolean;
    readonly features: Readonly<Partial<Record<Name, number>>>;
  }[];
}

const ROUNDS = 200;
const RATE = 0.1;
const LEAVES = 6;
/** Added to the curvature of a leaf, so that few files move little. */
const DAMPING = 2;
const MIN_FILES = 40;
const MIN_CURVATURE = 0.5;
const BINS = 64;
/** Shares of the features and of the lists that a tree sees. */
const FEATURES_SEEN = 0.5;
const LISTS_SEEN = 0.7;

/** The trees, in the order in which they were found; what each adds is scaled already. */
export function fitTrees<Name extends string>(
  lists: readonly BoostList<Name>[],
  names: readonly Name[],
): Tree<Name>[] {
  const rows = new Rows(lists.filter(({ files }) => files.some(({ isTarget }) => isTarget)), names);
  return Array.from({ length: ROUNDS }, () => rows.addTree());
}

interface Leaf {
  readonly rows: Int32Array;
  readonly sums: Sums;
  readonly best: Cut | null;
}

interface Sums {
  readonly slope: number;
  readonly curve: number;
}

interface Cut {
  readonly feature: number;
  readonly bin: number;
  readonly gain: number;
}

interface Grown {
  readonly leaf: Leaf;
  cut: { readonly feature: number; readonly bin: number; atMost: Grown; more: Grown } | null;
}

/** The files of all lists as rows, with what is still wrong about their scores. */
class Rows<Name extends string> {
  readonly #names: readonly Name[];
  readonly #starts: readonly number[];
  readonly #share: Float64Array;
  readonly #scores: Float64Array;
  readonly #slope: Float64Array;
  readonly #curve: Float64Array;
  /** The upper bound of each bin by feature. */
  readonly #bounds: readonly Float64Array[];
  readonly #bins: readonly Uint8Array[];
  #seen: readonly boolean[] = [];
  /** A fixed series of numbers from 0 to 1. */
  readonly #draw = createChance(1);

  constructor(lists: readonly BoostList<Name>[], names: readonly Name[]) {
    this.#names = names;
    const files = lists.flatMap(({ files }) => files);
    const starts = [0];
    for (const { files } of lists) starts.push((starts.at(-1) ?? 0) + files.length);
    this.#starts = starts;
    this.#scores = Float64Array.from(files, ({ score }) => score);
    this.#share = Float64Array.from(lists.flatMap(({ files }) => {
      const targets = files.filter(({ isTarget }) => isTarget).length;
      return files.map(({ isTarget }) => isTarget ? 1 / targets : 0);
    }));
    this.#slope = new Float64Array(files.length);
    this.#curve = new Float64Array(files.length);
    const values = names.map((name) =>
      Float64Array.from(files, (file) => file.features[name] ?? 0)
    );
    this.#bounds = values.map(toBounds);
    this.#bins = values.map((own, at) => toBins(own, this.#bounds[at] ?? new Float64Array()));
  }

  /** Grows the next tree and moves the scores by it. */
  addTree(): Tree<Name> {
    this.#lookAgain();
    this.#seen = this.#names.map(() => this.#draw() < FEATURES_SEEN);
    const root: Grown = { leaf: this.#toLeaf(this.#drawRows()), cut: null };
    const leaves = [root];
    while (leaves.length < LEAVES) {
      const next = leaves.filter(({ leaf }) => leaf.best !== null)
        .reduce<Grown | null>((best, one) => toGain(one) > toGain(best) ? one : best, null);
      const cut = next?.leaf.best ?? null;
      if (next === null || cut === null) break;
      const bins = this.#bins[cut.feature] ?? new Uint8Array();
      const isLow = (row: number) => (bins[row] ?? 0) <= cut.bin;
      const [atMost, more] = [isLow, (row: number) => !isLow(row)].map((keep): Grown => ({
        leaf: this.#toLeaf(next.leaf.rows.filter(keep)),
        cut: null,
      }));
      if (atMost === undefined || more === undefined) break;
      next.cut = { ...cut, atMost, more };
      leaves.splice(leaves.indexOf(next), 1, atMost, more);
    }
    for (const row of this.#scores.keys()) {
      this.#scores[row] = (this.#scores[row] ?? 0) + toValue(this.#findLeaf(root, row));
    }
    return this.#toTree(root);
  }

  #findLeaf({ leaf, cut }: Grown, row: number): Leaf {
    if (cut === null) return leaf;
    const isLow = (this.#bins[cut.feature]?.[row] ?? 0) <= cut.bin;
    return this.#findLeaf(isLow ? cut.atMost : cut.more, row);
  }

  /** The rows of the lists that the next tree sees. */
  #drawRows(): Int32Array {
    const rows: number[] = [];
    for (let list = 0; list + 1 < this.#starts.length; list++) {
      if (this.#draw() >= LISTS_SEEN) continue;
      for (let row = this.#starts[list] ?? 0; row < (this.#starts[list + 1] ?? 0); row++) {
        rows.push(row);
      }
    }
    return Int32Array.from(rows);
  }

  /** How the scores should move, list by list. */
  #lookAgain(): void {
    for (let list = 0; list + 1 < this.#starts.length; list++) {
      const [from, to] = [this.#starts[list] ?? 0, this.#starts[list + 1] ?? 0];
      const most = this.#scores.subarray(from, to).reduce((a, b) => Math.max(a, b), -Infinity);
      let whole = 0;
      for (let row = from; row < to; row++) whole += Math.exp((this.#scores[row] ?? 0) - most);
      for (let row = from; row < to; row++) {
        const share = Math.exp((this.#scores[row] ?? 0) - most) / whole;
        this.#slope[row] = share - (this.#share[row] ?? 0);
        this.#curve[row] = Math.max(share * (1 - share), 1e-6);
      }
    }
  }

  #toLeaf(rows: Int32Array): Leaf {
    const sums = { slope: 0, curve: 0 };
    for (const row of rows) {
      sums.slope += this.#slope[row] ?? 0;
      sums.curve += this.#curve[row] ?? 0;
    }
    return { rows, sums, best: this.#findCut(rows, sums) };
  }

  #findCut(rows: Int32Array, whole: Sums): Cut | null {
    let best: Cut | null = null;
    const [slopes, curves, counts] = [0, 1, 2].map(() => new Float64Array(BINS));
    if (slopes === undefined || curves === undefined || counts === undefined) return null;
    const before = rate(whole);
    for (const [feature, bins] of this.#bins.entries()) {
      if (this.#seen[feature] !== true) continue;
      for (const one of [slopes, curves, counts]) one.fill(0);
      for (const row of rows) {
        const bin = bins[row] ?? 0;
        slopes[bin] = (slopes[bin] ?? 0) + (this.#slope[row] ?? 0);
        curves[bin] = (curves[bin] ?? 0) + (this.#curve[row] ?? 0);
        counts[bin] = (counts[bin] ?? 0) + 1;
      }
      let [slope, curve, count] = [0, 0, 0];
      for (let bin = 0; bin + 1 < (this.#bounds[feature]?.length ?? 0); bin++) {
        slope += slopes[bin] ?? 0;
        curve += curves[bin] ?? 0;
        count += counts[bin] ?? 0;
        const rest = { slope: whole.slope - slope, curve: whole.curve - curve };
        const isSmall = Math.min(count, rows.length - count) < MIN_FILES ||
          Math.min(curve, rest.curve) < MIN_CURVATURE;
        if (isSmall) continue;
        const gain = rate({ slope, curve }) + rate(rest) - before;
        if (gain > (best?.gain ?? 1e-9)) best = { feature, bin, gain };
      }
    }
    return best;
  }

  #toTree({ leaf, cut }: Grown): Tree<Name> {
    const name = cut === null ? undefined : this.#names[cut.feature];
    if (cut === null || name === undefined) return toValue(leaf);
    const [atMost, more] = [this.#toTree(cut.atMost), this.#toTree(cut.more)];
    const bound = this.#bounds[cut.feature]?.[cut.bin] ?? 0;
    const low = cut.atMost.leaf.rows.length / leaf.rows.length;
    const toMean = (tree: Tree<Name>) => typeof tree === "number" ? tree : tree.mean;
    return { name, bound, atMost, more, mean: low * toMean(atMost) + (1 - low) * toMean(more) };
  }
}

function toGain(grown: Grown | null): number {
  return grown?.leaf.best?.gain ?? 0;
}

function rate({ slope, curve }: Sums): number {
  return slope * slope / (curve + DAMPING);
}

function toValue({ sums: { slope, curve } }: Leaf): number {
  return -RATE * slope / (curve + DAMPING);
}

/** Bounds that share the different values evenly among the bins, each between two values. */
function toBounds(values: Float64Array): Float64Array {
  const sorted = values.toSorted();
  const different = [...new Set(sorted)];
  const wanted = different.length <= BINS ? different : [
    ...new Set(
      Array.from(
        { length: BINS },
        (_, at) =>
          sorted[Math.min(sorted.length - 1, Math.floor((at + 1) * sorted.length / BINS))] ?? 0,
      ),
    ),
  ];
  // Digits that the text of a tree keeps, so that a fitted tree and a read one answer alike.
  return Float64Array.from(wanted, (value) => Number((value * (1 + 1e-4)).toPrecision(4)));
}

function toBins(values: Float64Array, bounds: Float64Array): Uint8Array {
  return Uint8Array.from(values, (value) => {
    const at = bounds.findIndex((bound) => value <= bound);
    return at < 0 ? Math.max(0, bounds.length - 1) : at;
  });
}
