/** Tells which files differ from what is staged or committed, or are known to git by nothing but their presence. */
import type { TreePath } from "../../base/paths.ts";
import { splitNul } from "../git.ts";
import { limitTo } from "../path_limit.ts";
import type { Repository } from "../repository.ts";

/** Those of the paths that git shows as changed or as new; what it ignores is left out. One start of git. */
export async function listUncommitted(
  repo: Repository,
  paths: readonly TreePath[],
): Promise<readonly string[]> {
  const limit = limitTo(paths);
  const kinds = ["--modified", "--others", "--exclude-standard"];
  const args = ["--literal-pathspecs", "ls-files", "-z", ...kinds, "--", ...limit.args];
  return [...new Set(splitNul(await repo.git.bytes(args)).filter((path) => limit.covers(path)))];
}
