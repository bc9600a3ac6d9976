/** Runs the new and changed tests of a change on the sources of before it, and reads what they prove. */
import { LIMITS } from "../base/settings/limits.ts";
import type { ChangedTestFile } from "../evidence/runs/proven_tests.ts";
import { judgeProof } from "../evidence/runs/proven_tests.ts";
import type { VerificationResultRow } from "../evidence/runs/verification.ts";
import type { VerifyCommand } from "../evidence/runs/verify_commands.ts";
import { narrowCommands } from "./near_tests.ts";
import { changedLines } from "../git/trees/changed_lines.ts";
import { readBlobById } from "../git/trees/changes.ts";
import { isTestSide, parseTestName } from "../language/test_names.ts";
import type { ServerRunProof } from "../phase/check_findings.ts";
import type { Change, ChangePlace } from "./change.ts";
import type { CheckedTree } from "./checkout_use.ts";

/** Most changed test files that are read and run by name (guessed). */
const MOST_FILES = 100;

/**
 * The tree of before with the tests of a change and nothing else of it, and what is run there; null where no test changed
 * beside the sources.
 */
export async function planProof(
  { paths, trees }: Pick<ChangePlace, "paths" | "trees">,
  { base, tree, files }: Pick<Change, "base" | "tree" | "files">,
  commands: readonly VerifyCommand[],
): Promise<CheckedTree | null> {
  const changed = files.map(({ path }) => path);
  const tests = changed.filter((path) => parseTestName(path) !== null);
  const hasSources = changed.some((path) => !isTestSide(path));
  if (tests.length === 0 || !hasSources) return null;
  const named = tests.slice(0, MOST_FILES).map((path) => paths.toProject(path));
  const narrow = narrowCommands(commands, named).map((command) => {
    const timeoutMs = Math.min(command.timeoutMs, LIMITS.proofSeconds.value * 1000);
    return { ...command, timeoutMs };
  });
  if (narrow.length === 0) return null;
  const before = await trees.adopt({ onto: base, from: tree, paths: changed.filter(isTestSide) });
  return { tree: before, commands: narrow };
}

/** What the run says of the changed tests; null where nothing ran. */
export async function readProof(
  { repo, paths }: Pick<ChangePlace, "repo" | "paths">,
  { base, tree, files: changed }: Pick<Change, "base" | "tree" | "files">,
  results: readonly VerificationResultRow[],
): Promise<ServerRunProof | null> {
  const tests = changed.map(({ path }) => path).filter((path) => parseTestName(path) !== null)
    .slice(0, MOST_FILES);
  const lines = await changedLines(repo, base, tree, tests);
  const files = await Promise.all(tests.map(async (path): Promise<readonly ChangedTestFile[]> => {
    const found = lines.get(path);
    if (found === undefined || found.ranges.length === 0) return [];
    const text = await readBlobById(repo, found.change.newOid);
    return [{ path: paths.toProject(path), text, ranges: found.ranges }];
  }));
  return results.length === 0 ? null : await judgeProof(files.flat(), results);
}
