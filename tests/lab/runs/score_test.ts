/** The scores of `deno task runs`: which named tests fail, and how much of the suite runs before the first one. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { listTestsOf, matchFailures, scoreTests } from "../../../lab/runs/score.ts";

const test = (name: string, file: string, ms = 1) => ({ name, file, ms });
const SUITE = [
  test("a.py::one", "a.py"),
  test("a.py::two", "a.py", 7),
  test("b.py::three", "b.py", 2),
];
const [ONE, TWO, THREE] = SUITE as [typeof SUITE[0], typeof SUITE[0], typeof SUITE[0]];

Deno.test("scoreTests() says what is found, how much of it is needless, and how much runs before the first failure", () => {
  const failing = new Set(["b.py::three"]);
  deepEqual(scoreTests([ONE, THREE], failing, SUITE), {
    recall: 1,
    precision: 0.5,
    share: 2 / 3,
    time: 0.3,
  });
  const missed = { recall: 0, precision: 0, share: 1, time: 1 };
  deepEqual(scoreTests([TWO], failing, SUITE), missed);
  deepEqual(scoreTests([], failing, SUITE), missed);
});

Deno.test("listTestsOf() gives the tests of files in the order of the files, matchFailures() names of a report", () => {
  deepEqual(listTestsOf(["b.py", "a.py", "b.py", "c.py"], SUITE), [THREE, ONE, TWO]);
  deepEqual(matchFailures(["a.py::two", "b.py", "other"], SUITE), ["a.py::two", "b.py::three"]);
  deepEqual(matchFailures(["b.py > three"], SUITE), ["b.py::three"]);
});
