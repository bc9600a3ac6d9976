/** Trees with some files changed: written where they are new, recognised where they are there. */
import { strictEqual as equal } from "node:assert/strict";
import { editTree } from "../../../src/git/index/scratch_index.ts";
import { readTree } from "../../../src/git/repository.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

Deno.test("editTree() takes the likely tree only where the edits lead to exactly it", async () => {
  await using temp = await createTempRepo({ files: { a: "a\n", b: "b\n", c: "c\n" } });
  const { repo } = temp;
  const from = await readTree(repo, "HEAD");
  const blob = await temp.git("rev-parse", "HEAD:a");
  await temp.write({ b: "a\n" });
  await temp.remove("c");
  await temp.git("add", "-A");
  const both = await temp.git("write-tree");
  const b = { path: "b", entry: { mode: "100644", oid: blob } };
  const c = { path: "c", entry: null };
  const known = new Map<string, string>();
  for (const edits of [[b, c], [b], [c], [b, { ...c, entry: b.entry }], []]) {
    const plain = await editTree(repo, from, edits);
    for (const likely of [both, from]) equal(await editTree(repo, from, edits, [likely]), plain);
    known.set(JSON.stringify(edits), plain);
  }
  equal(known.get(JSON.stringify([b, c])), both);
  equal(new Set(known.values()).size, known.size);
  const executable = { path: "b", entry: { mode: "100755", oid: blob } };
  equal(await editTree(repo, from, [executable, c], [both]) === both, false);
});
