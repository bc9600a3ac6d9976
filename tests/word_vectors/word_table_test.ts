/** The table of word vectors: its bytes, and the file of the program. */
import { ok, strictEqual as equal, throws } from "node:assert/strict";
import {
  compareTexts,
  findWordTableFault,
  loadWordTable,
} from "../../src/word_vectors/load_table.ts";
import { packWordTable, WordTable } from "../../src/word_vectors/word_table.ts";

const ROWS = {
  dimensions: 2,
  words: ["read", "größe"],
  rows: Float32Array.of(0.5, -0.25, 3, 0),
};

function read(table: WordTable, word: string, weight = 1): number[] {
  const sum = new Float32Array(table.dimensions);
  table.addTo(sum, word, weight);
  return [...sum];
}

Deno.test("WordTable.parse() reads what packWordTable() wrote, each row to a hundredth of its largest number", () => {
  const table = WordTable.parse(packWordTable(ROWS));
  equal(table.dimensions, 2);
  const [first = 0, second = 0] = read(table, "read", 2);
  ok(Math.abs(first - 1) < 0.01 && Math.abs(second + 0.5) < 0.01);
  ok(Math.abs((read(table, "größe")[0] ?? 0) - 3) < 0.03);
  equal(read(table, "write").join(), "0,0", "a word without a row adds nothing");
});

Deno.test("WordTable.parse() refuses bytes that are no table, or a part of one", () => {
  const bytes = packWordTable(ROWS);
  throws(() => WordTable.parse(bytes.subarray(0, -1)), /cut off/);
  throws(() => WordTable.parse(new Uint8Array(64)), /no such table/);
  throws(() => WordTable.parse(new Uint8Array(0)), /no such table/);
});

Deno.test("the table of the program is there, and knows the words of programs", async () => {
  const table = await loadWordTable();
  ok(table !== null);
  equal(await findWordTableFault(), null);
  for (const word of ["login", "parse", "socket"]) ok(read(table, word).some((one) => one !== 0));
});

Deno.test("compareTexts() knows what is near, and what it does not know", async () => {
  const others = [["authenticate"], ["polygon"], ["zxqv"]];
  const [near, far, unknown] = await compareTexts(["password", "login"], others);
  ok((near ?? 0) > (far ?? 1) + 0.1, `${near} and ${far}`);
  equal(unknown, null);
  equal((await compareTexts(["zxqv"], [["login"]]))[0], null);
});
