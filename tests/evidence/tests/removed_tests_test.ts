/** Test files that are gone, emptied or hidden, beside those that are not. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { findRemovedTests } from "../../../src/evidence/tests/removed_tests.ts";
import { diffTrees } from "../../../src/git/trees/changes.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const TS = 'import { add } from "./add.ts";\nDeno.test("adds", () => {\n  add(1, 2);\n});\n';
const EMPTY_TS = 'import { add } from "./add.ts";\nadd(1, 2);\n';

/** Languages with how a test begins and what is left when it is taken out. */
const EMPTIED: readonly (readonly [path: string, before: string, after: string])[] = [
  ["a.test.ts", TS, EMPTY_TS],
  ["b.test.js", 'describe("x", () => {\n  it.each([1])("y", f);\n});\n', "/x/.test(y); // it(\n"],
  ["test_c.py", "import c\n\ndef test_c():\n    assert c.run()\n", "import c\n"],
  ["d_test.go", "package d\n\nfunc TestD(t *testing.T) {}\n", "package d\n"],
  ["tests/e.rs", "use e;\n#[tokio::test]\nasync fn e() {}\n", "use e;\n"],
  ["FTest.java", "class FTest {\n  @Test void f() {}\n}\n", "class FTest {\n}\n"],
  ["GTests.cs", "class GTests {\n  [Fact] void G() {}\n}\n", "class GTests {\n}\n"],
  ["HTest.php", "<?php class H {\n  function testH() {}\n}\n", "<?php class H {\n}\n"],
  ["i_spec.rb", 'describe "i" do\n  it "is" do\n  end\nend\n', "require 'i'\n"],
  ["JTests.swift", "class J {\n  func testJ() {}\n}\n", "class J {\n}\n"],
  ["k_test.exs", 'defmodule K do\n  test "k" do\n  end\nend\n', "defmodule K do\nend\n"],
  ["l_test.dart", "main() {\n  test('l', () {});\n}\n", "main() {\n}\n"],
  ["m_test.cc", "#include <m>\nTEST(M, M) {}\n", "#include <m>\n"],
  ["n_spec.lua", "check(1)\n", "-- check(1)\n"],
  ["OSpec.kt", "class O {\n  @Test fun `is o`() {}\n}\n", "class O {\n}\n"],
];

Deno.test("findRemovedTests() names test files without a test, in each language", async () => {
  const other = { "kept.test.ts": TS, "tests/helper.ts": "export const one = 1;\n" };
  await using temp = await createTempRepo({
    files: { ...other, ...Object.fromEntries(EMPTIED.map(([path, before]) => [path, before])) },
  });
  await temp.commit("Emptied", {
    // A test that was rewritten, one that was taken out of a helper: nothing of this is removed.
    "kept.test.ts": TS.replace("adds", "sums"),
    "tests/helper.ts": "export const two = 2;\n",
    ...Object.fromEntries(EMPTIED.map(([path, , after]) => [path, after])),
  });
  const changes = await diffTrees(temp.repo, "HEAD~", "HEAD", { withLineCounts: true });
  const found = await findRemovedTests(temp.repo, changes);
  deepEqual(
    found.map(({ path, how }) => `${path} ${how}`).toSorted(),
    EMPTIED.map(([path]) => `${path} emptied`).toSorted(),
  );
});

/** Tests that are switched off: all of a file, and all but one. */
const SKIPPED: readonly (readonly [path: string, before: string, off: string, rest: string])[] = [
  [
    "a.test.ts",
    'it("a", f);\nit("b", f);\n',
    'it.skip("a", f);\nit.todo("b");\n',
    'it.skip("a", f);\nit("b", f);\n',
  ],
  [
    "b.test.js",
    'describe("x", () => {\n  it("a", f);\n});\n',
    'describe("x", () => {\n  xit("a", f);\n});\n',
    'describe("x", () => {\n  it.each([1])("a", f);\n});\n',
  ],
  [
    "c.test.js",
    'describe("x", () => {\n  it("a(", f);\n});\n',
    'describe.skip("x", () => {\n  it("a(", f);\n});\n',
    'describe.skip("x", () => {\n  it("a(", f);\n});\nit("b", f);\n',
  ],
  [
    "test_d.py",
    "def test_a():\n    a()\n",
    "@pytest.mark.skip(reason='x')\ndef test_a():\n    a()\n",
    "@pytest.mark.skipif(x, reason='y')\ndef test_a():\n    a()\n",
  ],
  [
    "test_e.py",
    "class TestE:\n    def test_a(self):\n        a()\n",
    "@unittest.skip('x')\nclass TestE:\n    def test_a(self):\n        a()\n",
    "class TestE:\n    @unittest.skip('x')\n    def test_a(self):\n        a()\n\n    def test_b(self):\n        a()\n",
  ],
  [
    "f_test.go",
    "func TestF(t *testing.T) {\n\tf()\n}\n",
    'func TestF(t *testing.T) {\n\tt.Skip("x")\n\tf()\n}\n',
    "func TestF(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip()\n\t}\n\tf()\n}\n",
  ],
  [
    "tests/g.rs",
    "#[test]\nfn g() { f(); }\n",
    "#[test]\n#[ignore]\nfn g() { f(); }\n",
    "#[test]\n#[ignore]\nfn g() { f(); }\n#[test]\nfn h() { f(); }\n",
  ],
  [
    "HTest.java",
    "class HTest {\n  @Test void h() { f(); }\n}\n",
    'class HTest {\n  @Disabled("x") @Test void h() { f(); }\n}\n',
    "class HTest {\n  @Ignore @Test void h() { f(); }\n  @Test void i() { f(); }\n}\n",
  ],
  [
    "ITest.kt",
    "class ITest {\n  @Test fun i() { f() }\n}\n",
    "@Disabled\nclass ITest {\n  @Test fun i() { f() }\n}\n",
    "class ITest {\n  @Test fun i() { g() }\n}\n",
  ],
];

for (const [how, at] of [["all", 2], ["some", 3]] as const) {
  Deno.test(`findRemovedTests() names test files in which ${how} tests are switched off: only where none is left`, async () => {
    await using temp = await createTempRepo({
      files: Object.fromEntries(SKIPPED.map(([path, before]) => [path, before])),
    });
    await temp.commit("Off", Object.fromEntries(SKIPPED.map((row) => [row[0], row[at]])));
    const changes = await diffTrees(temp.repo, "HEAD~", "HEAD", { withLineCounts: true });
    const found = (await findRemovedTests(temp.repo, changes)).map(({ path }) => path);
    deepEqual(found.toSorted(), how === "all" ? SKIPPED.map(([path]) => path).toSorted() : []);
  });
}

Deno.test("findRemovedTests() names deleted and hidden test files, and no renamed or other ones", async () => {
  await using temp = await createTempRepo({
    files: {
      "gone.test.ts": TS,
      "link.test.ts": TS.replace("add(1", "add(7"),
      "hidden.test.ts": TS.replace("add(1", "add(8"),
      "moved.test.ts": TS.replace("add(1", "add(9"),
      "grown.test.ts": "// to be written\n",
      "plain.ts": "plain();\n",
      "tests/data.json": "{}\n",
    },
  });
  await temp.git("mv", "hidden.test.ts", "hidden.ts");
  await temp.git("mv", "moved.test.ts", "other_test.ts");
  await temp.remove("gone.test.ts", "plain.ts", "tests/data.json", "link.test.ts");
  await Deno.symlink("hidden.ts", `${temp.dir}/link.test.ts`);
  await temp.commit("Removed", { "grown.test.ts": `// to be written\n${TS}` });
  const changes = await diffTrees(temp.repo, "HEAD~", "HEAD", { withLineCounts: true });
  deepEqual((await findRemovedTests(temp.repo, changes)).toSorted(byPath), [
    { path: "gone.test.ts", changedPath: "gone.test.ts", how: "deleted" },
    { path: "hidden.test.ts", changedPath: "hidden.ts", how: "renamed" },
    { path: "link.test.ts", changedPath: "link.test.ts", how: "deleted" },
  ]);
});

function byPath(one: { readonly path: string }, other: { readonly path: string }): number {
  return one.path < other.path ? -1 : 1;
}
