/** Vectors in bytes and signs keep the angles that matter. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import {
  computeCosine,
  countDifferent,
  quantize,
  readSigns,
} from "../../../src/index/vectors/codec.ts";

function cosineOf(left: Float32Array, right: Float32Array): number {
  const dot = (a: Float32Array, b: Float32Array) =>
    a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
  return dot(left, right) / Math.sqrt(dot(left, left) * dot(right, right));
}

function toVector(seed: number, like?: Float32Array): Float32Array {
  let state = seed;
  return Float32Array.from({ length: 384 }, (_, at) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (state / 2_147_483_648 - 0.5) * 0.1 + (like?.[at] ?? 0);
  });
}

Deno.test("computeCosine() of bytes is the cosine of the numbers, to half a hundredth", () => {
  const first = toVector(1);
  for (const second of [toVector(2), toVector(3, first), first]) {
    const exact = cosineOf(first, second);
    const stored = computeCosine(quantize(first), quantize(second));
    ok(Math.abs(exact - stored) < 0.005, `${exact} ${stored}`);
  }
});

Deno.test("quantize() uses the whole range, and nothing is near to nothing", () => {
  deepEqual(
    [...quantize(Float32Array.of(0.5, -0.25, 0))],
    [127, -63, 0].map((value, at) => at === 1 ? Math.round(-63.5) : value),
  );
  const zero = quantize(new Float32Array(4));
  deepEqual([...zero], [0, 0, 0, 0]);
  equal(computeCosine(zero, quantize(Float32Array.of(1, 0, 0, 0))), 0);
});

Deno.test("readSigns() has a bit for each number, and countDifferent() counts those that differ", () => {
  const signs = readSigns(Float32Array.of(1, -1, 0, 2, -1, -1, -1, 3, 4));
  deepEqual([...signs], [0b10001001, 1]);
  equal(countDifferent(signs, readSigns(Float32Array.of(-1, 1, 0, 2, -1, -1, -1, 3, -4))), 3);
  equal(countDifferent(signs, signs), 0);
});
