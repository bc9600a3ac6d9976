/** The file of the past: what was kept comes back, and what is damaged costs only itself. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { LogCommit } from "../../src/git/log/read_log.ts";
import { HistoryFile } from "../../src/history/history_file.ts";

/** Gives a test a folder that need not exist, in one that is removed after it. */
function inFolder(test: (folder: string) => Promise<void>): () => Promise<void> {
  return async () => {
    const dir = await Deno.makeTempDir({ prefix: "code-intel-test-" });
    try {
      await test(join(dir, "code-intel"));
    } finally {
      await Deno.remove(dir, { recursive: true });
    }
  };
}

const COMMIT: LogCommit = {
  id: "1".repeat(40),
  parents: ["2".repeat(40)],
  atSeconds: 5,
  message: 'Move "it"\nand more',
  changed: 3,
  files: [{ path: "a\nb.ts" }, { path: "new", from: "old" }, { path: "gone", isRemoved: true }],
};
const OTHER: LogCommit = { ...COMMIT, id: "2".repeat(40), parents: [], files: [] };

Deno.test(
  "HistoryFile.load() gives back what another process added",
  inFolder(async (folder) => {
    const file = new HistoryFile(folder);
    equal((await file.load()).commits.size, 0);
    await file.withLock(async () => {
      await file.add([COMMIT]);
    });
    const reader = new HistoryFile(folder);
    deepEqual([...(await reader.load()).commits.values()], [COMMIT]);
    await file.add([OTHER], COMMIT.id);
    const { commits, tips } = await reader.load();
    deepEqual([...commits.keys()], [COMMIT.id, OTHER.id]);
    deepEqual(tips, [COMMIT.id]);
  }),
);

Deno.test(
  "HistoryFile.load() skips an unfinished line, and what is added after it is whole",
  inFolder(async (folder) => {
    const file = new HistoryFile(folder);
    await file.withLock(() => file.add([COMMIT], COMMIT.id));
    const path = join(folder, "history.jsonl");
    await Deno.writeTextFile(path, '["333", ["44', { append: true });
    await file.add([OTHER], OTHER.id);
    for (const line of ['{"tip":5}', "[1,2]", '["x",[],"5","",0,[]]', "null"]) {
      await Deno.writeTextFile(path, `${line}\n`, { append: true });
    }
    const { commits, tips } = await new HistoryFile(folder).load();
    deepEqual([...commits.values()], [COMMIT, OTHER]);
    deepEqual(tips, [COMMIT.id, OTHER.id]);
  }),
);

Deno.test(
  "HistoryFile makes a file of another form anew",
  inFolder(async (folder) => {
    await Deno.mkdir(folder);
    await Deno.writeTextFile(join(folder, "history.jsonl"), '{"history":99}\n["x"]\n');
    const file = new HistoryFile(folder);
    equal((await file.load()).commits.size, 0);
    await file.add([COMMIT], COMMIT.id);
    deepEqual([...(await new HistoryFile(folder).load()).commits.keys()], [COMMIT.id]);
    await file.replace({ commits: new Map([[OTHER.id, OTHER]]), tips: [OTHER.id], reach: "" });
    const { commits, tips } = await new HistoryFile(folder).load();
    deepEqual([[...commits.keys()], tips], [[OTHER.id], [OTHER.id]]);
    // What was read with another reach is looked through again.
    await file.add([{ ...COMMIT, hasOpenMoves: true }], COMMIT.id, "more");
    const more = await new HistoryFile(folder).load();
    deepEqual([more.tips, more.reach], [[COMMIT.id], "more"]);
    equal(more.commits.get(COMMIT.id)?.hasOpenMoves, true);
  }),
);
