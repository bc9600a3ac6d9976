/** What a session that was killed and taken up again must leave behind: its work, once. */
import { strictEqual as equal } from "node:assert/strict";
import type { Project } from "../support/session/session_driver.ts";
import { listTaskBranches } from "../support/session/session_driver.ts";

/** A branch that an earlier session left behind. */
export const STALE = "llm_task_session_20260101_120000_abcd_from_main";

/** Fails unless the change of `src/auth.ts` is one commit and one merge on main since `before`. */
export async function expectMergedOnce(project: Project, before: string): Promise<void> {
  const { repo } = project;
  equal(await repo.git("rev-list", "--count", "--first-parent", `${before}..main`), "1");
  equal(await repo.git("rev-list", "--count", "--merges", `${before}..main`), "1");
  equal(await repo.git("rev-list", "--count", `${before}..main`), "2");
  equal(await repo.git("diff", "--name-only", before, "main"), "src/auth.ts");
  equal(await repo.git("branch", "--show-current"), "main");
  equal(await repo.git("status", "-s"), "");
  equal((await listTaskBranches(project)).replace(STALE, "").trim(), "");
}
