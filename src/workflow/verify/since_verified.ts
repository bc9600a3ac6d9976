/**
 * Which files are no longer what the verification passed on. What others changed beside the session's lines
 * is told apart, because the commit leaves it out; what they changed on these lines is inseparable from the
 * session's work, so that only another verification can say anything about it.
 */
import type { TreePath } from "../../base/paths.ts";
import { carryChanges, diffTrees } from "../../git/mod.ts";
import type { Facts } from "../../phase/mod.ts";
import type { Bench, OpenSession } from "../desk.ts";

/**
 * Compares a tree with the verified one, on which all that was booked to others since is laid three-way:
 * `changedSinceVerified` are files that differ from that in spite of it, `othersChanged` files in which
 * nothing but separable changes of others came.
 */
export async function findSinceVerified(
  { repo, paths }: Pick<Bench, "repo" | "paths">,
  { state }: Pick<OpenSession, "state">,
  tree: string | null,
): Promise<Pick<Facts, "changedSinceVerified" | "othersChanged">> {
  const { tree: verified, baselineTree: from } = state.verification ?? {};
  const { baselineTree: to } = state.workspace;
  if (repo === null || !tree || !verified || !from || to === null) {
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
