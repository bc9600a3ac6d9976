/** Texts that nobody would call well formed: cut off, mutated, minified, deeply nested, with other line ends. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Analysis } from "../../src/analysis/analysis.ts";
import { analyseText } from "../../src/analysis/analyse.ts";
import { findChunkFaults } from "../../lab/accuracy/chunk_faults.ts";

const FOLDER = new URL("../fixtures/languages/", import.meta.url);
const MAX_TOKENS = 64;

interface Sample {
  readonly path: string;
  readonly text: string;
}

async function readSamples(): Promise<Sample[]> {
  const samples: Sample[] = [];
  for await (const { name: folder } of Deno.readDir(FOLDER)) {
    for await (const { name } of Deno.readDir(new URL(`${folder}/`, FOLDER))) {
      if (name === "expected.txt") continue;
      const text = await Deno.readTextFile(new URL(`${folder}/${name}`, FOLDER));
      samples.push({ path: name.replace(/\.txt$/, ""), text });
    }
  }
  return samples.sort((a, b) => a.path < b.path ? -1 : 1);
}

function analyse({ path, text }: Sample): Promise<Analysis> {
  return analyseText(text, { path, chunkMaxTokens: MAX_TOKENS });
}

async function check(sample: Sample, note: string): Promise<void> {
  const analysis = await analyse(sample);
  deepEqual(findChunkFaults(sample.text, analysis, MAX_TOKENS * 4), [], `${note}\n${sample.text}`);
}

/** A small generator, so that a failing text can be made again from its seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function mutate(text: string, random: () => number): string {
  const lines = text.split("\n").filter(() => random() > 0.15);
  const whole = lines.join("\n");
  return random() < 0.5 ? whole : whole.slice(0, Math.floor(random() * whole.length));
}

Deno.test("the chunks of every sample, cut small, cover it in order, whatever is taken out of it", async () => {
  for (const sample of await readSamples()) {
    await check(sample, "whole");
    for (let seed = 1; seed <= 4; seed++) {
      await check(
        { ...sample, text: mutate(sample.text, createRandom(seed)) },
        `${sample.path} ${seed}`,
      );
    }
  }
});

Deno.test("analyseText() says the same twice", async () => {
  for (const sample of await readSamples()) deepEqual(await analyse(sample), await analyse(sample));
});

Deno.test("analyseText() finds the same symbols whatever the line ends", async () => {
  const places = ({ symbols }: Analysis) =>
    symbols.map((
      { name, line, column, endLine, startLine },
    ) => [name, line, column, startLine, endLine]);
  for (const { path, text } of await readSamples()) {
    const windows = await analyse({ path, text: text.replaceAll("\n", "\r\n") });
    deepEqual(places(windows), places(await analyse({ path, text })), path);
  }
});

Deno.test("analyseText() reads a text behind a byte order mark", async () => {
  const { symbols } = await analyse({ path: "a.py", text: "\uFEFFdef first():\n    pass\n" });
  deepEqual(symbols.map(({ name, line }) => [name, line]), [["first", 1]]);
});

Deno.test("analyseText() survives deep nesting", async () => {
  const deep = 20_000;
  // Brackets that nothing closes lie side by side in one error, for which the patterns take quadratic time.
  const many = 5_000;
  for (
    const sample of [
      { path: "a.json", text: "[".repeat(deep) + "]".repeat(deep) },
      { path: "a.ts", text: `x = ${"(".repeat(deep)}1${")".repeat(deep)}` },
      { path: "a.py", text: `x = ${"[".repeat(many)}` },
      { path: "a.c", text: `void f() ${"{\n".repeat(many)}` },
      { path: "a.html", text: "<div>".repeat(2_000) },
      { path: "a.js", text: "function f() {\n".repeat(400) },
    ]
  ) {
    await check(sample, sample.path);
  }
});

Deno.test("analyseText() reads minified text, one line and one chunk", async () => {
  const text = Array.from(
    { length: 5_000 },
    (_, index) => `function f${index}(a){return a+${index}}`,
  )
    .join(";");
  const { symbols, chunks } = await analyse({ path: "a.js", text });
  equal(symbols.length, 5_000);
  deepEqual(chunks.map(({ startLine, endLine }) => [startLine, endLine]), [[1, 1]]);
});
