/** The lock between processes: exclusive, bounded in time, and free again after a kill. */
import {
  deepStrictEqual as deepEqual,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import {
  lockWithin,
  passTurn,
  readLockHolder,
  waitForTurn,
  withLock,
} from "../../../src/base/processes/lock_file.ts";
import { join } from "node:path";

const LONG_MS = 60_000;

Deno.test("waitForTurn() gives turns in the order of the calls, and is free again after the last", async () => {
  const order: number[] = [];
  const take = async (n: number) => {
    const leftMs = await waitForTurn("a", LONG_MS);
    equal(leftMs, LONG_MS, "whoever comes next has its whole time");
    order.push(n);
    passTurn("a", true);
  };
  equal(await waitForTurn("a", LONG_MS), LONG_MS);
  const waiting = [1, 2, 3].map(take);
  equal(await waitForTurn("b", 0), 0, "another line is free");
  passTurn("b", true);
  passTurn("a", true);
  await Promise.all(waiting);
  deepEqual(order, [1, 2, 3]);
  equal(await waitForTurn("a", 0), 0);
  passTurn("a", true);
});

Deno.test("waitForTurn() ends the waiting for a holder that stays, and the next one is not held up by it", async () => {
  await waitForTurn("a", LONG_MS);
  const short = waitForTurn("a", 1);
  const long = waitForTurn("a", LONG_MS);
  equal(await short, null);
  passTurn("a", true);
  ok((await long ?? 0) > LONG_MS / 2);
  passTurn("a", true);
});

Deno.test("passTurn() gives whoever waits its whole time again, unless nothing was had", async () => {
  await waitForTurn("a", LONG_MS);
  const first = waitForTurn("a", LONG_MS);
  const second = waitForTurn("a", LONG_MS);
  await new Promise((resolve) => setTimeout(resolve, 20));
  passTurn("a", true);
  equal(await first, LONG_MS, "its holder worked");
  await new Promise((resolve) => setTimeout(resolve, 20));
  passTurn("a", false);
  const leftMs = await second ?? 0;
  ok(leftMs < LONG_MS - 10, `${leftMs} of its time are left, not all`);
  passTurn("a", true);
});

/** The file as the runtime of the compiled program knows it. */
function withoutAttempt(file: Deno.FsFile): Deno.FsFile {
  Object.defineProperty(file, "tryLock", { value: undefined });
  return file;
}

const RUNTIMES: readonly (readonly [name: string, open: (file: Deno.FsFile) => Deno.FsFile])[] = [
  ["this runtime", (file) => file],
  ["a runtime without tryLock", withoutAttempt],
];

for (const [name, adapt] of RUNTIMES) {
  Deno.test(`lockWithin() takes a free lock and gives up on a held one, in ${name}`, async () => {
    const folder = await Deno.makeTempDir();
    const open = async () =>
      adapt(await Deno.open(join(folder, "lock"), { read: true, write: true, create: true }));
    try {
      const holder = await open();
      equal(await lockWithin(holder, 0), true);
      const refused = await open();
      equal(await lockWithin(refused, 0), false);
      refused.close();
      const waiting = await open();
      const wait = lockWithin(waiting, 60_000);
      await holder.unlock();
      holder.close();
      equal(await wait, true, "the lock comes when its holder lets it go");
      waiting.close();
      const next = await open();
      equal(await lockWithin(next, 60_000), true, "an attempt that was given up holds nothing");
      next.close();
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

const MODULE = new URL("../../../src/base/processes/lock_file.ts", import.meta.url).href;

async function withPath(action: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await action(join(folder, ".lock"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Starts a process that holds the lock until it is killed. */
async function startHolder(path: string): Promise<Deno.ChildProcess> {
  const code = `import { withLock } from "${MODULE}";
    await withLock("${path}", { timeoutMs: 5000 }, async () => {
      console.log("held");
      await new Promise((resolve) => setTimeout(resolve, 60000));
    });`;
  const args = ["eval", "--no-lock", code];
  const child = new Deno.Command(Deno.execPath(), { args, stdout: "piped" }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  await reader.cancel();
  return child;
}

Deno.test("withLock() gives back what the action gives, and is free again after it throws", () =>
  withPath(async (path) => {
    equal(await withLock(path, { timeoutMs: 100 }, () => Promise.resolve(5)), 5);
    const failing = withLock(path, { timeoutMs: 100 }, () => Promise.reject(new Error("inner")));
    await rejects(failing, { message: "inner" });
    const taken: string[] = [];
    const onTakeover = (holder: string) => taken.push(holder);
    equal(await withLock(path, { timeoutMs: 100, onTakeover }, () => Promise.resolve(6)), 6);
    deepEqual(taken, [], "an action that throws is no death");
  }));

Deno.test("withLock() lets in one at a time, and all in the end", () =>
  withPath(async (path) => {
    let inside = 0;
    let done = 0;
    const work = async () => {
      equal(++inside, 1);
      await new Promise((resolve) => setTimeout(resolve, 2));
      inside--;
      done++;
    };
    await Promise.all(
      Array.from({ length: 20 }, () => withLock(path, { timeoutMs: 10_000 }, work)),
    );
    equal(done, 20);
  }));

Deno.test("withLock() answers busy when another process holds the lock for too long", () =>
  withPath(async (path) => {
    const holder = await startHolder(path);
    const started = performance.now();
    await rejects(withLock(path, { timeoutMs: 150 }, () => Promise.resolve()), { code: "busy" });
    // The holder keeps it for a minute.
    ok(performance.now() - started < 30_000);
    holder.kill("SIGKILL");
    await holder.status;
  }));

Deno.test("the lock of a killed process is free at once, and the takeover is told once", () =>
  withPath(async (path) => {
    const holder = await startHolder(path);
    holder.kill("SIGKILL");
    await holder.status;
    const taken: string[] = [];
    const options = { timeoutMs: 20_000, onTakeover: (name: string) => taken.push(name) };
    await withLock(path, options, () => Promise.resolve());
    await withLock(path, options, () => Promise.resolve());
    deepEqual(taken, [`${holder.pid}`]);
  }));

Deno.test("processes that count up under the lock lose no step", () =>
  withPath(async (path) => {
    const counter = `${path}.counter`;
    await Deno.writeTextFile(counter, "0");
    const code = `import { withLock } from "${MODULE}";
      for (let n = 0; n < 25; n++) {
        await withLock("${path}", { timeoutMs: 20000 }, async () => {
          const value = Number(await Deno.readTextFile("${counter}"));
          await Deno.writeTextFile("${counter}", String(value + 1));
        });
      }`;
    const runs = [1, 2, 3].map(() =>
      new Deno.Command(Deno.execPath(), { args: ["eval", "--no-lock", code] }).output()
    );
    for (const { success } of await Promise.all(runs)) equal(success, true);
    equal(await Deno.readTextFile(counter), "75");
  }));

Deno.test("withLock() says io_failed where the folder does not exist", () =>
  withPath(async (path) => {
    await rejects(withLock(join(path, "x"), { timeoutMs: 50 }, () => Promise.resolve()), {
      code: "io_failed",
    });
  }));

Deno.test("the holder of a lock says how far it is, and whoever waits in vain hears its number", () =>
  withPath(async (path) => {
    equal(await readLockHolder(path), null);
    await withLock(path, { timeoutMs: 60_000 }, async (lock) => {
      deepEqual(await readLockHolder(path), { process: Deno.pid, said: "" });
      await lock.say("a long word");
      await lock.say("short");
      deepEqual(await readLockHolder(path), { process: Deno.pid, said: "short" });
      await rejects(withLock(path, { timeoutMs: 5, hint: "Wait." }, () => Promise.resolve()), {
        code: "busy",
        hint: "Wait.",
        message: new RegExp(`process ${Deno.pid} holds it for over 5 ms`),
      });
    });
    equal(await readLockHolder(path), null);
  }));
