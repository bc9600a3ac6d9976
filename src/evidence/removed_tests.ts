/** Finds the test files that the session removed, as a whole or by emptying them. */
import type { TreePath } from "../base/paths.ts";
import type { TestSkips } from "../language/language_row.ts";
import type { Language } from "../language/languages.ts";
import { languageOfPath } from "../language/languages.ts";
import { maskText } from "../language/mask.ts";
import { toTestName } from "../language/test_names.ts";
import type { Repository } from "../git/repository.ts";
import type { Change } from "../git/trees/changes.ts";
import { readBlobById } from "../git/trees/changes.ts";

/** A test file that tests nothing any more. Paths are relative to the worktree. */
export interface RemovedTestFile {
  /** The path under which it was a test. */
  readonly path: TreePath;
  /** Its path among the changes: for a renamed file, the present one. */
  readonly changedPath: TreePath;
  readonly how: "deleted" | "emptied" | "renamed";
}

/**
 * Test files among the changes that are gone, are left without a test, or have a name under which
 * no runner looks for them. A renamed file that is still a test is not one of them.
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
  if (change.kind === "added" || toTestName(before) === null) return null;
  if (change.kind === "deleted" || change.kind === "type") return "deleted";
  if (toTestName(change.path) === null) return "renamed";
  const now = await readBlobById(repo, change.newOid);
  if (countTests(change.path, now).running > 0) return null;
  const then = await readBlobById(repo, change.oldOid);
  return isEmptied(change.path, then, now) ? "emptied" : null;
}

/** Number of tests in a text, and of those that a runner runs. */
interface TestCount {
  readonly all: number;
  readonly running: number;
}

function countTests(path: string, text: string): TestCount {
  const language = languageOfPath(path);
  const pattern = language?.tests?.begin;
  if (language === undefined || pattern === undefined) return { all: 0, running: 0 };
  const code = toCode(text, language);
  const all = [...code.matchAll(pattern)].length;
  const skips = language.tests?.skips;
  return { all, running: skips === undefined ? all : countRunning(code, pattern, skips) };
}

function countRunning(code: string, tests: RegExp, { test, one, all, block }: TestSkips): number {
  if (all?.test(code) === true) return 0;
  const rest = block === undefined ? code : withoutBlocks(code, block);
  const count = (pattern: RegExp) => [...rest.matchAll(pattern)].length;
  return Math.max(0, count(test ?? tests) - count(one));
}

/** The code without what stands between the brackets that `block` opens. */
function withoutBlocks(code: string, block: RegExp): string {
  let rest = "";
  let from = 0;
  for (const match of code.matchAll(block)) {
    if (match.index < from) continue;
    rest += code.slice(from, match.index);
    let open = 1;
    from = match.index + match[0].length;
    while (from < code.length && open > 0) {
      const sign = code[from++];
      open += sign === "(" ? 1 : sign === ")" ? -1 : 0;
    }
  }
  return rest + code.slice(from);
}

/** Whether a text that had a running test has none any more, or has no code at all. */
function isEmptied(path: string, before: string, now: string): boolean {
  const [then, left] = [countTests(path, before), countTests(path, now)];
  if (then.running > 0 && left.running === 0) return true;
  return (then.all > 0 && left.all === 0) || (!hasCode(path, now) && hasCode(path, before));
}

/** Whether a text has more than comments, blank lines and brackets. */
function hasCode(path: string, text: string): boolean {
  const language = languageOfPath(path);
  return /[\w"]/.test(language === undefined ? text : toCode(text, language));
}

/** A text without comments, with every character of its strings replaced by a quote. */
function toCode(text: string, language: Language): string {
  return maskText(text, language).replaceAll("\u0001", "").replaceAll("\u0002", '"');
}
