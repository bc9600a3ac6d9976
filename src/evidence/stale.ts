/** Does evidence that was accepted earlier still stand in the tree as it is now? */
import type { Problem } from "../base/problem.ts";
import type { LineChanges, Repository } from "../git/mod.ts";
import { changedLines, readBlobText } from "../git/mod.ts";
import type { StaleEvidence, Task } from "../phase/mod.ts";
import type { Location } from "./location.ts";
import { parseLocation } from "./location.ts";

/** What accepted evidence is compared with. */
export interface StaleInput {
  readonly repo: Repository;
  readonly toWorktree: (
    path: string,
  ) => { readonly kind: "path"; readonly path: string } | {
    readonly kind: "refused";
    readonly problem: Problem;
  };
  readonly baselineTree: string | null;
  readonly currentTree: string;
}

/**
 * Items of completed tasks whose place is gone: the file went back to the baseline or disappeared, or
 * every line of the range is gone and the session changed no other line of the file.
 */
export async function findStaleEvidence(
  tasks: readonly Task[],
  input: StaleInput,
): Promise<readonly StaleEvidence[]> {
  const now = input.baselineTree === null
    ? null
    : await changedLines(input.repo, input.baselineTree, input.currentTree);
  const oldNames = new Set([...now?.values() ?? []].map(({ change }) => change.from));
  const found: StaleEvidence[] = [];
  for (const task of tasks) {
    if (task.status !== "completed" || task.evidenceTree === null) continue;
    const back = await changedLines(input.repo, input.currentTree, task.evidenceTree);
    const items = task.checklist.flatMap((item, index) => {
      const location = item.status === "done" ? parseLocation(item.evidence ?? "") : null;
      const resolved = location === null ? null : input.toWorktree(location.path);
      if (location === null || resolved?.kind !== "path") return [];
      const { path } = resolved;
      if (location.kind === "deleted" && oldNames.has(path)) return [];
      return isGone(location, { now: now?.get(path), back: back.get(path), isKnown: now !== null })
        ? [index]
        : [];
    });
    if (items.length > 0) found.push({ taskId: task.id, items });
  }
  return found;
}

/**
 * `now` is what the session changed in the file; `back` leads from the present tree to the one of the
 * report, so lines that appear in it are lines of the report that are gone or rewritten.
 */
function isGone(
  location: Location,
  file: {
    readonly now: LineChanges | undefined;
    readonly back: LineChanges | undefined;
    readonly isKnown: boolean;
  },
): boolean {
  if (file.isKnown && file.now === undefined) return true;
  if (file.back === undefined) return false;
  if (location.kind !== "lines") {
    return location.kind === "deleted" && file.now?.change.kind !== "deleted";
  }
  if (file.back.change.kind === "added") return true;
  const lost = file.back.ranges.reduce((total, { start, end }) => {
    const [first, last] = [Math.max(start, location.start), Math.min(end, location.end)];
    return total + Math.max(0, last - first + 1);
  }, 0);
  const isRangeLost = lost >= location.end - location.start + 1;
  return isRangeLost && (file.now?.ranges.length ?? 0) === 0;
}

/** Files of a tree that still hold conflict markers. */
export async function findConflictMarkers(
  repo: Repository,
  tree: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  const found = await Promise.all(paths.map(async (path) => {
    const text = await readBlobText(repo, tree, path);
    return text !== null && /^<{7} /m.test(text) && /^>{7} /m.test(text) ? [path] : [];
  }));
  return found.flat();
}
