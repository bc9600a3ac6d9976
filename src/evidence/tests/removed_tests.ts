/** Finds the test files that the session removed, as a whole or by emptying them. */
import type { TreePath } from "../../base/paths.ts";
import { languageOfPath } from "../../language/languages.ts";
import { parseTestName } from "../../language/test_names.ts";
import type { Repository } from "../../git/repository.ts";
import type { Change } from "../../git/trees/changes.ts";
import { readBlobById } from "../../git/trees/changes.ts";
import { readTests, removeComments } from "./read_tests.ts";

/** A test file that tests nothing any more. Paths are relative to the worktree. */
export interface RemovedTestFile {
  /** The path under which it was a test. */
  readonly path: TreePath;
  /** Its path among the changes: for a renamed file, the present one. */
  readonly changedPath: TreePath;
  readonly how: "deleted" | "emptied" | "renamed";
}

/**
 * Changed test files that are gone or have no test left, or whose name no runner looks for. A
 * renamed file that is still a test is not one of them.
 *
 * @param changes of which only those of test files are read: a line more can switch all tests off.
 */
export async function findRemovedTests(
  repo: Repository,
  changes: readonly Change[],
): Promise<readonly RemovedTestFile[]> {
  const found = await Promise.all(changes.map(async (change) => {
    const how = await judge(repo, change);
    return how === null
      ? []
      : [{ path: change.from ?? change.path, changedPath: change.path, how }];
  }));
  return found.flat();
}

async function judge(
  repo: Repository,
  change: Change,
): Promise<RemovedTestFile["how"] | null> {
  const before = change.from ?? change.path;
  if (change.kind === "added" || parseTestName(before) === null) return null;
  if (change.kind === "deleted" || change.kind === "type") return "deleted";
  if (parseTestName(change.path) === null) return "renamed";
  const now = await readBlobById(repo, change.newOid);
  if ((await countTests(change.path, now)).running > 0) return null;
  const then = await readBlobById(repo, change.oldOid);
  return await isEmptied(change.path, then, now) ? "emptied" : null;
}

/** Whether a text that had a running test has none any more, or has no code at all. */
async function isEmptied(path: string, before: string, now: string): Promise<boolean> {
  const [then, left] = [await countTests(path, before), await countTests(path, now)];
  if (then.running > 0 && left.running === 0) return true;
  return (then.all > 0 && left.all === 0) || (!hasCode(path, now) && hasCode(path, before));
}

async function countTests(
  path: string,
  text: string,
): Promise<{ readonly all: number; readonly running: number }> {
  const { tests } = await readTests(path, text);
  return { all: tests.length, running: tests.filter(({ isOff }) => !isOff).length };
}

/** Whether a text has more than comments, blank lines and brackets. */
function hasCode(path: string, text: string): boolean {
  return removeComments(text, languageOfPath(path)).some((line) => /[\w"]/.test(line));
}
