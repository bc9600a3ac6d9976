/** Packed numbers and places come back as they were. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  packPlaces,
  packRising,
  unpackPlaces,
  unpackRising,
} from "../../../src/analysis/record/pack.ts";
import type { Place } from "../../../src/analysis/record/pack.ts";

Deno.test("places come back as they were packed, and ordinary ones take three bytes", () => {
  const places: Place[] = [
    { line: 1, column: 1, kind: "import" },
    { line: 1, column: 200, kind: "call", receiver: "this" },
    { line: 90, column: 3, kind: "type", receiver: "größe" },
    { line: 70_000, column: 100_000, kind: "definition" },
    { line: 70_000, column: 100_001, kind: "write", receiver: "" },
    { line: 70_001, column: 1, kind: "read", isLocal: true },
    { line: 70_001, column: 9, kind: "call", receiver: "app.models", isLocal: true },
  ];
  deepEqual(unpackPlaces(packPlaces(places)), places);
  equal(packPlaces([{ line: 9, column: 9, kind: "read", receiver: "self" }]).length, 3);
  equal(packPlaces([{ line: 9, column: 9, kind: "read", receiver: "" }]).length, 3);
  equal(packPlaces([{ line: 9, column: 9, kind: "read", isLocal: true }]).length, 3);
  deepEqual(unpackPlaces(new Uint8Array()), []);
});

Deno.test("rising numbers come back, beyond 32 bits too", () => {
  const numbers = [0, 0, 1, 127, 128, 300, 2 ** 31, 2 ** 40 + 7];
  deepEqual(unpackRising(packRising(numbers)), numbers);
});
