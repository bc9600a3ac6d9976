/** The list of files is asked for when it may have changed, and not else. */
import { listProjectFiles } from "../../../src/git/trees/file_lists.ts";
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { FileList } from "../../../src/index/scan/file_list.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

Deno.test("read() lists again after each way in which a list can change, and only then", async () => {
  await using repo = await createTempRepo({ files: { "src/a.ts": "1", ".gitignore": "*.log\n" } });
  await Deno.mkdir(join(repo.dir, "empty/inner"), { recursive: true });
  let aheadMs = 60_000;
  const list = new FileList({
    root: repo.dir,
    listFiles: (options) => listProjectFiles(repo.repo, { ...options, hasRepositories: true }),
    listDependsOn: [join(repo.repo.gitDir, "index"), join(repo.repo.commonDir, "info/exclude")],
    nowMs: () => Date.now() + aheadMs,
  });
  deepEqual(await list.read(), [".gitignore", "src/a.ts"]);
  await list.read();
  equal(list.listings, 1, "nothing changed");
  await repo.write({ "src/a.ts": "2" });
  await list.read();
  equal(list.listings, 1, "another content is no other list");
  const deeds: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["a new file", () => repo.write({ "src/b.ts": "1" })],
    ["a removed file", () => repo.remove("src/b.ts")],
    ["the first file of an empty folder", () => repo.write({ "empty/inner/c.ts": "1" })],
    ["a new folder", () => repo.write({ "x/y/z.ts": "1" })],
    ["an ignore rule", () => repo.write({ ".gitignore": "x/\n*.log\n" })],
    [
      "a rule of this clone",
      () => Deno.writeTextFile(join(repo.repo.commonDir, "info/exclude"), "empty\n"),
    ],
    ["a forgotten file of the index", () => repo.git("rm", "-q", "--cached", "src/a.ts")],
  ];
  for (const [name, deed] of deeds) {
    const before: number = list.listings;
    await deed();
    const found = await list.read();
    equal(list.listings, before + 1, name);
    deepEqual(found, await listProjectFiles(repo.repo), name);
    await list.read();
    equal(list.listings, before + 1, `nothing after ${name}`);
  }
  aheadMs += 11_000;
  const [before, paths, files]: [number, ...(readonly string[])[]] = [
    list.listings,
    await list.read(),
    await list.readFiles(),
  ];
  aheadMs += 11_000;
  equal(await list.read(), paths, "the same array for the same paths");
  equal(list.listings, before + 2, "old");
  equal(files, paths, "no repository lies in it");
  await new Deno.Command("git", { args: ["init", "-q", join(repo.dir, "inner")] }).output();
  deepEqual([await list.read(), list.lastFiles], [[...paths, "inner"].sort(), paths]);
});
