/** What the end of a turn says of a change, and when it is silent. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import type { StopMemory, TurnEnd } from "../../src/prove/stop_decision.ts";
import { decideStop, NEW_CONVERSATION, planStop } from "../../src/prove/stop_decision.ts";
import type { Proof, ProofFinding, VerdictKind } from "../../src/prove/verdict.ts";

const TURN: TurnEnd = { id: "a..b", isStopActive: false, lastMessage: "Done." };
const FINDING: ProofFinding = {
  check: "nearest",
  weight: "breaks",
  place: "test/add.js",
  what: "fails: expected this:",
  settle: "Mend it.",
};

function make(verdict: VerdictKind, findings: readonly ProofFinding[] = []): Proof {
  return { verdict, line: `${verdict}: why`, findings, checks: [] };
}

function decide(
  verdict: VerdictKind,
  { memory = NEW_CONVERSATION, turn = TURN, isCutOff = false, canRunOn = true, count = 1 } = {},
) {
  const proof = make(verdict, Array.from({ length: count }, () => FINDING));
  return decideStop(memory, turn, { proof, isCutOff, canRunOn });
}

Deno.test("decideStop() tells what is proven, blocks what is not, and says nothing of the unknown", () => {
  deepEqual(decide("proven").answer, { kind: "tell", line: "code-intel prove: proven: why" });
  deepEqual(decide("unknown").answer, { kind: "none" });
  for (const verdict of ["broken", "not proven"] as const) {
    const { answer } = decide(verdict, { count: 7 });
    ok(answer.kind === "block");
    match(
      answer.reason,
      /- test\/add\.js: fails: expected this\. Mend it\.\n- and 2 more[^]*cannot prove because/,
    );
  }
});

Deno.test("planStop() is silent on what was there at the start, and on what was told", () => {
  equal(planStop({ ...NEW_CONVERSATION, start: TURN.id }, TURN), "silent");
  equal(planStop({ ...NEW_CONVERSATION, start: "a..c" }, TURN), "prove");
  for (const verdict of ["proven", "broken", "unknown"] as const) {
    const { memory } = decide(verdict);
    equal(planStop(memory, TURN), "silent");
    equal(planStop(memory, { ...TURN, id: "a..c" }), "prove");
  }
});

Deno.test("what the time cut off runs on, is looked for at the next stop, and is told if it is news", () => {
  const first = decide("unknown", { isCutOff: true });
  equal(first.runsOn, true);
  ok(first.answer.kind === "tell");
  match(first.answer.line, /runs on/);
  equal(planStop(first.memory, TURN), "look");
  equal(planStop(first.memory, { ...TURN, isStopActive: true }), "silent");
  const { memory } = first;
  equal(decide("broken", { memory }).answer.kind, "block");
  equal(decide("unknown", { isCutOff: true, canRunOn: false }).runsOn, false);
  const blocked = decide("broken", { isCutOff: true });
  equal(blocked.runsOn, false);
  equal(decide("broken", { memory: blocked.memory }).answer.kind, "none");
});

Deno.test("an agent is kept from ending once with the same files and verdict, and five times in a row with others", () => {
  let memory: StopMemory = NEW_CONVERSATION;
  const kinds: string[] = [];
  for (const verdict of ["not proven", "not proven", "broken"] as const) {
    const made = decide(verdict, { memory });
    ({ memory } = made);
    kinds.push(made.answer.kind);
  }
  deepEqual(kinds, ["block", "none", "block"]);
  memory = NEW_CONVERSATION;
  const row: string[] = [];
  for (let at = 0; at < 7; at++) {
    const turn = { ...TURN, id: `a..${at}`, isStopActive: at > 0 };
    const made = decide("broken", { memory, turn });
    ({ memory } = made);
    row.push(made.answer.kind);
  }
  deepEqual(row, ["block", "block", "block", "block", "block", "tell", "tell"]);
});

Deno.test("an agent that says why it cannot prove may end, and the person reads the verdict", () => {
  const turn = { ...TURN, lastMessage: "I cannot prove because the tests need a network." };
  const { answer } = decide("broken", { turn });
  ok(answer.kind === "tell");
  match(answer.line, /broken: why$/);
  equal(decide("unknown", { turn }).answer.kind, "tell");
});
