/** The folder of a run: no project of a test is taken over by what lies above it. */
import { match, ok, strictEqual as equal } from "node:assert/strict";
import { dirname, join } from "node:path";

import { toInMemory, withTempOfRun } from "../../tools/quick_tests/temp_of_run.ts";

function isThere(path: string): Promise<boolean> {
  return Deno.lstat(path).then(() => true, () => false);
}

Deno.test("withTempOfRun() has a stray .code-intel in the folder and above it, also in memory, and removes all", async () => {
  let folder = "";
  await withTempOfRun(async (env) => {
    folder = env["TMPDIR"] ?? "";
    for (const dir of [folder, dirname(folder)]) {
      match(await Deno.readTextFile(join(dir, ".code-intel/config.json")), /nowhere/);
    }
    await Deno.writeTextFile(join(folder, "left.txt"), "left\n");
    const [program = "cat", ...words] = [...await toInMemory(folder), "cat"];
    const path = join(folder, ".code-intel/config.json");
    const { stdout } = await new Deno.Command(program, { args: [...words, path] }).output();
    match(new TextDecoder().decode(stdout), /nowhere/);
  });
  ok(folder !== "");
  equal(await isThere(dirname(folder)), false);
});
