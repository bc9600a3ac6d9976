/** How commands are narrowed to some test files: to exactly these, or not at all. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { nameTests, narrowRun } from "../../src/runners/narrow_run.ts";

const PYTHON = ["tests/test_a.py", "tests/b/test_b.py"];
const SCRIPTS = ["src/a.test.ts", "[id]/b.test.ts"];

/** A command, and the narrow one; the same text for a command that stays whole, null for one that runs none of the files. */
const ROWS: readonly (readonly [run: string, tests: readonly string[], narrow: string | null])[] = [
  ["pytest -q", PYTHON, "pytest -q tests/test_a.py tests/b/test_b.py"],
  ["pytest -k fast -m db", PYTHON, "pytest -k fast -m db tests/test_a.py tests/b/test_b.py"],
  ["pytest -k fast tests", PYTHON, "pytest -k fast tests/test_a.py tests/b/test_b.py"],
  ["pytest ./tests/b/ -n 4", PYTHON, "pytest -n 4 tests/b/test_b.py"],
  ["pytest other", PYTHON, null],
  // An option that may have a value would take the first file for it.
  ["pytest --cov", PYTHON, "pytest tests/test_a.py tests/b/test_b.py --cov"],
  // What an unknown option says to the next word is not known.
  ["pytest --driver chrome", PYTHON, "pytest --driver chrome"],
  ["pytest tests/test_a.py::test_one", PYTHON, "pytest tests/test_a.py::test_one"],
  ["pytest --lf", PYTHON, "pytest --lf"],
  ["python3 -m pytest -x", PYTHON, "python3 -m pytest -x tests/test_a.py tests/b/test_b.py"],
  ["poetry run pytest", PYTHON, "poetry run pytest tests/test_a.py tests/b/test_b.py"],
  ["uv run --with pytest nox", PYTHON, "uv run --with pytest nox"],
  ["make pytest", PYTHON, "make pytest"],
  ["tox -e pytest", PYTHON, "tox -e pytest"],
  ["sh -c pytest", PYTHON, "sh -c pytest"],
  ["npx jest", SCRIPTS, "npx jest --runTestsByPath src/a.test.ts [id]/b.test.ts"],
  ["jest --config x", SCRIPTS, "jest --config x --runTestsByPath src/a.test.ts [id]/b.test.ts"],
  [
    "jest --reporters=dot",
    SCRIPTS,
    "jest --runTestsByPath src/a.test.ts [id]/b.test.ts --reporters=dot",
  ],
  ["jest src", SCRIPTS, "jest src"],
  ["npm run jest", SCRIPTS, "npm run jest"],
  ["npx vitest run --root web", SCRIPTS, "npx vitest run --root web"],
  ["npx vitest run --coverage", ["a.test.ts"], "npx vitest run a.test.ts --coverage"],
  ["mocha test/**/*.js", SCRIPTS, "mocha test/**/*.js"],
  ["deno test -A src", ["src/a.test.ts", "b.test.ts"], "deno test -A src/a.test.ts"],
  ["node --test --import tsx", ["-a.test.ts"], "node --test --import tsx ./-a.test.ts"],
  ["vendor/bin/phpunit", ["tests/ATest.php"], "vendor/bin/phpunit tests/ATest.php"],
  ["phpunit", ["tests/ATest.php", "tests/BTest.php"], "phpunit"],
  ["go test -run X ./...", ["a_test.go"], "go test -run X ./..."],
  ["go test ./...", ["a_test.go"], "go test ./..."],
];

Deno.test("narrowRun() runs exactly the given files, or the whole command", () => {
  for (const [run, tests, narrow] of ROWS) {
    const found = narrowRun(run.split(" "), tests);
    deepEqual(found === null ? null : found.join(" "), narrow, run);
  }
});

Deno.test("nameTests() lets a runner name its tests by words at its end, and leaves other commands as they are", () => {
  const rows = [
    ["python3 -m unittest -q", "python3 -m unittest -q -v"],
    ["python3 -m pytest -q", "python3 -m pytest -q"],
    ["npm test", "npm test"],
  ];
  for (const [run = "", named = ""] of rows) deepEqual(nameTests(run.split(" ")), named.split(" "));
});
