/** Runs the new and changed tests of a change on the sources of before it, and reads what they prove. */
import type { TreePath } from "../base/paths.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { ChangedTestFile, TestProof } from "../evidence/runs/proven_tests.ts";
import { judgeProof } from "../evidence/runs/proven_tests.ts";
import type { RunProof, VerificationRun } from "../evidence/runs/verification.ts";
import type { VerifyCommand } from "../evidence/runs/verify_commands.ts";
import { changedLines } from "../git/trees/changed_lines.ts";
import { readBlobById } from "../git/trees/changes.ts";
import { isTestSide, parseTestName } from "../language/test_names.ts";
import { narrowRun } from "../runners/narrow_run.ts";
import type { ChangePlace } from "./change.ts";
import type { CheckoutUse } from "./checkout_use.ts";

/** What a run is about. */
export interface ProofPlanInput {
  readonly commands: readonly VerifyCommand[];
  /** Changed files, relative to the worktree. */
  readonly changed: readonly TreePath[];
  /** The tree of before the change with these files of it; null where there is none. */
  readonly buildTree: (paths: readonly TreePath[]) => Promise<string | null>;
  readonly useApart: CheckoutUse;
}

/** Most changed test files that are read and run by name (guessed). */
const MOST_FILES = 100;

/**
 * What is run on a tree that has the tests of a change and nothing else of it. Nothing is run where no test changed beside
 * the sources.
 */
export async function planProof(
  { paths }: Pick<ChangePlace, "paths">,
  { commands, changed, buildTree, useApart }: ProofPlanInput,
): Promise<{ readonly proof?: RunProof }> {
  const tests = changed.filter((path) => parseTestName(path) !== null);
  const hasSources = changed.some((path) => !isTestSide(path));
  if (tests.length === 0 || !hasSources) return {};
  const named = tests.slice(0, MOST_FILES).map((path) => paths.toProject(path));
  const narrow = commands.flatMap((command) => {
    const run = narrowRun(command.run, named);
    const timeoutMs = Math.min(command.timeoutMs, LIMITS.proofSeconds.value * 1000);
    return run === null ? [] : [{ ...command, run, timeoutMs }];
  });
  if (narrow.length === 0) return {};
  const tree = await buildTree(changed.filter(isTestSide));
  if (tree === null) return {};
  return { proof: { commands: narrow, use: useApart({ tree, commands: narrow }) } };
}

/** What the run says of the changed tests; null where it did not ask. */
export async function readProof(
  { repo, paths }: Pick<ChangePlace, "repo" | "paths">,
  run: Pick<VerificationRun, "proof" | "treeAtStart">,
  { base, changed }: { readonly base: string | null; readonly changed: readonly TreePath[] },
): Promise<TestProof | null> {
  if (run.proof === undefined || base === null) return null;
  if (typeof run.proof === "string") {
    return { nothing: [], proving: 0, unknown: run.proof, tests: [] };
  }
  const tests = changed.filter((path) => parseTestName(path) !== null).slice(0, MOST_FILES);
  const lines = await changedLines(repo, base, run.treeAtStart, tests);
  const files = await Promise.all(tests.map(async (path): Promise<readonly ChangedTestFile[]> => {
    const found = lines.get(path);
    if (found === undefined || found.ranges.length === 0) return [];
    const text = await readBlobById(repo, found.change.newOid);
    return [{ path: paths.toProject(path), text, ranges: found.ranges }];
  }));
  return run.proof.length === 0 ? null : await judgeProof(files.flat(), run.proof);
}
