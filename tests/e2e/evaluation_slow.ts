/** The evaluation of the server over the real server: what leads through SEMANTIC, and what does not. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { Session, SessionOptions } from "../support/session/session_driver.ts";
import { startProcess, startSession } from "../support/session/hosted_session.ts";
import { createProject } from "../support/session/session_driver.ts";

Deno.test("a thin exploration at a medium risk is advice, and survives a killed server", async () => {
  await using project = await createProject();
  await using session = await startProcess(project, { flags: { no_doc: true } });
  const asked = await session.until(6);
  deepEqual([asked.risk, asked.evaluation.confidence], ["MEDIUM", "low"]);
  const again = await session.restart();
  deepEqual(again.evaluation, asked.evaluation);
  equal((await session.next()).step, 8);
});

/** MODIFY that names neither a target nor an issue. */
const HIGH: SessionOptions = {
  intent: "MODIFY",
  openSlots: ["target_feature", "observed_issue"],
  flags: { no_doc: true },
};

async function lookWell(session: Session): Promise<void> {
  await session.must("find_definitions", { symbol: "login" });
  await session.must("get_symbols", { path: "src" });
  await session.must("find_references", { symbol: "login" });
}

Deno.test("a high risk and a thin exploration lead through SEMANTIC although Q1 says no", async () => {
  await using project = await createProject();
  await using session = await startSession(project, HIGH);
  const framed = await session.until(5);
  deepEqual([framed.risk, typeof framed.risk_note], ["HIGH", "string"]);

  const asked = await session.until(6);
  deepEqual([asked.risk, asked.evaluation.confidence], ["HIGH", "low"]);
  // Where the target symbol is defined the reply to the frame has said.
  equal(asked.evaluation.missing[0], "Use `find_references`: no call is on record.");
  match(asked.evaluation.advice, /SEMANTIC follows whatever you answer/);
  const status = await session.call("get_session_status");
  deepEqual(status.evaluation, asked.evaluation);
  equal(status.brief.risk, "HIGH");

  const forced = await session.next();
  deepEqual([forced.step, forced.phase], [7, "SEMANTIC"]);
  match(forced.forced, /recorded, not obeyed/);
  const { state } = await session.checkpoint();
  equal(state.answers.Q1.answer, false);
  // The honest empty answer after one search goes on.
  equal((await session.next()).step, 8);
  equal((await session.until("end")).merged, true);
});

Deno.test("the twin with a good exploration skips SEMANTIC, and a claim of one is no such thing", async () => {
  await using project = await createProject();
  await using session = await startSession(project, HIGH);
  await session.until(5);
  const claimed = await session.submit({
    ...await session.prepare(),
    tools_used: ["mcp__plugin_code-intel_code-intel__find_definitions", "find_references"],
  });
  deepEqual(claimed.problems.map(({ code }: { readonly code: string }) => code), [
    "tool_not_recorded",
    "tool_not_recorded",
  ]);
  await lookWell(session);
  const asked = await session.accept({
    ...await session.prepare(),
    tools_used: ["mcp__code-intel__find_definitions", "Read", "LookAround"],
  });
  deepEqual([asked.risk, asked.evaluation.confidence], ["HIGH", "high"]);
  const next = await session.next();
  deepEqual([next.step, next.forced], [8, undefined]);
  const { state } = await session.checkpoint();
  equal(state.risk, "HIGH");
});
