/** The order in which mutants are tried. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { Mutant, MutantKind } from "../../../src/features/mutants/mutant_rules.ts";
import { spreadMutants } from "../../../src/features/mutants/spread_mutants.ts";

function toMutant(path: string, line: number, kind: MutantKind = "bound"): Mutant {
  return { path, line, kind, start: 0, end: 1, before: "", after: "" };
}

Deno.test("each line comes once before any comes twice, far places first, and constants late", () => {
  const mutants = [
    toMutant("a", 1),
    toMutant("a", 1, "logical"),
    toMutant("a", 2),
    toMutant("a", 3, "constant"),
    toMutant("a", 9),
    toMutant("b", 1),
    toMutant("b", 2),
  ];
  deepEqual(spreadMutants(mutants).map(({ path, line, kind }) => `${path}${line} ${kind}`), [
    "a9 bound",
    "a2 bound",
    "b2 bound",
    "a1 bound",
    "b1 bound",
    "a3 constant",
    "a1 logical",
  ]);
  deepEqual(spreadMutants([]), []);
});
