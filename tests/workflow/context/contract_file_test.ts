/** The project's contract file: none, good, faulty in every way, changed while the program runs. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { BUILT_IN_CONTRACT } from "../../../src/phase/contract/contract.ts";
import type { LoadedContract } from "../../../src/workflow/context/contract_file.ts";
import { ContractFile } from "../../../src/workflow/context/contract_file.ts";

async function load(text: string): Promise<LoadedContract> {
  const dir = await Deno.makeTempDir();
  await Deno.writeTextFile(join(dir, "phase_contract.yml"), text);
  const loaded = await new ContractFile(dir, null).load();
  await Deno.remove(dir, { recursive: true });
  return loaded;
}

Deno.test("load() takes the built-in contract where there is no file, and a folder for none", async () => {
  const dir = await Deno.makeTempDir();
  const file = new ContractFile(dir, null);
  equal((await file.load()).contract, BUILT_IN_CONTRACT);
  equal((await new ContractFile(join(dir, "no"), null).load()).warning, null);
  await Deno.mkdir(join(dir, "phase_contract.yml"));
  equal((await file.load()).contract, BUILT_IN_CONTRACT);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("load() lays the file over the built-in contract, key by key", async () => {
  const { contract, warning, problems } = await load(
    "phases:\n  EXPLORATION:\n    instruction: Look well, then submit_phase.\n    min_distinct_tools: 4\n",
  );
  deepEqual([warning, problems], [null, []]);
  equal(contract.EXPLORATION.instruction, "Look well, then submit_phase.");
  equal(contract.EXPLORATION.minDistinctTools, 4);
  deepEqual(contract.EXPLORATION.requiredTools, BUILT_IN_CONTRACT.EXPLORATION.requiredTools);
  deepEqual(contract.Q1, BUILT_IN_CONTRACT.Q1);
});

Deno.test("load() takes an empty file and one of comments for no file", async () => {
  for (const text of ["", "\n", "# nothing\n", "---\n", "{}\n", "\uFEFF"]) {
    const { contract, warning } = await load(text);
    equal(warning, null, JSON.stringify(text));
    deepEqual(contract, BUILT_IN_CONTRACT);
  }
});

/** A faulty file, and the place that the warning has to name. */
const FAULTY: readonly (readonly [string, string, RegExp])[] = [
  ["broken YAML", "phases:\n  EXPLORATION: [\n", /line \d+, column \d+/],
  ["a tab as indentation", "phases:\n\tEXPLORATION:\n", /line 2, column 1/],
  [
    "an unknown phase",
    "phases:\n  EXPLORATON:\n    instruction: x\n",
    /line 2, column 3/,
  ],
  [
    "an unknown key",
    "phases:\n  EXPLORATION:\n    instructions: x\n",
    /Unknown key "instructions" \(line 3, column 5\)/,
  ],
  [
    "a wrong type",
    "phases:\n  EXPLORATION:\n    min_distinct_tools: many\n",
    /line 3, column 5/,
  ],
  ["a list instead of a map", "- EXPLORATION\n", /line 1, column 1/],
  ["a word instead of a map", "EXPLORATION\n", /line 1, column 1/],
  [
    "an alias without its anchor",
    "phases:\n  EXPLORATION:\n    instruction: *bold\n",
    /"bold".*line 3, column 18/,
  ],
  [
    "a wrong entry of a list",
    "phases:\n  EXPLORATION:\n    required_tools:\n      - get_symbols\n      - 7\n",
    /line 5, column 9/,
  ],
  ["a key that is there twice", "phases:\n  Q1: {}\n  Q1: {}\n", /line 3/],
  ["two documents", "phases: {}\n---\nphases: {}\n", /./],
  ["bytes that are no text", "phases:\n  \u0000\u0001: x\n", /./],
];

for (const [name, text, place] of FAULTY) {
  Deno.test(`load() warns of ${name} and goes on with the built-in contract`, async () => {
    const { contract, warning, problems } = await load(text);
    deepEqual(contract, BUILT_IN_CONTRACT);
    match(warning ?? "", /^phase_contract\.yml is not used: /);
    match(warning ?? "", place);
    equal(problems.length > 0, true);
  });
}

Deno.test("load() tells every fault, each with the line of its key", async () => {
  const { warning, problems } = await load(
    "phases:\n  EXPLORATON:\n    instruction: x\n  Q1:\n    instructions: x\n    tools: []\n" +
      "    min_distinct_tools:\n      many\n",
  );
  equal(problems.length, 4);
  for (const place of ["line 2, column 3", "line 5, column 5", "line 6, column 5"]) {
    match(warning ?? "", new RegExp(place));
  }
  match(warning ?? "", /line 7, column 5/, "of the key, not of the value on the next line");
  const broken = await load("phases:\n  Q1: {}\n  Q1: {}\n  Q2: {}\n  Q2: {}\n");
  match(broken.warning ?? "", /line 3.*line 5/);
});

Deno.test("load() counts the faults that it has no room for", async () => {
  const rows = Array.from({ length: 12 }, (_, index) => `  P${index}: {}\n`).join("");
  const { warning, problems } = await load(`phases:\n${rows}`);
  equal(problems.length, 12);
  match(warning ?? "", /; and 2 more$/);
});

Deno.test("load() warns of aliases that explode instead of eating the memory", async () => {
  const rows = ["a: &a [x,x,x,x,x,x,x,x,x]"];
  for (let at = 1; at < 9; at++) {
    const [name, before] = ["abcdefghi"[at], "abcdefghi"[at - 1]];
    rows.push(`${name}: &${name} [${`*${before},`.repeat(9)}]`);
  }
  const { contract, warning } = await load(rows.join("\n"));
  deepEqual(contract, BUILT_IN_CONTRACT);
  match(warning ?? "", /not used/);
});

Deno.test("load() warns of a file that is larger than any contract", async () => {
  const { warning } = await load(`# ${"x".repeat(1024 * 1024)}\n`);
  match(warning ?? "", /Cannot use ".*phase_contract\.yml": it (?:has|is)/);
});

Deno.test("load() reads an older contract file, whose message sections it ignores with one notice", async () => {
  const { warning, notices, contract } = await load(
    "version: '1.16'\ncommon_failures:\n  a: {error: x, message: y}\nfailures:\n  EXPLORATION: {b: {error: x}}\nsuccess: {}\ntool_errors: {}\nsession_messages: {}\nhints: {}\nquery_frame_hints: {}\nwarnings: {}\nphases:\n  EXPLORATION:\n    instruction: Explore, then submit_phase.\n",
  );
  equal(warning, null);
  equal(notices.length, 1);
  equal(contract.EXPLORATION.instruction, "Explore, then submit_phase.");
});

Deno.test("load() reads the file again once it changed, broke, was mended, or went away", async () => {
  const dir = await Deno.makeTempDir();
  const path = join(dir, "phase_contract.yml");
  const file = new ContractFile(dir, null);
  const write = (text: string) => Deno.writeTextFile(path, text);
  await write("phases: {Q1: {instruction: one}}\n");
  equal((await file.load()).contract.Q1.instruction, "one");
  equal(await file.load(), await file.load(), "an unchanged file is not parsed again");
  await write("phases: {Q1: {instruction: second}}\n");
  equal((await file.load()).contract.Q1.instruction, "second");
  await write("phases: [\n");
  match((await file.load()).warning ?? "", /not used/);
  await write("phases: {Q1: {instruction: third one}}\n");
  equal((await file.load()).contract.Q1.instruction, "third one");
  await Deno.remove(path);
  equal((await file.load()).contract, BUILT_IN_CONTRACT);
  await Deno.remove(dir, { recursive: true });
});
