/** Vectors of windows: what lies near a question, and what the path adds. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import {
  buildAsked,
  compareWindows,
  measureWindows,
  packWindows,
} from "../../src/word_vectors/window_vectors.ts";
import type { Asked } from "../../src/word_vectors/window_vectors.ts";
import { packWordTable, WordTable } from "../../src/word_vectors/word_table.ts";

const TABLE = WordTable.parse(packWordTable({
  dimensions: 2,
  words: ["login", "password", "invoice"],
  rows: Float32Array.of(1, 0, 0.9, 0.1, 0, 1),
}));

function ask(words: readonly string[]): Asked {
  const asked = buildAsked(words, TABLE);
  ok(asked !== null);
  return asked;
}

function compare(packed: Uint8Array, path: readonly string[], words: readonly string[]) {
  return compareWindows(packed, measureWindows(packed, path, TABLE), ask(words));
}

Deno.test("compareWindows() finds the lines whose words mean what is asked, though they share none", () => {
  const packed = packWindows([["invoice"], ["password", "stranger"], ["stranger"]], TABLE);
  const near = compare(packed, [], ["login"]);
  deepEqual(near.map(({ startLine }) => startLine), [1, 51], "the third has no known word");
  ok((near[1]?.cosine ?? 0) > 0.9 && (near[0]?.cosine ?? 1) < 0.1);
});

Deno.test("compareWindows() counts the words of the path with those of the lines", () => {
  const packed = packWindows([["invoice"]], TABLE);
  const [plain] = compare(packed, [], ["login"]);
  const [named] = compare(packed, ["login"], ["login"]);
  // One word of the lines counts log 2, one of the path 4.
  const expected = 4 / Math.hypot(4, Math.LN2);
  ok(Math.abs((plain?.cosine ?? 1) - 0) < 0.01);
  ok(Math.abs((named?.cosine ?? 0) - expected) < 0.01);
  const [other] = compare(packed, ["password", "stranger"], ["login", "invoice"]);
  const [x, y] = [4 * 0.9, 4 * 0.1 + Math.LN2];
  const both = (x + y) / Math.SQRT2 / Math.hypot(x, y);
  ok(Math.abs((other?.cosine ?? 0) - both) < 0.01, `${other?.cosine} for ${both}`);
});

Deno.test("buildAsked() has length 1, and none for words that nobody knows", () => {
  const { vector } = ask(["login", "invoice", "login"]);
  ok(Math.abs(Math.hypot(...vector) - 1) < 1e-6);
  equal(buildAsked(["stranger"], TABLE), null);
});
