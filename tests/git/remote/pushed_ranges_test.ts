/** What a push brings, by the lines that git gives to its hook. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { listPushedRanges } from "../../../src/git/remote/pushed_ranges.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

Deno.test("each pushed branch begins where the remote has it, or before its first commit that no remote has", async () => {
  await using temp = await createTempRepo({ files: { "a.txt": "one\n" } });
  const { git, repo } = temp;
  const none = "0".repeat(40);
  const read = async (...lines: readonly string[]) =>
    await listPushedRanges(repo, lines.map((line) => `${line}\n`).join(""));
  const root = await git("rev-parse", "HEAD");
  const empty = await git("hash-object", "-t", "tree", "/dev/null");
  const push = (oid: string, there = none, ref = "refs/heads/main") =>
    `refs/heads/main ${oid} ${ref} ${there}`;
  // The first push of a repository: its only commit is compared with nothing, several with the first one.
  deepEqual(await read(push(root)), [`${empty}..${root}`]);
  const second = await temp.commit("Second", { "b.txt": "two\n" });
  deepEqual(await read(push(second)), [`${root}..${second}`]);
  await git("update-ref", "refs/remotes/origin/main", root);
  const third = await temp.commit("Third", { "c.txt": "three\n" });
  await git("checkout", "-q", "-b", "other", root);
  const other = await temp.commit("Other", { "d.txt": "four\n" });
  // Another branch than the one that is checked out, and one whose state there is known.
  deepEqual(await read(push(third), push(other, root)), [`${root}..${third}`, `${root}..${other}`]);
  // What is deleted, marked, or there already.
  const old = push(third, none, "refs/tags/v1");
  deepEqual(await read(push(none, third), old, push(root)), []);
  deepEqual(await read(push(third, none, "refs/notes/code-intel"), push(third, third)), []);
  // A remote that went elsewhere: what both have is the base.
  deepEqual(await read(push(third, other)), [`${root}..${third}`]);
  // Where another hook has read the lines.
  deepEqual(await read(), [`${root}..HEAD`]);
});
