/** The working files as they are now, as a state that the ledger knows. */
import type { WorktreeTree } from "../../git/index/private_index.ts";
import { writeWorktreeTree } from "../../git/index/private_index.ts";
import { takeSnapshot } from "../../git/snapshots/snapshots.ts";
import type { SessionState } from "../../phase/state.ts";
import { loadSessionSettings } from "./deps.ts";
import type { OpenContext, SessionContext } from "./sessions.ts";

/** The present state of the working files; null where nobody keeps states. */
export async function writePresentTree(
  { repo, trees, session, settings }: OpenContext,
): Promise<string | null> {
  if (repo.missing !== undefined) return null;
  return await trees.write({ sessionId: session.id, maxFileMb: settings.maxFileMb });
}

/** The present working tree, with what it cannot hold, such as files that are too large; null where nobody keeps states. */
export async function readWorktree(
  input: OpenContext,
): Promise<WorktreeTree | null> {
  const { repo } = input;
  return repo.missing !== undefined ? null : await writeWorktreeTree(repo, {
    sessionId: input.session.id,
    maxFileMb: input.settings.maxFileMb,
  });
}

/** Takes a snapshot for a session, of a tree that is written already where one is given; null where nobody keeps states. */
export async function keepSnapshot(
  { repo, deps }: SessionContext,
  state: SessionState,
  options: { readonly label: string; readonly written?: string | null },
): Promise<string | null> {
  if (repo.missing !== undefined) return null;
  const { maxFileMb } = await loadSessionSettings(deps, state);
  const at = deps.clock.now();
  const { sessionId } = state;
  return (await takeSnapshot(repo, { sessionId, at, maxFileMb, ...options })).tree;
}
