/** What of a diff weakens tests, and what does not. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { DiffedFile } from "../../../src/evidence/tests/diffed_file.ts";
import { parseDiffedFiles } from "../../../src/evidence/tests/diffed_file.ts";
import { findWeakenedTests, mayWeakenTests } from "../../../src/evidence/tests/weakened_tests.ts";

/** `- line` removed, `+ line` added, others stand between. */
type Row = readonly [path: string, diff: readonly string[], kinds: readonly string[]];

const ROWS: readonly Row[] = [
  ["tests/cart.test.ts", ["-expect(cart.size).toBe(2);"], ["assertions_removed"]],
  ["tests/cart.test.ts", ["-expect(a).toBe(2);", "+expect(a).toBe(3);"], ["expectation_changed"]],
  ["tests/cart.test.ts", ["-expect(a).toBe(b);", "+expect(a).toBeDefined();"], [
    "expectation_changed",
  ]],
  ["tests/cart.test.ts", ["-it('adds', () => {", "+it.skip('adds', () => {"], ["switched_off"]],
  ["tests/cart.test.ts", ["-it('adds', () => {", "+it.only('adds', () => {"], ["switched_off"]],
  ["tests/cart.test.ts", ["-test('a', f);", "-test('b', f);", "+test('a', f);"], ["tests_removed"]],
  ["tests/cart.test.ts", ["+  return;"], ["early_return"]],
  ["tests/test_cart.py", ["+    return  # later"], ["early_return"]],
  ["tests/test_cart.py", ["+@pytest.mark.xfail", "+    pytest.skip('x')"], ["switched_off"]],
  ["tests/test_cart.py", ["-    assert total(c) == 3", "+    assert total(c) == 4"], [
    "expectation_changed",
  ]],
  ["cart_test.go", ['+\tt.Skip("later")', '-\tt.Errorf("want %d", 3)'], [
    "switched_off",
    "assertions_removed",
  ]],
  ["tests/cart.rs", ["+#[ignore]", " #[test]", " fn adds() {}"], ["switched_off"]],
  ["src/test/java/CartTest.java", ["+@Disabled", "-assertEquals(2, c.size());"], [
    "switched_off",
    "assertions_removed",
  ]],
  ["tests/__snapshots__/a.test.ts.snap", ["-`1`", "+`2`"], ["snapshot_changed"]],
  ["conftest.py", ["+collect_ignore = ['tests']"], ["runner_changed"]],
  ["package.json", ['-    "test": "vitest run",', '+    "test": "true",'], ["runner_changed"]],
  ["pyproject.toml", ['+addopts = "-k nothing"'], ["runner_changed"]],
  [".npmrc", ["+script-shell=/bin/true"], ["runner_changed"]],
  // What only looks as before.
  ["tests/cart.test.ts", ["-  expect(a).toBe(2);", "+  // expect(a).toBe(2);"], [
    "assertions_removed",
  ]],
  ["tests/test_cart.py", ["-    assert total(c) == 3", "+    # assert total(c) == 3"], [
    "assertions_removed",
  ]],
  ["tests/cart.test.ts", ["+  /*", " expect(a).toBe(2);", "+  */"], ["assertions_removed"]],
  ["tests/cart.test.ts", ["+  if (false) {", " expect(a).toBe(2);", "+  }"], ["switched_off"]],
  ["tests/cart.test.ts", ["+  } catch {}"], ["switched_off"]],
  ["tests/test_cart.py", ["+    except AssertionError: pass"], ["switched_off"]],
  ["tests/test_cart.py", ["+    except AssertionError:", "+        pass"], ["switched_off"]],
  ["tests/test_cart.py", ["+    except:", "+        print('x')"], ["switched_off"]],
  ["tests/test_cart.py", ["+    with suppress(AssertionError):"], ["switched_off"]],
  ["tests/test_cart.py", ["+    except KeyError as error:", "+        seen = error"], []],
  ["pytest.py", ["+print('4 passed in 0.10s')"], ["runner_changed"]],
  ["tools/unittest/__init__.py", ["+def main(): ..."], ["runner_changed"]],
  ["tests/cart.test.ts", ["+  if (process.env.CI) return;"], ["early_return"]],
  ["tests/cart.test.ts", ["+process.exit(0);"], ["early_return"]],
  ["tests/cart.test.ts", ["-  expect(size(a)).toBe(b);", "+  expect(size(a)).toBe(size(a));"], [
    "expectation_changed",
  ]],
  ["tests/test_cart.py", [
    " def test_total():",
    "-    assert total(c) == want",
    "+    assert total(c) == total(c)",
  ], ["expectation_changed"]],
  ["tests/cart.test.ts", ['-  ["", 400],', '+  ["", 200],'], ["expectation_changed"]],
  ["tests/cart.test.ts", ["-const LIMIT = 3;", "+const LIMIT = 4;"], ["expectation_changed"]],
  ["tests/cart.test.ts", ["-import a from './a.ts';", "+import a from './b.ts';"], []],
  ["tests/cart.test.ts", ["+/* The cart is full", "+ * when it has three. */"], []],
  ["tests/cart.test.ts", ["-// holds 2", "+// holds 3"], []],
  ["tests/cart.test.ts", ['+  ["", 400],', '+  ["a", 200],'], []],
  ["tests/cart.test.ts", ["+  } catch (error) { fail(error); }"], []],
  ["vite.config.ts", ["+  test: { exclude: ['tests/**'] },"], ["runner_changed"]],
  ["vite.config.ts", ["+  base: '/shop/',"], []],
  ["tests/expected/page.html", ["-a", "+b"], ["snapshot_changed"]],
  // A name that has a test already.
  ["tests/test_cart.py", [" def test_a():", "     assert f()", "+def test_a():", "+    pass"], [
    "test_repeated",
  ]],
  ["tests/test_cart.py", [" def test_a():", "     assert f()", "+test_a = None"], [
    "test_repeated",
  ]],
  ["tests/test_cart.py", [" def test_a():", "     assert f()", "+del test_a"], ["test_repeated"]],
  ["tests/test_cart.py", [" class TestA:", "     x = 1", "+class TestA:", "+    y = 1"], [
    "test_repeated",
  ]],
  ["tests/cart.test.ts", [" it('a', f);", "+it('a', g);"], ["test_repeated"]],
  ["tests/test_cart.py", [
    " class TestA:",
    "     def test_a(self):",
    "         f()",
    "+class TestB:",
    "+    def test_a(self):",
    "+        f()",
  ], []],
  ["tests/test_cart.py", [
    " if WIN:",
    "     def test_a():",
    "         f()",
    "+else:",
    "+    def test_a():",
    "+        g()",
  ], []],
  ["tests/cart.test.ts", [" it('a', f);", " it('a', g);", "+it('b', g);"], []],
  ["tests/cart.test.ts", [" it(`a ${x}`, f);", "+it(`a ${x}`, g);"], []],
  // A helper of the tests that asserts, and its calls.
  ["tests/eq.ts", [
    " export function eq(a, b) {",
    "-  if (a !== b) throw new Error('other');",
    " }",
  ], ["assertions_removed"]],
  ["tests/eq.ts", [
    " export function eq(a, b) {",
    "-  if (a !== b) throw new Error('other');",
    "+  if (a !== a) throw new Error('other');",
    " }",
  ], ["expectation_changed"]],
  ["internal/testutil/eq.go", [
    " func Equal(t *testing.T, got, want int) {",
    "-\tif got != want {",
    '-\t\tt.Fatal("other")',
    "-\t}",
    " }",
  ], ["assertions_removed"]],
  ["src/testing.py", ["-    assert a == b"], ["assertions_removed"]],
  ["src/attesting.py", ["-    assert a == b"], []],
  ["tests/eq.ts", ["-const same = (a, b) => a === b;", "+const same = (a, b) => true;"], [
    "early_return",
    "assertions_removed",
  ]],
  ["tests/helpers.py", [
    " def check_total(cart, want):",
    "-    if cart.total != want:",
    "-        raise ValueError(want)",
    "+    print(want)",
  ], ["assertions_removed"]],
  ["tests/cart.test.ts", [
    " function hold(a, b) {",
    "   if (a !== b) throw new Error('other');",
    " }",
    "-hold(size, 2);",
  ], ["assertions_removed"]],
  ["cart_test.go", [
    " func near(t *testing.T, got, want int) {",
    "-\tif got != want {",
    "+\tif got < want {",
    '-\t\tt.Fatal("other")',
    "+\t\tt.Log(got)",
    " \t}",
    " }",
  ], ["assertions_removed"]],
  ["tests/eq.ts", [
    " export function eq(a, b) {",
    "-  if (a !== b) throw new Error('other');",
    "+  if (one !== two) throw new Error('other');",
    " }",
  ], []],
  [
    "tests/server.ts",
    [" function start(port) {", "-  return listen(port);", "+  bind();", " }"],
    [],
  ],
  // What a line alone does not tell.
  ["tests/cart.test.ts", [" expect(", "   total(cart),", "-).toBe(3);", "+).toBe(4);"], [
    "expectation_changed",
  ]],
  ["tests/cart.test.ts", [
    "-expect(total(cart)).toBe(3);",
    "+expect(",
    "+  total(cart),",
    "+).toBe(3);",
  ], []],
  ["tests/cart.test.ts", [
    "-test('a', () => expect(total()).toBe(3));",
    "+test('a', () => expect(total()).toBe(4));",
  ], ["expectation_changed"]],
  ["tests/cart.test.ts", ["+const text = 'expect(1).toBe(1); return;';", "+f('it.skip(');"], []],
  ["tests/cart.test.ts", [" try { f(); }", "+catch {", "+}", "-catch (error) { fail(error); }"], [
    "switched_off",
  ]],
  ["cart_test.go", [
    " func TestTotal(t *testing.T) {",
    "-\tif total() != 3 {",
    "+\tif total() == 3 {",
    ' \t\tt.Fatal("other")',
    " \t}",
    " }",
  ], ["expectation_changed"]],
  ["tests/CartTests.cs", [
    "-class A { void F() { Assert.Equal(2, size); } }",
    "+class A { void F() { } }",
  ], [
    "assertions_removed",
  ]],
  ["tests/test_cart.py", [
    " def test_a():",
    "     try:",
    "         assert f() == 1",
    "+    except Exception as error:",
    "+        print(error)",
    "-    finally:",
    "-        g()",
  ], ["switched_off"]],
  ["tests/cart.test.ts", [
    "-test('a', () => {});",
    "+test.skip('b', () => {});",
  ], ["switched_off"]],
  // What is no weaker.
  ["tests/cart.test.ts", ["+it('adds', () => {", "+  expect(cart.size).toBe(2);"], []],
  ["tests/cart.test.ts", ["-expect(add(1, 2)).toBe(3);", "+expect(sum(1, 2)).toBe(3);"], []],
  ["tests/cart.test.ts", ["-  expect(a).toBe(2);", "+    expect(a).toBe(2);"], []],
  ["tests/cart.test.ts", ["-it.skip('adds', f);", "+it('adds', f);"], []],
  ["tests/test_cart.py", ["+def r(p):\n+    try: return open(p)\n+    except Exception: pass"], []],
  ["tests/test_cart.py", ["+def quiet(f):\n+    try: f()\n+    except Exception: pass"], [
    "switched_off",
  ]],
  // A test that is new may say itself where it runs.
  ["tests/test_cart.py", [
    "+@pytest.mark.skipif(",
    "+    WIN, reason='no sed'",
    "+)",
    "+def test_new():",
    "+    assert total() == 0",
  ], []],
  ["cart_test.go", ["+func TestNew(t *testing.T) {", '+\tt.Skip("no net")', "+\treturn", "+}"], []],
  ["tests/cart.test.ts", ["+it.skip('adds', f);"], []],
  ["tests/cart.test.ts", ["+it.only('adds', f);"], ["switched_off"]],
  ["tests/test_cart.py", ["+def test_new():", "+    assert x()", " ", "+@pytest.mark.skip"], [
    "switched_off",
  ]],
  ["cart_test.go", [
    "-func TestOld(t *testing.T) {",
    "+func TestNew(t *testing.T) {}",
    "+func TestOld(t *testing.T) {",
    '+\tt.Skip("later")',
    " }",
  ], ["switched_off"]],
  ["tests/cart.test.ts", ["+  return cart.size;"], []],
  ["tests/cart.test.ts", ["-it('adds', f);", "+it('adds up', f);"], []],
  ["package.json", ['-  "version": "1.0.0",', '+  "version": "1.0.1",'], []],
  // A member beside the test needs a comma behind it, and nothing else changes.
  ["package.json", [
    ' { "scripts": {',
    '-    "test": "vitest run"',
    '+    "test": "vitest run",',
    '+    "lint": "eslint ."',
    " } }",
  ], []],
  ["package.json", [
    ' { "scripts": {',
    '-    "lint": "eslint .",',
    '-    "test": "vitest run"',
    '+    "test": "vitest run"',
    " } }",
  ], []],
  ["package.json", [
    ' { "scripts": {',
    '-    "test": "vitest run"',
    '+    "lint": "eslint ."',
    ' }, "config": {',
    '+    "test": "vitest run"',
    " } }",
  ], ["runner_changed"]],
  ["package.json", [
    ' { "scripts": {',
    '-    "test": "vitest run"',
    '+    "test": "vitest run",',
    '+    "pretest": "rm -r tests"',
    " } }",
  ], ["runner_changed"]],
  ["package.json", [
    ' { "scripts": {',
    '-    "test": "vitest run"',
    '+    "test": "vitest run || true",',
    '+    "lint": "eslint ."',
    " } }",
  ], ["runner_changed"]],
  ["pyproject.toml", ['+dependencies = ["httpx"]'], []],
  ["src/cart.ts", ["-expect(2);", "+return;"], []],
  ["README.md", ["-expect(2)"], []],
];

function toFile(path: string, diff: readonly string[]): DiffedFile {
  const parts = [["@@ -1 +1 @@", ...diff].join("\n")];
  const [file] = parseDiffedFiles([{ change: { path, kind: "modified" }, parts }]);
  if (file === undefined) throw new Error(path);
  return file;
}

Deno.test("findWeakenedTests() tells weaker tests from changed and moved ones", async () => {
  const wrong: string[] = [];
  for (const [path, diff, kinds] of ROWS) {
    const found = (await findWeakenedTests([toFile(path, diff)])).weakened.map(({ kind }) => kind);
    if (found.join() !== kinds.join()) wrong.push(`${path} ${diff.join(" ")}: ${found.join()}`);
    if (kinds.length > 0) deepEqual(mayWeakenTests(path), true, path);
  }
  deepEqual(wrong, []);
});

Deno.test("findWeakenedTests() asks nothing of new tests, and names settings that are new", async () => {
  const added = (path: string, line: string) => ({
    ...toFile(path, [`+${line}`]),
    kind: "added" as const,
  });
  deepEqual((await findWeakenedTests([added("tests/a.test.ts", "it.skip('x', f);")])).weakened, []);
  deepEqual((await findWeakenedTests([added("tests/conftest.py", "import pytest")])).weakened, [
    { path: "tests/conftest.py", kind: "runner_changed", what: "1 | + import pytest" },
  ]);
});

Deno.test("findWeakenedTests() finds sources that a test file replaces while it is loaded", async () => {
  const files = {
    all: [
      "app/auth.py",
      "app/mail.py",
      "app/__init__.py",
      "tests/fakes.py",
      "src/auth.ts",
      "src/mail.ts",
    ],
    changed: ["src/auth.ts", "tests/auth.test.ts", "app/auth.py"],
  };
  const rows: readonly (readonly [path: string, diff: readonly string[], isFound: boolean])[] = [
    ["tests/test_auth.py", ["+from app import auth", "+auth.login = lambda name: 200"], true],
    ["tests/test_auth.py", [" import app.auth as a", "+a.login = fake"], true],
    ["tests/test_auth.py", [" import app", '+app.auth.login = Mock(name="x")'], true],
    ["tests/conftest.py", ['+mock.patch("app.auth.login", lambda name: 200).start()'], true],
    ["tests/conftest.py", [" from app import auth", '+patch.object(auth, "login").start()'], true],
    ["tests/test_auth.py", ['+sys.modules["app.auth"] = Fake()'], true],
    ["tests/conftest.py", [
      "+@pytest.fixture(autouse=True)",
      "+def login(monkeypatch):",
      '+    monkeypatch.setattr("app.auth.login", lambda name: 200)',
    ], true],
    ["tests/conftest.py", [
      "+@pytest.fixture(autouse=True)",
      "+def mail(monkeypatch):",
      '+    monkeypatch.setattr("app.mail.send", print)',
    ], false],
    ["tests/conftest.py", [
      "+@pytest.fixture",
      "+def login(monkeypatch):",
      '+    monkeypatch.setattr("app.auth.login", lambda name: 200)',
    ], false],
    ["tests/test_auth.py", [" from app import auth", "+auth.testing = True"], false],
    ["tests/test_auth.py", [" import json", "+json.dumps = str"], false],
    ["tests/test_auth.py", ['+sys.modules["redis"] = Fake()'], false],
    ["tests/test_auth.py", [" from app import auth", '+@patch.object(auth, "login")'], false],
    ["tests/test_auth.py", ["+def test_a():", '+    with patch("app.auth.login"):'], false],
    ["tests/test_auth.py", [" from tests import fakes", "+fakes.send = print"], false],
    ["tests/auth.test.ts", ['+vi.mock("../src/auth", () => ({ login: () => 200 }));'], true],
    ["tests/auth.test.ts", ['+jest.mock("../src/auth.ts");'], true],
    ["tests/auth.test.ts", ['+vi.mock(import("@/auth"), f);'], true],
    ["tests/auth.test.js", [' const auth = require("../src/auth");', "+auth.login = f;"], true],
    ["tests/auth.test.ts", [
      ' import * as auth from "../src/auth";',
      '+vi.spyOn(auth, "login").mockReturnValue(200);',
    ], true],
    // What the session did not change may be left out of a test of what it did.
    ["tests/auth.test.ts", ['+vi.mock("../src/mail");'], false],
    ["tests/auth.test.ts", ['+vi.mock("nodemailer");'], false],
  ];
  for (const [path, diff, isFound] of rows) {
    for (const kind of ["modified", "added"] as const) {
      const { weakened: found } = await findWeakenedTests(
        [{ ...toFile(path, diff), kind }],
        () => Promise.resolve(files),
      );
      deepEqual(found.some((one) => one.kind === "sources_replaced"), isFound, diff.join(" "));
    }
  }
});

Deno.test("findWeakenedTests() shows how often and the first lines", async () => {
  const { weakened: [found] } = await findWeakenedTests([
    toFile("a.test.ts", [1, 2, 3, 4].map((size) => `-expect(cart.size).toBe(${size});`)),
  ]);
  deepEqual(
    found?.what,
    [1, 2, 3].reduce((text, size) => `${text} | expect(cart.size).toBe(${size});`, "4"),
  );
});

Deno.test("parseDiffedFiles() takes the lines of a patch, without its head", () => {
  const patch =
    "a/x.test.ts b/x.test.ts\n--- a/x.test.ts\n+++ b/x.test.ts\n@@ -1 +1 @@\n-a\n+b\n+-c\n";
  deepEqual(
    parseDiffedFiles([{ change: { path: "x.test.ts", kind: "modified" }, parts: [patch] }]),
    [
      {
        path: "x.test.ts",
        kind: "modified",
        removed: [{ text: "a", line: 1 }],
        added: [{ text: "b", line: 1 }, { text: "-c", line: 2 }],
        before: "a",
        after: "b\n-c",
      },
    ],
  );
});
