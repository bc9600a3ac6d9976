/** Lines are those of the file as it is now, however often and however quickly it changes. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { join } from "node:path";
import { LineCache } from "../../../src/resolve/fact_store.ts";

Deno.test("read() gives the lines of each content of a file, and the same ones while it is the same", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir());
  const path = join(root, "a.ts");
  try {
    const memory = new LineCache(root);
    deepEqual(await memory.read("a.ts"), []);
    for (let round = 0; round < 50; round++) {
      // Of one length, so that only a careful look tells one from the next.
      const text = `line ${String(round).padStart(2, "0")}`;
      await Deno.writeTextFile(path, `${text}\r\nend`);
      deepEqual(await memory.read("a.ts"), [text, "end"]);
    }
    // The runtime gives one of the times of a file in whole seconds.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await memory.read("a.ts");
    const settled = await memory.read("a.ts");
    ok(settled === await memory.read("a.ts"), "not read again");
    await Deno.remove(path);
    await Deno.symlink("/etc/hostname", path);
    deepEqual(await memory.read("a.ts"), []);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
