/** What a process loads before it does anything: a hook has to answer at once. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { dirname, join } from "node:path/posix";
import type { Import, SourceFile } from "./source_files.ts";
import { expectNone, readSourceFiles, toImports } from "./source_files.ts";

/** Files that are loaded as a whole, and the packages that come with them. */
const ROWS: readonly { readonly entry: string; readonly packages: readonly string[] }[] = [
  { entry: "src/main.ts", packages: [] },
  // A hook outside a session, and one that only glances at it.
  { entry: "src/cli/commands/hook.ts", packages: [] },
  // A hook that asks the write guard or the ledger.
  { entry: "src/services/hook_services.ts", packages: ["zod"] },
  { entry: "src/services/services.ts", packages: ["zod"] },
];

/** What no hook loads: the index, the searches, the model, the protocol, the set-up. Grammars come by package. */
const HEAVY =
  /^src\/(?:analysis|index|resolve|ranking|explore|question|impact|embedding|tools|mcp|project)\//;

/** What hooks outside a session are made of. */
const LIGHT =
  /^src\/(?:main\.ts|features\/features\.ts|features\/\w+\/feature\.ts|phase\/table\/tool|(?:base|cli|clients|hooks|place)\/)/;

Deno.test("each entry loads only the packages that it needs at once", async () => {
  const byPath = await readFiles();
  for (const { entry, packages } of ROWS) {
    const found = toLoaded(entry, byPath).flatMap(({ text }) =>
      toImports(text).filter(isLoaded).map(({ specifier }) => specifier)
        .filter((specifier) => !specifier.startsWith(".") && !specifier.startsWith("node:"))
    );
    deepEqual([...new Set(found)], packages, entry);
  }
});

Deno.test("a hook outside a session loads neither the workflow nor the tools", async () => {
  const byPath = await readFiles();
  const loaded = ["src/main.ts", "src/cli/commands/hook.ts"]
    .flatMap((entry) => toLoaded(entry, byPath));
  expectNone(
    loaded.map(({ path }) => path).filter((path) => !LIGHT.test(path)),
    "Load it by `await import()` where it is needed, or add it to LIGHT in tests/tidy/lean_test.ts.",
  );
});

Deno.test("a hook inside a session loads neither index, searches, model, protocol nor set-up", async () => {
  const byPath = await readFiles();
  const hook = ["src/services/hook_services.ts", "src/cli/commands/hook.ts"]
    .flatMap((entry) => toLoaded(entry, byPath)).map(({ path }) => path);
  expectNone(
    hook.filter((path) => HEAVY.test(path)),
    "Load it by `await import()` where it is needed (HEAVY in tests/tidy/lean_test.ts).",
  );
  const all = toLoaded("src/services/services.ts", byPath).map(({ path }) => path);
  ok(all.some((path) => HEAVY.test(path)), "the pattern finds what the server loads");
  ok(hook.length * 4 < all.length * 3, `${hook.length} files beside ${all.length}`);
});

/** Beside what a start loads: the call of a tool. */
const QUESTION = ["src/cli/commands/serve.ts", "src/mcp/transport/server.ts", "src/tools/call.ts"];

/** What a question about code does without: the engine of sessions, what follows names, reports, commands of people. */
const UNASKED =
  /^src\/(?:workflow\/\w+\/(?!symbol_measure|learning|context_deps|contract_file|guiding_texts)|workflow\/workflow|session\/(?:store\.|session\.)|evidence\/(?!location|runs\/verify_commands)|ledger|pages|features\/\w+\/(?!feature\.)|impact\/|resolve\/|explore\/(?:names|project_explorer)|project\/copies|git\/snapshots\/snapshots\.|analysis\/analyse\.|explore\/text_search)/;

Deno.test("a question about code loads no engine of sessions in the executable, nor what other questions need", async () => {
  const byPath = await readFiles();
  const loaded = [...QUESTION, "src/services/services.ts"]
    .flatMap((entry) => toLoaded(entry, byPath)).map(({ path }) => path);
  expectNone(
    [...new Set(loaded)].filter((path) => UNASKED.test(path)),
    "Load it by `await import()` where it is needed (UNASKED in tests/tidy/lean_test.ts).",
  );
  const all = [...byPath.keys()].filter((path) => UNASKED.test(path));
  ok(all.length > 200, `the pattern finds ${all.length} files of the source`);
});

async function readFiles(): Promise<ReadonlyMap<string, SourceFile>> {
  return new Map((await readSourceFiles("src")).map((file) => [file.path, file]));
}

function isLoaded({ isTypeOnly, isLazy }: Import): boolean {
  return !isTypeOnly && !isLazy;
}

/** Every file that comes with an entry, without those that are loaded when they are needed. */
function toLoaded(entry: string, byPath: ReadonlyMap<string, SourceFile>): readonly SourceFile[] {
  const first = byPath.get(entry);
  const reached = new Map(first === undefined ? [] : [[entry, first]]);
  for (const { path, text } of reached.values()) {
    for (const found of toImports(text).filter(isLoaded)) {
      if (!found.specifier.startsWith(".")) continue;
      const target = byPath.get(join(dirname(path), found.specifier));
      if (target !== undefined) reached.set(target.path, target);
    }
  }
  return [...reached.values()];
}
