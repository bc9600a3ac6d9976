/** When the payloads of one call share a look at the files, and when the next one looks anew. */
import { strictEqual as equal } from "node:assert/strict";
import type { SessionState } from "../../../src/phase/state.ts";
import { reuseObservation } from "../../../src/workflow/advance/next_step.ts";
import { sampleState } from "../../session/sample_state.ts";

const LOOKED = { tree: "t1", odd: {}, large: [] };
const LEDGER = { mode: "strict", tree: "t1", head: null } as NonNullable<SessionState["ledger"]>;

Deno.test("a look is shared with the next payload of the same session with the same ledger", () => {
  const state: SessionState = { ...sampleState(), ledger: LEDGER };
  const isShared = (next: Partial<SessionState>) =>
    reuseObservation({ looked: LOOKED, state }, { ...state, ...next }) !== null;
  equal(reuseObservation(null, state), null);
  equal(isShared({}), true);
  equal(isShared({ sessionId: "session_20261121_101500_0000" }), false);
  // Something was booked between the two, such as a file that the server wrote.
  equal(isShared({ ledger: { ...LEDGER, tree: "t2" } }), false);
  // The project's commands run before this step is judged.
  equal(isShared({ stage: "POST_IMPL_VERIFY" }), false);
});
