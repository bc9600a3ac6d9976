/** How changed tests fail without the change, by what real runners print: by a value, or only since a name is missing. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { judgeProof } from "../../src/evidence/runs/proven_tests.ts";
import { findMissingNames } from "../../src/prove/missing_names.ts";
import { readReport } from "../../src/runners/read_report.ts";

/** What a run without the change printed, the changed tests, those that only miss a name, and the names. */
type Row = readonly [
  path: string,
  tests: string,
  printed: string,
  missing: readonly string[],
  names: readonly string[],
];

const UNITTEST = `EEEFF
======================================================================
ERROR: test_a (unittest.loader._FailedTest.test_a)
----------------------------------------------------------------------
ImportError: Failed to import test module: test_a
Traceback (most recent call last):
  File "/app/test_a.py", line 2, in <module>
    from a import old, clip
ImportError: cannot import name 'clip' from 'a' (/app/a.py)


======================================================================
ERROR: test_named (test_b.T.test_named)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/app/test_b.py", line 3, in test_named
    def test_named(self): self.assertEqual(a.clip("abc", 2), "ab")
                                          ^^^^^^
AttributeError: module 'a' has no attribute 'clip'

======================================================================
ERROR: test_kw (test_b.T.test_kw)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/app/test_b.py", line 4, in test_kw
    def test_kw(self): self.assertEqual(a.old(size=2), 2)
                                        ^^^^^^^^^^^^^
TypeError: old() got an unexpected keyword argument 'size'

======================================================================
FAIL: test_raises (test_b.T.test_raises)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/app/test_b.py", line 7, in test_raises
    with self.assertRaises(ValueError): a.old()
AssertionError: ValueError not raised

======================================================================
FAIL: test_val (test_b.T.test_val)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/app/test_b.py", line 5, in test_val
    def test_val(self): self.assertEqual(a.old(), 2)
                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
AssertionError: 1 != 2

----------------------------------------------------------------------
Ran 5 tests in 0.001s

FAILED (failures=2, errors=3)
`;
const PYTEST = `
==================================== ERRORS ====================================
__________________________ ERROR collecting test_a.py __________________________
ImportError while importing test module '/app/test_a.py'.
Hint: make sure your test modules/packages have valid Python names.
Traceback:
test_a.py:2: in <module>
    from a import old, clip
E   ImportError: cannot import name 'clip' from 'a' (/app/a.py)
=========================== short test summary info ============================
ERROR test_a.py
!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!
1 error in 0.27s
`;
const TAP = `TAP version 13
# Subtest: clips
not ok 1 - clips
  ---
  failureType: 'testCodeFailure'
  error: 'clip is not a function'
  name: 'TypeError'
  ...
# Subtest: old
not ok 2 - old
  ---
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly equal:

    1 !== 2

  name: 'AssertionError'
  ...
# Subtest: throws
not ok 3 - throws
  ---
  failureType: 'testCodeFailure'
  error: 'Missing expected exception.'
  ...
1..3
# tests 3
`;
const CALLS = ["require(...).clip", "(0 , _a.clip)", "a.b.clip", "(intermediate value).clip"];
const MODULE = `TAP version 13
# import { clip } from "./a.mjs";
# SyntaxError: The requested module './a.mjs' does not provide an export named 'clip'
# Subtest: /app/b.test.mjs
not ok 1 - /app/b.test.mjs
  ---
  exitCode: 1
  error: 'test failed'
  code: 'ERR_TEST_FAILURE'
  ...
1..1
`;
const DENO_LOADED = `Uncaught error from ./c_test.ts FAILED
running 0 tests from ./c_test.ts

 ERRORS 

./c_test.ts (uncaught error)
error: SyntaxError: The requested module './a.ts' does not provide an export named 'clip'
import { clip } from "./a.ts";
         ^

 FAILURES 

./c_test.ts (uncaught error)

FAILED | 0 passed | 1 failed (21ms)

error: Test failed
`;
const DENO_CHECKED = `TS2305 [ERROR]: Module '"file:///app/a.ts"' has no exported member 'clip'.
import { clip } from "./a.ts";
         ~~~~

error: Type checking failed.
`;
const GO = `# example.com/a [example.com/a.test]
./a_test.go:3:34: undefined: Clip
FAIL	example.com/a [build failed]
FAIL
`;
const JAVAC = `ATest.java:1: error: cannot find symbol
    if (!A.clip("abc", 2).equals("ab")) System.exit(1);
          ^
  symbol:   method clip(String,int)
  location: class A
1 error
`;
const CARGO = `error[E0425]: cannot find function \`clip\` in this scope
 --> src/lib.rs:3:59
error: could not compile \`a\` (lib test) due to 1 previous error; 1 warning emitted
`;
const MINITEST = `  1) Error:
T#test_clip:
NoMethodError: undefined method \`clip' for #<T:0x00007fa05f7f4598>

1 runs, 0 assertions, 0 failures, 1 errors, 0 skips
`;

const ROWS: readonly Row[] = [
  ["test_a.py", "def test_clip(self):\n  a", UNITTEST, ["test_clip"], ["clip"]],
  [
    "test_b.py",
    "def test_named(self):\n  a\ndef test_kw(self):\n  a\ndef test_raises(self):\n  a\ndef test_val(self):\n  a\n",
    UNITTEST,
    ["test_named", "test_kw"],
    ["clip", "size"],
  ],
  ["test_a.py", "def test_clip(self):\n  a", PYTEST, ["test_clip"], ["clip"]],
  [
    "a.test.js",
    'test("clips", () => a);\ntest("old", () => a);\ntest("throws", () => a);\n',
    TAP,
    ["clips"],
    ["clip"],
  ],
  ...CALLS.map((call): Row => [
    "a.test.js",
    'test("clips", () => a);\n',
    TAP.replace("clip is", `${call} is`),
    ["clips"],
    ["clip"],
  ]),
  ["b.test.mjs", 'test("m", () => a);\n', MODULE, ["m"], ["clip"]],
  ["c_test.ts", 'Deno.test("d", () => a);\n', DENO_LOADED, ["d"], ["clip"]],
  ["c_test.ts", 'Deno.test("d", () => a);\n', DENO_CHECKED, ["d"], ["clip"]],
  ["a_test.go", "func TestClip(t *testing.T) {\n}\n", GO, ["TestClip"], ["Clip"]],
  ["ATest.java", "class ATest {\n  @Test void clips() {\n  }\n}\n", JAVAC, ["clips"], ["clip"]],
  ["tests/a_test.rs", "#[test]\nfn clips() {\n}\n", CARGO, ["clips"], ["clip"]],
  ["a_test.rb", "class T\n  def test_clip\n  end\nend\n", MINITEST, ["test_clip"], ["clip"]],
];

Deno.test("findMissingNames() tells a test that only needs a new name from one that fails by a value or an exception", async () => {
  for (const [path, text, printed, missing, names] of ROWS) {
    const result = {
      ...{ name: "t", exitCode: 1, timedOut: false, cancelled: false, outputTail: printed },
      report: readReport(printed),
    };
    const ranges = [{ start: 1, end: text.split("\n").length }];
    const proof = await judgeProof([{ path, text, ranges }], [result]);
    const found = findMissingNames(proof, [result]);
    deepEqual(found.tests, missing.map((name) => `${path}: ${name}`), `${path}\n${printed}`);
    deepEqual(found.names, names, path);
  }
});
