/** Which places of a name are local, by blocks, bound names and definitions. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { findLocals } from "../../../src/analysis/trees/bindings.ts";
import type { BindingFacts } from "../../../src/analysis/trees/bindings.ts";

const NONE: BindingFacts = { blocks: [], bounds: [], definitions: [], isFixed: () => false };

function find(starts: readonly number[], facts: Partial<BindingFacts>, kind = "read" as const) {
  const marks = starts.map((start) => ({ start, row: 0, column: start, name: "f", kind }));
  return [...findLocals(marks, { ...NONE, ...facts })].sort((a, b) => a - b);
}

const bound = (start: number, within?: readonly [number, number]) => ({
  start,
  name: "f",
  row: 0,
  ...(within === undefined ? {} : { within }),
});

Deno.test("findLocals() holds a bound name in the innermost block round it, or where it is said", () => {
  const blocks = [[10, 90], [20, 40], [50, 60]] as const;
  deepEqual(find([5, 15, 25, 35, 55, 95], { blocks, bounds: [bound(25)] }), [25, 35]);
  deepEqual(find([5, 15, 25, 55, 95], { blocks, bounds: [bound(15)] }), [15, 25, 55]);
  deepEqual(find([5, 12, 25, 55], { blocks, bounds: [bound(12, [20, 40])] }), [12, 25]);
  deepEqual(find([5, 12], { blocks, bounds: [bound(5)] }), [5], "no block: only where it stands");
  deepEqual(find([15, 25], { blocks, bounds: [bound(15)], isFixed: () => true }), []);
});

Deno.test("findLocals() gives a definition of an inner block its name back", () => {
  const blocks = [[10, 90], [20, 40]] as const;
  const facts = { blocks, bounds: [bound(12)] };
  const inner = { name: "f", start: 22, end: 26, isVariable: false };
  deepEqual(find([12, 30, 50], { ...facts, definitions: [inner] }), [12, 50]);
  const same = { name: "f", start: 50, end: 60, isVariable: false };
  deepEqual(find([12, 30], { ...facts, definitions: [same] }), [12, 30], "one of two: none");
  deepEqual(find([12, 30], { ...facts, definitions: [{ ...same, isVariable: true }] }), []);
  deepEqual(find([5], { bounds: [bound(5)], definitions: [{ ...same, isVariable: true }] }), []);
});

Deno.test("findLocals() keeps types and values apart", () => {
  const facts = { blocks: [[0, 90]] as const, bounds: [bound(5)] };
  const marks = [
    { start: 5, row: 0, column: 5, name: "f", kind: "type" as const },
    { start: 9, row: 0, column: 9, name: "f", kind: "type" as const },
    { start: 20, row: 0, column: 20, name: "f", kind: "call" as const },
  ];
  deepEqual([...findLocals(marks, { ...NONE, ...facts })], [5, 9]);
});
