/** One active session for a worktree, also where it holds several projects. */
import { match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { OWN_THREAD } from "../../../src/analysis/analysis_pool.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { createServices } from "../../../src/services/services.ts";
import type { Answer } from "../project_fixture.ts";
import { createProject, expectOk, expectRefused, FAST_START } from "../project_fixture.ts";

const SIGNAL = new AbortController().signal;

Deno.test("claimWorktree() refuses a second project's session while the first one's is active", async () => {
  await using project = await createProject({ subfolder: "src" });
  await Deno.mkdir(join(project.repo.dir, "other"));
  const services = await createServices({
    projectDir: join(project.repo.dir, "other"),
    isNamed: true,
    analyser: OWN_THREAD,
    logger: SILENT_LOGGER,
    offered: [],
    get: (name) =>
      name === "CODE_INTEL_STATE_DIR" ? join(project.repo.dir, ".git", "state") : undefined,
  });
  const start = async (): Promise<Answer> =>
    await services.workflow.startSession(FAST_START, SIGNAL);
  const first = expectOk(await project.start());
  const refused = expectRefused(await start(), "worktree_taken");
  match(refused.message, new RegExp(first.session_id));
  // A parked session binds nobody, and cannot come back beside the other one.
  await project.must({ park: true, reason: "later" });
  const second = expectOk(await start());
  const back: Answer = await project.workflow.getStatus({ sessionId: first.session_id });
  equal(back.error, "worktree_taken");
  // Gone without an end: the mark is taken over.
  await Deno.remove(join(project.repo.dir, "other", ".code-intel"), { recursive: true });
  equal(
    (expectOk(await project.workflow.getStatus({ sessionId: first.session_id })) as Answer).resumed,
    true,
  );
  equal(second.ok, true);
});
