/** The token table: four bits back to numbers. */
import { deepStrictEqual as deepEqual, strictEqual as equal, throws } from "node:assert/strict";
import type { TableBytes } from "../../src/embedding/token_table.ts";
import { DIMENSIONS, TokenTable } from "../../src/embedding/token_table.ts";

const ROW_BYTES = 216;

/** A row whose blocks have the scale given as 16 bits and one byte of two codes throughout. */
function toRow(scaleBits: number, pair: number): Uint8Array {
  const block = [scaleBits & 255, scaleBits >> 8, ...new Array<number>(16).fill(pair)];
  return Uint8Array.from(new Array(12).fill(block).flat());
}

function toTableBytes(bytes: readonly number[]): TableBytes {
  const all = Uint8Array.from(bytes);
  return {
    byteLength: all.length,
    readInto: (into, at) => into.set(all.subarray(at, at + into.length)),
  };
}

Deno.test("lookUp() gives (code - 8) times the scale, low halves first", () => {
  const rows: readonly (readonly [bits: number, pair: number, low: number, high: number])[] = [
    [0x3c00, 0x9f, 7, 1],
    [0xc000, 0x09, -2, 16],
    [0x3800, 0x90, -4, 0.5],
    [0x0001, 0x0f, 7 * 2 ** -24, -8 * 2 ** -24],
  ];
  const table = new TokenTable(
    toTableBytes(rows.flatMap(([bits, pair]) => [...toRow(bits, pair)])),
  );
  rows.forEach(([, , low, high], id) => {
    const vector = table.lookUp([id]);
    equal(vector.length, DIMENSIONS);
    deepEqual([vector[0], vector[15], vector[16], vector[31], vector[383]], [
      low,
      low,
      high,
      high,
      high,
    ]);
  });
});

Deno.test("lookUp() writes the rows in the order of the ids", () => {
  const table = new TokenTable(toTableBytes([...toRow(0x3c00, 0x99), ...toRow(0x3c00, 0xaa)]));
  const vectors = table.lookUp([1, 0]);
  deepEqual([vectors[0], vectors[DIMENSIONS]], [2, 1]);
});

Deno.test("new TokenTable() refuses a file that was cut", () => {
  throws(() => new TokenTable(toTableBytes(new Array(ROW_BYTES - 1).fill(0))), /damaged/);
  throws(() => new TokenTable(toTableBytes([])), /damaged/);
});
