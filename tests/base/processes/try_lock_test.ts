/** The lock with an end to the waiting, also as a runtime has to do it that cannot ask without waiting. */
import { strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { lockWithin } from "../../../src/base/processes/lock_file.ts";

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
