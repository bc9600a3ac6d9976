/** Threads of a pool: order, cancelling, the end of idle ones. Crashes and hangs: analysis_pool_test.ts. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { releaseMemory, WorkerPool } from "../../../src/base/processes/worker_pool.ts";
import { HELD_MS, holdTimers } from "../../support/held_timers.ts";
import { testNeeding } from "../../support/needs.ts";

const ROWS = 8_000;
const ROW_BYTES = 4_000;
const TRIES = 10;

/** A database in memory: some 32 MB that the C library hands out in pages. */
function fill(rows: number): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  db.exec(`CREATE TABLE texts (text BLOB);
    WITH RECURSIVE row(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM row WHERE at < ${rows})
      INSERT INTO texts SELECT zeroblob(${ROW_BYTES}) FROM row`);
  return db;
}

/** Other C libraries give memory back by themselves, or cannot. */
const HAS_GNU_C_LIBRARY = {
  what: "the GNU C library",
  hindrance: Deno.build.target.endsWith("linux-gnu") ? null : Deno.build.target,
};

testNeeding(
  [HAS_GNU_C_LIBRARY],
  "giveMemoryBack() gives back what was freed below something that is still in use",
  () => {
    // Other threads of the tests take and give memory meanwhile, so one time of several is enough.
    const givenBack: number[] = [];
    while (givenBack.length < TRIES && (givenBack.at(-1) ?? 0) <= ROWS * ROW_BYTES / 4) {
      const freed = fill(ROWS);
      using kept = fill(10);
      freed.close();
      const before = Deno.memoryUsage().rss;
      releaseMemory();
      givenBack.push(before - Deno.memoryUsage().rss);
      ok(kept.isOpen);
    }
    ok((givenBack.at(-1) ?? 0) > ROWS * ROW_BYTES / 4, `${givenBack} bytes were given back`);
  },
);

const ECHO = new URL("./echo_worker.ts", import.meta.url);

function createPool(idleMs = 300_000): WorkerPool<string, string> {
  return new WorkerPool<string, string>({
    url: ECHO,
    maxWorkers: 1,
    timeoutMs: 300_000,
    idleMs,
    toFailure: (reason) => `failed: ${reason}`,
    greeting: { hello: "!" },
  });
}

Deno.test("run() does urgent jobs first, in their order, and greets a thread before its first job", async () => {
  const pool = createPool();
  const order: string[] = [];
  const run = async (job: string, isUrgent: boolean) => {
    order.push(await pool.run(job, { isUrgent }));
  };
  await Promise.all([run("a", false), run("b", false), run("u", true), run("v", true)]);
  deepEqual(order, ["a!", "u!", "v!", "b!"]);
  equal(pool.size, 1);
  pool.close();
  equal(pool.size, 0);
});

Deno.test("a thread has jobs ahead once all threads run, and what it had not begun is done by the next", async () => {
  using timers = holdTimers();
  const pool = new WorkerPool<string, string>({
    url: ECHO,
    maxWorkers: 1,
    timeoutMs: HELD_MS,
    idleMs: 300_000,
    ahead: 2,
    toFailure: (reason) => `failed: ${reason}`,
    greeting: { hello: "!" },
  });
  const jobs = ["a", "b", "hang", "c", "d", "e"];
  const urgent = pool.run("late").then(() => pool.run("u", { isUrgent: true }));
  const running = jobs.map((job) => pool.run(job));
  await running[1];
  // The thread has gone on to the job on which it hangs.
  equal(timers.size, 1);
  timers.goOff();
  const failed = `failed: it took longer than ${HELD_MS} ms`;
  deepEqual(await Promise.all(running), ["a!", "b!", failed, "c!", "d!", "e!"]);
  equal(await urgent, "u!");
  equal(pool.size, 1);
  pool.close();
});

Deno.test("hold() lasts as long as the pool rests, and for urgent jobs not at all", async () => {
  const pool = new WorkerPool<string, string>({
    url: ECHO,
    maxWorkers: 1,
    timeoutMs: 300_000,
    idleMs: 300_000,
    restMs: 40,
    toFailure: (reason) => `failed: ${reason}`,
    greeting: { hello: "!" },
  });
  await pool.run("warm");
  const releasedAt = performance.now();
  pool.hold()[Symbol.dispose]();
  const order: string[] = [];
  const waits = pool.run("a").then(() => order.push("a"));
  await pool.run("u", { isUrgent: true });
  order.push("u");
  await waits;
  equal(performance.now() - releasedAt >= 40, true, "it rested");
  deepEqual(order, ["u", "a"]);
  pool.hold()[Symbol.dispose]();
  pool.close();
  equal(await pool.run("b"), "b!", "a closed pool begins anew without a rest");
  pool.close();
});

Deno.test("run() answers a cancelled job at once, before and while it waits", async () => {
  const pool = createPool();
  const control = new AbortController();
  const first = pool.run("a");
  const second = pool.run("b", { signal: control.signal });
  control.abort();
  equal(await second, "failed: it was cancelled");
  equal(await pool.run("c", { signal: AbortSignal.abort() }), "failed: it was cancelled");
  equal(await first, "a!");
  pool.close();
});

Deno.test("idle threads end, and the next job starts one again", async () => {
  const pool = createPool(1);
  equal(await pool.run("a"), "a!");
  while (pool.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  equal(await pool.run("b"), "b!");
  pool.close();
});

Deno.test("the last idle thread stays for its own time, the others end before", async () => {
  const pool = new WorkerPool<string, string>({
    url: ECHO,
    maxWorkers: 3,
    timeoutMs: 300_000,
    idleMs: 1,
    lastIdleMs: 60_000,
    toFailure: (reason) => `failed: ${reason}`,
    greeting: { hello: "!" },
  });
  await Promise.all([pool.run("a"), pool.run("b"), pool.run("c")]);
  equal(pool.size, 3);
  while (pool.size > 1) await new Promise((resolve) => setTimeout(resolve, 5));
  equal(await pool.run("d"), "d!");
  equal(pool.size, 1);
  pool.close();
});

Deno.test("a few jobs share a thread, many have more, and none waits long behind a slow one", async () => {
  const createGrowing = () =>
    new WorkerPool<string, string>({
      url: ECHO,
      maxWorkers: 3,
      jobsAThread: 2,
      timeoutMs: 60_000,
      idleMs: 60_000,
      toFailure: (reason) => `failed: ${reason}`,
      greeting: { hello: "!" },
    });
  const few = createGrowing();
  const one = few.run("a");
  const two = few.run("b");
  equal(few.size, 1);
  deepEqual(await Promise.all([one, two]), ["a!", "b!"]);
  const many = ["c", "d", "e", "f"].map((job) => few.run(job));
  equal(few.size, 3);
  deepEqual(await Promise.all(many), ["c!", "d!", "e!", "f!"]);
  few.close();
  const slow = createGrowing();
  const hanging = slow.run("hang");
  equal(await slow.run("g"), "g!");
  equal(slow.size, 2);
  slow.close();
  equal(await hanging, "failed: the program ended");
});
