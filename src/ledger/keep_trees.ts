/**
 * Keeps the trees that a session's checkpoint names by refs: these trees are computed and are part
 * of no snapshot, so that git could remove them.
 */
import type { SessionState } from "../phase/state.ts";
import { isManifestId } from "./manifest_trees.ts";
import type { Trees } from "./trees.ts";

/** Opens what keeps the trees; null where nothing has to. */
export type OpenTrees = () => Promise<Pick<Trees, "keepStates"> | null>;

/**
 * Keeps the trees that differ between two states, with one start of git. To be called before the
 * later state is written, so that a checkpoint never names a tree that garbage collection could
 * remove.
 */
export async function keepStateTrees(
  openTrees: OpenTrees,
  sessionId: string,
  states: { readonly before: SessionState; readonly now: SessionState },
): Promise<void> {
  if (states.now.status === "ended") return;
  const [before, now] = [toTrees(states.before), toTrees(states.now)];
  // A manifest is a file and needs no ref, also where git came back meanwhile.
  const changed = Object.entries(now).flatMap(([name, tree]): [string, string][] =>
    before[name] === tree || tree === null || isManifestId(tree) ? [] : [[name, tree]]
  );
  const trees = changed.length === 0 ? null : await openTrees();
  await trees?.keepStates(sessionId, Object.fromEntries(changed));
}

/** The trees that the session is compared with or goes back to, by the names of their refs. */
function toTrees({ ledger, workspace }: SessionState): Readonly<Record<string, string | null>> {
  const { baselineTree: baseline, planTree: plan, parkTree: park, cleanTree: clean } = workspace;
  return { ledger: ledger?.tree ?? null, baseline, plan, park, clean };
}
