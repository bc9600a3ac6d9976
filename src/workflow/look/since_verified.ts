/**
 * Finds the files that changed since the verification passed. What others changed beside the
 * session's lines is reported apart, because it is not committed; what they changed on these lines
 * cannot be separated from the session's work, so only another verification helps.
 */
import type { TreePath } from "../../base/paths.ts";
import { carryChanges } from "../../git/trees/carry_changes.ts";
import { diffTrees } from "../../git/trees/changes.ts";
import type { Facts } from "../../phase/facts.ts";
import type { OpenSession, SessionContext } from "../context/sessions.ts";

/**
 * Compares a tree with the verified one, after the changes attributed to others since were applied to
 * that three-way: `changedSinceVerified` are files that still differ, `othersChanged` are files
 * with only separable changes of others.
 */
export async function findSinceVerified(
  { repo, paths }: Pick<SessionContext, "repo" | "paths">,
  { state }: Pick<OpenSession, "state">,
  tree: string | null,
): Promise<Pick<Facts, "changedSinceVerified" | "othersChanged">> {
  const { tree: verified, baselineTree: from } = state.verification ?? {};
  const { baselineTree: to } = state.workspace;
  if (!tree || !verified || !from || to === null) {
    return { changedSinceVerified: [], othersChanged: [] };
  }
  const expected = from === to
    ? verified
    : await carryChanges(repo, { onto: verified, from, to, onConflict: "onto" });
  const list = async (one: string, other: string) =>
    one === other
      ? []
      : (await diffTrees(repo, one, other, { withoutRenames: true })).map(({ path }) => path);
  const changed = await list(expected, tree);
  const isChanged = new Set(changed);
  const others = (await list(verified, tree)).filter((path) => !isChanged.has(path));
  const toProject = (treePath: TreePath) => paths.toProject(treePath);
  return { changedSinceVerified: changed.map(toProject), othersChanged: others.map(toProject) };
}
