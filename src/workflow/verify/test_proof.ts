/** Runs the session's new and changed tests on the sources of before the change, and reads what they prove. */
import type { TreePath } from "../../base/paths.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import type { ProjectCommands } from "../../evidence/runs/project_verification.ts";
import type { ChangedTestFile, TestProof } from "../../evidence/runs/proven_tests.ts";
import { judgeProof } from "../../evidence/runs/proven_tests.ts";
import type { RunProof, VerificationRun } from "../../evidence/runs/verification.ts";
import type { VerifyCommand } from "../../evidence/runs/verify_commands.ts";
import { changedLines } from "../../git/trees/changed_lines.ts";
import { readBlobById } from "../../git/trees/changes.ts";
import { isTestSide, parseTestName } from "../../language/test_names.ts";
import { narrowRun } from "../../runners/narrow_run.ts";
import type { SessionState } from "../../phase/state.ts";
import { CONDITIONS } from "../../phase/table/conditions.ts";
import { hasBranchFlow } from "../../phase/table/flags.ts";
import type { OpenSession, SessionContext } from "../context/sessions.ts";
import { buildCommittedTree, useApart } from "./checkout_plan.ts";

/** What a run is about. */
export interface ProofPlanInput {
  readonly state: SessionState;
  readonly found: ProjectCommands;
  readonly commands: readonly VerifyCommand[];
  readonly tree: string;
  /** Files that the session changed, relative to the worktree. */
  readonly changed: readonly TreePath[];
}

/** Most changed test files that are read and run by name (guessed). */
const MOST_FILES = 100;

/**
 * What is run on a tree that has the session's tests and nothing else of it. Nothing is run where
 * no test changed beside the sources, or in a `fast` session. Nor once the session has a commit,
 * since HEAD then lacks the sources of before it.
 */
export async function planProof(
  { repo, paths, deps }: SessionContext,
  { state, found, commands, tree, changed }: ProofPlanInput,
): Promise<{ readonly proof?: RunProof }> {
  const isAsked = hasBranchFlow(state) && !CONDITIONS.skips_exploration.holds(state) &&
    found.checkout === "auto" &&
    state.workspace.commits.length === 0 && state.workspace.mergeParent === null;
  const tests = changed.filter((path) => parseTestName(path) !== null);
  const hasSources = changed.some((path) => !isTestSide(path));
  if (!isAsked || tests.length === 0 || !hasSources) return {};
  const named = tests.slice(0, MOST_FILES).map((path) => paths.toProject(path));
  const narrow = commands.flatMap((command) => {
    const run = narrowRun(command.run, named);
    const timeoutMs = Math.min(command.timeoutMs, LIMITS.proofSeconds.value * 1000);
    return run === null ? [] : [{ ...command, run, timeoutMs }];
  });
  if (narrow.length === 0) return {};
  const before = await buildCommittedTree({ paths }, repo, {
    state,
    tree,
    changed: changed.filter(isTestSide),
  });
  if (before === null) return {};
  return {
    proof: {
      commands: narrow,
      use: useApart(deps, { tree: before, commands: narrow, found }),
    },
  };
}

/** What the run says of the changed tests; null where it did not ask. */
export async function readProof(
  { repo, paths }: SessionContext,
  run: VerificationRun,
  { session, changed }: { readonly session: OpenSession; readonly changed: readonly TreePath[] },
): Promise<TestProof | null> {
  const { baselineTree } = session.state.workspace;
  if (run.proof === undefined || baselineTree === null) return null;
  if (typeof run.proof === "string") {
    return { nothing: [], proving: 0, unknown: run.proof, tests: [] };
  }
  const tests = changed.filter((path) => parseTestName(path) !== null).slice(0, MOST_FILES);
  const lines = await changedLines(repo, baselineTree, run.treeAtStart, tests);
  const files = await Promise.all(tests.map(async (path): Promise<readonly ChangedTestFile[]> => {
    const found = lines.get(path);
    if (found === undefined || found.ranges.length === 0) return [];
    const text = await readBlobById(repo, found.change.newOid);
    return [{ path: paths.toProject(path), text, ranges: found.ranges }];
  }));
  return run.proof.length === 0 ? null : await judgeProof(files.flat(), run.proof);
}
