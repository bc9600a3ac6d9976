/** What records of runs answer while files change, move, and go back to what they were. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { isWholeExtent } from "../../../../src/index/seen_runs.ts";
import type { SeenState } from "../../../../src/index/seen_runs.ts";
import { createRecordedProject } from "./recorded_project.ts";

const FILES = {
  "shop/cart.py": "def add(item):\n    return item\n\n\ndef remove(item):\n    return None\n",
  "shop/tax.py": "RATES = {}\n\n\ndef rate(land):\n    return RATES[land]\n",
  "tests/test_cart.py": "def test_add():\n    pass\n\n\ndef test_both():\n    pass\n",
  "tests/test_tax.py": "def test_rate():\n    pass\n",
};
const ADD = { path: "shop/cart.py", name: "add" };
const REMOVE = { path: "shop/cart.py", name: "remove" };
const RATE = { path: "shop/tax.py", name: "rate" };
const WHOLE = {
  tests: {
    "tests/test_cart.py test_both": ["shop/cart.py add", "shop/cart.py remove"],
    "tests/test_cart.py test_add": ["shop/cart.py add"],
    "tests/test_tax.py test_rate": ["shop/tax.py rate"],
  },
};

/** Tests by name with `!` for another content, then what is said of the functions. */
function ask(state: SeenState | null, ...functions: readonly (typeof ADD)[]): readonly string[] {
  const found = state?.findTests(functions);
  return [
    ...(found?.tests ?? []).map(({ name, isCurrent }) => `${name}${isCurrent ? "" : "!"}`),
    ...(found?.functions ?? []).map(({ seen, isCurrent }) => `${seen}${isCurrent ? "" : "!"}`),
  ];
}

Deno.test("load() gives null where nothing was recorded, and makes no file", async () => {
  await using project = await createRecordedProject(FILES);
  equal(await project.load(), null);
  equal(await Deno.stat(project.path).catch(() => null), null);
});

Deno.test("findTests() names those that ran most of the functions first, then those that ran least beside them", async () => {
  await using project = await createRecordedProject(FILES);
  await project.record({ ...WHOLE, loaded: ["shop/tax.py rate"] });
  const state = await project.load();
  deepEqual(ask(state, ADD), ["test_add", "test_both", "run by tests"]);
  deepEqual(ask(state, ADD, REMOVE, RATE), [
    ...["test_both", "test_add", "test_rate"],
    ...["run by tests", "run by tests", "run by tests"],
  ]);
  deepEqual(state?.findTests([REMOVE]).tests, [{
    name: "test_both",
    file: "tests/test_cart.py",
    unit: "test",
    functions: 2,
    ms: 2,
    isCurrent: true,
  }]);
  equal(isWholeExtent(state?.extent ?? never()), true);
});

Deno.test("not run is said of a content that a whole run had alone, and import has its own word", async () => {
  await using project = await createRecordedProject(FILES);
  const tests = { "tests/test_cart.py test_add": ["shop/cart.py add"] };
  await project.record({ tests, loaded: ["shop/tax.py rate"], more: { commands: 0 } });
  deepEqual(ask(await project.load(), REMOVE, RATE), ["not recorded!", "run at import"]);
  await project.record({ tests, loaded: ["shop/tax.py rate"], more: { isWhole: false } });
  deepEqual(ask(await project.load(), REMOVE), ["not recorded!"]);
  await project.record({ tests, loaded: ["shop/tax.py rate"], more: { commands: 2 } });
  deepEqual(ask(await project.load(), REMOVE), ["not recorded!"], "another command is missing");
  await project.record({ tests, loaded: ["shop/tax.py rate"] });
  deepEqual(ask(await project.load(), REMOVE, RATE), ["not run", "run at import"]);
  await project.repo.write({ "shop/cart.py": `${FILES["shop/cart.py"]}# more\n` });
  deepEqual(ask(await project.load(), REMOVE), ["not recorded!"]);
  const gone = { path: "shop/gone.py", name: "x" };
  deepEqual(ask(await project.load(), gone), ["not recorded!"]);
});

Deno.test("facts move with the contents: stale by a change, back with it, and found at another path", async () => {
  await using project = await createRecordedProject(FILES);
  await project.record(WHOLE);
  await project.repo.write({ "shop/cart.py": `# changed\n${FILES["shop/cart.py"]}` });
  const changed = await project.load();
  deepEqual(ask(changed, ADD), ["test_add", "test_both", "run by tests!"]);
  deepEqual(changed?.extent.changed, ["shop/cart.py"]);
  // A part of the suite on the new content: the other test still counts by its older record.
  await project.record({
    tests: { "tests/test_cart.py test_add": [] },
    more: { commands: 0 },
  });
  deepEqual(ask(await project.load(), ADD), ["test_both", "run by tests!"]);
  await project.repo.write({ "shop/cart.py": FILES["shop/cart.py"] });
  const back = await project.load();
  deepEqual(ask(back, ADD), ["test_add", "test_both", "run by tests"]);
  equal(isWholeExtent(back?.extent ?? never()), true);
  await Deno.rename(`${project.repo.dir}/shop/cart.py`, `${project.repo.dir}/shop/basket.py`);
  const moved = await project.load();
  deepEqual(ask(moved, { path: "shop/basket.py", name: "add" }), [
    ...["test_add", "test_both"],
    "run by tests",
  ]);
  deepEqual(moved?.extent.changed, ["shop/basket.py", "shop/cart.py"]);
});

Deno.test("a test counts by the record of its present content, though a newer one of another content is there", async () => {
  await using project = await createRecordedProject(FILES);
  await project.record(WHOLE);
  await project.repo.write({ "tests/test_tax.py": "def test_rate():\n    assert True\n" });
  await project.record({ tests: { "tests/test_tax.py test_rate": ["shop/cart.py add"] } });
  deepEqual(ask(await project.load(), RATE), ["not run"]);
  await project.repo.write({ "tests/test_tax.py": FILES["tests/test_tax.py"] });
  deepEqual(ask(await project.load(), RATE), ["test_rate", "run by tests"]);
  await project.repo.write({ "tests/test_tax.py": "def test_rate():\n    assert 1\n" });
  deepEqual(ask(await project.load(), ADD), [
    ...["test_rate!", "test_add", "test_both"],
    "run by tests",
  ]);
});

Deno.test("a test that was removed does not count: with its file at once, else from the next whole record on", async () => {
  await using project = await createRecordedProject(FILES);
  const alone = { "tests/test_cart.py test_both": WHOLE.tests["tests/test_cart.py test_both"] };
  await project.record({ tests: alone, more: { commands: 0 } });
  await project.record(WHOLE);
  await project.repo.write({ "tests/test_cart.py": "def test_add():\n    pass\n" });
  deepEqual(ask(await project.load(), REMOVE), ["test_both!", "run by tests"]);
  const { "tests/test_cart.py test_both": _, ...rest } = WHOLE.tests;
  await project.record({ tests: rest });
  deepEqual(ask(await project.load(), REMOVE), ["not run"]);
  await project.repo.write({ "tests/test_cart.py": FILES["tests/test_cart.py"] });
  deepEqual(ask(await project.load(), REMOVE), ["test_both", "run by tests"]);
  await project.repo.remove("tests/test_cart.py");
  deepEqual(ask(await project.load(), REMOVE), ["not run"]);
  // Nobody knows whether a test is there whose file git ignores, until a whole record lacks it.
  await project.record({ tests: { "ignored/test_x.py test_x": ["shop/cart.py remove"] } });
  deepEqual(ask(await project.load(), REMOVE), ["test_x!", "run by tests"]);
  await project.record({ tests: rest });
  deepEqual(ask(await project.load(), REMOVE), ["not run"]);
});

Deno.test("a function is found with what lies in it, and no other that begins alike", async () => {
  await using project = await createRecordedProject(FILES);
  await project.record({
    tests: {
      "tests/test_cart.py test_add": ["shop/cart.py add.inner"],
      "tests/test_cart.py test_both": ["shop/cart.py add_all", "shop/cart.py addition.inner"],
    },
  });
  deepEqual(ask(await project.load(), ADD), ["test_add", "run by tests"]);
});

Deno.test("findCallers() says who called from another file, and whether that is as it was", async () => {
  await using project = await createRecordedProject(FILES);
  await project.record({
    tests: {},
    calls: [["shop/tax.py rate", "shop/cart.py add", 5], ["shop/gone.py x", "shop/cart.py add", 1]],
  });
  const call = { caller: RATE, line: 5, isCurrent: true };
  deepEqual((await project.load())?.findCallers(ADD), [call]);
  await project.repo.write({ "shop/tax.py": `${FILES["shop/tax.py"]}# more\n` });
  deepEqual((await project.load())?.findCallers(ADD), [{ ...call, isCurrent: false }]);
  await project.record({ tests: {} });
  deepEqual((await project.load())?.findCallers(ADD), [], "seen again, and it calls no more");
});

Deno.test("where no whole record is, the parts that were recorded count together, each test once", async () => {
  await using project = await createRecordedProject(FILES);
  const part = { commands: 0, counted: null };
  await project.record({ ...WHOLE, more: { ...part, command: ["pytest", "tests"] } });
  const one = { "tests/test_cart.py test_add": ["shop/cart.py add"] };
  await project.record({ tests: one, more: { ...part, command: ["pytest", "-k", "add"] } });
  const { extent } = await project.load() ?? never();
  deepEqual([extent.recorded, extent.counted, extent.changed], [3, null, []]);
});

Deno.test("the extent counts what runners counted, each command of the last whole batch", async () => {
  await using project = await createRecordedProject(FILES);
  const head = await project.repo.commit("more");
  const more = { batch: "b", head, commands: 2 };
  await project.record({ ...WHOLE, more: { ...more, counted: 5 } });
  equal((await project.load())?.extent.counted, null, "one command of two");
  await project.record({
    tests: { "shop/tax.py a": [] },
    more: { ...more, counted: 1, command: ["x", "a b"] },
  });
  await project.record({ tests: { "shop/tax.py b": [] }, more: { commands: 0 } });
  await project.repo.write({ "new.py": "" });
  await project.repo.commit("newest");
  const { recordedAt: _, ...extent } = (await project.load())?.extent ?? never();
  deepEqual(extent, {
    ...{ recorded: 4, counted: 6, unit: "test", commit: head, commitsAgo: 1 },
    changed: ["new.py"],
    commands: [
      { run: ["x", "a b"], files: new Set(["shop/tax.py"]) },
      {
        run: ["python", "-m", "unittest"],
        files: new Set(["tests/test_cart.py", "tests/test_tax.py"]),
      },
    ],
  });
});

function never(): never {
  throw new Error("there is a state");
}
