/** Vectors of windows: what lies near a question, and what the path adds. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import {
  compareWindows,
  packWindows,
  toAskedVector,
  toPathVector,
} from "../../src/word_vectors/window_vectors.ts";
import { packWordTable, WordTable } from "../../src/word_vectors/word_table.ts";

const TABLE = WordTable.parse(packWordTable({
  dimensions: 2,
  words: ["login", "password", "invoice"],
  rows: Float32Array.of(1, 0, 0.9, 0.1, 0, 1),
}));
const NO_PATH = toPathVector([], TABLE);

function ask(words: readonly string[]): Float32Array {
  return toAskedVector(words, TABLE) ?? new Float32Array(0);
}

Deno.test("compareWindows() finds the lines whose words mean what is asked, though they share none", () => {
  const packed = packWindows([["invoice"], ["password", "stranger"], ["stranger"]], TABLE);
  const near = compareWindows(packed, { asked: ask(["login"]), path: NO_PATH });
  deepEqual(near.map(({ startLine }) => startLine), [1, 51], "the third has no known word");
  ok((near[1]?.cosine ?? 0) > 0.9 && (near[0]?.cosine ?? 1) < 0.1);
});

Deno.test("compareWindows() counts the words of the path with those of the lines", () => {
  const packed = packWindows([["invoice"]], TABLE);
  const asked = ask(["login"]);
  const [plain] = compareWindows(packed, { asked, path: NO_PATH });
  const [named] = compareWindows(packed, { asked, path: toPathVector(["login"], TABLE) });
  // One word of the lines counts log 2, one of the path 4.
  const expected = 4 / Math.hypot(4, Math.LN2);
  ok(Math.abs((plain?.cosine ?? 1) - 0) < 0.01);
  ok(Math.abs((named?.cosine ?? 0) - expected) < 0.01);
});

Deno.test("toAskedVector() has length 1, and none for words that nobody knows", () => {
  const vector = ask(["login", "invoice", "login"]);
  ok(Math.abs(Math.hypot(...vector) - 1) < 1e-6);
  equal(toAskedVector(["stranger"], TABLE), null);
});
