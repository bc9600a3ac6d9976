/** A store of objects for one operation: what git writes meanwhile lies there, and nothing is left in the project's own. */
import { openOwnFolder } from "../../git/index/own_store.ts";
import { delimiter, join } from "node:path";
import { checkOwnFolder } from "../../base/files/own_folder.ts";
import type { Repository } from "../../git/repository.ts";

/**
 * Runs `action` with variables for git. With them git writes new objects into a folder of their
 * own, and still reads those of the project. The folder may also hold files of the caller.
 */
export async function withScratchObjects<T>(
  repo: Repository,
  action: (env: Readonly<Record<string, string>>, folder: string) => Promise<T>,
): Promise<T> {
  const own = await openOwnFolder(repo);
  checkOwnFolder(own);
  const folder = await Deno.makeTempDir({ dir: own, prefix: "objects-" });
  const env = {
    GIT_OBJECT_DIRECTORY: folder,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(join(repo.commonDir, "objects")),
  };
  try {
    return await action(env, folder);
  } finally {
    await Deno.remove(folder, { recursive: true }).catch(() => {});
  }
}

/** A path in git's list of stores, in quotes where a sign of it would end it. */
function quotePath(path: string): string {
  const isPlain = !path.includes(delimiter) && !path.startsWith('"');
  return isPlain ? path : `"${path.replaceAll(/["\\]/g, "\\$&")}"`;
}
