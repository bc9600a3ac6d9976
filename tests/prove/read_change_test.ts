/** Which two trees are compared, for each way to name a change. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { openRepository } from "../../src/git/repository.ts";
import { createTrees } from "../../src/ledger/trees.ts";
import type { ChangeRequest } from "../../src/prove/read_change.ts";
import { readChange } from "../../src/prove/read_change.ts";
import { createTempRepo } from "../support/temp_repo.ts";

async function setUp() {
  const temp = await createTempRepo({ files: { "a.txt": "one\n" } });
  const repo = await openRepository(temp.dir);
  if (repo === null) throw new Error("no repository");
  const read = async (request: ChangeRequest) => {
    const found = await readChange({ repo, trees: createTrees(repo) }, request, { maxFileMb: 1 });
    return found.kind === "refused"
      ? found.problem.code
      : found.change.files.map(({ path, kind }) => `${kind} ${path}`);
  };
  const write = (path: string, text: string) => Deno.writeTextFile(join(temp.dir, path), text);
  const commit = async () => {
    await repo.git.line(["add", "-A"]);
    await repo.git.line(["commit", "-q", "-m", "more"]);
  };
  return { read, write, commit, dir: temp.dir, git: repo.git };
}

Deno.test("the worktree with what is untracked, the index, a commit and a range are each compared with their base", async () => {
  const { read, write, commit, git } = await setUp();
  deepEqual(await read({ kind: "worktree", base: null }), []);
  await write("b.txt", "two\n");
  await commit();
  await write("a.txt", "changed\n");
  await git.line(["add", "a.txt"]);
  await write("c.txt", "new\n");
  deepEqual(await read({ kind: "worktree", base: null }), ["modified a.txt", "added c.txt"]);
  deepEqual(await read({ kind: "worktree", base: "HEAD~1" }), [
    ...["modified a.txt", "added b.txt", "added c.txt"],
  ]);
  deepEqual(await read({ kind: "staged", base: null }), ["modified a.txt"]);
  deepEqual(await read({ kind: "commit", commit: "HEAD", base: null }), ["added b.txt"]);
  deepEqual(await read({ kind: "commit", commit: "HEAD~1", base: null }), ["added a.txt"]);
  deepEqual(await read({ kind: "range", range: "HEAD~1..HEAD" }), ["added b.txt"]);
});

Deno.test("where a branch has an upstream, its commits that nobody has yet count as the change", async () => {
  const { read, write, commit, git } = await setUp();
  const branch = await git.line(["symbolic-ref", "--short", "HEAD"]);
  await git.line(["branch", "shared"]);
  await git.line(["branch", "--set-upstream-to=shared", branch]);
  await write("b.txt", "two\n");
  await commit();
  await write("c.txt", "three\n");
  deepEqual(await read({ kind: "worktree", base: null }), ["added b.txt", "added c.txt"]);
});

Deno.test("a name that is no commit is refused, an option is never taken for one", async () => {
  const { read } = await setUp();
  equal(await read({ kind: "commit", commit: "nowhere", base: null }), "unknown_commit");
  equal(await read({ kind: "worktree", base: "--all" }), "unknown_commit");
  equal(await read({ kind: "range", range: "HEAD" }), "no_range");
  equal(await read({ kind: "range", range: "nowhere" }), "unknown_commit");
  equal(await read({ kind: "range", range: "x..HEAD" }), "unknown_commit");
});

Deno.test("a commit whose parent a shallow clone lacks is refused, the first commit is compared with nothing", async () => {
  const { read, write, commit, dir, git } = await setUp();
  await write("b.txt", "two\n");
  await commit();
  const shallow = await Deno.makeTempDir();
  const args = ["clone", "-q", "--depth=1", `file://${dir}`, shallow];
  equal((await new Deno.Command("git", { args }).output()).success, true);
  const repo = await openRepository(shallow);
  if (repo === null) throw new Error("no repository");
  const place = { repo, trees: createTrees(repo) };
  const found = await readChange(place, { kind: "commit", commit: "HEAD", base: null }, {
    maxFileMb: 1,
  });
  if (found.kind !== "refused") throw new Error("it was compared with nothing");
  equal(found.problem.code, "parent_missing");
  match(`${found.problem.hint}`, /--deepen=1/);
  const empty = await git.line(["mktree"]);
  deepEqual(await read({ kind: "range", range: `${empty}..HEAD~1` }), ["added a.txt"]);
});
