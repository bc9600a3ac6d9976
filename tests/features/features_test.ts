/** The table of features: each folder has its row, and what a row names is there. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { join } from "node:path";
import { listCommands } from "../../src/cli/commands.ts";
import { FEATURES } from "../../src/features/features.ts";
import { ROOT } from "../tidy/source_files.ts";

Deno.test("FEATURES has one row for each folder of src/features", async () => {
  const folders = (await Array.fromAsync(Deno.readDir(join(ROOT, "src/features"))))
    .flatMap(({ name, isDirectory }) => isDirectory ? [name] : []);
  deepEqual(FEATURES.map(({ name }) => name).toSorted(), folders.toSorted());
});

Deno.test("what a feature names is there: its commands load, its threads and files exist", async () => {
  for (const { name, commands, threads = [], files = [] } of FEATURES) {
    for (const { load } of commands) ok((await load()).usage !== undefined, name);
    for (const path of [...threads, ...files]) ok((await Deno.stat(join(ROOT, path))).isFile, path);
  }
});

Deno.test("listCommands() without features has no command of one", () => {
  const own = FEATURES.flatMap(({ commands }) => commands.map(({ name }) => name));
  const core = listCommands([]).map(({ name }) => name);
  deepEqual(core.filter((name) => own.includes(name)), []);
  deepEqual(listCommands(FEATURES).map(({ name }) => name), [...core, ...own]);
});
