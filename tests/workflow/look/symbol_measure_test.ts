/** Symbols of a frame against a real index and the real table of word vectors. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { createSymbolMeasure } from "../../../src/workflow/look/symbol_measure.ts";
import { NO_LEARNING } from "../../../src/workflow/context/learning.ts";
import { createIndexedProject } from "../../explore/indexed_project.ts";
import { COMMON, createProject, FRAME } from "../project_fixture.ts";

const FILES = {
  "src/login.ts": "export class LoginForm {}\nexport function checkPassword() {}\n",
  "src/tax.ts": "export function mergeSortedHeaps() {}\n",
};
const INPUT = {
  target: ["password check"],
  request: "Make the password check case sensitive",
};

Deno.test("createSymbolMeasure() judges by words, by meaning, and names what is nearer", async () => {
  await using project = await createIndexedProject({ files: FILES });
  const { index } = project;
  const openLearning = () => Promise.resolve(NO_LEARNING);
  const measure = createSymbolMeasure({ index, openLearning });
  const symbols = ["checkPassword", "secret", "authenticate", "mergeSortedHeaps", "Zxqv"];
  const found = await measure({ ...INPUT, symbols });
  deepEqual(found.map(({ symbol, source }) => [symbol, source]), [
    ["checkPassword", "FACT"],
    ["secret", "FACT"],
    ["authenticate", "HYPOTHESIS"],
    ["mergeSortedHeaps", "REJECTED"],
    ["Zxqv", null],
  ]);
  ok((found[2]?.score ?? 0) > (found[3]?.score ?? 1));
  deepEqual(found[3]?.suggestions, ["checkPassword"]);
  deepEqual(found.map(({ defined }) => defined?.places), [
    ["src/login.ts:2"],
    [],
    [],
    ["src/tax.ts:1"],
    [],
  ]);
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
