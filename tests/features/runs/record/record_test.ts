/** Recording round real runs: what is stored, what is thrown away, and that the result of a command stays what it was. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { SYSTEM_CLOCK } from "../../../../src/base/clock.ts";
import { runWithReport } from "../../../../src/evidence/runs/run_command.ts";
import { RunRecorder } from "../../../../src/features/runs/record/record.ts";
import { decodeRun, encodeRun } from "../../../../src/features/runs/store/run_record.ts";
import { openSharedRuns } from "../../../../src/features/runs/store/shared_runs.ts";
import type { InsideWay, Recording } from "../../../../src/features/runs/record/recording.ts";
import type { RecordedProject } from "../store/recorded_project.ts";
import { createRecordedProject } from "../store/recorded_project.ts";

const FILES = {
  "shop/cart.js": "exports.add = function add(item) {\n  return [item].map((one) => one);\n};\n",
  "shop/tax.js": "exports.rate = function rate() {\n  return 1;\n};\n",
  "cart.test.js": `const test = require("node:test");
const assert = require("node:assert");
const { add } = require("./shop/cart.js");
test("adds", () => assert.deepEqual(add(1), [1]));
`,
};
const ADD = { path: "shop/cart.js", name: "add" };
const RATE = { path: "shop/tax.js", name: "rate" };

const RECORDING: Recording = {
  runner: "node --test",
  functions: [
    { path: "shop/cart.js", line: 1, name: "add" },
    { path: "shop/cart.js", line: 2, name: "" },
    { path: "shop/tax.js", line: 2, name: "rate" },
    { path: "/etc/passwd", line: 1, name: "root" },
  ],
  tests: [
    {
      name: "adds",
      file: "cart.test.js",
      unit: "test",
      outcome: "passed",
      ms: 3,
      ran: [0, 1, 3, 9],
    },
    { name: "waits", file: "cart.test.js", unit: "test", outcome: "skipped", ms: 0, ran: [2] },
  ],
  loaded: [2],
  calls: [[0, 2, 2], [0, 1, 2], [0, 9, 1]],
  isWhole: true,
  notes: [],
};

/** Records a run of `node --test` that a way of this test watches, and gives the result that counts. */
async function record(
  project: RecordedProject,
  { way = {}, compares = false }: {
    readonly way?: Partial<InsideWay>;
    readonly compares?: boolean;
  },
) {
  await project.services.index.sync();
  const command = {
    ...{ name: "unit", run: ["node", "--test"], paths: null, writes: [], timeoutMs: 60_000 },
  };
  const inside: InsideWay = {
    kind: "inside",
    prepare: () => Promise.resolve({ IS_WATCHED: "1" }),
    read: () => Promise.resolve(RECORDING),
    ...way,
  };
  const recorder = new RunRecorder({
    place: project.services.parts,
    plans: [{ command, runner: "node --test", way: inside }],
    commands: 1,
    signal: new AbortController().signal,
    compares,
  });
  const stateDir = project.services.parts.stateDir;
  const result = await runWithReport(command, {
    place: { checkout: null, worktree: project.repo.dir, stateDir },
    cwd: project.repo.dir,
    clock: SYSTEM_CLOCK,
    coverage: recorder.toCover(),
  });
  const outcome = recorder.outcomes.get("unit");
  return { result, outcome, state: await project.load() };
}

Deno.test("a watched run is stored by the symbols of the index, and what is none of them is dropped", async () => {
  await using project = await createRecordedProject(FILES);
  const { result, outcome, state } = await record(project, {});
  equal(result.exitCode, 0);
  deepEqual(result.set?.at(-1), "IS_WATCHED=…");
  const { recorded, functions, counted, plainMs, isWhole, problem } = outcome ?? never();
  deepEqual([recorded, functions, counted, plainMs, isWhole, problem], [1, 2, 1, null, true, null]);
  const found = state?.findTests([ADD, RATE]);
  deepEqual(found?.tests.map(({ name, functions }) => [name, functions]), [["adds", 1]]);
  deepEqual(found?.functions.map(({ seen }) => seen), ["run by tests", "run at import"]);
  deepEqual(state?.findCallers(RATE).map(({ caller, line }) => [caller, line]), [[ADD, 2]]);
  deepEqual(state?.extent.counted, 1);
});

Deno.test("a run that fails only when it is watched is thrown away, says so, and the plain result counts", async () => {
  const watched = `require("node:test")("sees", () => {
  if (process.env.IS_WATCHED) throw new Error("watched");
});
`;
  await using project = await createRecordedProject({ ...FILES, "sees.test.js": watched });
  const { result, outcome, state } = await record(project, {});
  equal(result.exitCode, 0);
  equal(state, null);
  match(outcome?.problem ?? "", /^The run gave another result when it was watched .*: .*sees/);
});

Deno.test("a run that fails alike without is stored, with the time of both", async () => {
  const red = `require("node:test")("is red", () => { throw new Error("always"); });\n`;
  await using project = await createRecordedProject({ ...FILES, "red.test.js": red });
  const { result, outcome, state } = await record(project, {});
  equal(result.exitCode, 1);
  equal(result.set?.some((one) => one.startsWith("IS_WATCHED")), false, "the plain run counts");
  equal(outcome?.problem, null);
  equal(typeof outcome?.plainMs, "number");
  equal(state?.findTests([ADD]).tests.length, 1);
});

Deno.test("a green run is compared where that is asked for", async () => {
  await using project = await createRecordedProject(FILES);
  equal(typeof (await record(project, { compares: true })).outcome?.plainMs, "number");
});

Deno.test("facts of a file that the run changed are refused, and nothing is said of it", async () => {
  const writes = `require("node:test")("writes", () => {
  require("node:fs").appendFileSync("shop/tax.js", "// more\\n");
});
`;
  await using project = await createRecordedProject({ ...FILES, "writes.test.js": writes });
  const { state } = await record(project, {});
  deepEqual(state?.findTests([ADD, RATE]).functions.map(({ seen }) => seen), [
    "run by tests",
    "not recorded",
  ]);
  deepEqual(state?.extent.changed, ["shop/tax.js"]);
});

Deno.test("what fails while watching leaves the result of the command alone", async () => {
  await using project = await createRecordedProject(FILES);
  const fail = () => Promise.reject(new Error("no disk"));
  for (const way of [{ prepare: fail }, { read: fail }]) {
    const { result, outcome, state } = await record(project, { way });
    equal(result.exitCode, 0);
    match(outcome?.problem ?? "", /no disk/);
    equal(state, null);
  }
  const empty = () => Promise.resolve({ ...RECORDING, tests: [], notes: ["No process wrote."] });
  const { outcome } = await record(project, { way: { read: empty } });
  deepEqual([outcome?.problem, outcome?.notes], ["No test was seen to run.", [
    "No process wrote.",
  ]]);
});

Deno.test("a record of others that this run contradicts is named in its notes, and used no more", async () => {
  await using project = await createRecordedProject(FILES);
  const claims = { "cart.test.js adds": ["shop/cart.js add", "shop/gone.js rate"] };
  await project.record({ tests: claims, more: { runner: "node --test" } });
  const shared = openSharedRuns(project.services.parts);
  const [key = never()] = await shared.list();
  const run = decodeRun(await shared.read(key, () => true) ?? never());
  const functions = run.functions.slice(0, 1)
    .map((one) => ({ ...one, path: "cart.test.js", name: "idle" }));
  const wrong = { ...run, batch: "other", functions };
  await shared.take({ name: "runs-1.a", maker: "Mallory" }, [encodeRun(wrong)]);
  const { outcome } = await record(project, {});
  match(outcome?.notes.join() ?? "", /pack runs-1\.a is not used any more: .*adds ran idle of/);
  match((await shared.readPacks()).get("runs-1.a") ?? "", /^it says/);
});

Deno.test("a run that writes into the store leaves what is removed, and the run is stored", async () => {
  const hostile = `require("node:test")("spoils", () => {
  const fs = require("node:fs");
  const folder = ".git/code-intel/runs";
  fs.mkdirSync(folder, { recursive: true });
  for (const name of fs.readdirSync(folder)) fs.writeFileSync(folder + "/" + name, "x".repeat(9000));
  fs.writeFileSync(folder + "/0000.run", "x".repeat(9000));
});
`;
  await using project = await createRecordedProject({ ...FILES, "spoils.test.js": hostile });
  for (const _ of [1, 2]) {
    const { outcome, state } = await record(project, {});
    equal(outcome?.problem, null);
    equal(state?.findTests([ADD]).tests.length, 1);
  }
});

function never(): never {
  throw new Error("there is one");
}
