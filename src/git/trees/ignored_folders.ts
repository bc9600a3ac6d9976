/** Folders that git ignores, found without walking into them. */
import { Git, splitNul } from "../git.ts";

/** The ignored folders of a worktree, relative to it, without a slash at the end; one process start. */
export async function listIgnoredFolders(worktree: string): Promise<string[]> {
  const output = await new Git(worktree).bytes([
    "ls-files",
    "-z",
    "--others",
    "--ignored",
    "--exclude-standard",
    "--directory",
  ]);
  return splitNul(output).filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1));
}
