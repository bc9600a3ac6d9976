/** What the workflow says of sessions to what learns from them, and that it goes on where nothing does. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { listWorkFiles } from "../../../src/workflow/context/note_state.ts";
import { sampleState } from "../../session/sample_state.ts";
import { COMMON, createProject, expectOk, FAST_START } from "../project_fixture.ts";

Deno.test("listWorkFiles() are the reviewed files that were kept and the places of evidence", () => {
  const state = sampleState({
    review: [
      { path: "src/a.ts", decision: "keep", reason: null },
      { path: "debug.txt", decision: "discard", reason: "output" },
    ],
  });
  deepEqual(listWorkFiles(state), ["src/a.ts", "src/form.ts"]);
});

Deno.test("without a feature that learns a session runs to its end, keeps no log, and says what is not done", async () => {
  await using project = await createProject({ features: [] });
  const { openLearning } = project.services;
  const failed = { ...FAST_START, previousFailed: "it was too slow" };
  const reply = expectOk(await project.start(failed));
  equal(reply.previous_failed, "No earlier outcome is on record: nothing was amended.");
  expectOk(await project.submit({ ...COMMON, abandon: true, reason: "enough", restore: false }));
  const logs = await Deno.stat(join(project.root, ".code-intel/logs")).then(
    () => true,
    () => false,
  );
  equal(logs, false);
  const learning = await openLearning();
  deepEqual(await learning.search("login form", { maxHits: 5 }), []);
  equal(await learning.checkMap(() => Promise.resolve(new Set())), null);
  const { finals, counts } = await learning.readOutcomes();
  deepEqual([finals, counts.all.total], [[], 0]);
});
