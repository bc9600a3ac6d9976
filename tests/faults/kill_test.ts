/** `kill -9` of the server while calls are under way; in every step, and at starts: `kill_slow.ts`. */
import { ok, strictEqual as equal } from "node:assert/strict";
import { createProject, startSession } from "../support/session_driver.ts";
import { expectMergedOnce } from "./merged_once.ts";

Deno.test("a server killed with two calls in flight leaves a session that goes on", async () => {
  await using project = await createProject();
  const before = await project.repo.git("rev-parse", "HEAD");
  await using session = await startSession(project);
  for (const step of [5, 12, 14, 18]) {
    await session.until(step);
    const data = session.toData(await session.prepare());
    const calls = [
      { name: "submit_phase", arguments: { data } },
      { name: "add_explored_files", arguments: { files: ["src/view.ts"] } },
    ];
    for (const [id, params] of calls.entries()) {
      await session.client.sendRaw(
        JSON.stringify({ jsonrpc: "2.0", id: `two-${id}`, method: "tools/call", params }),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, step));
    const status = await session.restart();
    equal(status.ok, true, JSON.stringify(status));
    ok(status.step >= step, `at ${status.step} after ${step}`);
  }
  await session.until("end");
  await expectMergedOnce(project, before);
});
