/** Notes for later sessions what a saved state means. */
import { parseLocations } from "../../evidence/location.ts";
import { isTestSide } from "../../language/test_names.ts";
import type { Trees } from "../../ledger/trees.ts";
import { createTrees, isManifestId } from "../../ledger/trees.ts";
import type { SessionState } from "../../phase/state.ts";
import { framesRequest, listRequiredPhases } from "../../phase/table/transitions.ts";
import type { TreePath } from "../../base/paths.ts";
import type { WorkflowDeps } from "./deps.ts";
import type { ChangedSymbol, Noted } from "./learning.ts";
import { ProjectPaths } from "./project_paths.ts";

/** Records what a state means for later sessions, unless that was done before. */
export async function noteState(
  deps: WorkflowDeps,
  state: SessionState,
): Promise<Noted> {
  const opening = state.workspace.hasGit ? deps.openRepo() : deps.states.find();
  const repo = await opening.catch(() => null);
  const paths = new ProjectPaths(deps.projectRoot, repo?.worktree ?? deps.projectRoot);
  const isOld = isManifestId(state.ledger?.tree ?? null);
  const trees = repo === null || isOld ? null : createTrees(repo);
  const learning = await deps.openLearning();
  return await learning.note({
    state,
    isFramed: framesRequest(state),
    loadRecords: async () => (await deps.store.readRecords(state.sessionId)).records,
    loadChanged: () => readChangedSymbols({ deps, state, trees, paths }),
    loadPlan: async () => ({
      ...await deps.planRequest(state),
      requiredPhases: [...listRequiredPhases(state)],
    }),
    files: listWorkFiles(state),
    toProject: (path) => paths.toProject(path),
  });
}

/** More changed files are not read: so wide a change says nothing of a few words. */
const MOST_FILES = 30;

/** The definitions that a session changed in source files, from where it began to what was recorded last. */
export async function readChangedSymbols(
  { deps, state, trees, paths }: {
    readonly deps: WorkflowDeps;
    readonly state: SessionState;
    readonly trees: Trees | null;
    readonly paths: ProjectPaths;
  },
): Promise<readonly ChangedSymbol[]> {
  const { workspace: { baselineTree: from }, ledger } = state;
  const to = ledger?.tree ?? null;
  if (trees === null || from === null || to === null) return [];
  const all = [...await trees.changedLines(from, to)].map(([path, lines]) => ({
    path: path as TreePath,
    shown: paths.toProject(path as TreePath),
    lines,
  }));
  const files = all.filter(({ shown }) => deps.isSourceFile(shown));
  if (files.length > MOST_FILES) return [];
  const found = await Promise.all(files.map(async ({ path, shown, lines }) => {
    const text = await trees.readText(to, path);
    const symbols = text === null ? [] : await deps.listTouched({ path: shown, text, lines });
    return symbols.map((symbol) => ({ ...symbol, path: shown, isTest: isTestSide(path) }));
  }));
  return found.flat();
}

/**
 * Files that the session worked on, relative to the project: those of the review and of the
 * evidence.
 */
export function listWorkFiles(state: SessionState): readonly string[] {
  const kept = state.review.filter(({ decision }) => decision === "keep").map(({ path }) => path);
  const shown = state.tasks.flatMap(({ checklist }) =>
    checklist.flatMap(({ status, evidence = "" }) =>
      status === "done" ? parseLocations(evidence).map(({ path }) => path) : []
    )
  );
  return [...new Set([...kept, ...shown])];
}
