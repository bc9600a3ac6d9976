/** The safety valves over the real server: failed verifications, interventions, quality issues. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { createProject, startSession } from "../support/session_driver.ts";

const FAILURES = [false, false, false, false, false, false, false, false];

Deno.test("the third failure of a task leads to step 16, the second step 16 to the person", async () => {
  await using project = await createProject();
  await using session = await startSession(project, { verifications: FAILURES });
  await session.until(15);
  for (const step of [12, 12, 16]) {
    await session.until(15);
    const failed = await session.next();
    deepEqual([failed.step, failed.verified], [step, false]);
    match(JSON.stringify(failed), /1 test failed/);
  }
  equal(session.reply.failed_tasks[0].failure_count, 3);
  const intervened = await session.next();
  deepEqual([intervened.step, intervened.intervention_count], [12, 1]);
  equal(intervened.failure_counts_reset, true);
  await session.until(16);
  const asked = await session.next();
  deepEqual([asked.ok, asked.user_escalation, asked.cause], [true, true, "intervention_limit"]);
  match(asked.expected_payload.user_decision, /continue \| accept \| park \| abandon/);
  const refused = await session.submit({ prompt_used: "x", action_taken: "y" });
  equal(refused.error, "user_decision_required");
});
