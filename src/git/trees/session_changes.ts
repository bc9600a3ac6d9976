/** Tells what the session changed from what the person had changed before it. */
import type { TreePath } from "../../base/paths.ts";
import type { Change } from "./changes.ts";
import { diffTrees } from "./changes.ts";
import type { Overlap } from "./carry_changes.ts";
import { toEntryName } from "./carry_changes.ts";
import { readEntries } from "./merge_file.ts";
import type { Repository } from "../repository.ts";

/** The trees that are compared. */
export interface CompareSessionOptions {
  /** Tree that the session began with, plus what was booked to others since. */
  readonly baselineTree: string;
  /** Tree of the working tree now. */
  readonly currentTree: string;
  /**
   * Commit or tree without any change of the person's: HEAD at the start of the session, and after a
   * merged base the `cleanTree` that the merge answered.
   */
  readonly headCommit: string;
  /**
   * Files in which the person changed lines of the session, with what these files were before: what the
   * baseline lacks of theirs.
   */
  readonly overlaps?: readonly Pick<Overlap, "treePath" | "before">[];
}

/** Who changed what. */
export interface SessionComparison {
  /** From the baseline to now, renames as such. */
  readonly session: readonly Change[];
  /** Files that the person had changed and not committed when the session began, or changed since. */
  readonly person: readonly TreePath[];
  /** Paths that both changed. */
  readonly both: readonly TreePath[];
  /** Those among them in which the person's text is on lines of the session. */
  readonly overlapping: readonly TreePath[];
}

/** Compares the three states of a session. */
export async function compareSession(
  repo: Repository,
  options: CompareSessionOptions,
): Promise<SessionComparison> {
  const [session, person] = await Promise.all([
    diffTrees(repo, options.baselineTree, options.currentTree, { withLineCounts: true }),
    diffTrees(repo, options.headCommit, options.baselineTree),
  ]);
  const overlaps = await findStandingOverlaps(repo, options.currentTree, options.overlaps ?? []);
  const theirs = new Set([...person.flatMap(toNames), ...overlaps]);
  const listBoth = (names: ReadonlySet<TreePath>) =>
    session.filter((change) => toNames(change).some((name) => names.has(name)))
      .map((change) => change.path);
  return {
    session,
    person: [...new Set([...person.map(({ path }) => path), ...overlaps])],
    both: listBoth(theirs),
    overlapping: listBoth(new Set(overlaps)),
  };
}

/** Files with changes of the person on lines of the session that are not as they were before these changes. */
export async function findStandingOverlaps(
  repo: Repository,
  currentTree: string,
  overlaps: readonly Pick<Overlap, "treePath" | "before">[],
): Promise<readonly TreePath[]> {
  const entries = await readEntries(repo, currentTree, overlaps.map(({ treePath }) => treePath));
  return overlaps
    .filter(({ treePath, before }) => toEntryName(entries.get(treePath) ?? null) !== before)
    .map(({ treePath }) => treePath);
}

function toNames(change: Change): string[] {
  return change.from === undefined ? [change.path] : [change.from, change.path];
}
