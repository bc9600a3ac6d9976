/** Which tests a text has, how far they reach, and to which of them a changed line belongs. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { findTestsAt, readTests } from "../../../src/evidence/tests/read_tests.ts";

/** A path, a text, and each test as `name first-last`. */
type Row = readonly [path: string, text: string, tests: readonly string[]];

const ROWS: readonly Row[] = [
  [
    "a.test.ts",
    'describe("s", () => {\n  it("one", () => {});\n  test(`two ${x}`, f);\n});\n',
    ["one 2-2", "two ${x} 3-3"],
  ],
  ["a.test.ts", "for (const t of T) test(t.name, () => {});\n", ["null 1-1"]],
  [
    "a_test.ts",
    'Deno.test({ name: "one", fn() {} });\nDeno.test(function two() {});\n',
    ["one 1-1", "two 2-2"],
  ],
  [
    "a_test.ts",
    'Deno.test({\n  permissions: { read: true },\n  name: "one",\n  fn,\n});\n\nfunction fn() {\n  a();\n}\n\nDeno.test({ name, fn });\n',
    ["one 1-5", "null 11-11"],
  ],
  [
    "a.test.js",
    'test.each([\n  [1, 2],\n])("adds %i", (a) => {\n  b(a);\n});\n// it("is no test")\nconst text = "test(1)";\n',
    ["adds %i 1-5"],
  ],
  ["a.test.js", 'test.each`\n  a | b\n`("takes $a", () => {\n});\nhelp();\n', ["takes $a 1-4"]],
  [
    "test_a.py",
    'import a\n\n@mark.parametrize(\n    "x",\n    [(1, f(2))],\n)\ndef test_one(x):\n    """Says\n\n    so."""\n    if x:\n        a()\n\n# Help.\ndef help():\n    pass\n\nclass TestA:\n    size = 1\n\n    @staticmethod\n    def test_two():\n        b()\n',
    ["test_one 3-12", "test_two 21-23"],
  ],
  [
    "a_test.go",
    'func TestOne(t *testing.T) {\n\tt.Run("x", func() {\n\t})\n}\n\nfunc help() {\n}\n',
    ["TestOne 1-4"],
  ],
  [
    "tests/a.rs",
    "#[test]\n#[should_panic]\nfn one() {\n    a();\n}\n\nfn help() {}\n",
    ["one 1-5"],
  ],
  [
    "ATest.java",
    '@TestInstance(Lifecycle.PER_CLASS)\nclass ATest {\n  int size = 1;\n\n  @BeforeEach\n  void start() {\n  }\n\n  @DisplayName("x")\n  @Test(timeout = 1)\n  public void one()\n  {\n    a();\n  }\n\n  void help() {\n  }\n}\n',
    ["one 9-14"],
  ],
  [
    "ATests.cs",
    "[TestFixture]\npublic class ATests\n{\n    [TestCase(1)]\n    public void One(int a)\n    {\n    }\n\n    void Help() { }\n}\n",
    ["One 4-7"],
  ],
  [
    "a_spec.rb",
    "describe \"s\" do\n  it 'one' do\n    a\n  end\n\n  let(:b) { 1 }\nend\n",
    ["one 2-4"],
  ],
  [
    "a_test.exs",
    'defmodule A do\n  test "one" do\n    a()\n  end\n\n  defp help, do: 1\nend\n',
    ["one 2-4"],
  ],
  ["a_test.cc", "TEST(Suite, One)\n{\n  a();\n}\n\nint help() { return 1; }\n", ["One 1-4"]],
  [
    "ATest.php",
    "<?php\nclass ATest {\n    public function testOne(): void\n    {\n        a();\n    }\n\n    private function help()\n    {\n    }\n}\n",
    ["testOne 3-6"],
  ],
  ["a_test.dart", "void main() {\n  test('one', () {\n    a();\n  });\n  help();\n}\n", [
    "one 2-4",
  ]],
];

Deno.test("readTests() names tests by the ways of their languages, each from its attributes to its end", async () => {
  for (const [path, text, tests] of ROWS) {
    const { tests: read } = await readTests(path, text);
    const found = read.map(({ name, first, last }) => `${name} ${first}-${last}`);
    deepEqual(found, tests, path);
  }
});

const TEXT = `Deno.test({
  name: "old",
  fn() {
    same();
  },
});

function help() {
  return 1;
}

// The new one.
Deno.test("new", () => {
  help();
});
`;

Deno.test("findTestsAt() credits a line to the test that has it, and lines between tests to none", async () => {
  const toNames = async (start: number, end: number) =>
    (await findTestsAt("a_test.ts", TEXT, [{ start, end }])).map(({ name }) => name);
  // What git calls added begins with the blank line above it.
  deepEqual(await toNames(7, 15), ["new"]);
  deepEqual(await toNames(8, 12), []);
  deepEqual(await toNames(5, 5), ["old"]);
  deepEqual(await toNames(1, 1_000), ["old", "new"]);
});

Deno.test("findTestsAt() names a test once that begins in two ways, and the inner one of two", async () => {
  const java = "  @Test\n  public void testOne() {\n    a();\n  }\n";
  deepEqual(
    (await findTestsAt("ATest.java", java, [{ start: 1, end: 9 }])).map(({ name }) => name),
    [
      "testOne",
    ],
  );
  const kotlin =
    'class ASpec : WordSpec({\n  "x" should {\n    it("y") {\n      a()\n    }\n  }\n})\n';
  deepEqual(
    (await findTestsAt("ASpec.kt", kotlin, [{ start: 4, end: 4 }])).map(({ name }) => name),
    [
      "y",
    ],
  );
});

Deno.test("readTests() reads a text again for another language", async () => {
  const text = 'test("one", () => {});\n';
  for (const [path, count] of [["a.test.ts", 1], ["test_a.py", 0], ["a.test.ts", 1]] as const) {
    deepEqual((await readTests(path, text)).tests.length, count, path);
  }
});
