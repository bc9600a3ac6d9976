/** A session whose files are gone is told, and its work is not silently the person's. */
import { match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { Answer } from "../project_fixture.ts";
import { createProject, expectOk, expectRefused, planned, started } from "../project_fixture.ts";

Deno.test("findLostSessions() stops a start after the folder of sessions was removed, until the person ends it", async () => {
  await using project = await createProject();
  const first = expectOk(await project.start());
  await project.plan("Change a");
  await project.repo.write({ "src/a.ts": "by the agent\n" });
  await Deno.remove(join(project.root, ".code-intel", "sessions"), { recursive: true });
  const refused = expectRefused(await project.start(), "session_lost");
  match(refused.problems[0].hint, new RegExp(`session accept ${first.session_id}`));
  const status: Answer = await project.workflow.getStatus({});
  equal(status.error, "session_lost");
  await project.store.giveUpLost(first.session_id);
  expectOk(await project.start());
});

Deno.test("findLostSessions() knows nothing of sessions that ended, or of a project made anew", async () => {
  await using project = await createProject({ after: started });
  await project.must({ abandon: true, reason: "no more" });
  await Deno.remove(join(project.root, ".code-intel", "sessions"), { recursive: true });
  const { session_id: id } = expectOk(await project.start());
  await Deno.remove(join(project.root, ".code-intel", "sessions"), { recursive: true });
  for (
    const ref
      of (await project.repo.git("for-each-ref", "--format=%(refname)", `refs/code-intel/${id}`))
        .split("\n")
  ) {
    await project.repo.git("update-ref", "-d", ref);
  }
  expectOk(await project.start());
});

Deno.test("advance() tells of a damaged checkpoint once, and its counters are not lowered", async () => {
  await using project = await createProject({ after: planned("Change a") });
  const { sessionId: id } = await project.state();
  // One save with a counter, as a failed step leaves it.
  await project.must({ back_to: "EXPLORATION", reason: "looked in the wrong place" });
  equal((await project.state()).counters.backs, 1);
  await Deno.writeTextFile(join(project.root, ".code-intel", "sessions", `${id}.json`), "{");
  const { counters, stage } = await project.state();
  equal(`${stage} ${counters.backs}`, "READY_IMPL 1");
  const reply = await project.submit({
    ...{ back_to: "EXPLORATION", reason: "again, in the wrong place" },
  });
  match(expectOk(reply).notices?.[0] ?? "", /damaged .* set aside as .*corrupt-1/);
  equal((await project.state()).counters.backs, 2);
});
