/** The lock between processes: exclusive, bounded in time, and free again after a kill. */
import {
  deepStrictEqual as deepEqual,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { join } from "node:path";
import { readLockHolder, withLock } from "../../../src/base/processes/lock_file.ts";

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
