/** Which configured checks no verification command runs. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { listUnmetRules, listUnrunChecks } from "../../../src/evidence/runs/unrun_checks.ts";

const RAN = ["go test -v ./...", "npm run lint && npx eslint --max-warnings=0 ."];

const ROWS: readonly (readonly [line: string, asks: readonly string[]])[] = [
  ["Run tests with -race before you send a change.", ["-race"]],
  ["All tests must pass with `-race`: `go test -race ./...`.", ["-race"]],
  ["Run `golangci-lint run` and `go vet ./...`.", ["go vet", "golangci-lint"]],
  ["Run `go test`, then `npm run lint`, and eslint with --max-warnings=0.", []],
  ["`make check` has to pass.", ["make check"]],
  ["`tox r -e stress` runs stress tests.", ["tox r -e stress"]],
  ["Make sure that tests pass, and just run what you need.", []],
  ["make sure the tests pass", []],
  ["Never run `make release`.", []],
  ["Do not run the tests with -short.", []],
  ["Tests of the --color option check standard error.", []],
  ["Options have names such as `--dry-run`.", []],
  ["Services own business logic.", []],
  // A kind of check that no command names.
  ["Race testing is required for every change.", ["the race detector"]],
  ["New parsers must be fuzzed, and the code has to pass a type checker.", [
    "a type checker",
    "a fuzz test",
  ]],
  ["All code must be linted.", []],
  ["Linters are nice.", []],
];

for (const [line, asks] of ROWS) {
  Deno.test(`listUnmetRules() finds [${asks.join(", ")}] in "${line}"`, () => {
    const rules = [{ rule: "r", source: "CONTRIBUTING.md:3", line }];
    deepEqual(listUnmetRules(rules, RAN).map((one) => one.asks), asks);
  });
}

Deno.test("listUnmetRules() reads the agent's words too, and names each thing once with its first rule", () => {
  const rules = [
    { rule: "Run mypy over the sources", source: "a.md:1", line: "" },
    { rule: "Types are checked by mypy", source: "b.md:1", line: "mypy has to pass" },
  ];
  deepEqual(listUnmetRules(rules, RAN), [{ source: "a.md:1", asks: "mypy" }]);
});

const TEXTS = {
  "pyproject.toml": "[project]\nname = 'x'\n[tool.mypy]\nstrict = true\n[tool.ruff.lint]\n",
  "tsconfig.json": "{}",
  ".golangci.yml": "",
};

Deno.test("listUnrunChecks() names what is configured and stands in no command, nor in a text behind one", () => {
  const names = (...ran: string[]) => listUnrunChecks(TEXTS, ran).map(({ name }) => name);
  deepEqual(names(), ["mypy", "ruff", "tsc", "golangci-lint"]);
  deepEqual(names(".venv/bin/mypy src", "tsc --noEmit && vitest", "make lint: golangci-lint run"), [
    "ruff",
  ]);
  deepEqual(names("vue-tsc", "python -m mypy", "ruff check", "golangci-lint-old"), [
    "golangci-lint",
  ]);
  deepEqual(listUnrunChecks({ "pyproject.toml": "[tool.pytest]", "tox.ini": "[tox]" }, []), []);
});
