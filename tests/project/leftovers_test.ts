/** Files that nobody uses any more. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { join } from "node:path";
import { listStaleFiles } from "../../src/project/leftovers.ts";

Deno.test("listStaleFiles() finds unfinished writes, damaged checkpoints and lone records only", async () => {
  const folder = await Deno.makeTempDir();
  try {
    deepEqual(await listStaleFiles(join(folder, "absent")), []);
    await Deno.mkdir(join(folder, "sessions", "archive"), { recursive: true });
    const [a, b, c] = ["a", "b", "c"].map((letter) => `session_20260101_000000_000${letter}`);
    const names = [
      "config.json",
      "config.json.1a2b3c4d.tmp",
      "sessions/.lock",
      `sessions/${a}.json`,
      `sessions/${a}.records.jsonl`,
      `sessions/${a}.json.corrupt-1`,
      `sessions/${b}.json.prev`,
      `sessions/${b}.records.jsonl`,
      `sessions/${c}.records.jsonl`,
      `sessions/${c}.json.5e6f7a8b.tmp`,
      "sessions/archive/old.tmp",
    ];
    for (const name of names) await Deno.writeTextFile(join(folder, name), "");
    deepEqual((await listStaleFiles(folder)).map(({ path, kind }) => `${kind} ${path}`), [
      "temporary config.json.1a2b3c4d.tmp",
      `damaged sessions/${a}.json.corrupt-1`,
      `temporary sessions/${c}.json.5e6f7a8b.tmp`,
      `orphaned sessions/${c}.records.jsonl`,
    ]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
