/** Files that are read for one question: as for the index, bounded in time and size, and forgotten in time. */
import { deepStrictEqual as deepEqual, rejects, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { OWN_THREAD } from "../../src/analysis/analysis_pool.ts";
import type { Analyser } from "../../src/analysis/analyser.ts";
import { AnalysisMemory, createTemporaryIndex } from "../../src/index/peek.ts";
import { createTempRepo } from "../support/temp_repo.ts";

const IN_TIME = { endsAt: Infinity };
const FILES = {
  "a.ts": "export class A {\n  go() {}\n}\n",
  "b.ts": "import { A } from './a.ts';\nnew A().go();\n",
  "c.py": "def c():\n    pass\n",
};

/** Analyses in this thread and counts. */
function countAnalyses(): Analyser & { readonly paths: string[] } {
  const paths: string[] = [];
  return {
    ...OWN_THREAD,
    paths,
    analyse: (job) => {
      paths.push(job.path);
      return OWN_THREAD.analyse(job);
    },
  };
}

Deno.test("createTemporaryIndex() reads each file once and answers by the view of the index", async () => {
  await using temp = await createTempRepo({ files: FILES });
  const analyser = countAnalyses();
  using peek = createTemporaryIndex({ root: temp.dir, analyser });
  await peek.add(["a.ts"], IN_TIME);
  await peek.add(["a.ts", "b.ts", "gone.ts"], IN_TIME);
  deepEqual(analyser.paths, ["a.ts", "b.ts"]);
  const found = await peek.read((view) => ({
    files: view.listFiles().map(({ path }) => path),
    symbols: view.listSymbols("a.ts").map(({ qualifiedName }) => qualifiedName),
    places: view.findOccurrences("A").hits.map(({ path, line, kind }) => `${path}:${line} ${kind}`),
    modules: view.listModules(),
    chunks: view.count().chunks,
  }));
  deepEqual(found, {
    files: ["a.ts", "b.ts"],
    symbols: ["A", "A.go"],
    places: ["a.ts:1 definition", "b.ts:1 import", "b.ts:2 call"],
    modules: ["./a.ts"],
    chunks: 0,
  });
  deepEqual([...peek.parsers], ["tree-sitter"]);
});

Deno.test("createTemporaryIndex() counts what it did not read, and passes over binary files", async () => {
  await using temp = await createTempRepo({ files: FILES });
  await temp.write({ "big.py": `def big(): pass\n${"#".repeat(1024 * 1024)}\n`, "bin.ts": "\0" });
  await Deno.symlink("/etc/passwd", join(temp.dir, "link.ts"));
  using peek = createTemporaryIndex({ root: temp.dir, analyser: OWN_THREAD });
  await peek.add(["big.py", "bin.ts", "link.ts", "c.py"], IN_TIME);
  await peek.add(["a.ts", "b.ts"], { endsAt: performance.now() });
  deepEqual([peek.tooLarge, peek.late], [1, 2]);
  deepEqual(await peek.read((view) => view.listFiles().map(({ path }) => path)), ["c.py"]);
});

Deno.test("createTemporaryIndex() ends with the signal, and what a thread answers later does no harm", async () => {
  await using temp = await createTempRepo({ files: FILES });
  const end = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow: Analyser = {
    ...OWN_THREAD,
    analyse: async (job) => {
      end.abort();
      await promise;
      return await OWN_THREAD.analyse(job);
    },
  };
  const peek = createTemporaryIndex({ root: temp.dir, analyser: { ...slow, concurrency: 9 } });
  await rejects(peek.add(["a.ts", "b.ts"], { ...IN_TIME, signal: end.signal }), {
    name: "AbortError",
  });
  peek[Symbol.dispose]();
  resolve();
  // The analyses that were under way end here.
  await new Promise((done) => setTimeout(done, 50));
});

Deno.test("AnalysisMemory serves the next peek, by content and language, within its bound", async () => {
  await using temp = await createTempRepo({ files: { ...FILES, "copy.ts": FILES["a.ts"] } });
  const analyser = countAnalyses();
  const memory = new AnalysisMemory();
  const ask = async (path: string) => {
    using peek = createTemporaryIndex({ root: temp.dir, analyser, memory });
    await peek.add([path], IN_TIME);
    return await peek.read((view) => view.listSymbols(path).map(({ name }) => name));
  };
  deepEqual(await ask("a.ts"), ["A", "go"]);
  deepEqual(await ask("copy.ts"), ["A", "go"]);
  deepEqual(analyser.paths, ["a.ts"]);
  await temp.write({ "a.ts": "export class Changed {}\n" });
  deepEqual(await ask("a.ts"), ["Changed"]);
  memory.clear();
  await ask("copy.ts");
  deepEqual(analyser.paths, ["a.ts", "a.ts", "copy.ts"]);
  const content = { language: null, parser: "none", isPartial: false, lineCount: 0 } as const;
  const whole = {
    ...content,
    symbols: [],
    occurrences: [],
    imports: [],
    types: null,
    chunks: [],
    counts: new Uint8Array(),
    vectors: null,
  };
  memory.put("one", whole, 5 * 1024 * 1024);
  memory.put("two", whole, 5 * 1024 * 1024);
  deepEqual([memory.get("one"), memory.get("two")], [undefined, whole]);
  equal(memory.get("three"), undefined);
});
