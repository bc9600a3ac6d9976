/** Tells what the session changed from what the person had changed before it. */
import type { Change } from "./changes.ts";
import { diffTrees } from "./changes.ts";
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
}

/** Who changed what. */
export interface SessionComparison {
  /** From the baseline to now, renames as such. */
  readonly session: readonly Change[];
  /** What the person had changed and not committed when the session began. */
  readonly person: readonly Change[];
  /** Paths that both changed. */
  readonly both: readonly string[];
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
  const theirs = new Set(person.flatMap(toNames));
  const both = session.filter((change) => toNames(change).some((name) => theirs.has(name)));
  return { session, person, both: both.map((change) => change.path) };
}

function toNames(change: Change): string[] {
  return change.from === undefined ? [change.path] : [change.from, change.path];
}
