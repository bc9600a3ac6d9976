/**
 * Keeps the trees that a session works with by refs: they are combined from others and are in no
 * snapshot.
 */
import type { Repository } from "../repository.ts";
import { OWN_REFS } from "../snapshots/snapshots.ts";

/** Trees or commits by the names of their refs, which consist of letters only. */
export type SessionTrees = Readonly<Record<string, string>>;

/**
 * Makes refs of the session name these trees, with one start of git. Garbage collection would
 * remove trees without a ref: at once where somebody prunes, or after two weeks while a session is
 * parked.
 *
 * @throws {CodeIntelError} `git_failed` when a tree is missing already.
 */
export async function keepSessionTrees(
  repo: Repository,
  sessionId: string,
  trees: SessionTrees,
): Promise<void> {
  const lines = Object.entries(trees)
    .map(([name, tree]) => `update ${OWN_REFS}/${sessionId}/kept/${name} ${tree}\n`);
  await repo.git.bytes(["update-ref", "--stdin"], { stdin: lines.join("") });
}
