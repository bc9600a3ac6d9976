/** Which commands are proposed for which project. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { checkConfigText } from "../../../src/base/settings/config.ts";
import {
  listVerifyCandidates,
  makeNamesUnique,
} from "../../../src/project/setup/verify_proposals.ts";

Deno.test("listVerifyCandidates() lists what the files of a project show", () => {
  const scripts = JSON.stringify({ scripts: { lint: "eslint .", test: "vitest", build: "vite" } });
  const rows: readonly (readonly [files: Record<string, string>, expected: readonly string[]])[] = [
    [{}, []],
    [{ "package.json": scripts }, ["npm run lint", "npm run test"]],
    [{ "package.json": scripts, "pnpm-lock.yaml": "" }, ["pnpm run lint", "pnpm run test"]],
    [{ "package.json": scripts, "yarn.lock": "" }, ["yarn run lint", "yarn run test"]],
    [
      { "package.json": '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' },
      [],
    ],
    [{ "package.json": "{ broken" }, []],
    [{ "deno.json": '{ "tasks": { "check": "deno check", "test": { "command": "x" } } }' }, [
      "deno task check",
      "deno task test",
    ]],
    [{ "deno.jsonc": '{ "tasks": { "test": "x" /* y */, } }' }, ["deno task test"]],
    [{ "pyproject.toml": "[tool.pytest.ini_options]\n" }, ["python3 -m pytest -q"]],
    [{ "pytest.ini": "", "uv.lock": "" }, ["uv run pytest -q"]],
    [{ "pytest.ini": "", "poetry.lock": "" }, ["poetry run pytest -q"]],
    [{ "setup.cfg": "[tool:pytest]\n" }, ["python3 -m pytest -q"]],
    [{ "pyproject.toml": "[project]\nname = 'x'\n" }, []],
    [{ "Cargo.toml": "" }, ["cargo test"]],
    [{ "go.mod": "" }, ["go test ./..."]],
    [{ "pom.xml": "" }, ["mvn -q test"]],
    [{ "pom.xml": "", mvnw: "" }, ["./mvnw -q test"]],
    [{ "build.gradle.kts": "", gradlew: "" }, ["./gradlew test"]],
    [{ "composer.json": '{"scripts":{"test":["phpunit"]}}' }, ["composer run-script test"]],
    [{ Makefile: "CC := gcc\ntest: all\n\tx\n" }, ["make test"]],
    [{ Makefile: "check:\n\tx\n" }, ["make check"]],
    [{ Makefile: "test := x\n" }, []],
    [{ Makefile: "test:\n", "go.mod": "" }, ["go test ./..."]],
  ];
  for (const [files, expected] of rows) {
    deepEqual(
      listVerifyCandidates({ dir: "", texts: files, tests: [] }).map(({ runs }) =>
        runs[0]?.run.join(" ")
      ),
      expected,
      JSON.stringify(files),
    );
  }
});

Deno.test("makeNamesUnique() gives each command a name of its own, as config.json wants it", () => {
  const texts = { "package.json": '{"scripts":{"test":"x"}}', "Cargo.toml": "", "go.mod": "" };
  const rows = listVerifyCandidates({ dir: "", texts, tests: [] })
    .map(({ name, runs: [way] }) => ({ name, run: way?.run ?? [] }));
  const verify = makeNamesUnique(rows);
  deepEqual(verify.map(({ name }) => name), ["test", "test (cargo)", "test (go)"]);
  deepEqual(checkConfigText(JSON.stringify({ verify })).warnings, []);
});

Deno.test("listVerifyCandidates() knows runners that need no script and no package", () => {
  const unittest = { path: "tests/test_a.py", text: "import unittest\n" };
  const rows: readonly (readonly [
    texts: Record<string, string>,
    tests: readonly { readonly path: string; readonly text: string }[],
    expected: readonly string[],
  ])[] = [
    [{}, [unittest], ["python3 -m unittest discover -s tests"]],
    [{ "tests/__init__.py": "" }, [unittest], ["python3 -m unittest discover -s tests -t ."]],
    [{}, [{ path: "test_a.py", text: "from unittest import TestCase" }], [
      "python3 -m unittest discover",
    ]],
    [
      { "lib/test/__init__.py": "" },
      ["scripts/test_release.py", "lib/test/a_test.py", "lib/test/b_test.py"]
        .map((path) => ({ path, text: "import unittest\n" })),
      ["python3 -m unittest discover -s lib/test -p *_test.py -t ."],
    ],
    [{}, [{ path: "tests/test_a.py", text: "import pytest\n" }], ["python3 -m pytest -q"]],
    [{ "uv.lock": "", "pytest.ini": "" }, [unittest], [
      "uv run pytest -q",
      "python3 -m pytest -q",
      "python3 -m unittest discover -s tests",
    ]],
    [{ "package.json": "{}" }, [{ path: "a.test.js", text: 'import test from "node:test";' }], [
      "node --test",
    ]],
    [{ "package.json": "{}" }, [{ path: "a.test.js", text: 'import test from "vitest";' }], []],
    [{ "deno.json": "{}" }, [{ path: "a_test.ts", text: "" }], ["deno test"]],
    [{ "mix.exs": "" }, [], ["mix test"]],
    [{ "composer.json": "{}", "phpunit.xml.dist": "" }, [], ["vendor/bin/phpunit"]],
    [{ Rakefile: "Rake::TestTask.new", Gemfile: "" }, [], ["bundle exec rake test"]],
  ];
  for (const [texts, tests, expected] of rows) {
    const runs = listVerifyCandidates({ dir: "", texts, tests }).flatMap((row) => row.runs);
    deepEqual(runs.map(({ run }) => run.join(" ")), expected, JSON.stringify(texts));
  }
});

Deno.test("listVerifyCandidates() runs a package of a monorepo from the project's top, for its own files", () => {
  const rows: readonly (readonly [texts: Record<string, string>, expected: string])[] = [
    [{ "package.json": '{"scripts":{"test":"x"}}' }, "npm --prefix packages/a run test"],
    [
      { "package.json": '{"scripts":{"test":"x"}}', "pnpm-lock.yaml": "" },
      "pnpm --dir packages/a run test",
    ],
    [{ "pytest.ini": "" }, "python3 -m pytest -q packages/a"],
    [{ "Cargo.toml": "" }, "cargo test --manifest-path packages/a/Cargo.toml"],
    [{ "go.mod": "" }, "go -C packages/a test ./..."],
    [{ "pom.xml": "", mvnw: "" }, "./packages/a/mvnw -q -f packages/a test"],
    [{ "deno.json": '{"tasks":{"test":"x"}}' }, "deno task --cwd packages/a test"],
    [{ Makefile: "test:\n" }, "make -C packages/a test"],
  ];
  for (const [texts, expected] of rows) {
    const [row] = listVerifyCandidates({ dir: "packages/a", texts, tests: [] });
    deepEqual(row?.runs[0]?.run.join(" "), expected);
    deepEqual(row?.paths, ["packages/a/**"]);
    deepEqual(row?.name.endsWith(" (packages/a)"), true);
  }
});
