/** Keeps by refs the trees that a session's checkpoint names: they are put together, and in no snapshot. */
import type { SessionState } from "../phase/mod.ts";
import { isManifestId } from "./manifest_trees.ts";
import type { Trees } from "./trees.ts";

/** Gives what keeps states; null where nothing does. */
export type OpenTrees = () => Promise<Pick<Trees, "keepStates"> | null>;

/**
 * Keeps the trees that differ between two states, one process start; to be called before the later state
 * is written, so that no checkpoint names what a garbage collection could take.
 */
export async function keepStateTrees(
  openTrees: OpenTrees,
  sessionId: string,
  states: { readonly before: SessionState; readonly now: SessionState },
): Promise<void> {
  if (states.now.status === "ended") return;
  const [before, now] = [toTrees(states.before), toTrees(states.now)];
  // A manifest keeps itself, also where git came back meanwhile.
  const changed = Object.entries(now).flatMap(([name, tree]): [string, string][] =>
    before[name] === tree || tree === null || isManifestId(tree) ? [] : [[name, tree]]
  );
  const trees = changed.length === 0 ? null : await openTrees();
  await trees?.keepStates(sessionId, Object.fromEntries(changed));
}

/** The trees that the session is compared with or goes back to, by the name under which they are kept. */
function toTrees({ ledger, workspace }: SessionState): Readonly<Record<string, string | null>> {
  const { baselineTree: baseline, planTree: plan, parkTree: park, cleanTree: clean } = workspace;
  return { ledger: ledger?.tree ?? null, baseline, plan, park, clean };
}
