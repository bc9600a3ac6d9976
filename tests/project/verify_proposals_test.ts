/** Which commands are proposed for which project. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { checkConfigText } from "../../src/base/config.ts";
import { proposeVerify } from "../../src/project/verify_proposals.ts";

Deno.test("proposeVerify() proposes what the files of a project show", () => {
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
      proposeVerify(files).map(({ run }) => run.join(" ")),
      expected,
      JSON.stringify(files),
    );
  }
});

Deno.test("proposeVerify() gives each command a name of its own, as config.json wants it", () => {
  const verify = proposeVerify({
    "package.json": '{"scripts":{"test":"x"}}',
    "Cargo.toml": "",
    "go.mod": "",
  });
  deepEqual(verify.map(({ name }) => name), ["test", "test (cargo)", "test (go)"]);
  deepEqual(checkConfigText(JSON.stringify({ verify })).warnings, []);
});
