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
  const short: Place[] = [
    { line: 9, column: 9, kind: "read", receiver: "self" },
    { line: 9, column: 9, kind: "read", receiver: "" },
    { line: 9, column: 9, kind: "read", isLocal: true },
  ];
  const [first, none, ...rest] = packPlaces([places, [], ...short.map((place) => [place])]);
  deepEqual(unpackPlaces(first ?? new Uint8Array()), places);
  equal(none?.length, 0);
  deepEqual(rest.map(({ length }) => length), [3, 3, 3]);
  deepEqual(rest.flatMap(unpackPlaces), short);
  deepEqual(unpackPlaces(new Uint8Array()), []);
});

Deno.test("rising numbers come back, beyond 32 bits too", () => {
  const numbers = [0, 0, 1, 127, 128, 300, 2 ** 31, 2 ** 40 + 7];
  deepEqual(unpackRising(packRising(numbers)), numbers);
});
