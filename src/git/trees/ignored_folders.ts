/** Finds files and folders that git ignores, without walking into the folders. */
import { Git, splitNul } from "../git.ts";

/** What git ignores in a worktree, relative to it; folders with a final slash. One start of git. */
export async function listIgnored(worktree: string): Promise<string[]> {
  return splitNul(
    await new Git(worktree).bytes([
      "ls-files",
      "-z",
      "--others",
      "--ignored",
      "--exclude-standard",
      "--directory",
    ]),
  );
}

/** The ignored folders of a worktree, relative to it, without a final slash; one start of git. */
export async function listIgnoredFolders(worktree: string): Promise<string[]> {
  return toFolders(await listIgnored(worktree));
}

/** The folders among what {@link listIgnored} gave, without a final slash. */
export function toFolders(ignored: readonly string[]): string[] {
  return ignored.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1));
}
