/** Workers that analyse: a bad file costs itself alone. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { HELD_MS, holdTimers } from "../support/held_timers.ts";
import { AnalysisPool } from "../../src/analysis/analysis_pool.ts";

const WORKER = new URL("./odd_worker.ts", import.meta.url);
const toJob = (text: string) => ({
  path: "a.ts",
  chunkMaxTokens: 512,
  bytes: new TextEncoder().encode(text),
});

Deno.test("a content on which a worker hangs is given up, and the others are done", async () => {
  using timers = holdTimers();
  const pool = new AnalysisPool({ workerUrl: WORKER, maxWorkers: 1, timeoutMs: HELD_MS });
  try {
    const [before, hanging, after] = ["function a() {}", "hang", "function b() {}"]
      .map((text) => pool.analyse(toJob(text)));
    equal((await before)?.kind, "analysed");
    // The one worker has gone on to the next content.
    equal(timers.size, 1);
    timers.goOff();
    const given = await hanging;
    match(given?.kind === "failed" ? given.reason : "", /took longer than 3599999 ms/);
    equal((await after)?.kind, "analysed");
  } finally {
    pool.close();
  }
});

Deno.test("a content on which a worker crashes or fails is given up, and the others are done", async () => {
  const pool = new AnalysisPool({ workerUrl: WORKER, maxWorkers: 2, timeoutMs: 300_000 });
  try {
    const texts = [
      "function a() {}",
      "crash",
      "fail",
      "\0",
      "function b() {}",
      "crash",
      "c",
    ];
    const results = await Promise.all(texts.map((text) => pool.analyse(toJob(text))));
    const reasons = results.map((result) => result.kind === "failed" ? result.reason : null);
    match(reasons[1] ?? "", /crashed: .*on purpose/);
    match(reasons[2] ?? "", /failed on purpose/);
    equal(reasons[3], "binary");
    match(reasons[5] ?? "", /crashed/);
    deepEqual([reasons[0], reasons[4], reasons[6]], [null, null, null]);
    const [first] = results;
    equal(first?.kind === "analysed" && first.content.symbols[0]?.name, "a");
  } finally {
    pool.close();
  }
});

Deno.test("each content gets its own result, however long others need beside it", async () => {
  const pool = new AnalysisPool({ maxWorkers: 1, timeoutMs: 300_000 });
  try {
    // The first of a language waits for its grammar; a text without one is read at once.
    const names = ["a.py", "b.txt", "c.go", "d.txt", "e.java", "f.txt"];
    const results = await Promise.all(names.map((path, at) => {
      const bytes = new TextEncoder().encode("word\n".repeat(at + 1));
      return pool.analyse({ path, chunkMaxTokens: 512, bytes });
    }));
    const lines = results.map((result) =>
      result.kind === "analysed" ? result.content.lineCount : result.reason
    );
    deepEqual(lines, [1, 2, 3, 4, 5, 6]);
  } finally {
    pool.close();
  }
});

Deno.test("close() fails what is waiting, and idle workers end by themselves", async () => {
  const pool = new AnalysisPool({
    workerUrl: WORKER,
    maxWorkers: 1,
    idleMs: 1,
    timeoutMs: 300_000,
  });
  equal((await pool.analyse(toJob("a"))).kind, "analysed");
  await new Promise((resolve) => setTimeout(resolve, 50));
  // A worker that is still there would be a leak, which the test runner reports.
  equal((await pool.analyse(toJob("b"))).kind, "analysed");
  const waiting = [pool.analyse(toJob("hang")), pool.analyse(toJob("x"))];
  pool.close();
  ok((await Promise.all(waiting)).every(({ kind }) => kind === "failed"));
});
