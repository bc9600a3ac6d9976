/** Commits are read as they are, whatever the person's settings say, and one bad commit costs only itself. */
import { deepStrictEqual as deepEqual, rejects, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { listCommitIds, readLog, readShallow } from "../../../src/git/log/read_log.ts";
import { openRepository } from "../../../src/git/repository.ts";
import { createTempRepo } from "../support.ts";

const BOUNDS = { maxFiles: 100, maxPathChars: 9_999, maxMessageChars: 500 };

Deno.test("listPast() lists only what is new, newest first, and ignores commits that are gone", async () => {
  await using temp = await createTempRepo();
  const first = await temp.git("rev-parse", "HEAD");
  const second = await temp.commit("Second", { "a.ts": "1" });
  const third = await temp.commit("Third", { "a.ts": "2" });
  const list = (known: readonly string[], maxCommits = 10) =>
    listCommitIds(temp.repo, { head: third, known, maxCommits });
  deepEqual(await list([]), [third, second, first]);
  deepEqual(await list([first]), [third, second]);
  deepEqual(await list([second, "e".repeat(40)]), [third]);
  deepEqual(await list([], 2), [third, second]);
  const signal = AbortSignal.abort();
  await rejects(listCommitIds(temp.repo, { head: third, known: [], maxCommits: 10, signal }));
});

Deno.test("readPast() follows a move and obeys no setting of what git shows", async () => {
  await using temp = await createTempRepo({ files: { "old.ts": "one\ntwo\nthree\n" } });
  await temp.git("config", "log.showRoot", "false");
  await temp.git("config", "diff.renames", "false");
  await temp.git("config", "format.pretty", "oneline");
  await temp.git("mv", "old.ts", "new\nname.ts");
  const head = await temp.commit("Move it");
  const ids = await listCommitIds(temp.repo, { head, known: [], maxCommits: 10 });
  const commits = await readLog(temp.repo, ids, BOUNDS);
  deepEqual(commits.map(({ message, files }) => [message, files]), [
    ["Move it", [{ path: "new\nname.ts", from: "old.ts" }]],
    ["First", [{ path: "old.ts" }]],
  ]);
});

Deno.test("readPast() reads around a lost object", async () => {
  await using temp = await createTempRepo({ files: { "a.ts": "1\n" } });
  const second = await temp.commit("Second", { "a.ts": "2\n" });
  const tree = await temp.git("rev-parse", `${second}^{tree}`);
  const third = await temp.commit("Third", { "b.ts": "3\n" });
  const head = await temp.commit("Fourth", { "b.ts": "4\n" });
  await Deno.remove(join(temp.dir, ".git/objects", tree.slice(0, 2), tree.slice(2)));
  const ids = await listCommitIds(temp.repo, { head, known: [], maxCommits: 10 });
  const commits = await readLog(temp.repo, ids, BOUNDS);
  deepEqual(commits.map(({ message }) => message), ["Fourth", "First"]);
  equal(ids.includes(third), true);
});

Deno.test("readPast() tells the moves that need no lost contents, and marks those that do", async () => {
  const text = "1\n2\n3\n4\n";
  await using temp = await createTempRepo({ files: { "a.ts": text, "b.ts": `${text}5\n` } });
  const lost = await temp.git("rev-parse", "HEAD:b.ts");
  await temp.git("mv", "a.ts", "c.ts");
  await temp.commit("Move");
  await temp.git("mv", "b.ts", "d.ts");
  const head = await temp.commit("Move and change", { "d.ts": `${text}6\n` });
  await Deno.remove(join(temp.dir, ".git/objects", lost.slice(0, 2), lost.slice(2)));
  const ids = await listCommitIds(temp.repo, { head, known: [], maxCommits: 10 });
  const commits = await readLog(temp.repo, ids, BOUNDS);
  deepEqual(commits.map(({ files, hasOpenMoves }) => [files, hasOpenMoves === true]), [
    [[{ path: "b.ts", isRemoved: true }, { path: "d.ts" }], true],
    [[{ path: "c.ts", from: "a.ts" }], false],
    [[{ path: "a.ts" }, { path: "b.ts" }], false],
  ]);
});

Deno.test("readShallow() names the commits at which a past was cut off", async () => {
  await using temp = await createTempRepo();
  equal(readShallow(temp.repo).size, 0);
  const head = await temp.commit("Second", { "a.ts": "1" });
  const dir = join(temp.dir, "shallow");
  await temp.git("clone", "-q", "--depth=1", `file://${temp.dir}`, dir);
  const clone = await openRepository(dir);
  deepEqual(clone === null ? null : [...readShallow(clone)], [head]);
});
