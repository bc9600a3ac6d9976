/** The command that runs given tests. */
import { strictEqual as equal } from "node:assert/strict";
import { toTestCommand } from "../../src/impact/test_command.ts";

function check(
  files: readonly string[],
  expected: string | null,
  { texts = {}, has = [] }: {
    readonly texts?: Readonly<Record<string, string>>;
    readonly has?: readonly string[];
  } = {},
): void {
  equal(toTestCommand(files, { texts, hasFile: (path) => has.includes(path) }), expected);
}

Deno.test("toTestCommand() knows the runners of the languages, and joins several by &&", () => {
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

Deno.test("toTestCommand() quotes what a shell would read, and names folders where there are many files", () => {
  check(["tests/test a.py"], "python3 -m pytest 'tests/test a.py'");
  const many = Array.from(
    { length: 60 },
    (_, at) => `tests/${at % 2 === 0 ? "x" : "y"}/test_${at}.py`,
  );
  check(many, "python3 -m pytest tests/x tests/y");
});
