/** What an answer waits for: the files that it is about, first and longer; what stays pending is forgotten until it is read. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { withLock } from "../../src/base/processes/lock_file.ts";
import {
  BUILD_LOCK,
  findBuilder,
  formatProgress,
  notifyLongWait,
  readBuilder,
} from "../../src/index/sync_job.ts";
import type { SyncProgress } from "../../src/index/index_api.ts";
import { createTempRepo } from "../support/temp_repo.ts";
import type { TestIndex } from "./support.ts";
import { makeFiles, openTestIndex } from "./support.ts";
import type { Analyser, AnalysisJob } from "../../src/analysis/analyser.ts";
import { runJob } from "../../src/analysis/analyser.ts";
import { analysePlainly } from "../analysis/plain_analysis.ts";

/** Enough that only one process at a time does them. */
const FILES = 210;
const HELD = { timeoutMs: 60_000 };

Deno.test("findBuilder() knows who builds and how far, and nobody once the lock is free", async () => {
  const path = join(await Deno.makeTempDir(), BUILD_LOCK);
  equal(await findBuilder(null), null);
  await withLock(path, HELD, async (lock) => {
    equal(await findBuilder(path), null, "it has said nothing yet");
    await lock.say(formatProgress({ done: 1_234, total: 5_000 }));
    await lock.say(formatProgress({ done: 7, total: 50 }));
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
    await lock.say(formatProgress({ done: 90, total: FILES }));
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
    await lock.say(formatProgress({ done: FILES, total: FILES }));
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

/** Analyses a content only once the test lets it, and remembers the order in which it was asked. */
class HeldAnalyser implements Analyser {
  readonly concurrency = 1;
  readonly asked: string[] = [];
  #held: Promise<void> = Promise.resolve();

  /** Holds all that comes until what is given back is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return resolve;
  }

  async analyse(job: AnalysisJob) {
    this.asked.push(job.path);
    await this.#held;
    return await runJob(job, analysePlainly);
  }

  close() {}
}

const PATHS = [3, 4, 5].map((at) => `src/part${at}/file${at}.ts`);
const NO_WAIT = { budgetMs: 0, askedMs: 0 };

/** Twenty files in the index, three of which have another content now. */
async function createEdited() {
  const repo = await createTempRepo({ files: makeFiles(20) });
  const analyser = new HeldAnalyser();
  const nowMs = () => Date.now() + 60_000;
  const test = openTestIndex(repo.repo, { options: { analyser, nowMs } });
  await test.index.sync();
  analyser.asked.length = 0;
  const release = analyser.hold();
  const edited = PATHS.map((path) => [path, `\nfunction late${path.at(-4)}() {}\n`]);
  await repo.write(Object.fromEntries(edited));
  return {
    ...test,
    repo,
    analyser,
    release,
    find: (name: string) => findName(test, name),
    async [Symbol.asyncDispose]() {
      release();
      await test[Symbol.asyncDispose]();
      await repo[Symbol.asyncDispose]();
    },
  };
}

async function findName({ index }: Pick<TestIndex, "index">, name: string) {
  const { hits } = await index.read((view) => view.findSymbols({ name }));
  return hits.map(({ path, line }) => `${path}:${line}`);
}

Deno.test("ensureFresh() forgets the old content of what stays pending, and has the new one once it is read", async () => {
  await using project = await createEdited();
  deepEqual(await project.find("run3"), ["src/part3/file3.ts:3"]);
  const late = await project.index.ensureFresh(NO_WAIT);
  deepEqual([late.pending, late.files], [PATHS, 17]);
  deepEqual([await project.find("run3"), await project.find("run6")], [[], [
    "src/part6/file6.ts:3",
  ]]);
  project.release();
  equal((await project.index.ensureFresh({ budgetMs: 60_000 })).pendingTotal, 0);
  deepEqual(await project.find("late3"), ["src/part3/file3.ts:2"]);
});

Deno.test("ensureFresh() reads the files first that an answer is about, and waits for them alone", async () => {
  await using project = await createEdited();
  const isAbout = (path: string) => path === PATHS[2];
  const asking = project.index.ensureFresh({ budgetMs: 0, askedMs: 60_000, isAbout });
  while (project.analyser.asked.length === 0) await new Promise((resolve) => setTimeout(resolve));
  equal(project.analyser.asked[0], PATHS[2]);
  project.release();
  ok(!(await asking).pending.includes(PATHS[2] ?? ""));
  deepEqual(await project.find("late5"), ["src/part5/file5.ts:2"]);
  const other = project.analyser.hold();
  await project.repo.write({ [PATHS[0] ?? ""]: "\n\nfunction later() {}\n" });
  const none = { budgetMs: 0, askedMs: 60_000, isAbout: () => false };
  deepEqual((await project.index.ensureFresh(none)).pending, [PATHS[0]]);
  other();
});

Deno.test("a brief process ended before a changed file was read, and threw the work away: it waits for it", async () => {
  await using project = await createEdited();
  const asking = project.index.ensureFresh({ isBrief: true });
  // Longer than the wait of a server, behind which the work goes on.
  setTimeout(project.release, 600);
  equal((await asking).pendingTotal, 0);
  deepEqual(await project.find("late3"), ["src/part3/file3.ts:2"]);
});

Deno.test("findChanged() names files that were edited, or read again, since an answer was begun", async () => {
  await using project = await createEdited();
  project.release();
  const { revision } = await project.index.ensureFresh({ budgetMs: 60_000 });
  const changed = () =>
    project.index.findChanged([...PATHS, "src/part6/file6.ts", "no.ts"], revision);
  deepEqual(await changed(), []);
  await project.repo.write({ [PATHS[1] ?? ""]: "\n\n\nfunction again() {}\n" });
  deepEqual(await changed(), [PATHS[1]], "edited");
  await project.index.ensureFresh({ budgetMs: 60_000 });
  deepEqual(await changed(), [PATHS[1]], "read again: its lines are others than the answer has");
  await project.repo.remove(PATHS[0] ?? "");
  deepEqual(await changed(), [PATHS[0], PATHS[1]], "gone");
});

Deno.test("notifyLongWait() says nothing of what takes no time, nor of no file", async () => {
  const told: (readonly string[])[] = [];
  notifyLongWait(["a.ts"], (paths) => told.push(paths))[Symbol.dispose]();
  notifyLongWait([], (paths) => told.push(paths))[Symbol.dispose]();
  notifyLongWait(["a.ts"], undefined)[Symbol.dispose]();
  await new Promise((resolve) => setTimeout(resolve));
  deepEqual(told, []);
});
