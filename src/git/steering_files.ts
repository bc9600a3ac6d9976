/** Looks at the files that steer git before git reads them: git waits for ever on a pipe in the place of one. */
import { join } from "node:path";
import { CodeIntelError } from "../base/errors.ts";

/** Below the worktree; git follows no link there. */
const OF_WORKTREE = [".gitignore", ".gitattributes", ".gitmodules"] as const;
/** Below the git folder that all worktrees share; git follows links there. */
const OF_REPOSITORY = ["info/exclude", "info/attributes"] as const;

/**
 * Refuses a repository in which a pipe, a device or a socket stands where git reads a file. Folders below the root
 * are not looked at: there the time limit of each git command ends the wait.
 *
 * @throws {CodeIntelError} `control_file_unusable` with the file and the way out.
 */
export async function checkSteeringFiles(worktree: string, commonDir: string): Promise<void> {
  const looks = [
    ...OF_WORKTREE.map((name) => [join(worktree, name), Deno.lstat] as const),
    ...OF_REPOSITORY.map((name) => [join(commonDir, name), Deno.stat] as const),
  ];
  await Promise.all(looks.map(async ([path, look]) => {
    const info = await look(path).catch(() => null);
    if (info === null || info.isFile || info.isDirectory || info.isSymlink) return;
    throw new CodeIntelError(
      "control_file_unusable",
      `Cannot use "${path}": it is no regular file, and git would wait on it for ever`,
      { hint: "Remove it, or put a regular file in its place, then send the same call again." },
    );
  }));
}
