/** What killed processes left beside files, and who removes it. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import {
  isTemporaryEnding,
  removeLeftTemporaries,
  toTemporaryPath,
} from "../../../src/base/files/atomic_write.ts";
import { withLock } from "../../../src/base/processes/lock_file.ts";

/** The number of a process that has ended. */
async function endedPid(): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), { args: ["--version"], stdout: "null" }).spawn();
  await child.status;
  return child.pid;
}

Deno.test("what a killed process left unfinished stayed for ever: whoever takes a lock of the folder removes it", async () => {
  const folder = join(await Deno.makeTempDir(), "code-intel");
  await Deno.mkdir(folder);
  const old = new Date(Date.now() - 60_000);
  const left = `a.json.${await endedPid()}-0123abcd.tmp`;
  const kept = [
    `a.json.${Deno.pid}-0123abcd.tmp`,
    "a.json",
    "notes.tmp",
    "b.json.0123abcd.tmp",
  ];
  for (const name of [left, ...kept]) {
    await Deno.writeTextFile(join(folder, name), "{");
    await Deno.utime(join(folder, name), old, old);
  }
  const fresh = left.replace("0123abcd", "89abcdef");
  await Deno.writeTextFile(join(folder, fresh), "{");
  await withLock(join(folder, ".lock"), { timeoutMs: 60_000 }, () => Promise.resolve());
  const names = async () =>
    (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name)
      .filter((name) => name !== ".lock").toSorted();
  deepEqual(await names(), [...kept, fresh].toSorted(), "of a living process, or a moment old");
  await removeLeftTemporaries(folder, Date.now() + 3_600_000);
  deepEqual(await names(), kept.slice(0, 3).toSorted(), "an hour later");
});

Deno.test("toTemporaryPath() names the process, and isTemporaryEnding() knows names of older versions too", () => {
  const path = toTemporaryPath("/x/a.json");
  match(path, new RegExp(`^/x/a\\.json\\.${Deno.pid}-[0-9a-f]{8}\\.tmp$`));
  equal(isTemporaryEnding(path.slice("/x/a.json".length)), true);
  equal(isTemporaryEnding(".0123abcd.tmp"), true);
  equal(isTemporaryEnding(".bak.0123abcd.tmp"), false);
  equal(isTemporaryEnding(".tmp"), false);
});
