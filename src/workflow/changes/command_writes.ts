/** Finds the changes of the disk that verification commands made: as their `writes` declare, and their outputs. */
import { isWrittenBy } from "../../evidence/runs/verify_commands.ts";
import type { WrittenFile } from "../../evidence/runs/verification.ts";
import type { Bench, Desk } from "../desk.ts";
import { findOutputs } from "./own_outputs.ts";

/**
 * Files (relative to the worktree) that are still as a run of the session left them, or that differ
 * from the start of a run in progress whose commands declare that they write them. A file that was
 * changed before or after the run is not among them, whatever its name.
 */
export async function findCommandWrites(
  desk: Desk,
  bench: Bench,
  { sessionId, tree }: { readonly sessionId: string; readonly tree: string },
): Promise<ReadonlySet<string>> {
  const { runner } = desk.deps.verification;
  const { trees, paths } = bench;
  if (trees === null) return new Set();
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
    const outputs = await findOutputs(bench, changed);
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
  desk: Desk,
  bench: Bench,
  sessionId: string,
): Promise<readonly WrittenFile[]> {
  const written = new Map<string, string>();
  for (const { wrote } of await desk.deps.verification.runner.read(sessionId)) {
    for (const { path, command } of wrote) written.set(path, command);
  }
  return [...written].map(([path, command]) => ({ path: bench.paths.toProject(path), command }));
}
