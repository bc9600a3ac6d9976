/** Keeps the trees that a session works with: they are put together from several and in no snapshot. */
import type { Repository } from "../repository.ts";
import { OWN_REFS } from "../snapshots/snapshots.ts";

/** Trees or commits by the name under which they are kept: letters only. */
export type SessionTrees = Readonly<Record<string, string>>;

/**
 * Lets refs of the session name these trees, one process start. Without a ref a garbage collection would
 * take them: at once where somebody prunes, after two weeks where a session lies parked.
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
