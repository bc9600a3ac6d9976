/** Refs of the program made as files: what git reads of them, and what is left to git. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { createOwnRef } from "../../../src/git/index/own_store.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const REF = "refs/code-intel/session_1/0001";

Deno.test("createOwnRef() makes a ref that git knows, once, and leaves nothing beside it", async () => {
  await using temp = await createTempRepo();
  const { repo } = temp;
  const first = await temp.git("rev-parse", "HEAD");
  equal(await createOwnRef(repo, REF, first), true);
  equal(await temp.git("rev-parse", REF), first);
  const second = await temp.commit("Second", { "a.ts": "a\n" });
  equal(await createOwnRef(repo, REF, second), false);
  equal(await temp.git("rev-parse", REF), first);
  const left = await Array.fromAsync(Deno.readDir(join(repo.gitDir, "code-intel")));
  deepEqual(left.map(({ name }) => name), []);
  await temp.git("fsck", "--strict");
  // Packed, the file is gone, and the name is still taken.
  await temp.git("pack-refs", "--all");
  equal(await temp.exists(`.git/${REF}`), false);
  equal(await createOwnRef(repo, REF, second), false);
  await temp.git("update-ref", "-d", REF);
  equal(await createOwnRef(repo, REF, second), true);
});

Deno.test("createOwnRef() leaves to git what it cannot know", async () => {
  await using temp = await createTempRepo();
  const { repo } = temp;
  const head = await temp.git("rev-parse", "HEAD");
  const absent = "1".repeat(head.length);
  equal(await createOwnRef(repo, REF, absent), false);
  await temp.git("gc", "-q");
  equal(await createOwnRef(repo, REF, head), false);
  equal(await createOwnRef(repo, REF, head, { isKept: true }), true);
  const outside = await Deno.makeTempDir();
  const folder = join(repo.gitDir, "refs/code-intel");
  await Deno.remove(folder, { recursive: true });
  await Deno.symlink(outside, folder);
  equal(await createOwnRef(repo, REF, head, { isKept: true }), false);
  deepEqual(await Array.fromAsync(Deno.readDir(outside)), []);
  await Deno.remove(folder);
  for (const setting of ["core.sharedRepository=group", "extensions.refStorage=reftable"]) {
    const [key = "", value = ""] = setting.split("=");
    await temp.write({
      ".git/config": `[${key.split(".")[0]}]\n\t${key.split(".")[1]} = ${value}\n`,
    });
    equal(await createOwnRef(repo, REF, head, { isKept: true }), false, setting);
  }
  await Deno.remove(outside, { recursive: true });
});
