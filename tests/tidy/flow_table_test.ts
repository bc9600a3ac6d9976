/** The flow stands in its tables: no rule repeats a condition, and nobody keeps a list of effects beside `EFFECTS`. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { FLAG_NAMES } from "../../src/phase/table/flags.ts";
import { EFFECTS } from "../../src/phase/table/effects.ts";
import type { SourceFile } from "./source_files.ts";
import { expectNone, readSourceFiles, toCode } from "./source_files.ts";

/** Where the tables stand: flags and their meaning, conditions, effects. */
const TABLES = [
  "src/phase/table/flags.ts",
  "src/phase/table/conditions.ts",
  "src/phase/table/effects.ts",
];

const FLAG_READ = new RegExp(`\\bflags\\??\\.(${FLAG_NAMES.join("|")})\\b`);
const EFFECT_TEST = new RegExp(
  `\\bkinds?(?: *[!=]== *|\\.includes\\()"(${Object.keys(EFFECTS).join("|")})"`,
);
const EFFECT_LIST = new RegExp(`^ *(${Object.keys(EFFECTS).join("|")}): (?:true|false),`, "m");

Deno.test("rules and workflow ask the tables of the flow, never a flag or the name of an effect", async () => {
  const files = [...await readSourceFiles("src/phase"), ...await readSourceFiles("src/workflow")];
  expectNone(
    files.filter(({ path }) => !TABLES.includes(path)).flatMap(toRepeats),
    "Ask the table of src/phase/table/ instead.",
  );
});

Deno.test("toRepeats() names a flag that is read, and an effect that is compared or listed", () => {
  const rows: readonly (readonly [text: string, expected: readonly string[]])[] = [
    ["if (state.flags.no_quality === true) {", ["a.ts asks the flag no_quality itself"]],
    ["const isQuick = flags?.quick;", ["a.ts asks the flag quick itself"]],
    ["const flags = { ...input.flags, no_intervention: true };", []],
    ['kinds.every((kind) => kind === "commit")', ["a.ts tells the effect commit by its name"]],
    ['if (kinds.includes("merge")) {', ["a.ts tells the effect merge by its name"]],
    ['if (decision === "discard") {', []],
    ["const MOVES = {\n  discard: false,\n};", ["a.ts has a list of effects of its own (discard)"]],
    ["const EXECUTORS = {\n  discard: performDiscard,\n};", []],
    ["// flags.quick === true", []],
  ];
  for (const [text, expected] of rows) deepEqual(toRepeats({ path: "a.ts", text }), expected, text);
});

function toRepeats({ path, text }: SourceFile): readonly string[] {
  const flag = FLAG_READ.exec(toCode(text))?.[1];
  // The names of effects are strings, which the bare code does not have.
  const effect = EFFECT_TEST.exec(text)?.[1];
  const listed = EFFECT_LIST.exec(text)?.[1];
  return [
    ...(flag === undefined ? [] : [`${path} asks the flag ${flag} itself`]),
    ...(effect === undefined ? [] : [`${path} tells the effect ${effect} by its name`]),
    ...(listed === undefined ? [] : [`${path} has a list of effects of its own (${listed})`]),
  ];
}
