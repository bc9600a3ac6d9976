/** Symbols of a frame against a real index with the real model, and without it. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SYSTEM_CLOCK } from "../../../src/base/clock.ts";
import { createEmbedder } from "../../../src/embedding/mod.ts";
import { Learning } from "../../../src/learning/mod.ts";
import { createSymbolMeasure } from "../../../src/workflow/advance/symbol_measure.ts";
import { openTestIndex } from "../../index/support.ts";
import { createIndexedProject } from "../../explore/indexed_project.ts";
import { COMMON, createProject, FRAME } from "../project_fixture.ts";

const FILES = {
  "src/login.ts": "export class LoginForm {}\nexport function checkPassword() {}\n",
  "src/tax.ts": "export function longestCommonPrefixOfTrie() {}\n",
};
const INPUT = {
  target: ["password check"],
  request: "Make the password check case sensitive",
};

Deno.test("createSymbolMeasure() judges by words, by meaning, and names what is nearer", async () => {
  const embedder = createEmbedder({ maxWorkers: 1 });
  await using project = await createIndexedProject({ files: FILES, index: { embedder } });
  const { index, temp } = project;
  const codeIntelDir = join(temp.dir, ".code-intel");
  const learning = new Learning({
    codeIntelDir,
    clock: SYSTEM_CLOCK,
    findSymbol: () => Promise.resolve([]),
  });
  try {
    const measure = createSymbolMeasure({ index, learning, budgetMs: 120_000 });
    const symbols = ["checkPassword", "authenticate", "longestCommonPrefixOfTrie"];
    const found = await measure({ ...INPUT, symbols });
    deepEqual(found.map(({ symbol, source }) => [symbol, source]), [
      ["checkPassword", "FACT"],
      ["authenticate", "FACT"],
      ["longestCommonPrefixOfTrie", "REJECTED"],
    ]);
    ok((found[1]?.score ?? 0) > (found[2]?.score ?? 1));
    deepEqual(found[2]?.suggestions, ["checkPassword"]);
  } finally {
    embedder.close();
  }

  const none = createEmbedder({ modelFolder: new URL(`${pathToFileURL(temp.dir).href}/none/`) });
  await using test = openTestIndex(temp.repo, { options: { embedder: none } });
  const measure = createSymbolMeasure({ index: test.index, learning });
  const found = await measure({
    ...INPUT,
    symbols: ["checkPassword", "LoginForm", "authenticate"],
  });
  deepEqual(found.map(({ source, defined }) => [source, defined?.places]), [
    ["FACT", ["src/login.ts:2"]],
    [null, ["src/login.ts:1"]],
    [null, []],
  ], "words alone");
});

Deno.test("a frame of a session keeps how sure its symbols are", async () => {
  await using project = await createProject();
  await project.start({ query: "Add a login form" });
  const slots = { target_feature: { value: "login form", quote: "login form" } };
  await project.must({ ...FRAME, ...COMMON, slots, target_symbols: ["LoginForm"] });
  const { frame } = await project.state();
  deepEqual(frame?.symbolSources, { LoginForm: "FACT" });
  equal(frame?.targetSymbols[0], "LoginForm");
});
