/** The findings about installed dependencies that changed since the session began, which step 17 asks about. */
import type { ProjectCommands, VerificationRun } from "../../evidence/mod.ts";
import { findChangedDependencies, pickLent } from "../../evidence/mod.ts";
import { listIgnoredFolders } from "../../git/mod.ts";
import type { TestFinding } from "../../phase/mod.ts";
import { DEPENDENCIES_CHANGED, hasBranchFlow } from "../../phase/mod.ts";
import type { Bench, OpenSession } from "../desk.ts";

/** What changed between the start of the session and that of the run; nothing in flows that commit nothing. */
export async function findDependencies(
  { repo }: Pick<Bench, "repo">,
  run: VerificationRun,
  { session: { state }, found }: {
    readonly session: OpenSession;
    readonly found: ProjectCommands;
  },
): Promise<readonly TestFinding[]> {
  if (repo === null || !hasBranchFlow(state) || found.lend.length === 0) return [];
  const folders = run.place?.kind === "checkout"
    ? run.place.lent
    : pickLent(await listIgnoredFolders(repo.worktree), found.lend, repo.openedFor);
  const changed = await findChangedDependencies({
    worktree: repo.worktree,
    folders,
    after: Date.parse(state.startedAt),
    before: Date.parse(run.startedAt),
  });
  return changed.map(({ folder, files, examples }) => {
    const more = files > examples.length ? ` and ${files - examples.length} more` : "";
    return {
      id: `${DEPENDENCIES_CHANGED} ${folder}`,
      what: `files that git ignores were made or changed since the start, and the run read them: ` +
        `${examples.join(", ")}${more}`.slice(0, 1_000),
    };
  });
}
