/** What a diff shows beside its tests: data, scripts, replaced assertions, and calls that it leaves behind. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { ProjectPath } from "../../src/base/paths.ts";
import { diffTrees } from "../../src/git/trees/changes.ts";
import { readTree } from "../../src/git/repository.ts";
import { createTrees } from "../../src/ledger/trees.ts";
import type { ChangePlace } from "../../src/prove/change.ts";
import { findFormsOf } from "../../src/prove/form_findings.ts";
import { findGoneNames, readChangedNames } from "../../src/prove/gone_names.ts";
import { createTempRepo } from "../support/temp_repo.ts";

type Files = Readonly<Record<string, string>>;

/** The findings of a change of real files, as `place: what`. */
async function find(before: Files, after: Files, { removed = [] as string[] } = {}) {
  await using made = await createTempRepo({ files: before });
  const { repo } = made;
  const trees = createTrees(repo);
  const base = await readTree(repo, "HEAD");
  await made.write(after);
  await made.remove(...removed);
  const tree = await trees.write({ sessionId: "t", maxFileMb: 1 });
  const change = { base, tree, files: await diffTrees(repo, base, tree) };
  const paths: ChangePlace["paths"] = {
    toProject: (path) => path as unknown as ProjectPath,
    toWorktree: () => ({ kind: "refused" }),
  };
  const place = { repo, trees, paths };
  const commands = [{ run: ["sh", "run_tests.sh"] }];
  const found = [
    ...await findFormsOf(place, change, commands),
    ...await findGoneNames(place, change, await readChangedNames(place, change)),
  ];
  return found.map((one) => `${one.place}: ${one.what}`);
}

Deno.test("data of tests that is different is a finding, and more data beside it is none", async () => {
  const data = '{\n  "a": 1\n}\n';
  const before = { "tests/data/a.json": data };
  deepEqual(await find(before, { "tests/data/a.json": data.replace("1", "2") }), [
    "tests/data/a.json: test data was changed",
  ]);
  const more = '{\n  "a": 1,\n  "b": 2\n}\n';
  deepEqual(await find(before, { "tests/data/a.json": more, "tests/data/b.json": data }), []);
});

Deno.test("code in which a byte hides the lines from git is a finding", async () => {
  const before = { "tests/a.test.js": "test('a', f);\n" };
  deepEqual(await find(before, { "tests/a.test.js": "// \0\ntest('b', f);\n" }), [
    "tests/a.test.js: git takes it for data, so that nobody sees its lines",
  ]);
});

Deno.test("the script of a command, a replaced assertion and what a runtime loads by itself are findings", async () => {
  const before = { "run_tests.sh": "exit 1\n", "src/a.py": "A = 1\n" };
  deepEqual(
    await find(before, {
      "run_tests.sh": "exit 0\n",
      "src/a.py": "import unittest\nunittest.TestCase.assertEqual = print\n",
      "sitecustomize.py": "A = 1\n",
    }),
    [
      "run_tests.sh: the script that runs the tests was changed",
      "sitecustomize.py: is loaded into each run before its tests",
      "src/a.py: an assertion is replaced: unittest.TestCase.assertEqual =",
    ],
  );
  deepEqual(await find(before, { "src/a.py": "A = 2\nassert A == 2\n" }), []);
});

Deno.test("a file of tests that is gone is a finding, unless code went with it", async () => {
  const before = { "src/a.py": "A = 1\n", "tests/test_a.py": "def test_a():\n    assert True\n" };
  const removed = ["tests/test_a.py"];
  deepEqual(await find(before, {}, { removed }), ["tests/test_a.py: a file of tests is gone"]);
  deepEqual(await find(before, {}, { removed: [...removed, "src/a.py"] }), []);
});

Deno.test("a changed test is read with the source beside it", async () => {
  const found = await find({ "src/a.py": "A = 1\n" }, {
    "src/a.py": "def clip(text):\n    return text\n",
    "tests/test_a.py": "def test_clip():\n    assert 'clip' in open('src/a.py').read()\n",
  });
  deepEqual(found, [
    "tests/test_a.py: test_clip: reads src/a.py as text: it says what is written there, not what it does",
  ]);
});

Deno.test("a call of a function that is gone is named where the diff does not reach", async () => {
  const before = {
    "src/queue.py":
      "def take(items):\n    return items.pop()\n\ndef get(items):\n    return items[0]\n",
    "src/report.py": "import queue\n\nprint(queue.take([1]), queue.get([1]))\n",
    "src/other.py": "def take():\n    return 1\n\nprint(take(), 'queue')\n",
    "src/far.py": "import box\nbox.take(1)\n",
  };
  const after = { "src/queue.py": "def shift(items):\n    return items.pop(0)\n" };
  const gone = ["src/report.py:3: still calls take, which is gone from src/queue.py"];
  deepEqual(await find(before, after), gone);
  deepEqual(await find(before, {}, { removed: ["src/queue.py"] }), gone);
  const given = { "src/queue.py": "from .heap import pop\n\ntake = pop\n" };
  deepEqual(await find(before, given), []);
  // A function that only moved is still there.
  const moved = { ...after, "src/new.py": "def take(items):\n    return items.pop()\n" };
  deepEqual(await find(before, moved), []);
});
