/** Impact with what was seen in runs: on a real index, with a record of runs behind the door. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { createImpactProject } from "./impact_project.ts";
import type { SeenSample } from "../support/seen_runs.ts";
import { createSeenRuns } from "../support/seen_runs.ts";

/** `handle` is called by its place in a table alone, and `total` by a name that leads nowhere for certain. */
const FILES = {
  "shop/cart.py":
    "LIMIT = 3\n\nclass Cart:\n    def total(self):\n        return helper()\n\ndef helper():\n    return 1\n\ndef handle():\n    return 2\n",
  "shop/table.py":
    "import shop.cart as own\n\nTABLE = {'a': vars(own)['han' + 'dle']}\n\ndef dispatch(key):\n    return TABLE[key]()\n\ndef show(thing):\n    return thing.total()\n",
  "shop/page.py": "from shop.cart import handle\n\ndef page():\n    return handle()\n",
  "tests/test_page.py": "from shop.page import page\n\ndef test_page():\n    assert page()\n",
  "tests/test_table.py":
    "from shop.table import dispatch\n\ndef test_a():\n    assert dispatch('a')\n\ndef test_b():\n    assert dispatch('a')\n",
};
const RUNS: SeenSample = {
  ran: {
    "tests/test_table.py::test_a": ["shop/cart.py handle", "shop/table.py dispatch"],
    "tests/test_table.py::test_b": [
      ...["shop/cart.py handle", "shop/table.py dispatch", "shop/table.py show"],
      "shop/cart.py Cart.total",
    ],
  },
  idle: ["shop/cart.py helper"],
  calls: [
    ["shop/table.py dispatch", "shop/cart.py handle", 6],
    ["shop/page.py page", "shop/cart.py handle", 4],
    ["tests/test_table.py test_a", "shop/cart.py handle", 4],
    ["shop/table.py show", "shop/cart.py Cart.total", 9],
  ],
};

const open = (runs?: SeenSample) =>
  createImpactProject(FILES, runs === undefined ? {} : { runs: createSeenRuns(runs) });

Deno.test("analyze() puts the tests first that were seen to run what changes, and those that links lead to behind them", async () => {
  await using project = await open(RUNS);
  const { tests, testProofs, testRun, seen } = await project.ask({
    targetFiles: ["shop/cart.py"],
    symbols: ["handle"],
  });
  deepEqual(tests, ["tests/test_table.py", "tests/test_page.py"]);
  deepEqual(testProofs, [
    { file: "tests/test_table.py", proof: "seen", tests: 2, nearest: ["test_a", "test_b"] },
    { file: "tests/test_page.py", proof: "resolved" },
  ]);
  equal(testRun?.command, "python3 -m pytest tests/test_table.py tests/test_page.py");
  equal(seen?.isComplete, true);
});

Deno.test("analyze() asks to verify callers that only runs show, where no resolved place of theirs does", async () => {
  await using project = await open(RUNS);
  const { files } = await project.ask({ targetFiles: ["shop/cart.py"], symbols: ["handle"] });
  const rows = files.flatMap(({ path, isMust, edges }) =>
    edges.filter(({ depth }) => depth === 1).map((edge) =>
      `${path}:${edge.line} ${edge.within ?? ""} ${edge.confidence} ${isMust}`
    )
  ).sort();
  ok(rows.includes("shop/table.py:6 dispatch seen true"), rows.join("\n"));
  ok(rows.includes("shop/page.py:4 page resolved true"), rows.join("\n"));
  equal(rows.some((row) => /(page|test_table)\.py.* seen/.test(row)), false);
  const { files: others } = await project.ask({ symbols: ["Cart.total"] });
  const [table] = others.filter(({ path }) => path === "shop/table.py");
  deepEqual(table?.edges.map(({ line, confidence }) => [line, confidence]), [[9, "seen"]]);
});

Deno.test("analyze() calls the tests complete only where every test was recorded and nothing but functions changes", async () => {
  const isComplete = async (runs: SeenSample, symbols: readonly string[]) => {
    await using project = await open(runs);
    return (await project.ask({ targetFiles: ["shop/cart.py"], symbols })).seen?.isComplete;
  };
  equal(await isComplete({ ...RUNS, changed: ["shop/cart.py"] }, ["handle"]), true);
  equal(await isComplete({ ...RUNS, changed: ["shop/table.py"] }, ["handle"]), false);
  equal(await isComplete({ ...RUNS, extent: { counted: 3 } }, ["handle"]), false);
  const atImport = { ...RUNS, idle: [], loaded: ["shop/cart.py helper"] };
  equal(await isComplete(atImport, ["helper"]), false, "any test that loads the module may fail");
  equal(await isComplete(RUNS, ["helper"]), true);
  equal(await isComplete(RUNS, []), false, "the constant is used by code that nobody asked of");
  equal(await isComplete(RUNS, ["LIMIT"]), undefined, "runs tell nothing of a constant");
});

Deno.test("analyze() asks of a working diff for the functions that it changes", async () => {
  await using project = await open({ ...RUNS, changed: ["shop/cart.py"] });
  await project.temp.write({
    "shop/cart.py": FILES["shop/cart.py"].replace("return helper()", "return helper() + 1"),
  });
  const { testProofs, seen } = await project.ask({ isDiff: true });
  deepEqual(testProofs.map(({ file, proof, nearest }) => [file, proof, nearest]), [
    ["tests/test_table.py", "seen", ["test_b"]],
  ]);
  equal(seen?.isComplete, true);
});

Deno.test("analyze() takes the definition of a caller for its place where its file has changed, and leaves out one that is gone", async () => {
  const calls = [
    ["shop/table.py dispatch", "shop/cart.py handle", 60],
    ["shop/table.py gone", "shop/cart.py handle", 61],
  ] as const;
  await using project = await open({ ...RUNS, calls, changed: ["shop/table.py"] });
  const { files } = await project.ask({ targetFiles: ["shop/cart.py"], symbols: ["handle"] });
  const seen = files.flatMap(({ edges }) => edges).filter(({ confidence }) =>
    confidence === "seen"
  );
  deepEqual(seen.map(({ line, within }) => [line, within]), [[5, "dispatch"]]);
});

Deno.test("analyze() runs the nearest files alone where very many were seen", async () => {
  const names = Array.from({ length: 40 }, (_, at) => `tests/test_${at}.py`);
  const files = Object.fromEntries(names.map((name) => [name, "def test_a():\n    pass\n"]));
  const tests = Object.fromEntries(
    names.map((name) => [`${name}::test_a`, ["shop/cart.py handle"]]),
  );
  await using project = await createImpactProject({ ...FILES, ...files }, {
    runs: createSeenRuns({ ran: tests }),
  });
  const found = await project.ask({ targetFiles: ["shop/cart.py"], symbols: ["handle"] });
  equal(found.tests.length, 41);
  equal(found.testRun?.command.split(" ").length, 3 + 30);
});

Deno.test("analyze() answers without a record as before", async () => {
  await using project = await open();
  const found = await project.ask({ targetFiles: ["shop/cart.py"], symbols: ["handle"] });
  equal(found.seen, null);
  deepEqual(found.tests, ["tests/test_page.py"]);
  await using empty = await createImpactProject(FILES, {
    runs: { load: () => Promise.resolve(null) },
  });
  deepEqual({
    ...await empty.ask({ targetFiles: ["shop/cart.py"], symbols: ["handle"] }),
    freshness: 0,
  }, {
    ...found,
    freshness: 0,
  });
});
