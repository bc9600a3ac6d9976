/** Rows of input and expected output for `src/phase/begin.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { NOW, toState } from "./samples.ts";
import { beginSession } from "../../src/phase/begin.ts";
import type { Flags } from "../../src/phase/table/flags.ts";
import type { Stage } from "../../src/phase/table/phases.ts";

const FIRST: readonly (readonly [flags: Flags, stale: boolean, stage: Stage])[] = [
  [{}, false, "DOCUMENT_RESEARCH"],
  [{}, true, "BRANCH_INTERVENTION"],
  [{ no_doc: true }, false, "QUERY_FRAME"],
  [{ no_doc: true }, true, "BRANCH_INTERVENTION"],
  [{ only_verify: true }, false, "POST_IMPL_VERIFY"],
  [{ only_verify: true }, true, "POST_IMPL_VERIFY"],
  [{ only_explore: true }, true, "BRANCH_INTERVENTION"],
];

for (const [flags, hasStaleBranches, stage] of FIRST) {
  const name = `${JSON.stringify(flags)}${hasStaleBranches ? " and old branches" : ""}`;
  Deno.test(`beginSession() begins at ${stage} with ${name}`, () => {
    const { sessionId, query, intent, gateLevel, docResearchPrompts, workspace } = toState("Q1");
    const state = beginSession({
      sessionId,
      query,
      intent,
      gateLevel,
      flags,
      docResearchPrompts,
      now: NOW,
      workspace,
      hasStaleBranches,
    });
    equal(state.stage, stage);
    deepEqual(state.path, [{ stage, at: NOW }]);
    deepEqual([state.status, state.end, state.visit], ["active", null, 1]);
  });
}

Deno.test("R17: a new session counts compactions from 0 and survives JSON unchanged", () => {
  const state = toState("Q1");
  deepEqual([state.compactionCount, state.compactionSeen], [0, false]);
  deepEqual(JSON.parse(JSON.stringify(state)), state);
});
