/** Changes in watched folders are heard; folders that nobody listed are not watched. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { FolderWatch } from "../../../src/index/looks.ts";

async function waitFor(condition: () => boolean): Promise<boolean> {
  for (let looks = 0; looks < 200 && !condition(); looks++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return condition();
}

Deno.test("a watch hears of a changed, a new and a removed file, and begins anew with start()", async () => {
  const root = await Deno.makeTempDir();
  const watch = new FolderWatch(root);
  try {
    equal(watch.hasChanged, true, "nothing is watched yet");
    await Deno.mkdir(`${root}/src/deep`, { recursive: true });
    await Deno.writeTextFile(`${root}/src/deep/a.ts`, "1");
    const deeds = [
      () => Deno.writeTextFile(`${root}/src/deep/a.ts`, "2"),
      () => Deno.writeTextFile(`${root}/src/new.ts`, "1"),
      () => Deno.remove(`${root}/src/new.ts`),
      () => Deno.mkdir(`${root}/other`),
    ];
    for (const deed of deeds) {
      watch.start([root, `${root}/src`, `${root}/src/deep`]);
      // What was done before the start may still be on its way.
      await new Promise((resolve) => setTimeout(resolve, 50));
      watch.start([root, `${root}/src`, `${root}/src/deep`]);
      equal(watch.hasChanged, false);
      await deed();
      equal(await waitFor(() => watch.hasChanged), true, deed.toString());
    }
    watch.start([root, `${root}/gone`]);
    equal(watch.hasChanged, true, "a folder that is gone cannot be watched");
  } finally {
    watch.close();
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("settle() knows every change that was made before it, and says where it cannot", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir());
  await Deno.mkdir(`${root}/src`);
  const watch = new FolderWatch(root, { folder: () => `${root}/marks` });
  const blind = new FolderWatch(root, { folder: () => null });
  try {
    equal(await watch.settle(100), "blind", "nothing is watched yet");
    await Deno.writeTextFile(`${root}/src/a.ts`, "1");
    await Deno.mkdir(`${root}/marks`);
    await Deno.writeTextFile(`${root}/marks/killed-1`, "");
    await Deno.utime(`${root}/marks/killed-1`, 0, 0);
    watch.start([root, `${root}/src`]);
    const isGone = async () =>
      await Deno.stat(`${root}/marks/killed-1`).then(() => false, () => true);
    for (let looks = 0; looks < 200 && !await isGone(); looks++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    equal(await isGone(), true, "a process that was killed left it long ago");
    // A busy machine may be late now and then; that is told, and another try is made.
    const listMarks = async () =>
      (await Array.fromAsync(Deno.readDir(`${root}/marks`))).map(({ name }) => name);
    const settle = async () => {
      for (let tries = 0; tries < 50; tries++) if (await watch.settle(100) === "settled") return;
      throw new Error("no news at all");
    };
    await settle();
    for (let round = 0; round < 20; round++) {
      watch.start([root, `${root}/src`]);
      await Deno.writeTextFile(`${root}/src/a.ts`, `${round}`);
      await settle();
      deepEqual([...watch.changes ?? []], ["src/a.ts"]);
    }
    watch.start([root, `${root}/src`]);
    await settle();
    deepEqual([...watch.changes ?? []], [], "its own marks are no changes");
    ok((await listMarks()).length <= 1, "the last mark is used again");
    await Deno.remove(`${root}/marks/${(await listMarks())[0] ?? "none"}`).catch(() => {});
    await Deno.writeTextFile(`${root}/src/a.ts`, "more");
    await settle();
    deepEqual([...watch.changes ?? []], ["src/a.ts"], "a mark that somebody removed is made anew");
    blind.start([root, `${root}/src`]);
    deepEqual([await blind.settle(100), blind.changes?.size], ["blind", 0]);
    watch.close();
    deepEqual(await listMarks(), []);
    deepEqual([await watch.settle(100), watch.changes], ["blind", null]);
  } finally {
    watch.close();
    blind.close();
    await Deno.remove(root, { recursive: true });
  }
});
