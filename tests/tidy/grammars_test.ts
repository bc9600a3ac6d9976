/** The vendored grammars are what their packages ship, by hash, without a network. */
import { deepStrictEqual as deepEqual, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { findDifferences, readManifest, WASM_FOLDER } from "../../tools/grammars/manifest.ts";
import { expectNone, ROOT } from "./source_files.ts";

Deno.test("each file in wasm/ is the one of the manifest (deno task grammars --check)", async () => {
  expectNone(await findDifferences(), "Run `deno task grammars NAME`.");
});

Deno.test("findDifferences() names a changed, a missing and an unknown file", async () => {
  const folder = await Deno.makeTempDir();
  try {
    for await (const { name } of Deno.readDir(WASM_FOLDER)) {
      await Deno.copyFile(join(WASM_FOLDER, name), join(folder, name));
    }
    const changed = await Deno.readFile(join(folder, "go.wasm.br"));
    changed[20] = (changed[20] ?? 0) ^ 1;
    await Deno.writeFile(join(folder, "go.wasm.br"), changed);
    await Deno.remove(join(folder, "lua.wasm.br"));
    await Deno.writeTextFile(join(folder, "extra.wasm.br"), "x");
    deepEqual(await findDifferences(folder), [
      "extra.wasm.br is not in the manifest",
      "go.wasm.br was changed",
      "lua.wasm.br is missing",
    ]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("each grammar has its licence text, its row in the list of dependencies, and an exact version", async () => {
  const licences = await Deno.readTextFile(join(WASM_FOLDER, "LICENSES.md"));
  const dependencies = await Deno.readTextFile(join(ROOT, "docs", "dependencies.md"));
  const named = new Set(
    [...licences.matchAll(/^## (.+)$/gm)].flatMap(([, names = ""]) => names.split(", ")),
  );
  for (const entry of await readManifest()) {
    match(entry.version, /^\d+\.\d+\.\d+$/);
    ok(named.has(entry.name), `${entry.name} has no licence text`);
    const row = `| \`${entry.package}\` | ${entry.version} |`;
    ok(dependencies.includes(row), `docs/dependencies.md lacks "${row}"`);
  }
});
