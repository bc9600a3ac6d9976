/** Finds folders that git ignores, without walking into them. */
import { Git, splitNul } from "../git.ts";

/** The ignored folders of a worktree, relative to it, without a final slash; one start of git. */
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
