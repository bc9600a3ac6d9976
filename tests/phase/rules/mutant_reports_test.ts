/** What step 15, the brief and step 17 say of small wrong versions, and the gate that `context.yml` may set. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { ServerRunMutants } from "../../../src/phase/check_findings.ts";
import type { ServerRun } from "../../../src/phase/facts.ts";
import { findUnreported, listMutantFindings } from "../../../src/phase/rules/mutant_reports.ts";
import { summarizeVerification } from "../../../src/session/summary_fields.ts";
import { accept, CHANGE, PAYLOAD, submit, toRefusal, toState } from "../samples.ts";

const SURVIVOR = { path: CHANGE.path, line: 14, change: "`>` for `>=`" };
const LINE = `\`>\` for \`>=\` in ${CHANGE.path}:14: no test notices`;
const MUTANTS: ServerRunMutants = {
  total: 40,
  killed: 11,
  broken: 1,
  survivors: [SURVIVOR],
  tests: ["tests/a.test.ts"],
  unknown: "the 60 s were over",
};
const RUN: ServerRun = {
  verdict: "passed",
  failed: [],
  stillRed: [],
  results: [{ name: "unit", exitCode: 0, durationMs: 5, outputTail: "", outputHash: "" }],
};

function verify(mutants: ServerRunMutants, state = toState("POST_IMPL_VERIFY")) {
  const payload = { ...PAYLOAD.POST_IMPL_VERIFY, passed: true };
  return accept(submit(state, payload, { facts: { serverRun: { ...RUN, mutants } } }));
}

Deno.test("survivors are counted and named in the state and the brief", () => {
  const { state } = verify(MUTANTS);
  equal(state.stage, "PRE_COMMIT");
  deepEqual(state.verification?.mutants, MUTANTS);
  deepEqual(state.verification?.ran?.slice(1), [
    "mutants: 13 of 40 tried, 11 noticed by tests, 1 by none",
  ]);
  match(summarizeVerification(state).verification ?? "", /no test notices/);
});

Deno.test("without a gate step 17 asks for nothing", () => {
  deepEqual(listMutantFindings(MUTANTS), []);
});

Deno.test("a gate sends survivors back once, and wants a reason for each that stays", () => {
  const gated = { ...MUTANTS, isGate: true as const };
  const back = verify(gated);
  equal(back.state.stage, "READY_PLAN");
  equal(back.reply.sent_back, true);
  equal(back.reply.verified, true);
  match(`${back.reply.reason}`, /no test notices\. Plan a test/);
  deepEqual(findUnreported(gated, { ...gated, survivors: [{ ...SURVIVOR, line: 15 }] }), []);
  const again = verify(gated, { ...back.state, stage: "POST_IMPL_VERIFY" });
  equal(again.state.stage, "PRE_COMMIT");
  const review = (test_findings: readonly object[]) =>
    submit(
      { ...toState("PRE_COMMIT"), verification: again.state.verification },
      { ...PAYLOAD.PRE_COMMIT, reviewed_files: [], rest: "keep", test_findings },
      { facts: { changes: [CHANGE] } },
    );
  deepEqual(toRefusal(review([])), ["mutant_survived data.test_findings"]);
  const [{ id = "" } = {}] = listMutantFindings(gated);
  const reason = "both versions mean the same at this place";
  deepEqual(accept(review([{ id, reason }])).state.testFindings, [{ id, what: LINE, reason }]);
});
