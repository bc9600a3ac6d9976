/** The command that runs given tests: from the verification commands of the configuration, or guessed. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { OwnCommand } from "../../src/impact/test_command.ts";
import { buildTestRun, guessTestCommand } from "../../src/impact/test_command.ts";
import { createImpactProject } from "./impact_project.ts";

function check(
  files: readonly string[],
  expected: string | null,
  { texts = {}, has = [] }: {
    readonly texts?: Readonly<Record<string, string>>;
    readonly has?: readonly string[];
  } = {},
): void {
  equal(guessTestCommand(files, { texts, hasFile: (path) => has.includes(path) }), expected);
}

Deno.test("guessTestCommand() knows the runners of the languages, and joins several by &&", () => {
  const manifest = (name: string) => ({
    texts: { "package.json": `{"devDependencies":{"${name}":"1"}}` },
  });
  check(["a.test.ts"], "npx jest a.test.ts", manifest("jest"));
  check(["a.test.ts"], "deno test a.test.ts", { texts: { "deno.json": "{}" } });
  check(["tests/test_a.py", "tests/conftest.py"], "python3 -m pytest tests/test_a.py");
  check(["tests/test_a.py"], "uv run pytest tests/test_a.py", { has: ["uv.lock"] });
  check(["pkg/a_test.go", "pkg/b_test.go", "c_test.go"], "go test ./. ./pkg");
  check(["tests/api_test.rs"], "cargo test --test api_test");
  check(["src/a_test.rs"], "cargo test");
  check(["src/test/java/ATest.java"], "mvn -q test -Dtest=ATest", { has: ["pom.xml"] });
  check(["src/test/java/ATest.java"], "./gradlew test --tests '*ATest'", { has: ["gradlew"] });
  check(["tests/ATest.php"], "vendor/bin/pest tests/ATest.php", {
    texts: { "composer.json": '{"require-dev":{"pestphp/pest":"1"}}' },
  });
  check(["spec/a_spec.rb"], "bundle exec rspec spec/a_spec.rb");
  check(["A.Tests/ATests.cs"], 'dotnet test --filter "FullyQualifiedName~ATests"');
  check(["tests/test_a.py", "b_test.go"], "python3 -m pytest tests/test_a.py && go test ./.");
  check([], null);
});

Deno.test("guessTestCommand() quotes what a shell would read, and names folders where there are many files", () => {
  check(["tests/test a.py"], "python3 -m pytest 'tests/test a.py'");
  const many = Array.from(
    { length: 60 },
    (_, at) => `tests/${at % 2 === 0 ? "x" : "y"}/test_${at}.py`,
  );
  check(many, "python3 -m pytest tests/x tests/y");
});

const PYTEST = { name: "unit", run: ["uv", "run", "pytest", "-q"], paths: null };
const LINT = { name: "lint", run: ["uv", "run", "ruff", "check"], paths: null };

function checkOwn(
  tests: readonly string[],
  own: readonly OwnCommand[],
  expected: readonly [command: string, from: readonly string[]] | null,
  texts: Readonly<Record<string, string>> = {},
): void {
  const tools = { texts, hasFile: () => false };
  const found = buildTestRun(tests, { own, targets: ["src/a.py"], tools });
  deepEqual(found === null ? null : [found.command, found.from], expected);
}

Deno.test("buildTestRun() takes the project's own command, with the files at its end where it takes them", () => {
  const tests = ["tests/test_b.py", "tests/test_a.py"];
  checkOwn(tests, [LINT, PYTEST], ["uv run pytest -q tests/test_b.py tests/test_a.py", ["unit"]]);
  checkOwn(tests, [LINT], ["python3 -m pytest tests/test_b.py tests/test_a.py", []]);
  checkOwn([], [PYTEST], null);
  const whole = { name: "all", run: ["make", "test"], paths: null };
  checkOwn(tests, [whole], ["make test", ["all"]]);
  const folder = { ...PYTEST, run: ["pytest", "tests/unit"] };
  checkOwn(["tests/unit/test_a.py"], [folder], ["pytest tests/unit/test_a.py", ["unit"]]);
  checkOwn(["tests/test_b.py"], [folder], ["python3 -m pytest tests/test_b.py", []]);
  const script = { name: "js", run: ["npm", "test"], paths: null };
  const texts = { "package.json": '{"scripts":{"test":"mocha --config all.json"}}' };
  checkOwn(["a.test.js", ...tests], [script], [
    "npm test -- a.test.js && python3 -m pytest tests/test_b.py tests/test_a.py",
    ["js"],
  ], texts);
});

Deno.test("buildTestRun() leaves out commands of other files, and guesses what none of its own runs", () => {
  const web = { name: "web", run: ["npx", "vitest", "run"], paths: null };
  const tests = ["tests/test_a.py", "web/a.test.ts"];
  checkOwn(tests, [web, PYTEST], [
    "npx vitest run web/a.test.ts && uv run pytest -q tests/test_a.py",
    ["web", "unit"],
  ]);
  checkOwn(tests, [web], [
    "npx vitest run web/a.test.ts && python3 -m pytest tests/test_a.py",
    ["web"],
  ]);
  checkOwn(["tests/test_a.py"], [web, PYTEST], ["uv run pytest -q tests/test_a.py", ["unit"]]);
  checkOwn(["tests/test_a.py"], [{ ...PYTEST, paths: ["web/**"] }], [
    "python3 -m pytest tests/test_a.py",
    [],
  ]);
  checkOwn(["tests/test_a.py"], [{ ...PYTEST, paths: ["**/*.{py,toml}"] }], [
    "uv run pytest -q tests/test_a.py",
    ["unit"],
  ]);
});

Deno.test("analyze() proposes the project's own command, its nearest test first", async () => {
  await using project = await createImpactProject({
    "shop/cart.py": "class Cart:\n    def add(self):\n        return 1\n",
    "shop/order.py": "from shop.cart import Cart\n\ndef order():\n    return Cart().add()\n",
    "tests/test_all.py": "from shop.order import order\n\ndef test_all():\n    assert order()\n",
    "tests/test_cart.py":
      "from shop.cart import Cart\n\ndef test_add():\n    assert Cart().add()\n",
  }, { commands: [PYTEST] });
  const { tests, testRun } = await project.ask({ targetFiles: ["shop/cart.py"] });
  deepEqual(tests, ["tests/test_cart.py", "tests/test_all.py"]);
  equal(testRun?.command, "uv run pytest -q tests/test_cart.py tests/test_all.py");
});
