/** The workflow before it is loaded: outside of a session calls are admitted, inside of one they are judged. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { createProject, FAST_START } from "./project_fixture.ts";

Deno.test("a call is admitted without a session, and judged as soon as another process has one", async () => {
  await using project = await createProject();
  const { workflow } = project;
  const free = { kind: "allowed", sessionId: null, visit: 0, stage: null, compactionCount: null };
  deepEqual(await workflow.admit("review_changes", "review"), free);
  const other = await project.reopen();
  const signal = new AbortController().signal;
  equal((await other.startSession(FAST_START, signal)).ok, true);
  const admission = await workflow.admit("search_text", null);
  equal(admission.kind === "allowed" && admission.sessionId, (await project.state()).sessionId);
  equal((await workflow.admit("review_changes", "review")).kind, "refused");
});
