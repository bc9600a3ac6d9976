/** Which files the active session changed, by the states of the files that its record names. */
import { toProjectPath } from "../git/repository.ts";
import { diffTrees } from "../git/trees/changes.ts";
import type { SessionState } from "../phase/state.ts";
import type { Services } from "./services_api.ts";

/** The two states of a session's work: by its commits where it made some, else from its baseline to the last recorded state. */
export function findWorkRange(
  { workspace, ledger }: SessionState,
): { readonly from: string; readonly to: string } | null {
  const commit = workspace.commits.at(-1);
  const from = commit === undefined ? workspace.baselineTree : workspace.baseCommit;
  const to = commit ?? ledger?.tree ?? null;
  return from === null || to === null ? null : { from, to };
}

/** The files that the active session changed so far; null without one, or without git. */
export async function listChangedFiles(
  { sessions, parts }: Pick<Services, "sessions" | "parts">,
): Promise<{ readonly id: string; readonly paths: readonly string[] } | null> {
  const found = await sessions.findActive();
  const repo = found?.kind === "loaded" ? await parts.openRepo() : null;
  if (found?.kind !== "loaded" || repo === null) return null;
  const ends = findWorkRange(found.checkpoint.state);
  const changes = ends === null ? [] : await diffTrees(repo, ends.from, ends.to).catch(() => []);
  return { id: found.id, paths: changes.map(({ path }) => toProjectPath(repo, path)) };
}
