/** Follows every place of a name in a small project that the real parsers read. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { Analysis } from "../../src/analysis/analysis.ts";
import type { SymbolHit } from "../../src/index/read/view.ts";
import { isBuildFile, readBuildFacts } from "../../src/resolve/modules/build_files.ts";
import { analyseText } from "../../src/analysis/analyse.ts";
import { OWN_THREAD } from "../../src/analysis/analysis_pool.ts";
import { createTemporaryIndex } from "../../src/index/peek.ts";
import { createModuleMap, findModulePlace } from "../../src/resolve/modules/module_map.ts";
import { readFileTypes } from "../../src/resolve/lines/local_types.ts";
import type { ProjectFacts } from "../../src/resolve/reference_facts.ts";
import { resolveReference } from "../../src/resolve/resolver.ts";

type Files = Readonly<Record<string, string>>;

interface Read {
  readonly text: string;
  readonly analysis: Analysis;
  readonly symbols: readonly SymbolHit[];
}

async function readAll(files: Files): Promise<ReadonlyMap<string, Read>> {
  const all = new Map<string, Read>();
  using peek = createTemporaryIndex({ root: "", analyser: OWN_THREAD });
  for (const [path, text] of Object.entries(files)) {
    const analysis = await analyseText(text, { path, chunkMaxTokens: 512 });
    await peek.addText(text, { path });
    all.set(path, { text, analysis, symbols: await peek.read((view) => view.listSymbols(path)) });
  }
  return all;
}

function toFacts(all: ReadonlyMap<string, Read>, name: string): ProjectFacts {
  const everything = [...all.values()].flatMap(({ symbols }) => symbols);
  const texts = new Map([...all].map(([path, { text }]) => [path, text]));
  const build = new Map([...texts].filter(([path]) => isBuildFile(path)));
  const modules = createModuleMap([...all.keys()], readBuildFacts(build));
  return {
    isFile: (file) => all.has(file),
    imports: (file) => all.get(file)?.analysis.imports ?? [],
    types: (file) => ({
      byName: Map.groupBy(all.get(file)?.analysis.types ?? [], ({ name }) => name),
    }),
    symbols: (file) => all.get(file)?.symbols ?? [],
    findModule: (module, from, family) => {
      const question = { from, family };
      return findModulePlace(module, question, () => modules.find(module, question));
    },
    localTypes: (file, wanted) =>
      readFileTypes(file, texts.get(file) ?? "").filter((one) => one.name === wanted),
    lineText: (file, line) => texts.get(file)?.split("\n")[line - 1],
    named: (wanted) => everything.filter((hit) => hit.name === wanted),
    writes: (file) =>
      (all.get(file)?.analysis.occurrences ?? [])
        .filter((one) =>
          one.name === name && one.kind === "write" && one.receiver === undefined &&
          one.isLocal !== true
        )
        .map(({ line }) => line),
  };
}

/** What the rules ask about these files, for places of `name`. */
export async function readFacts(files: Files, name: string): Promise<ProjectFacts> {
  return toFacts(await readAll(files), name);
}

/** Every place of `name` in the file, as `line -> definition`. */
async function follow(files: Files, path: string, name: string): Promise<readonly string[]> {
  const all = await readAll(files);
  const own = all.get(path)?.analysis;
  const facts = toFacts(all, name);
  return (own?.occurrences ?? []).filter((one) => one.name === name).map((one) => {
    const hit = resolveReference({ ...one, path, language: own?.language ?? null }, facts);
    return `${one.line} -> ${hit === null ? "?" : `${hit.path}:${hit.line}`}`;
  });
}

/** A test: each row is a file, a name, and where each place of the name in the file leads. */
export function check(
  title: string,
  files: Files,
  rows: readonly (readonly [path: string, name: string, expected: readonly string[]])[],
): void {
  Deno.test(`resolveReference() ${title}`, async () => {
    for (const [path, name, expected] of rows) {
      deepEqual(await follow(files, path, name), expected, `${name} in ${path}`);
    }
  });
}
