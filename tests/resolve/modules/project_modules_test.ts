/** When the build files of a project are looked at again, and when what the index has just seen of them is enough. */
import { notStrictEqual as notEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { ProjectModules } from "../../../src/resolve/modules/project_modules.ts";

Deno.test("ProjectModules makes its map anew with each version of an index that holds the build files, and else by their stamps", async () => {
  const root = await Deno.makeTempDir();
  const list = ["tsconfig.json", "a.ts"];
  const write = async (folder: string) =>
    await Deno.writeTextFile(
      join(root, "tsconfig.json"),
      `{"compilerOptions": {"paths": {"@app/*": ["./${folder}/*"]}}}`,
    );
  const toLooked = (version: number | null, held = list) => ({
    files: list,
    version,
    holds: (path: string) => held.includes(path),
  });
  await write("old");
  const modules = new ProjectModules(root);
  const first = modules.load(list, toLooked(1));
  equal(modules.load(list), first);
  equal(modules.load(list, toLooked(1)), first);
  await write("older");
  // No look saw a change since, so nothing is looked at: whoever asks has just had the look.
  equal(modules.load(list, toLooked(1)), first);
  const second = modules.load(list, toLooked(2));
  notEqual(second, first);
  await write("new");
  notEqual(modules.load(list, toLooked(null)), second);
  // The index leaves the build file out, and nobody but its stamp can tell.
  const third = modules.load(list, toLooked(3, ["a.ts"]));
  await write("newest");
  notEqual(modules.load(list, toLooked(3, ["a.ts"])), third);
});
