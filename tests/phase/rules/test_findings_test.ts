/** Rows of input and expected output for `src/phase/rules/test_findings.ts`. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { accept, CHANGE, PAYLOAD, submit, toRefusal, toState } from "../samples.ts";

const LOST = { id: "lost unit gone", what: "tests are gone: a" };
const OFF = { id: `switched_off ${CHANGE.path}`, what: "tests are skipped" };
const VERIFICATION = {
  at: "1",
  passed: true,
  verifier: "unit",
  details: "",
  failedTasks: [],
  source: "server",
  lost: [LOST],
} as const;
const REASON = "they are replaced by the new ones";

function review(payload: object, weakened = [OFF]) {
  const state = { ...toState("PRE_COMMIT"), verification: VERIFICATION };
  const facts = { changes: [CHANGE], weakened };
  return submit(state, { ...PAYLOAD.PRE_COMMIT, reviewed_files: [], rest: "keep", ...payload }, {
    facts,
  });
}

Deno.test("preCommit() wants a reason for each finding about tests, of the run and of the diff", () => {
  const code = "tests_weakened data.test_findings";
  deepEqual(toRefusal(review({})), [code, code]);
  deepEqual(toRefusal(review({ test_findings: [{ id: LOST.id, reason: REASON }] })), [code]);
  const short = [{ id: LOST.id, reason: REASON }, { id: OFF.id, reason: "  because " }];
  deepEqual(toRefusal(review({ test_findings: short })), [code]);
  const both = [{ id: LOST.id, reason: REASON }, { id: OFF.id, reason: REASON }];
  const { state } = accept(review({ test_findings: both }));
  deepEqual(state.testFindings, [{ ...LOST, reason: REASON }, { ...OFF, reason: REASON }]);
});

Deno.test("preCommit() wants to know of changed dependencies whether they were installed, generated or needed", () => {
  const found = { id: "dependencies_changed node_modules", what: "files were changed" };
  const code = "dependencies_changed data.test_findings";
  const row = (reason: string) => review({ test_findings: [{ id: found.id, reason }] }, [found]);
  deepEqual(toRefusal(row("they had to be changed")).includes(code), true);
  deepEqual(toRefusal(row("install: the task adds a package")).includes(code), false);
});
