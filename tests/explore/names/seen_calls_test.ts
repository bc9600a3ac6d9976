/** References with calls that were seen in runs: on a real index, with a record of runs behind the door. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { createIndexedProject } from "../indexed_project.ts";
import type { SeenSample } from "../../support/seen_runs.ts";
import { createSeenRuns } from "../../support/seen_runs.ts";

const FILES = {
  "a.py": "class Cart:\n    def total(self):\n        return 1\n\nLIMIT = 1\n",
  "b.py":
    "def direct(thing):\n    return thing.total()\n\ndef other(thing):\n    return thing.total()\n",
  "c.py": "def emit(name, thing):\n    return getattr(thing, 'tot' + name)()\n",
};
const RUNS: SeenSample = {
  ran: {},
  calls: [
    ["b.py direct", "a.py Cart.total", 2],
    ["c.py emit", "a.py Cart.total", 2],
    ["c.py emit", "a.py Cart.total", 2],
  ],
};

async function find(symbol: string, runs: SeenSample, path?: string) {
  let loads = 0;
  const own = createSeenRuns({ ...runs, onLoad: () => loads++ });
  await using project = await createIndexedProject({ files: FILES, explorer: { runs: own } });
  const found = await project.explorer.findReferences({
    symbol,
    maxResults: 100,
    includeText: false,
    ...(path === undefined ? {} : { path }),
  });
  if (found.kind === "refused") throw new Error(JSON.stringify(found.problems));
  const rows = found.references.map(({ path, line, kind, confidence, within = "", text }) =>
    [`${path}:${line}`, kind, confidence, within, text.trim()].join(" | ")
  );
  return { rows, loads, found };
}

Deno.test("findReferences() proves places by the calls that were seen there, and adds those that no text names", async () => {
  const { rows, loads, found } = await find("Cart.total", RUNS);
  deepEqual(rows, [
    "a.py:2 | definition | resolved |  | def total(self):",
    "b.py:2 | call | seen |  | return thing.total()",
    "b.py:5 | call | name |  | return thing.total()",
    "c.py:2 | seen | seen | emit | return getattr(thing, 'tot' + name)()",
  ]);
  equal(found.references.at(-1)?.definedAt, "a.py:2");
  deepEqual([found.total, found.files, found.byKind.seen, loads], [4, 3, 1, 1]);
  deepEqual((await find("Cart.total", RUNS, "b.py")).rows.length, 2);
});

Deno.test("findReferences() shows a caller whose file has changed at its definition, and one that is gone not at all", async () => {
  const calls = [["c.py emit", "a.py Cart.total", 90], [
    "c.py gone",
    "a.py Cart.total",
    91,
  ]] as const;
  const { rows } = await find("Cart.total", { ...RUNS, calls, changed: ["c.py"] });
  deepEqual(rows.filter((row) => row.startsWith("c.py")), [
    "c.py:1 | seen | seen | emit | def emit(name, thing):",
  ]);
});

Deno.test("findReferences() asks nothing of runs for what is no function", async () => {
  equal((await find("LIMIT", RUNS)).loads, 0);
});
