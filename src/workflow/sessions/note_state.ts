/** Notes for later sessions what a saved state means. */
import { parseLocations } from "../../evidence/mod.ts";
import type { Noted } from "../../learning/mod.ts";
import type { SessionState } from "../../phase/mod.ts";
import { framesRequest, toRequiredPhases } from "../../phase/mod.ts";
import type { WorkflowDeps } from "../deps.ts";
import { ProjectPaths } from "../project_paths.ts";

/** Records what a state means for later sessions, unless that was done before. */
export async function noteState(deps: WorkflowDeps, state: SessionState): Promise<Noted> {
  const { worktree } = state.workspace.hasGit
    ? await deps.openRepo().catch(() => null) ?? NO_REPO
    : NO_REPO;
  const paths = new ProjectPaths(deps.projectRoot, worktree ?? deps.projectRoot);
  return await deps.learning.note({
    state,
    isFramed: framesRequest(state),
    loadRecords: async () => (await deps.store.readRecords(state.sessionId)).records,
    loadPlan: async () => ({
      ...await deps.planRequest(state),
      requiredPhases: [...toRequiredPhases(state)],
    }),
    files: toWorkFiles(state),
    toProject: (path) => paths.toProject(path),
  });
}

const NO_REPO = { worktree: null } as const;

/**
 * Files that the session worked on, relative to the project: those of the review and of the
 * evidence.
 */
export function toWorkFiles(state: SessionState): readonly string[] {
  const kept = state.review.filter(({ decision }) => decision === "keep").map(({ path }) => path);
  const shown = state.tasks.flatMap(({ checklist }) =>
    checklist.flatMap(({ status, evidence = "" }) =>
      status === "done" ? parseLocations(evidence).map(({ path }) => path) : []
    )
  );
  return [...new Set([...kept, ...shown])];
}
