/** Tells the session's changes from those that the person made before and during it. */
import type { TreePath } from "../../base/paths.ts";
import type { Change } from "./changes.ts";
import { diffTrees } from "./changes.ts";
import type { Overlap } from "./carry_changes.ts";
import { toEntryName } from "./carry_changes.ts";
import { readEntries } from "./merge_file.ts";
import type { Repository } from "../repository.ts";

/** The trees that are compared. */
export interface CompareSessionOptions {
  /** Tree that the session began with, with what was booked to others since. */
  readonly baselineTree: string;
  /** Tree of the present working tree. */
  readonly currentTree: string;
  /**
   * Commit or tree without any change of the person: HEAD at the start of the session, or after a
   * merged base the `cleanTree` of that merge.
   */
  readonly headCommit: string;
  /**
   * Files in which the person changed lines of the session, with their versions before: the part of
   * the person that the baseline lacks.
   */
  readonly overlaps?: readonly Pick<Overlap, "treePath" | "before">[];
  /** As in the options of {@link diffTrees}, for the session's changes. */
  readonly withLineCounts?: boolean;
}

/** Who changed what. */
export interface SessionComparison {
  /** The session's changes, from the baseline to now; renames are recognised. */
  readonly session: readonly Change[];
  /**
   * Files that had uncommitted changes of the person when the session began, or that they changed
   * since.
   */
  readonly person: readonly TreePath[];
  /** Paths that both changed. */
  readonly both: readonly TreePath[];
  /** Those of `both` in which the person's text stands on lines of the session. */
  readonly overlapping: readonly TreePath[];
}

/** Compares the three states of a session. */
export async function compareSession(
  repo: Repository,
  options: CompareSessionOptions,
): Promise<SessionComparison> {
  const [session, person] = await Promise.all([
    diffTrees(repo, options.baselineTree, options.currentTree, {
      withLineCounts: options.withLineCounts === true,
    }),
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

/**
 * Files with changes of the person on lines of the session, without those that are again as they
 * were before.
 */
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
