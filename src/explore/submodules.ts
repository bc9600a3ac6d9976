/**
 * Repositories inside the project: their files are not part of it, so a question that finds nothing should say that they
 * were not looked at.
 */
import { join } from "node:path";
import { readControlTextIfUsable } from "../base/files/control_file.ts";
import { toParent } from "../base/repo_path.ts";

/** Names that one notice lists. */
const MAX_NAMED = 5;

/** The repository inside the project that holds the path, or null; `.` is the project itself. */
export async function findForeignRepository(root: string, path: string): Promise<string | null> {
  for (let at = path; at !== "."; at = toParent(at)) {
    if (await isThere(join(root, at, ".git"))) return at;
  }
  return null;
}

/** What to add to an answer without results: the submodules below `path`, as `.gitmodules` names them. */
export function toSubmoduleNotices(root: string, path: string): readonly string[] {
  const text = readControlTextIfUsable(join(root, ".gitmodules"), "manifest") ?? "";
  const all = [...text.matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)].map(([, name = ""]) => name).sort();
  const own = all.filter((name) => path === "." || name.startsWith(`${path}/`));
  if (own.length === 0) return [];
  const more = own.length > MAX_NAMED ? ` and ${own.length - MAX_NAMED} more` : "";
  return [`Submodules were not searched: ${own.slice(0, MAX_NAMED).join(", ")}${more}.`];
}

/** What is said of a path inside such a repository. */
export function toForeignNotice(path: string, repository: string): string {
  const which = path === repository ? `"${path}"` : `"${path}" in "${repository}"`;
  return `${which} is a submodule or a repository of its own: its files are not part of this one. ` +
    "Run code-intel there, or let the search include ignored files.";
}

async function isThere(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}
