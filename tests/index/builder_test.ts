/** Who builds the index while others wait: what they hear, and what is done only once. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { withLock } from "../../src/base/processes/lock_file.ts";
import { BUILD_LOCK, findBuilder, readBuilder, toSaid } from "../../src/index/sync_job.ts";
import type { SyncProgress } from "../../src/index/index_api.ts";
import { createTempRepo } from "../support/temp_repo.ts";
import { makeFiles, openTestIndex } from "./support.ts";

/** Enough that only one process at a time does them. */
const FILES = 210;
const HELD = { timeoutMs: 60_000 };

Deno.test("findBuilder() knows who builds and how far, and nobody once the lock is free", async () => {
  const path = join(await Deno.makeTempDir(), BUILD_LOCK);
  equal(await findBuilder(null), null);
  await withLock(path, HELD, async (lock) => {
    equal(await findBuilder(path), null, "it has said nothing yet");
    await lock.say(toSaid({ done: 1_234, total: 5_000 }));
    await lock.say(toSaid({ done: 7, total: 50 }));
    deepEqual(await findBuilder(path), { process: Deno.pid, done: 7, total: 50 });
  });
  equal(await findBuilder(path), null);
  equal(await readBuilder(join(path, "none")), null);
});

Deno.test("sync() had no answer while another process built: it says who and how far, and the work is done once", async () => {
  await using repo = await createTempRepo({ files: makeFiles(FILES) });
  await using test = openTestIndex(repo.repo);
  await test.index.ensureFresh({ isBrief: true });
  const path = join(repo.repo.commonDir, "code-intel", BUILD_LOCK);
  const heard: SyncProgress[] = [];
  await withLock(path, HELD, async (lock) => {
    await lock.say(toSaid({ done: 90, total: FILES }));
    const seen = Promise.withResolvers<void>();
    const onProgress = (progress: SyncProgress) => {
      heard.push(progress);
      seen.resolve();
    };
    // Whoever waits without a bound goes on waiting, and hears of it.
    const waiting = test.index.sync({ onProgress });
    await seen.promise;
    const builder = { process: Deno.pid, done: 90, total: FILES };
    const late = await test.index.sync({ waitMs: 5 });
    deepEqual([late.isComplete, late.builder, late.parsed], [false, builder, 0]);
    const brief = await test.index.ensureFresh({ isBrief: true, budgetMs: 5 });
    deepEqual(brief.builder, builder);
    ok(brief.pendingTotal === FILES);
    await lock.say(toSaid({ done: FILES, total: FILES }));
    void waiting;
  });
  equal((await test.index.sync()).isComplete, true);
  deepEqual(heard[0], {
    process: Deno.pid,
    done: 90,
    total: FILES,
    filesPerSecond: 0,
    secondsLeft: 0,
  });
  equal(test.analyser.parsed.length, FILES, "each file once, by whoever came first");
  const fresh = await test.index.ensureFresh();
  deepEqual([fresh.pendingTotal, fresh.builder], [0, undefined]);
});
