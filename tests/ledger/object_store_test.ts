/** Contents on a real disk: kept once, given back whole, and never when they were changed. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { ObjectStore, toContentHash } from "../../src/ledger/object_store.ts";
import { giveUp } from "../support/temp_folder.ts";

const BYTES = new TextEncoder().encode("hello\n");

async function createStore() {
  const folder = await Deno.makeTempDir({ prefix: "code-intel-objects-" });
  return {
    store: new ObjectStore(join(folder, "objects")),
    [Symbol.asyncDispose]: () => giveUp(folder),
  };
}

Deno.test("ObjectStore gives back what was put, under the hash of its content", async () => {
  await using made = await createStore();
  const hash = await made.store.put(BYTES);
  equal(hash, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03");
  equal(hash, toContentHash(BYTES));
  // Contents that an older program kept are found where it put them.
  ok(made.store.toPath(hash).endsWith(join("objects", "58", hash)));
  deepEqual(await made.store.get(hash), BYTES);
  equal(await made.store.get(toContentHash(new Uint8Array())), null);
});

Deno.test("ObjectStore gives nothing that was changed on the disk, and no path that is no hash", async () => {
  await using made = await createStore();
  const hash = await made.store.put(BYTES);
  await Deno.writeTextFile(made.store.toPath(hash), "other\n");
  equal(await made.store.get(hash), null);
  equal(await made.store.get("../../etc/passwd"), null);
  await Deno.writeTextFile(made.store.toPath(hash), "longer than it was\n");
  await made.store.put(BYTES);
  deepEqual(await made.store.get(hash), BYTES, "a put mends what has another size");
});

Deno.test("ObjectStore gives a content that is put again a new time, so that it counts as used", async () => {
  await using made = await createStore();
  const path = made.store.toPath(await made.store.put(BYTES));
  await Deno.utime(path, new Date(0), new Date(0));
  await made.store.put(BYTES);
  ok(((await Deno.stat(path)).mtime?.getTime() ?? 0) > 0);
});
