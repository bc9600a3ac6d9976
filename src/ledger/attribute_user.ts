/**
 * Books changes to the user: they become part of what the disk should be, and of the baseline.
 */
import type { TreePath } from "../base/paths.ts";
import type { LedgerState, SessionState, UserOverlap, WorkspaceState } from "../phase/state.ts";
import type { Trees } from "./trees.ts";

/** Changed files between two trees of the worktree. */
export interface UserChange {
  /** The tree that the ledger holds. */
  readonly from: string;
  /** The tree with the changes. */
  readonly to: string;
  /** Files, relative to the worktree. */
  readonly paths: readonly TreePath[];
  /**
   * Those of the files that the server or a command of the session wrote: the user is not asked
   * about them.
   */
  readonly ownPaths?: readonly TreePath[];
}

/** What {@link attributeToUser} books. */
export interface UserAttribution extends Omit<UserChange, "from"> {
  /** Hashes of the protected texts before and after, by project path. */
  readonly texts: {
    readonly before: Readonly<Record<string, string>>;
    readonly now: Readonly<Record<string, string>>;
  };
}

/**
 * The trees that the session is compared with or goes back to. Also the files of which these trees
 * hold less than the user wrote.
 */
export type ReferenceTrees = Pick<WorkspaceState, "baselineTree" | "planTree" | "personOverlaps">;

/**
 * Baseline and plan tree with the user's changes of some files. A file that the session changed
 * too is merged three-way, so that going back to one of these trees keeps the user's lines.
 */
export async function carryUserChange(
  trees: Pick<Trees, "adopt" | "carry">,
  state: SessionState,
  change: UserChange,
): Promise<ReferenceTrees> {
  const { from, paths } = change;
  if (paths.length === 0) return pickOrigins(state.workspace);
  const to = await trees.adopt({ onto: from, from: change.to, paths });
  return await carryReferenceTrees(trees, state.workspace, { ...change, to });
}

/**
 * Baseline and plan tree with all changes from one tree to another. Lines that the session changed
 * too stay out of the baseline, so that they count as changes of the session; their files are
 * remembered, because the text is the user's too.
 */
export async function carryReferenceTrees(
  trees: Pick<Trees, "carry">,
  workspace: ReferenceTrees,
  change: Pick<UserChange, "from" | "to" | "ownPaths">,
): Promise<ReferenceTrees> {
  const { baselineTree, planTree } = workspace;
  const { from, to, ownPaths = [] } = change;
  const carry = async (onto: string | null) =>
    onto === null ? null : await trees.carry({ onto, from, to });
  const baseline = await carry(baselineTree);
  const plan = planTree === baselineTree ? baseline : await carry(planTree);
  const found = (baseline?.overlaps ?? []).filter(({ treePath }) => !ownPaths.includes(treePath));
  const { personOverlaps: known } = workspace;
  return pickOrigins({
    baselineTree: baseline?.tree ?? null,
    planTree: plan?.tree ?? null,
    ...(known === undefined && found.length === 0
      ? {}
      : { personOverlaps: addOverlaps(known ?? [], found) }),
  });
}

/** The baseline and plan tree, unchanged. */
export function pickOrigins(
  { baselineTree, planTree, personOverlaps }: ReferenceTrees,
): ReferenceTrees {
  return { baselineTree, planTree, ...(personOverlaps === undefined ? {} : { personOverlaps }) };
}

/** A file that is again as it was before the user first changed it is no longer an overlap. */
function addOverlaps(
  known: readonly UserOverlap[],
  found: readonly UserOverlap[],
): readonly UserOverlap[] {
  const byPath = new Map(known.map((overlap) => [overlap.treePath, overlap]));
  for (const overlap of found) {
    const before = byPath.get(overlap.treePath)?.before ?? overlap.before;
    byPath.set(overlap.treePath, { ...overlap, before });
  }
  return [...byPath.values()].filter(({ before, after }) => before !== after);
}

/** The state with exactly these files attributed to the user; the same state without a ledger. */
export async function attributeToUser(
  trees: Pick<Trees, "adopt" | "carry">,
  state: SessionState,
  change: UserAttribution,
): Promise<SessionState> {
  const { ledger, workspace } = state;
  const from = ledger?.tree ?? null;
  if (ledger === undefined || from === null || change.paths.length === 0) return state;
  const tree = await trees.adopt({ onto: from, from: change.to, paths: change.paths });
  const origins = await carryUserChange(trees, state, { ...change, from });
  return {
    ...state,
    workspace: { ...workspace, ...origins },
    ledger: { ...ledger, tree, ...refreshTextHashes(ledger, change.texts) },
  };
}

/**
 * Protected texts that changed between the two hashes count as they are now; for the others the
 * ledger is right.
 */
function refreshTextHashes(
  ledger: LedgerState,
  { before, now }: UserAttribution["texts"],
): Partial<LedgerState> {
  if (ledger.texts === undefined) return {};
  const isSame = ([path]: readonly [string, string]) => before[path] === now[path];
  const kept = Object.entries(ledger.texts).filter(isSame);
  const taken = Object.entries(now).filter((entry) => !isSame(entry));
  return { texts: Object.fromEntries([...kept, ...taken]) };
}
