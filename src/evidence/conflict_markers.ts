/** Finds conflict markers that a merge left in files. */
import type { TreePath } from "../base/paths.ts";
import type { Repository } from "../git/repository.ts";
import { readBlobText } from "../git/trees/changes.ts";

/** Files of a tree that still hold conflict markers. */
export async function findConflictMarkers(
  repo: Repository,
  tree: string,
  paths: readonly TreePath[],
): Promise<readonly string[]> {
  const found = await Promise.all(paths.map(async (path) => {
    const text = await readBlobText(repo, tree, path);
    return text !== null && /^<{7} /m.test(text) && /^>{7} /m.test(text) ? [path] : [];
  }));
  return found.flat();
}
