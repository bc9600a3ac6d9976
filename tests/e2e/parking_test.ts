/** Ways out and back: park, resume, abandon, unfinished sessions, stale branches, damaged checkpoints. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { createProject, SAMPLE_EDITS, startSession } from "../support/session_driver.ts";

Deno.test("park in READY and resume: HEAD goes back to the base, the work and the tasks stay", async () => {
  await using project = await createProject();
  await using session = await startSession(project);
  await session.until(14);
  const branch = await project.repo.git("branch", "--show-current");
  const parked = await session.accept({ park: true, reason: "a hotfix comes first" });
  deepEqual([parked.parked, parked.head], [true, "main"]);
  equal(await project.repo.git("branch", "--show-current"), "main");
  equal(await project.repo.read("src/auth.ts"), SAMPLE_EDITS["src/auth.ts"]);
  equal(
    (await session.call("submit_phase", { data: { summary: "x" } })).error,
    "no_active_session",
  );
  // What the person does meanwhile is theirs.
  await project.repo.write({ "src/view.ts": "export const shown = 'person';\n" });
  const resumed = await session.must("get_session_status", { session_id: session.id });
  deepEqual([resumed.step, resumed.substep, resumed.resumed], [14, "complete", true]);
  deepEqual(resumed.booked_as_person, ["src/view.ts"]);
  equal(await project.repo.git("branch", "--show-current"), branch);
  equal((await session.until("end")).merged, true);
  equal(await project.repo.git("status", "-s"), " M src/view.ts");
});

Deno.test("a checkpoint that was edited by hand is checkpoint_tampered", async () => {
  await using project = await createProject();
  await using session = await startSession(project);
  await session.until(13);
  const path = join(project.dir, ".code-intel/sessions", `${session.id}.json`);
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, text.replace('"READY_IMPL"', '"MERGE"'));
  const status = await session.restart();
  deepEqual([status.ok, status.error], [false, "checkpoint_tampered"]);
  equal(
    (await session.call("submit_phase", { data: { summary: "x" } })).error,
    "checkpoint_tampered",
  );
  await Deno.writeTextFile(path, text);
  equal((await session.restart()).step, 13);
});
