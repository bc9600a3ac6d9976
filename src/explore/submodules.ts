/** A path inside a repository in the project: its files are not part of the project. */
import { join } from "node:path";
import { parentOf } from "../base/repo_path.ts";

/** The repository inside the project that holds the path, or null; `.` is the project itself. */
export async function findForeignRepository(root: string, path: string): Promise<string | null> {
  for (let at = path; at !== "."; at = parentOf(at)) {
    if (await isThere(join(root, at, ".git"))) return at;
  }
  return null;
}

/** What is said of a path inside such a repository. */
export function formatSubmoduleNotice(path: string, repository: string): string {
  const which = path === repository ? `"${path}"` : `"${path}" in "${repository}"`;
  return `${which} is a submodule or a repository of its own: its files are not part of this one. ` +
    "Run code-intel there, or let the search include ignored files.";
}

async function isThere(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}
