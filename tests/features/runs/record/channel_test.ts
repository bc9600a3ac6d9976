/** What processes wrote, put together: several processes, rows that are wrong, and what is lost. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { Channel } from "../../../../src/features/runs/record/channel.ts";

const ROOT = "/work/app";

function read(...processes: readonly (readonly unknown[])[]) {
  const channel = new Channel({
    root: ROOT,
    place: (told) => told.path.endsWith(".py") ? told : null,
  });
  for (const rows of processes) {
    channel.startProcess();
    for (const row of rows) channel.addLine(typeof row === "string" ? row : JSON.stringify(row));
  }
  return channel.toRecording();
}

const START = { process: { tracer: "python 1", runner: "pytest", root: ROOT } };
const DIRECT = { process: { tracer: "python 1", runner: "", root: ROOT, direct: true } };
const END = { end: true };

function test(name: string, ran: readonly number[], more: Readonly<Record<string, unknown>> = {}) {
  return {
    test: { name, file: "tests/test_a.py", unit: "test", outcome: "passed", ms: 2, ran, ...more },
  };
}

Deno.test("Channel gives one recording of several processes, with one test for each name", () => {
  const recording = read(
    [
      START,
      { fn: [0, "a.py", 3, "f"] },
      { fn: [1, "b.py", 1, "A.g"] },
      { fn: [2, "notes.txt", 1, "h"] },
      { loaded: [1, 2] },
      test("one", [0, 2]),
      { calls: [[0, 1, 4], [0, 1, 4], [0, 2, 5]] },
      test("two", [], { outcome: "skipped" }),
      END,
    ],
    // A child of the first test: it is killed, and has told everything before.
    [
      DIRECT,
      { fn: [0, "c.py", 9, "child"] },
      test("one", [0], { file: "", outcome: "unknown", ms: 0 }),
      { fn: [7, "a.py", 3, "f"] },
      test("one", [7], { file: "", outcome: "unknown", ms: 0 }),
    ],
  );
  deepEqual(recording, {
    runner: "pytest",
    functions: [
      { path: "a.py", line: 3, name: "f" },
      { path: "b.py", line: 1, name: "A.g" },
      { path: "c.py", line: 9, name: "child" },
    ],
    tests: [
      {
        ...{ name: "one", file: "tests/test_a.py", unit: "test", outcome: "passed", ms: 2 },
        ran: [0, 2],
      },
      {
        ...{ name: "two", file: "tests/test_a.py", unit: "test", outcome: "skipped", ms: 2 },
        ran: [],
      },
    ],
    loaded: [1],
    calls: [[0, 1, 4]],
    isWhole: true,
    notes: [],
  });
});

Deno.test("Channel counts the worst outcome of a test that several processes ran", () => {
  const rows = (outcome: string) => [START, test("one", [], { outcome }), END];
  for (const [one, other] of [["passed", "failed"], ["failed", "passed"]] as const) {
    equal(read(rows(one), rows(other)).tests[0]?.outcome, "failed");
  }
});

Deno.test("Channel drops each row that is wrong, keeps the others, and is not whole", () => {
  const wrong: readonly unknown[] = [
    "",
    "{",
    "[]",
    "PASSED tests/test_a.py",
    { fn: [1, "../out.py", 1, "f"] },
    { fn: [1, "/etc/passwd.py", 1, "f"] },
    { fn: [1, "a//b.py", 1, "f"] },
    { fn: [1, "a.py", -1, "f"] },
    { fn: [1, "a.py", 1.5, "f"] },
    { fn: ["1", "a.py", 1, "f"] },
    { fn: [1, "a.py", 1, "f".repeat(5_000)] },
    test("lies", [99]),
    test("lies", [0], { outcome: "great" }),
    test("lies", [0], { unit: "suite" }),
    test("lies", [0], { file: "../test.py" }),
    test("", [0]),
    { loaded: [99] },
    { calls: [[0, 99, 1]] },
    { calls: ["01"] },
    { end: 1 },
    { process: { runner: "x", root: "/elsewhere" } },
  ];
  for (const row of wrong) {
    const recording = read([START, { fn: [0, "a.py", 3, "f"] }, row, test("good", [0]), END]);
    deepEqual(recording.tests.map(({ name }) => name), ["good"], JSON.stringify(row));
    deepEqual(recording.notes, ["1 row of the tracer could not be read."], JSON.stringify(row));
    equal(recording.isWhole, false);
  }
});

Deno.test("Channel is not whole where a process ended in the middle, or none wrote anything", () => {
  deepEqual(read([START, test("one", [])], [START, END]).notes, [
    "1 process ended before its tracer could write its last row.",
  ]);
  equal(read([START, END]).isWhole, true);
  deepEqual(read().notes, ["No process of the run wrote a record."]);
});

Deno.test("Channel takes no more than its bounds, and says how much it left out", () => {
  const functions = Array.from({ length: 200_003 }, (_, id) => ({ fn: [id, "a.py", id, "f"] }));
  const recording = read([START, ...functions, test("one", [0, 200_002]), END]);
  equal(recording.functions.length, 200_000);
  deepEqual(recording.tests[0]?.ran, [0]);
  match(recording.notes.join(), /^3 facts did not fit into the bounds/);
  equal(recording.isWhole, false);
});
