/** Runs that end early or leave tests out, on real projects: none of them is a whole record. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { SELECTED, STOPPED } from "../../../../src/features/runs/record/channel.ts";
import { PYTHON_WAY } from "../../../../src/features/runs/ways/python.ts";
import { testNeeding } from "../../../support/needs.ts";
import { needProgram } from "./apart_run.ts";
import { watch } from "./inside_run.ts";
import { watchNode } from "./node_run.ts";

const PYTHON = needProgram("python3", "--version");
const NODE = needProgram("node", "--version");
const PYTEST = ["pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly"];
const UNITTEST = ["python3", "-m", "unittest"];
const FAILING = "def test_a(): assert 0\ndef test_b(): pass\n";
const CASES = `import unittest
class A(unittest.TestCase):
    def test_a(self): self.fail()
    def test_b(self): pass
`;

/** Runs in which a test did not start, by files and words of the command, with the note. */
const PYTHON_RUNS: readonly (readonly [Record<string, string>, readonly string[], string])[] = [
  [{ "test_a.py": FAILING }, [...PYTEST, "-x"], STOPPED],
  [{ "test_a.py": FAILING, "pytest.ini": "[pytest]\naddopts = -x\n" }, PYTEST, STOPPED],
  [
    {
      "test_a.py": "import pytest\ndef test_a(): pytest.exit('stop', 0)\ndef test_b(): pass\n",
    },
    PYTEST,
    STOPPED,
  ],
  [
    { "test_a.py": "def test_b(): pass\n", "test_c.py": "import gone\n" },
    PYTEST,
    STOPPED,
  ],
  [{ "test_a.py": FAILING, "pytest.ini": "[pytest]\naddopts = -k test_b\n" }, PYTEST, SELECTED],
  [
    {
      "test_a.py": FAILING,
      "conftest.py": "def pytest_collection_modifyitems(items):\n    del items[0]\n",
    },
    PYTEST,
    SELECTED,
  ],
  [{ "test_a.py": CASES }, [...UNITTEST, "-f"], STOPPED],
  [{ "test_a.py": CASES }, [...UNITTEST, "-k", "test_b"], SELECTED],
  [
    {
      "test_a.py":
        `${CASES}    @classmethod\n    def setUpClass(cls): raise ValueError()\nclass B(unittest.TestCase):\n    def test_c(self): pass\n`,
    },
    UNITTEST,
    STOPPED,
  ],
];

for (const [files, run, note] of PYTHON_RUNS) {
  const named = [...run.filter((word) => /^-[xfk]|^python3/.test(word)), ...Object.keys(files)];
  testNeeding(
    [PYTHON, "pytest"],
    `PYTHON_WAY does not call a run whole that lacks tests: ${note} (${named.join(" ")})`,
    async () => {
      const { recording, plain, watched } = await watch(PYTHON_WAY, files, run);
      deepEqual(watched, plain);
      deepEqual([recording.isWhole, recording.notes[0]], [false, note]);
    },
  );
}

testNeeding(
  [PYTHON, "pytest"],
  "a run is whole whose tests all started, though some fail",
  async () => {
    for (const [file, run] of [[FAILING, PYTEST], [CASES, UNITTEST]] as const) {
      const { recording } = await watch(PYTHON_WAY, { "test_a.py": file }, run, { isPlain: false });
      deepEqual([recording.isWhole, recording.notes], [true, []]);
    }
  },
);

testNeeding([NODE], "node:test: a test that ends the process ends those behind it", async () => {
  const head = 'const test = require("node:test");\n';
  const files = {
    "a.test.js": `${head}test("a", () => process.exit(0));\ntest("b", () => {});\n`,
  };
  const { recording, notes } = await watchNode(files, ["node", "--test"], { isPlain: false });
  deepEqual([recording.isWhole, notes], [false, STOPPED]);
  const chosen = { "a.test.js": `${head}test("a", () => {});\ntest("b", () => {});\n` };
  const run = ["node", "--test", "--test-name-pattern=a"];
  equal((await watchNode(chosen, run, { isPlain: false })).notes, SELECTED);
});

testNeeding(
  [PYTHON],
  "PYTHON_WAY watches a function that is a lambda with a name, as the others",
  async () => {
    const { recording, plain, watched } = await watch(PYTHON_WAY, {
      "shop.py":
        "double = lambda value: (\n    value * 2\n)\nclass A:\n    half = lambda self: 1\n",
      "test_a.py":
        "import shop, unittest\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(shop.double(2) + shop.A().half(), 5)\n",
    }, UNITTEST);
    deepEqual(watched, plain);
    const [test] = recording.tests;
    const ran = test?.ran.map((at) => recording.functions[at]) ?? [];
    const lines = ran.flatMap((one) => one?.path === "shop.py" ? [`${one.line} ${one.name}`] : []);
    deepEqual(lines.map((line) => line.replace(/^2/, "1")), ["1 <lambda>", "5 <lambda>"]);
  },
);
