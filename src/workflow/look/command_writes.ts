/** Finds the changes of the disk that verification commands made: as their `writes` declare, and their outputs. */
import type { TreePath } from "../../base/paths.ts";
import { isRunOutput } from "../../runners/runners.ts";
import { hasNoGit, readHead } from "../../git/repository.ts";
import { listTree } from "../../git/trees/changes.ts";
import type { SessionContext } from "../context/sessions.ts";
import { isWrittenBy } from "../../evidence/runs/verify_commands.ts";
import type { WrittenFile } from "../../evidence/runs/verification.ts";

/**
 * The paths among those that changed during a run which are outputs of it: their names say so, and no commit has them.
 * What a commit has is work of somebody, so a command has to declare that it writes it.
 */
export async function findOutputs(
  { repo }: Pick<SessionContext, "repo">,
  changed: readonly TreePath[],
): Promise<ReadonlySet<TreePath>> {
  const outputs = changed.filter(isRunOutput);
  if (outputs.length === 0 || hasNoGit(repo)) return new Set(outputs);
  const { commit } = await readHead(repo);
  if (commit === null) return new Set(outputs);
  const held = new Set((await listTree(repo, commit, outputs)).map(({ path }) => path));
  return new Set(outputs.filter((path) => !held.has(path)));
}

/**
 * Files (relative to the worktree) that are still as a run of the session left them. Also files
 * that differ from the start of a run in progress, if its commands declare that they write them. A
 * file that was changed before or after the run is not among them, whatever its name.
 */
export async function findCommandWrites(
  context: SessionContext,
  { sessionId, tree }: { readonly sessionId: string; readonly tree: string },
): Promise<ReadonlySet<string>> {
  const { runner } = context.deps.verification;
  const { trees, paths } = context;
  const list = async (from: string) => (await trees.diff(from, tree)).map(({ path }) => path);
  // What runs is asked first: a run that ends in between is then among both, and in the other order among neither.
  const running = await runner.readRunning(sessionId);
  const found = new Set<string>();
  for (const { wrote, treeAtEnd } of await runner.read(sessionId)) {
    if (wrote.length === 0 || treeAtEnd === null) continue;
    const later = new Set(await list(treeAtEnd));
    for (const { path } of wrote) if (!later.has(path)) found.add(path);
  }
  for (const { treeAtStart, writes } of running) {
    const changed = await list(treeAtStart);
    const outputs = await findOutputs(context, changed);
    for (const path of changed) {
      const isOwn = outputs.has(path) ||
        writes.some(({ globs }) => isWrittenBy({ writes: globs }, paths.toProject(path)));
      if (isOwn) found.add(path);
    }
  }
  return found;
}

/**
 * The files that the session's runs wrote, each once with the last command that wrote it, for the
 * review.
 */
export async function listCommandWrites(
  context: SessionContext,
  sessionId: string,
): Promise<readonly WrittenFile[]> {
  const written = new Map<string, string>();
  for (const { wrote } of await context.deps.verification.runner.read(sessionId)) {
    for (const { path, command } of wrote) written.set(path, command);
  }
  return [...written].map(([path, command]) => ({ path: context.paths.toProject(path), command }));
}
