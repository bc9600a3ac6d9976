/** Principal components of many vectors, by Jacobi's rotations of their covariance. Pure. */

/** Vectors of `width` numbers, one after the other. */
export interface Matrix {
  readonly width: number;
  readonly values: Float32Array;
}

const SWEEPS = 8;
const NEGLIGIBLE = 1e-12;

/**
 * The vectors by their components `skipped` to `skipped + kept`, the strongest first, each vector of unit length. The
 * first components of word vectors say how common a word is, not what it means.
 */
export function toComponents(
  matrix: Matrix,
  { skipped, kept }: { readonly skipped: number; readonly kept: number },
): Matrix {
  const { width } = matrix;
  const centred = toCentred(matrix);
  const axes = toAxes(toCovariance(centred), width).subarray(skipped * width);
  const count = centred.values.length / width;
  const values = new Float32Array(count * kept);
  for (let row = 0; row < count; row++) {
    const own = centred.values.subarray(row * width, (row + 1) * width);
    for (let axis = 0; axis < kept; axis++) {
      let sum = 0;
      for (let at = 0; at < width; at++) sum += (own[at] ?? 0) * (axes[axis * width + at] ?? 0);
      values[row * kept + axis] = sum;
    }
    toUnit(values.subarray(row * kept, (row + 1) * kept));
  }
  return { width: kept, values };
}

/** Brings a vector to length 1 in place, and answers the length that it had. */
export function toUnit(vector: Float32Array): number {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square) || 1;
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) / length;
  return length;
}

/** Unit vectors without the mean that they share. */
function toCentred({ width, values }: Matrix): Matrix {
  const centred = values.slice();
  const count = values.length / width;
  const mean = new Float64Array(width);
  for (let row = 0; row < count; row++) {
    const own = centred.subarray(row * width, (row + 1) * width);
    toUnit(own);
    own.forEach((value, at) => mean[at] = (mean[at] ?? 0) + value / count);
  }
  for (let at = 0; at < centred.length; at++) {
    centred[at] = (centred[at] ?? 0) - (mean[at % width] ?? 0);
  }
  return { width, values: centred };
}

function toCovariance({ width, values }: Matrix): Float64Array {
  const covariance = new Float64Array(width * width);
  for (let from = 0; from < values.length; from += width) {
    for (let a = 0; a < width; a++) {
      const own = values[from + a] ?? 0;
      for (let b = a; b < width; b++) {
        const at = a * width + b;
        covariance[at] = (covariance[at] ?? 0) + own * (values[from + b] ?? 0);
      }
    }
  }
  for (let a = 0; a < width; a++) {
    for (let b = 0; b < a; b++) covariance[a * width + b] = covariance[b * width + a] ?? 0;
  }
  return covariance;
}

/** The eigenvectors of a symmetric matrix, one after the other, that of the largest value first. */
function toAxes(matrix: Float64Array, width: number): Float64Array {
  const axes = new Float64Array(width * width);
  for (let at = 0; at < width; at++) axes[at * width + at] = 1;
  const largest = matrix.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let p = 0; p < width; p++) {
      for (let q = p + 1; q < width; q++) {
        const off = matrix[p * width + q] ?? 0;
        if (Math.abs(off) <= NEGLIGIBLE * largest) continue;
        const turn = toTurn(matrix[p * width + p] ?? 0, matrix[q * width + q] ?? 0, off);
        rotate(matrix, turn, { first: p * width, second: q * width, step: 1, width });
        rotate(matrix, turn, { first: p, second: q, step: width, width });
        rotate(axes, turn, { first: p * width, second: q * width, step: 1, width });
      }
    }
  }
  const order = Array.from({ length: width }, (_, at) => at)
    .sort((a, b) => (matrix[b * width + b] ?? 0) - (matrix[a * width + a] ?? 0));
  const sorted = new Float64Array(width * width);
  order.forEach((from, to) =>
    sorted.set(axes.subarray(from * width, (from + 1) * width), to * width)
  );
  return sorted;
}

interface Turn {
  readonly cos: number;
  readonly sin: number;
}

function toTurn(first: number, second: number, off: number): Turn {
  const theta = (second - first) / (2 * off);
  const tan = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cos = 1 / Math.sqrt(tan * tan + 1);
  return { cos, sin: tan * cos };
}

/** Turns two lines of numbers, `step` apart each, about each other. */
function rotate(
  values: Float64Array,
  { cos, sin }: Turn,
  { first, second, step, width }: {
    readonly first: number;
    readonly second: number;
    readonly step: number;
    readonly width: number;
  },
): void {
  for (let at = 0; at < width * step; at += step) {
    const a = values[first + at] ?? 0;
    const b = values[second + at] ?? 0;
    values[first + at] = cos * a - sin * b;
    values[second + at] = sin * a + cos * b;
  }
}
