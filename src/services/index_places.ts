/** Where the index of a project lies. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { hasSettings } from "../place/project_place.ts";

/** The index folder that all worktrees of a repository share; without git that of the project alone. */
export function toIndexDir(
  repo: { readonly commonDir: string } | null,
  { plainIndexDir }: { readonly plainIndexDir: string },
): string {
  return repo === null ? plainIndexDir : join(repo.commonDir, "code-intel");
}

/**
 * The index folder of a project without git: its own folder where the project was set up, else one in the user's state
 * folder, because a question leaves nothing in a folder that nobody set up.
 */
export function toPlainIndexDir(stateDir: string | null, projectRoot: string): string {
  const own = join(projectRoot, ".code-intel");
  return hasSettings(own) ? own : toProjectIndexDir(stateDir, projectRoot) ?? own;
}

/**
 * The index folder within the user's state folder, also for a project that cannot be written to; null without a state
 * folder.
 */
export function toProjectIndexDir(stateDir: string | null, projectRoot: string): string | null {
  const name = createHash("sha256").update(projectRoot).digest("hex").slice(0, 16);
  return stateDir === null ? null : join(stateDir, "index", name);
}
