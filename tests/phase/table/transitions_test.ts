/** Rows of input and expected output for `src/phase/table/transitions.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal, throws } from "node:assert/strict";
import {
  EXITS,
  findExit,
  findNextStage,
  framesRequest,
  hasOutcome,
  listRequiredPhases,
  TRANSITIONS,
  verifiesWork,
} from "../../../src/phase/table/transitions.ts";
import type { BeginInput } from "../../../src/phase/begin.ts";
import type { Effect, EffectResult } from "../../../src/phase/state.ts";
import type { Outcome, Stage } from "../../../src/phase/table/phases.ts";
import { STAGES } from "../../../src/phase/table/phases.ts";
import { toState } from "../samples.ts";

Deno.test("every row of TRANSITIONS can be taken: none hides behind a row without a condition", () => {
  const hidden = TRANSITIONS.filter((row, index) =>
    TRANSITIONS.slice(0, index).some((before) =>
      before.from === row.from && before.on === row.on &&
      (before.when ?? []).every((condition) => row.when?.includes(condition))
    )
  );
  deepEqual(hidden, []);
});

Deno.test("every pair of stage and outcome with conditions ends in a row without one", () => {
  const pairs = new Set(TRANSITIONS.map(({ from, on }) => `${from} ${on}`));
  const open = [...pairs].filter((pair) =>
    !TRANSITIONS.some(({ from, on, when }) => `${from} ${on}` === pair && when === undefined)
  );
  deepEqual(open, []);
});

Deno.test("every stage but the end has a way on, and nothing leaves the end", () => {
  const from = new Set(TRANSITIONS.map((row) => row.from));
  deepEqual(STAGES.filter((stage) => !from.has(stage)), ["SESSION_COMPLETE"]);
});

/** What git may answer to the effects of a stage: each has its row. */
const ANSWERS: readonly (readonly [Stage, Effect["kind"], EffectResult["outcome"]])[] = [
  ["PRE_COMMIT", "commit", "hooks_changed"],
  ["PRE_COMMIT", "commit", "hook_failed"],
  ["PRE_COMMIT", "commit", "message_refused"],
  ["PRE_COMMIT", "commit", "hook_broken"],
  ["PRE_COMMIT", "commit", "no_changes"],
  ["PRE_COMMIT", "discard", "evidence_stale"],
  ["QUALITY_REVIEW", "commit", "hooks_changed"],
  ["QUALITY_REVIEW", "commit", "hook_failed"],
  ["QUALITY_REVIEW", "commit", "message_refused"],
  ["QUALITY_REVIEW", "commit", "hook_broken"],
  ["MERGE", "merge", "conflict"],
  ["MERGE", "merge", "no_changes"],
  ["MERGE", "merge", "taken_back"],
];

for (const [stage, effect, outcome] of ANSWERS) {
  Deno.test(`TRANSITIONS has a row for ${outcome} after ${effect} at ${stage}`, () => {
    equal(TRANSITIONS.some(({ from, on }) => from === stage && on === outcome), true);
  });
}

Deno.test("findNextStage() stops at a move that the table does not have", () => {
  throws(
    () => findNextStage(toState("Q1"), "merged" as Outcome),
    /no transition from Q1 on merged/,
  );
});

Deno.test("where the person has to be asked, and only there, a question stands on the row", () => {
  const odd = TRANSITIONS.filter(({ to, asks }) => (to === "stay") !== (asks !== undefined));
  deepEqual(odd, []);
});

Deno.test("leaving is no outcome of a stage: EXITS are open at all of them", () => {
  const own = EXITS.filter(({ on }) => TRANSITIONS.some((row) => row.on === on));
  deepEqual(own, []);
  deepEqual([findExit("parked")?.to, findExit("abandoned")?.end, findExit("done")], [
    "parked",
    "abandoned",
    undefined,
  ]);
});

Deno.test("hasOutcome() says where the agent may go back and what the person may override", () => {
  const list = (on: Outcome) => STAGES.filter((stage) => hasOutcome(stage, on));
  deepEqual(list("back"), [
    "Q1",
    "SEMANTIC",
    "Q2",
    "VERIFICATION",
    "Q3",
    "IMPACT_ANALYSIS",
    "READY_PLAN",
    "READY_IMPL",
    "READY_COMPLETE",
  ]);
  deepEqual(list("accepted"), [
    "READY_IMPL",
    "READY_COMPLETE",
    "POST_IMPL_VERIFY",
    "VERIFY_INTERVENTION",
    "QUALITY_REVIEW",
  ]);
});

Deno.test("framesRequest() is for every flow but the one that begins with the verification", () => {
  const rows: readonly (readonly [expected: boolean, begin: Partial<BeginInput>])[] = [
    [true, {}],
    [true, { flags: { no_doc: true } }],
    [true, { flags: { quick: true } }],
    [true, { intent: "QUESTION" }],
    [false, { flags: { only_verify: true } }],
  ];
  for (const [expected, begin] of rows) {
    equal(framesRequest(toState("QUERY_FRAME", { begin })), expected, JSON.stringify(begin));
  }
});

Deno.test("verifiesWork() is for sessions that write and do not skip step 15", () => {
  const rows: readonly (readonly [expected: boolean, begin: Partial<BeginInput>])[] = [
    [true, {}],
    [true, { flags: { quick: true } }],
    [true, { flags: { fast: true, no_quality: true } }],
    [false, { flags: { no_verify: true } }],
    [false, { flags: { only_verify: true } }],
    [false, { flags: { only_explore: true } }],
    [false, { intent: "QUESTION" }],
    [false, { intent: "INVESTIGATE" }],
  ];
  for (const [expected, begin] of rows) {
    equal(verifiesWork(toState("DOCUMENT_RESEARCH", { begin })), expected, JSON.stringify(begin));
  }
});

Deno.test("listRequiredPhases() leaves out what is optional unless the mode demands it", () => {
  const rows: readonly (readonly [Partial<BeginInput>, string])[] = [
    [
      { flags: { no_doc: true } },
      "QUERY_FRAME EXPLORATION Q1 Q2 Q3 READY POST_IMPL_VERIFY PRE_COMMIT QUALITY_REVIEW MERGE",
    ],
    [{ flags: { quick: true, no_doc: true } }, "QUERY_FRAME READY POST_IMPL_VERIFY"],
    [{ flags: { only_verify: true } }, "POST_IMPL_VERIFY"],
    [
      { intent: "QUESTION", gateLevel: "full" },
      "DOCUMENT_RESEARCH QUERY_FRAME EXPLORATION Q1 SEMANTIC Q2 VERIFICATION Q3 IMPACT_ANALYSIS",
    ],
  ];
  for (const [begin, expected] of rows) {
    equal(listRequiredPhases(toState("QUERY_FRAME", { begin })).join(" "), expected);
  }
});
