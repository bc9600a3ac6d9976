/** The server's own judgement of an exploration over the real server: what is forced, what is only advised. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { createProject, startSession } from "../support/session_driver.ts";

Deno.test("a thin exploration at a medium risk is advice, and survives a killed server", async () => {
  await using project = await createProject();
  await using session = await startSession(project, { flags: { no_doc: true } });
  const asked = await session.until(6);
  deepEqual([asked.risk, asked.evaluation.confidence], ["MEDIUM", "low"]);
  const again = await session.restart();
  deepEqual(again.evaluation, asked.evaluation);
  equal((await session.next()).step, 8);
});
