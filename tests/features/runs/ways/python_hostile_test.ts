/** Python where the tests do what they can against the tracer, and where there are very many of them. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { PYTHON_WAY } from "../../../../src/features/runs/ways/python.ts";
import { testNeeding } from "../../../support/needs.ts";
import { needProgram } from "./apart_run.ts";
import { watch } from "./inside_run.ts";

const PYTHON = needProgram("python3", "--version");
const UNITTEST = ["python3", "-m", "unittest", "-v"];
const LIE = '{"test":{"name":"lie","file":"","unit":"test","outcome":"passed","ms":1,"ran":[0]}}';
/** What a test does to a tracer that is there. */
const HOSTILE: readonly (readonly [what: string, code: string, isWhole: boolean])[] = [
  ["unsets every tracer", "sys.settrace(None); sys.setprofile(None)", true],
  ["closes all files", "os.closerange(3, 64)", true],
  ["empties the variables", "os.environ.clear()", true],
  ["ends its process", "sys.stdout.flush(); os._exit(0)", false],
  ["removes the folder", "shutil.rmtree(os.environ['CODE_INTEL_RUNS'])", false],
  [
    "writes there",
    `
            folder = os.environ["CODE_INTEL_RUNS"]
            for name in os.listdir(folder):
                if name.endswith("ndjson"):
                    with open(os.path.join(folder, name), "a") as file: file.write('${LIE}')`,
    false,
  ],
  [
    "takes the tracer away",
    `
            if hasattr(sys, "monitoring"):
                for tool in range(6): sys.monitoring.free_tool_id(tool)
            else:
                from importlib.machinery import SourceFileLoader
                del SourceFileLoader.get_code`,
    false,
  ],
];

for (const [what, code, isWhole] of HOSTILE) {
  testNeeding(
    [PYTHON, "posix"],
    `PYTHON_WAY stays silent, and does not call it whole, where a test ${what}`,
    async () => {
      const { plain, watched, recording } = await watch(PYTHON_WAY, {
        "lib.py": "def f(): return 1\n",
        "test_it.py": `import os, shutil, sys, unittest
import lib

class Test(unittest.TestCase):
    def test_a(self): lib.f()
    def test_b(self):
        if "CODE_INTEL_RUNS" in os.environ:
            ${code}
    def test_c(self): lib.f()
`,
      }, UNITTEST);
      if (code.includes("_exit")) equal(watched.code, 0);
      else deepEqual(watched, plain);
      equal(recording.isWhole, isWhole);
      deepEqual(recording.tests.filter(({ name }) => name === "lie"), []);
      if (code.includes("rmtree")) match(recording.notes.join(), /^The folder .* was removed/);
      if (!isWhole) return;
      deepEqual(recording.tests.map(({ ran }) => ran.length), [2, 1, 2]);
    },
  );
}

testNeeding([PYTHON], "PYTHON_WAY records 20,000 generated tests", async () => {
  const { watched, recording } = await watch(
    PYTHON_WAY,
    {
      "lib.py": "def f(n): return n\n",
      "test_many.py": `import unittest, lib

class Test(unittest.TestCase): pass

for n in range(20000):
    setattr(Test, "test_%d" % n, lambda self, n=n: lib.f(n))
`,
    },
    ["python3", "-m", "unittest", "-q"],
    { isPlain: false },
  );
  equal(watched.code, 0);
  deepEqual([recording.tests.length, recording.isWhole], [20_000, true]);
  ok(recording.tests.every(({ ran }) => ran.length === 1));
});

testNeeding([PYTHON], "PYTHON_WAY says so where the command did not load the tracer", async () => {
  const { recording } = await watch(PYTHON_WAY, { "test_a.py": "" }, [
    "python3",
    "-I",
    "-m",
    "unittest",
  ]);
  equal(recording.isWhole, false);
  match(
    recording.notes.join(" "),
    /seen to run\. Where tests ran, .*: -I and -E keep it from that/,
  );
});
