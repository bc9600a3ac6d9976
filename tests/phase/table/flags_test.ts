/** Rows of input and expected output for `src/phase/table/flags.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Flags, GateLevel, Intent } from "../../../src/phase/table/flags.ts";
import {
  checkMode,
  FLAG_NAMES,
  FLAGS,
  hasBranchFlow,
  INTENTS,
  isInvestigation,
} from "../../../src/phase/table/flags.ts";

type Row = readonly [intent: Intent, gateLevel: GateLevel, flags: Flags];

const REFUSED: readonly Row[] = [
  ["MODIFY", "auto", { fast: true, quick: true }],
  ["MODIFY", "full", { fast: true }],
  ["IMPLEMENT", "full", { quick: true }],
  ["INVESTIGATE", "auto", { fast: true }],
  ["QUESTION", "auto", { quick: true }],
  ["MODIFY", "auto", { only_explore: true, fast: true }],
  ["MODIFY", "auto", { only_explore: true, quick: true }],
  ["MODIFY", "auto", { only_verify: true, only_explore: true }],
  ["MODIFY", "auto", { only_verify: true, no_verify: true }],
  ["MODIFY", "auto", { only_verify: true, fast: true }],
  ["MODIFY", "auto", { only_verify: true, quick: true }],
  ["MODIFY", "full", { only_verify: true }],
  ["QUESTION", "auto", { only_verify: true }],
];

for (const [intent, gateLevel, flags] of REFUSED) {
  const name = `${intent} ${gateLevel} ${Object.keys(flags).join("+")}`;
  Deno.test(`R14: checkMode() refuses ${name} with the way to say it right`, () => {
    const problems = checkMode({ intent, gateLevel, flags });
    equal(problems.length > 0, true);
    for (const { code, at, hint } of problems) {
      deepEqual([code, at], ["flags_conflict", "flags"]);
      equal(String(hint ?? "").includes(":") || /[Ss]end/.test(String(hint ?? "")), true);
    }
  });
}

const LEGAL: readonly Row[] = [
  ["MODIFY", "auto", { fast: true, quick: false }],
  ["MODIFY", "full", { no_verify: true, no_quality: true, no_doc: true, no_intervention: true }],
  ["QUESTION", "full", { only_explore: true, no_verify: true }],
  ["MODIFY", "auto", { quick: true, no_verify: true, no_quality: true }],
  ["MODIFY", "auto", { only_verify: true, no_doc: true, no_quality: true, no_intervention: true }],
];

for (const [intent, gateLevel, flags] of LEGAL) {
  Deno.test(`checkMode() lets ${intent} ${gateLevel} ${JSON.stringify(flags)} start`, () => {
    deepEqual(checkMode({ intent, gateLevel, flags }), []);
  });
}

Deno.test("FLAGS has each flag with the option that a person types", () => {
  deepEqual(Object.fromEntries(FLAG_NAMES.map((name) => [name, FLAGS[name].option])), {
    no_verify: "--no-verify",
    no_quality: "--no-quality",
    only_verify: "--only-verify, -v",
    only_explore: "--only-explore, -e",
    fast: "--fast, -f",
    quick: "--quick, -q",
    no_doc: "--no-doc-research, --no-doc",
    no_intervention: "--no-intervention, -ni",
  });
  deepEqual(INTENTS, ["IMPLEMENT", "MODIFY", "INVESTIGATE", "QUESTION"]);
});

const KINDS: readonly (readonly [Intent, Flags, investigates: boolean, branches: boolean])[] = [
  ["IMPLEMENT", {}, false, true],
  ["MODIFY", { fast: true }, false, true],
  ["MODIFY", { quick: true }, false, false],
  ["MODIFY", { only_verify: true }, false, false],
  ["MODIFY", { only_explore: true }, true, false],
  ["INVESTIGATE", {}, true, false],
  ["QUESTION", { no_verify: true }, true, false],
];

for (const [intent, flags, investigates, branches] of KINDS) {
  const name = `${intent} ${Object.keys(flags).join("+")}`;
  Deno.test(`isInvestigation() and hasBranchFlow() tell what ${name} does`, () => {
    equal(isInvestigation({ intent, flags }), investigates);
    equal(hasBranchFlow({ intent, flags }), branches);
  });
}
