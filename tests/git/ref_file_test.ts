/** Branches and HEAD read from files, beside what git says of the same repository. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { readHead, readTip } from "../../src/git/repository.ts";
import {
  isBranchAbsent,
  listRefFiles,
  readBranchFile,
  readHeadFile,
} from "../../src/git/store_files.ts";
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

Deno.test("listRefFiles() lists what git lists, with files of their own and packed", async () => {
  await using temp = await createTempRepo({ files: { a: "a\n" } });
  const { repo } = temp;
  const expectSame = async (start: string, pattern: string) => {
    const said = await temp.git("for-each-ref", "--format=%(refname) %(objectname)", pattern);
    const found = [...listRefFiles(repo, start) ?? [["left to git"]]].map((one) => one.join(" "));
    equal(found.sort().join("\n"), said);
  };
  await expectSame("refs/code-intel/", "refs/code-intel/");
  for (const name of ["x/0001", "x/0002", "x/kept/ledger", "y/0001"]) {
    await temp.git("update-ref", `refs/code-intel/${name}`, "HEAD");
  }
  for (const name of ["llm_task_1", "llm_task_2", "llm", "other#1"]) await temp.git("branch", name);
  const all = [["refs/code-intel/x/", "refs/code-intel/x/"], [
    "refs/heads/llm_task_",
    "refs/heads/llm_task_*",
  ]];
  for (const [start = "", pattern = ""] of all) await expectSame(start, pattern);
  await temp.git("pack-refs", "--all");
  for (const [start = "", pattern = ""] of all) await expectSame(start, pattern);
  // One that is packed and has moved, and one that is new.
  await temp.commit("Second", { a: "b\n" });
  await temp.git("branch", "-f", "llm_task_1", "HEAD");
  await temp.git("update-ref", "refs/code-intel/x/0003", "HEAD");
  for (const [start = "", pattern = ""] of all) await expectSame(start, pattern);
  await temp.git("symbolic-ref", "refs/heads/llm_task_3", "refs/heads/main");
  equal(listRefFiles(repo, "refs/heads/llm_task_"), null);
});

Deno.test("isBranchAbsent() says so only where no file and no packed ref has the name", async () => {
  await using temp = await createTempRepo({ files: { a: "a\n" } });
  const { repo } = temp;
  await temp.git("branch", "packed");
  await temp.git("pack-refs", "--all");
  await temp.git("branch", "own");
  const rows: readonly (readonly [name: string, expected: boolean])[] = [
    ["none", true],
    ["own/none", true],
    ["pack", true],
    ["own", false],
    ["packed", false],
    ["main", false],
    // Left to git: another system may write it in another way.
    ["n\u00f6ne", false],
    ["../none", false],
  ];
  for (const [name, expected] of rows) equal(isBranchAbsent(repo, name), expected, name);
  // Where refs lie in another store, their files say nothing.
  const config = join(repo.gitDir, "config");
  const text = await Deno.readTextFile(config);
  await Deno.writeTextFile(config, `${text}[extensions]\n\trefStorage = reftable\n`);
  equal(isBranchAbsent(repo, "none"), false);
  deepEqual([readBranchFile(repo, "packed"), listRefFiles(repo, "refs/heads/")], [null, null]);
});
