/** A view that asks ahead answers as the view that it asks, and asks that less often. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { withBatches } from "../../../src/features/hub/batched_view.ts";
import type { IndexView } from "../../../src/index/read/view.ts";
import { createIndexedProject } from "../../explore/indexed_project.ts";
import { SAMPLE } from "../../explore/sample_files.ts";

/** So many files that one round cannot ask for all of them. */
const MANY = Object.fromEntries(
  Array.from({ length: 300 }, (_, at) => [
    `many/file${at}.ts`,
    `import { f${at + 1} } from "./file${
      at + 1
    }.ts";\nexport function f${at}(user: User) {\n  return f${
      at + 1
    }(user.save());\n}\nexport class User${at % 7} { save() { return f${at % 5}(null!); } }\n`,
  ]),
);

/** The view, and how often each of its questions was asked. */
function count(view: IndexView): { readonly counted: IndexView; readonly asked: string[] } {
  const asked: string[] = [];
  const counted = Object.fromEntries(
    Object.entries(view).map(([name, question]) => [
      name,
      (...given: unknown[]) => {
        asked.push(name);
        return (question as (...given: unknown[]) => unknown)(...given);
      },
    ]),
  );
  return { counted: counted as unknown as IndexView, asked };
}

function listDefiners(view: IndexView): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const { name, path } of view.listSymbols(".")) {
    found.set(name, (found.get(name) ?? new Set()).add(path));
  }
  return new Map([...found].map(([name, paths]) => [name, [...paths].sort()]));
}

/** What a walk through code asks. */
function askAll(view: IndexView, paths: readonly string[], names: readonly string[]) {
  view.expectNames(names);
  return {
    places: names.map((name) => view.findOccurrences(name, { limit: 20 })),
    none: view.findOccurrences("nobody", {}),
    named: names.map((name) => view.findSymbols({ name, limit: 3 })),
    folded: view.findSymbols({ name: "LOAD_USER", match: "folded" }),
    below: view.findSymbols({ name: "save", under: "src" }),
    imports: paths.map((path) => view.listImports(path)),
    symbols: paths.map((path) => view.listSymbols(path)),
    types: paths.map((path) => view.listTypes(path)),
    folder: view.listSymbols("src").length,
    files: [...paths, "none.ts", "src"].map((path) => view.getFile(path)),
    gone: [view.listImports("none.ts"), view.listSymbols("none.ts")],
  };
}

Deno.test("asking ahead changes no answer, and asks in few rounds", async () => {
  await using project = await createIndexedProject({ files: { ...SAMPLE, ...MANY } });
  await project.index.read((view) => {
    const paths = view.listFiles().map(({ path }) => path);
    const definers = listDefiners(view);
    const names = [...definers.keys(), "User", "println"];
    const plain = askAll(view, paths, names);
    for (const files of [paths, []]) {
      const { counted, asked } = count(view);
      const list = () => definers;
      const batched = withBatches(counted, { files, listDefiners: list });
      deepEqual(askAll(batched, paths, names), plain);
      ok(asked.length < 90, `${asked.length} of ${4 * paths.length + 2 * names.length} questions`);
    }
    const unknown = withBatches(view, { files: [], listDefiners: () => null });
    deepEqual(askAll(unknown, paths, names), plain);
  });
});
