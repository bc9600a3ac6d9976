/** Every stage against the payload of every other stage: what does not belong changes nothing. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Stage } from "../../src/phase/table/phases.ts";
import { STAGES } from "../../src/phase/table/phases.ts";
import { PAYLOAD, submit, toState } from "../phase/samples.ts";
import { STEP } from "./walk.ts";

/** Pairs whose payload is legal all the same. */
const LEGAL: readonly (readonly [at: Stage, sent: Stage, why: string])[] = [
  ["READY_IMPL", "READY_PLAN", "a plan may be made again while it is worked off"],
  ["MERGE", "READY_COMPLETE", "both are the summary alone"],
];

const WORKING = (Object.keys(STEP) as Stage[]).filter((stage) => stage !== "SESSION_COMPLETE");

Deno.test("the stages of the engine are those of the matrix", () => {
  deepEqual([...STAGES].sort(), Object.keys(STEP).sort());
});

for (const stage of WORKING) {
  Deno.test(`decide() takes the payload of ${stage} there and refuses all others unchanged`, () => {
    for (const sent of WORKING) {
      const state = toState(stage);
      const decision = submit(state, PAYLOAD[sent]);
      const isLegal = sent === stage ||
        LEGAL.some(([at, payload]) => at === stage && payload === sent);
      equal(decision.kind === "refused", !isLegal, `${sent} sent at ${stage}`);
      if (decision.kind !== "refused") continue;
      equal(decision.error, "payload_mismatch", `${sent} sent at ${stage}`);
      const { lastProblems, ...rest } = decision.state;
      const { lastProblems: before, ...unchanged } = state;
      deepEqual(rest, unchanged, `${sent} sent at ${stage} changed the state`);
      deepEqual(lastProblems, decision.problems);
      deepEqual(before, []);
      for (const problem of decision.problems) {
        equal((problem.hint ?? "") !== "", true, `${problem.code} has no hint`);
      }
    }
  });
}

Deno.test("R15: after the end every payload is answered with session_ended and start_session", () => {
  const over = toState("SESSION_COMPLETE", { status: "ended", end: "merged" });
  for (const sent of WORKING) {
    const decision = submit(over, PAYLOAD[sent]);
    equal(decision.kind === "refused" ? decision.error : decision.kind, "session_ended");
    const hint = decision.kind === "refused" ? decision.problems[0]?.hint : "";
    equal(/start_session/.test(String(hint ?? "")), true);
  }
});

Deno.test("a parked session takes no payload of any stage, and can be abandoned", () => {
  for (const stage of WORKING) {
    const parked = toState(stage, { status: "parked" });
    const decision = submit(parked, PAYLOAD[stage]);
    equal(decision.kind === "refused" ? decision.error : decision.kind, "session_parked");
    equal(submit(parked, { abandon: true, reason: "not needed" }).kind, "perform");
  }
});
