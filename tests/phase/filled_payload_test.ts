/** What a payload's form has in it already, by state. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { BUILT_IN_CONTRACT } from "../../src/phase/contract.ts";
import { fillPayload } from "../../src/phase/filled_payload.ts";
import { toDoneTask, toState, toTask } from "./samples.ts";

Deno.test("fillPayload() shows the next task with its own items", () => {
  const next = toTask("task_2");
  const state = toState("READY_IMPL", { tasks: [toDoneTask("task_1"), next] });
  const filled = fillPayload(state, BUILT_IN_CONTRACT.READY_IMPL);
  equal(filled.task_id, "task_2");
  deepEqual(
    (filled.checklist as { readonly item: string }[]).map(({ item }) => item),
    next.checklist.map(({ item }) => item),
  );
});

Deno.test("fillPayload() drafts the commit message from the request and, where there are several, the tasks", () => {
  const query = "let members renew a loan. At most twice, please";
  const one = toState("PRE_COMMIT", { query, tasks: [toDoneTask("task_1")] });
  equal(fillPayload(one, BUILT_IN_CONTRACT.PRE_COMMIT).commit_message, "Let members renew a loan");
  const two = { ...one, tasks: [toDoneTask("task_1"), toDoneTask("task_2")] };
  const lines = String(fillPayload(two, BUILT_IN_CONTRACT.PRE_COMMIT).commit_message).split("\n");
  deepEqual([lines.length, lines[1]], [4, ""]);
  const long = { ...one, query: `${"word ".repeat(40)}` };
  equal(String(fillPayload(long, BUILT_IN_CONTRACT.PRE_COMMIT).commit_message).length <= 72, true);
});

Deno.test("fillPayload() leaves what the project's contract says", () => {
  const own = { ...BUILT_IN_CONTRACT.PRE_COMMIT.expectedPayload, commit_message: "TICKET-1: text" };
  const row = { ...BUILT_IN_CONTRACT.PRE_COMMIT, expectedPayload: own };
  equal(fillPayload(toState("PRE_COMMIT"), row).commit_message, "TICKET-1: text");
});
