/** Which files count less, and when they do not. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { findPenalties } from "../../src/ranking/rank.ts";

function check(paths: readonly string[], words: readonly string[], expected: readonly string[][]) {
  const files = paths.map((path) => ({ path, language: path.endsWith(".md") ? "Markdown" : "X" }));
  deepEqual(findPenalties(files, words).map((own) => own.map(({ name }) => name)), expected);
}

Deno.test("findPenalties() knows tests, what is kept aside, and other files by habit", () => {
  check(["src/a.ts"], [], [[]]);
  check(["src/a.test.ts", "pkg/a_test.go", "tests/a.py"], [], [["test"], ["test"], ["test"]]);
  check(["src/latest.py", "src/contest.ts"], [], [[], []]);
  check(["legacy/a.ts", "examples/a.ts", "lib/vendor/a.js"], [], [["aside"], ["aside"], ["aside"]]);
  check(["pkg/__init__.py"], [], [["init"]]);
  check(["src/a.d.ts"], [], [["declaration"]]);
  check(["README.md"], [], [["prose"]]);
});

Deno.test("findPenalties() holds nothing against a file when the question asks for its like", () => {
  check(["src/a.test.ts"], ["test"], [[]]);
  check(["legacy/a.ts"], ["legaci"], [[]]);
  check(["src/v3/a.ts", "src/v4/a.ts"], ["v3"], [[], []]);
});

Deno.test("findPenalties() puts what announces behind what is announced, unless the question asks for it", () => {
  const header = { path: "include/dns.h", language: "C", announces: true };
  const source = { path: "dns.c", language: "C", announces: false };
  const names = (words: readonly string[]) =>
    findPenalties([header, source], words).map((own) => own.map(({ name }) => name));
  deepEqual(names(["dns", "request"]), [["announces"], []]);
  deepEqual(names(["dns", "header"]), [[], []]);
});

Deno.test("findPenalties() takes the newest version of a folder for the present one", () => {
  check(["src/v3/a.ts", "src/v4/a.ts"], [], [["older_version"], []]);
  check(["src/v3/a.ts"], [], [[]]);
  check(["api/v1/a.ts", "web/v2/a.ts"], [], [[], []]);
});
