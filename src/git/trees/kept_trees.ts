/**
 * Keeps the trees that a session works with by refs: they are combined from others and are in no
 * snapshot.
 */
import { toKeptRef } from "../ref_file.ts";
import type { Repository } from "../repository.ts";
import { createOwnRef } from "../snapshots/own_ref_file.ts";

/** Trees or commits by the names of their refs, which consist of letters only. */
export type SessionTrees = Readonly<Record<string, string>>;

/**
 * Makes refs of the session name these trees, with at most one start of git. Garbage collection would
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
  const lines: string[] = [];
  for (const [name, tree] of Object.entries(trees)) {
    const ref = toKeptRef(sessionId, name);
    if (!(await createOwnRef(repo, ref, tree))) lines.push(`update ${ref} ${tree}\n`);
  }
  if (lines.length === 0) return;
  await repo.git.bytes(["update-ref", "--stdin"], { stdin: lines.join("") });
}
