/** What a reply says of files that were put back while git has other versions of them staged. */
import type { TreePath } from "../../base/paths.ts";
import { listStagedFiles } from "../../git/index/real_index.ts";
import type { Bench } from "../context/desk.ts";

const MOST_FILES = 50;

/** Names the staged versions, as after `git rm`: the next commit would take them along, and the index is the person's. */
export async function toStagedFields(
  { repo, paths: projectPaths }: Pick<Bench, "repo" | "paths">,
  paths: readonly TreePath[],
): Promise<Readonly<Record<string, unknown>>> {
  const staged = repo === null ? [] : await listStagedFiles(repo, paths).catch(() => []);
  return staged.length === 0 ? {} : {
    still_staged: staged.slice(0, MOST_FILES).map((path) => projectPaths.toProject(path)),
    still_staged_note:
      "The files were put back, but git has other versions of these staged: take them out with git restore --staged, or tell the person.",
  };
}
