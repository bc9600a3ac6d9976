/** The working files as they are now, as a state that the ledger knows. */
import type { WorktreeTree } from "../../git/index/private_index.ts";
import { writeWorktreeTree } from "../../git/index/private_index.ts";
import type { OpenVisit } from "./desk.ts";

/** The present state of the working files; null where nobody keeps states. */
export async function toTree(
  { bench, session, settings }: OpenVisit,
): Promise<string | null> {
  return await bench.trees?.write({
    sessionId: session.id,
    maxFileMb: settings.maxFileMb,
  }) ?? null;
}

/** The present working tree, with what it cannot hold, such as files that are too large; null where nobody keeps states. */
export async function readWorktree(
  input: OpenVisit,
): Promise<WorktreeTree | null> {
  const { repo } = input.bench;
  return repo === null ? null : await writeWorktreeTree(repo, {
    sessionId: input.session.id,
    maxFileMb: input.settings.maxFileMb,
  });
}
