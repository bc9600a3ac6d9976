/** When the payloads of a row share a look at the files, and when the next one looks anew. */
import { strictEqual as equal } from "node:assert/strict";
import type { SessionState } from "../../../src/phase/state.ts";
import { RowLook } from "../../../src/workflow/advance/advance.ts";
import { sampleState } from "../../session/sample_state.ts";

const LOOKED = { tree: "t1", odd: {}, large: [] };

function toState(change: Partial<SessionState> = {}): SessionState {
  const ledger = {
    mode: "strict" as const,
    tree: "t1",
    head: null,
    gitFiles: {},
    personPaths: [],
    foundTree: null,
  };
  return { ...sampleState(), ledger, ...change };
}

Deno.test("a look is taken once, by the next payload of the same session with the same ledger", () => {
  const state = toState();
  const { ledger } = state;
  const take = (next: SessionState) => {
    const row = new RowLook();
    row.keep({ looked: LOOKED, state });
    return [row.take(next), row.take(next)].map((looked) => looked?.tree ?? "new").join();
  };
  equal(new RowLook().take(state), null);
  equal(take(state), "t1,new");
  equal(take(toState({ sessionId: "session_20261121_101500_0000" })), "new,new");
  // Something was booked between the two, such as a file that the server wrote.
  equal(take({ ...state, ...(ledger && { ledger: { ...ledger, tree: "t2" } }) }), "new,new");
  // The project's commands run before this step is judged.
  equal(take(toState({ stage: "POST_IMPL_VERIFY" })), "new,new");
});
