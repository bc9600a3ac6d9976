/** Finds what the server's own runs of the verification commands left in the worktree. */
import type { TreePath } from "../../base/paths.ts";
import { isRunOutput } from "../../evidence/runs/run_outputs.ts";
import { readHead } from "../../git/repository.ts";
import { listTree } from "../../git/trees/changes.ts";
import type { Bench } from "../desk.ts";

/**
 * The paths among those that changed during a run which are outputs of it: their names say so, and no commit has them.
 * What a commit has is work of somebody, so a command has to declare that it writes it.
 */
export async function findOutputs(
  { repo }: Pick<Bench, "repo">,
  changed: readonly TreePath[],
): Promise<ReadonlySet<TreePath>> {
  const outputs = changed.filter(isRunOutput);
  if (repo === null || outputs.length === 0) return new Set(outputs);
  const { commit } = await readHead(repo);
  if (commit === null) return new Set(outputs);
  const held = new Set((await listTree(repo, commit, outputs)).map(({ path }) => path));
  return new Set(outputs.filter((path) => !held.has(path)));
}
