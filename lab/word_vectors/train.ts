/**
 * Trains rows of words on pairs of texts that belong together, so that each text lies nearer to its own than to the
 * others of its repository: symmetric cross entropy of the softmax over a batch, by Adam, stopped early. Without
 * chance beyond its seed. Pure.
 */
import type { WordRows } from "../../src/word_vectors/word_table.ts";
import { PATH_WEIGHT } from "../../src/word_vectors/window_vectors.ts";
import { createChance } from "../harness/chance.ts";
import { toUnit } from "./components.ts";
import type { Pair } from "./pairs.ts";

/** How rows are trained. */
export interface TrainOptions {
  readonly steps: number;
  /** Pairs of one repository that are told apart at once. */
  readonly batch: number;
  /** Length of a step. */
  readonly rate: number;
  readonly seed: number;
}

/** What cosines are multiplied by before the softmax. */
const SHARPNESS = 20;
const WARM_UP_STEPS = 10;
const MIN_KNOWN_WORDS = 1;

/** A text as the places of its words, and how much each counts. */
interface Bag {
  readonly places: Int32Array;
  readonly weights: Float32Array;
}

/** Rows that tell the pairs of each repository apart; those given are left as they are. */
export function trainRows(
  { dimensions, words, rows: given }: WordRows,
  repositories: ReadonlyMap<string, readonly Pair[]>,
  options: TrainOptions,
): { readonly rows: Float32Array; readonly losses: readonly number[] } {
  const places = new Map(words.map((word, place) => [word, place]));
  const groups = [...repositories.values()].map((pairs) => toBags(pairs, places))
    .filter(({ length }) => length > 1);
  const rows = given.slice();
  const adam = new Adam(rows, dimensions, options.rate);
  const chance = createChance(options.seed);
  const losses: number[] = [];
  for (let step = 1; step <= options.steps; step++) {
    const batch = drawBatch(groups, options.batch, chance);
    const sides = [batch.map(([said]) => said), batch.map(([, code]) => code)]
      .map((bags) => new Side(bags, rows, dimensions)) as [Side, Side];
    const { loss, slopes } = compareSides(sides, dimensions);
    losses.push(loss);
    sides.forEach((side, at) => side.pull(slopes[at] ?? new Float32Array(0), adam));
    adam.step(step);
  }
  return { rows, losses };
}

type BagPair = readonly [said: Bag, code: Bag];

/** Repositories come by the root of how much they have, so that large ones do not rule. */
function drawBatch(
  groups: readonly (readonly BagPair[])[],
  size: number,
  chance: () => number,
): readonly BagPair[] {
  const shares = groups.map(({ length }) => Math.sqrt(length));
  let left = chance() * shares.reduce((sum, share) => sum + share, 0);
  const at = shares.findIndex((share) => (left -= share) < 0);
  const group = groups.at(at) ?? [];
  const drawn = new Set<BagPair>();
  while (drawn.size < Math.min(size, group.length)) {
    const pair = group[Math.floor(chance() * group.length)];
    if (pair !== undefined) drawn.add(pair);
  }
  return [...drawn];
}

function toBags(pairs: readonly Pair[], places: ReadonlyMap<string, number>): BagPair[] {
  return pairs.map(({ said, code, path }): BagPair => [
    toBag(said, [], places),
    toBag(code, path, places),
  ]).filter(([said, code]) => said.places.length > 0 && code.places.length >= MIN_KNOWN_WORDS);
}

/** As the program weighs them: words by the logarithm of their count, those of the path by their count. */
function toBag(
  words: readonly string[],
  path: readonly string[],
  places: ReadonlyMap<string, number>,
): Bag {
  const [inText, inPath] = [words, path].map((list) =>
    Map.groupBy(list.flatMap((word) => places.get(word) ?? []), (place) => place)
  ) as [Map<number, number[]>, Map<number, number[]>];
  const known = [...new Set([...inText.keys(), ...inPath.keys()])];
  const count = (counts: Map<number, number[]>, place: number) => counts.get(place)?.length ?? 0;
  return {
    places: Int32Array.from(known),
    weights: Float32Array.from(
      known,
      (place) => Math.log1p(count(inText, place)) + PATH_WEIGHT * count(inPath, place),
    ),
  };
}

/** The vectors of one side of a batch: sums of rows, of unit length, without their mean, of unit length again. */
class Side {
  readonly vectors: Float32Array;
  readonly #bags: readonly Bag[];
  readonly #width: number;
  readonly #units: Float32Array;
  readonly #lengths: Float32Array;
  readonly #centredLengths: Float32Array;

  constructor(bags: readonly Bag[], rows: Float32Array, width: number) {
    this.#bags = bags;
    this.#width = width;
    this.vectors = new Float32Array(bags.length * width);
    const mean = new Float32Array(width);
    const of = (at: number) => this.vectors.subarray(at * width, (at + 1) * width);
    this.#lengths = Float32Array.from(bags, ({ places, weights }, at) => {
      const vector = of(at);
      places.forEach((place, word) => {
        addTimes(vector, rows.subarray(place * width, (place + 1) * width), weights[word] ?? 0);
      });
      const length = toUnit(vector);
      addTimes(mean, vector, 1 / bags.length);
      return length;
    });
    this.#units = this.vectors.slice();
    this.#centredLengths = Float32Array.from(bags, (_, at) => {
      addTimes(of(at), mean, -1);
      return toUnit(of(at));
    });
  }

  /** Hands the slopes of the vectors on to the rows of their words. */
  pull(slopes: Float32Array, adam: Adam): void {
    const width = this.#width;
    const part = (values: Float32Array, at: number) =>
      values.subarray(at * width, (at + 1) * width);
    const mean = new Float32Array(width);
    this.#bags.forEach((_, at) => {
      const slope = part(slopes, at);
      toTangent(slope, part(this.vectors, at), this.#centredLengths[at] ?? 1);
      addTimes(mean, slope, 1 / this.#bags.length);
    });
    this.#bags.forEach(({ places, weights }, at) => {
      const slope = part(slopes, at);
      addTimes(slope, mean, -1);
      toTangent(slope, part(this.#units, at), this.#lengths[at] ?? 1);
      places.forEach((place, word) => adam.pull(place, slope, weights[word] ?? 0));
    });
  }
}

/** The slope of what was brought to unit length, from the slope of the unit vector. */
function toTangent(slope: Float32Array, unit: Float32Array, length: number): void {
  addTimes(slope, unit, -toProduct(slope, unit));
  for (let at = 0; at < slope.length; at++) slope[at] = (slope[at] ?? 0) / length;
}

/** How badly each vector tells its own from the others, both ways, and the slopes of both sides. */
function compareSides(
  [left, right]: readonly [Side, Side],
  width: number,
): { readonly loss: number; readonly slopes: readonly [Float32Array, Float32Array] } {
  const count = left.vectors.length / width;
  const scores = new Float32Array(count * count);
  const part = (values: Float32Array, at: number) => values.subarray(at * width, (at + 1) * width);
  for (let a = 0; a < count; a++) {
    for (let b = 0; b < count; b++) {
      const cosine = toProduct(part(left.vectors, a), part(right.vectors, b));
      scores[a * count + b] = SHARPNESS * cosine;
    }
  }
  const pulls = new Float32Array(count * count);
  let loss = 0;
  for (let own = 0; own < count; own++) {
    loss += addPulls(scores, pulls, { from: own * count, step: 1, own, count });
    loss += addPulls(scores, pulls, { from: own, step: count, own, count });
  }
  const slopes = [new Float32Array(count * width), new Float32Array(count * width)] as const;
  const factor = SHARPNESS / (2 * count);
  for (let a = 0; a < count; a++) {
    for (let b = 0; b < count; b++) {
      const pull = factor * (pulls[a * count + b] ?? 0);
      addTimes(part(slopes[0], a), part(right.vectors, b), pull);
      addTimes(part(slopes[1], b), part(left.vectors, a), pull);
    }
  }
  return { loss: loss / (2 * count), slopes };
}

/** The softmax of a row or a column less 1 at its own place, added to `pulls`; answers its cross entropy. */
function addPulls(
  scores: Float32Array,
  pulls: Float32Array,
  line: {
    readonly from: number;
    readonly step: number;
    readonly own: number;
    readonly count: number;
  },
): number {
  const place = (at: number) => line.from + at * line.step;
  let [most, sum] = [-Infinity, 0];
  for (let at = 0; at < line.count; at++) most = Math.max(most, scores[place(at)] ?? 0);
  for (let at = 0; at < line.count; at++) sum += Math.exp((scores[place(at)] ?? 0) - most);
  for (let at = 0; at < line.count; at++) {
    const share = Math.exp((scores[place(at)] ?? 0) - most) / sum;
    pulls[place(at)] = (pulls[place(at)] ?? 0) + share - (at === line.own ? 1 : 0);
  }
  return most + Math.log(sum) - (scores[place(line.own)] ?? 0);
}

/** Adam over the rows that a step touches. */
class Adam {
  readonly #rows: Float32Array;
  readonly #width: number;
  readonly #rate: number;
  readonly #slopes: Float32Array;
  readonly #speeds: Float32Array;
  readonly #forces: Float32Array;
  readonly #touched = new Set<number>();

  constructor(rows: Float32Array, width: number, rate: number) {
    this.#rows = rows;
    this.#width = width;
    this.#rate = rate;
    this.#slopes = new Float32Array(rows.length);
    this.#speeds = new Float32Array(rows.length);
    this.#forces = new Float32Array(rows.length);
  }

  /** Adds a slope to that of a row. */
  pull(place: number, slope: Float32Array, weight: number): void {
    this.#touched.add(place);
    const from = place * this.#width;
    addTimes(this.#slopes.subarray(from, from + this.#width), slope, weight);
  }

  /** Moves the rows; `step` counts from 1. */
  step(step: number): void {
    const rate = this.#rate * Math.min(1, step / WARM_UP_STEPS);
    const [young, strong] = [1 - 0.9 ** step, 1 - 0.99 ** step];
    for (const place of this.#touched) {
      for (let at = place * this.#width; at < (place + 1) * this.#width; at++) {
        const slope = this.#slopes[at] ?? 0;
        const speed = 0.9 * (this.#speeds[at] ?? 0) + 0.1 * slope;
        const force = 0.99 * (this.#forces[at] ?? 0) + 0.01 * slope * slope;
        this.#speeds[at] = speed;
        this.#forces[at] = force;
        this.#slopes[at] = 0;
        const move = rate * (speed / young) / (Math.sqrt(force / strong) + 1e-8);
        this.#rows[at] = (this.#rows[at] ?? 0) - move;
      }
    }
    this.#touched.clear();
  }
}

function addTimes(target: Float32Array, vector: Float32Array, factor: number): void {
  for (let at = 0; at < target.length; at++) {
    target[at] = (target[at] ?? 0) + factor * (vector[at] ?? 0);
  }
}

function toProduct(left: Float32Array, right: Float32Array): number {
  let product = 0;
  for (let at = 0; at < left.length; at++) product += (left[at] ?? 0) * (right[at] ?? 0);
  return product;
}
