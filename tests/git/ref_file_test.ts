/** Branches and HEAD read from files, beside what git says of the same repository. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { readHead, readTip } from "../../src/git/mod.ts";
import { readBranchFile, readHeadFile } from "../../src/git/ref_file.ts";
import { createTempRepo } from "../support/temp_repo.ts";

Deno.test("readHead() and readTip() say what git says, wherever the refs lie", async () => {
  await using temp = await createTempRepo({ files: { a: "a\n" } });
  const { repo } = temp;
  const first = await temp.git("rev-parse", "HEAD");
  deepEqual([readHeadFile(repo), readBranchFile(repo, "main")], [{ branch: "main" }, first]);
  await temp.git("branch", "a/b");
  equal(readBranchFile(repo, "a/b"), first);
  await temp.git("pack-refs", "--all");
  deepEqual([readBranchFile(repo, "main"), readBranchFile(repo, "a/b")], [first, first]);
  deepEqual(await readHead(repo), { kind: "branch", branch: "main", commit: first });
  // A packed ref that moves has both: the file is the newer one.
  const second = await temp.commit("Second", { a: "b\n" });
  deepEqual([readBranchFile(repo, "main"), await readTip(repo, "a/b")], [second, first]);
  await temp.git("checkout", "-q", "--detach", "main");
  deepEqual(await readHead(repo), { kind: "detached", commit: second });
  await temp.git("checkout", "-q", "--orphan", "unborn");
  deepEqual(await readHead(repo), { kind: "branch", branch: "unborn", commit: null });
});

Deno.test("readHead() leaves links, symbolic branches and what is damaged to git", async () => {
  await using temp = await createTempRepo({ files: { a: "a\n" } });
  const { repo } = temp;
  const commit = await temp.git("rev-parse", "HEAD");
  await temp.git("symbolic-ref", "refs/heads/alias", "refs/heads/main");
  equal(readBranchFile(repo, "alias"), null);
  equal(await readTip(repo, "alias"), commit);
  // As gits of long ago wrote a symbolic ref.
  const head = join(repo.gitDir, "HEAD");
  await Deno.remove(head);
  await Deno.symlink("refs/heads/main", head);
  equal(readHeadFile(repo), null);
  deepEqual(await readHead(repo), { kind: "branch", branch: "main", commit });
  await Deno.writeTextFile(join(repo.gitDir, "refs/heads/empty"), "");
  deepEqual([readBranchFile(repo, "empty"), await readTip(repo, "empty")], [null, null]);
});

Deno.test("readBranchFile() takes no name that leads elsewhere", async () => {
  await using temp = await createTempRepo({ files: { a: "a\n" } });
  const { repo } = temp;
  const commit = await temp.git("rev-parse", "HEAD");
  await temp.git("update-ref", "refs/tags/t", commit);
  const rows = [
    "../tags/t",
    "x/../../tags/t",
    "/main",
    "main/",
    "",
    ".",
    "a b",
    "a:b",
    "..\\tags\\t",
  ];
  for (const name of rows) equal(readBranchFile(repo, name), null, name);
});
