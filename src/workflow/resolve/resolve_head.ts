/**
 * Resolves a HEAD that somebody else moved: it is put back with its content kept, or accepted where
 * it is.
 */
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { keepBranch, restoreTip } from "../../git/branches/branches.ts";
import { keepSnapshot } from "../context/present_tree.ts";
import { resetSoft, switchBranch } from "../../git/branches/switch_files.ts";
import { isAncestor, readHead, readTip } from "../../git/repository.ts";
import { adoptCommitted, adoptPaths } from "../../git/trees/carry_changes.ts";
import { diffTrees } from "../../git/trees/changes.ts";
import { isProtected } from "../../ledger/write_guard.ts";
import type { SessionState } from "../../phase/state.ts";
import type { SessionContext } from "../context/sessions.ts";
import type { InspectInput, Inspection } from "../look/inspect.ts";
import { carryToOrigins, withLedger } from "../look/inspect.ts";

/** The outcome of one row. */
export interface RowResult {
  readonly state: SessionState;
  readonly problem: Problem | null;
}

/**
 * Puts HEAD back where the ledger has it; a ref keeps its content. Null where it was done.
 */
export async function undoHead(
  context: SessionContext,
  input: InspectInput & { readonly inspection: Pick<Inspection, "state"> },
): Promise<Problem | null> {
  const { repo } = context;
  const expected = input.inspection.state.ledger?.head ?? null;
  if (expected === null) return null;
  if (expected.branch === null) {
    return makeElsewhereProblem(`a detached HEAD at ${expected.commit ?? "no commit"}`);
  }
  const head = await readHead(repo);
  if (expected.commit !== null && await readTip(repo, expected.branch) === null) {
    await restoreTip(repo, expected.branch, expected.commit);
  }
  if (head.kind !== "branch" || head.branch !== expected.branch) {
    const switched = await switchBranch(repo, expected.branch);
    if (switched.kind === "refused") return switched.problem;
  }
  const now = await readHead(repo);
  if (now.commit !== expected.commit && expected.commit !== null) {
    const at = context.deps.clock.now();
    await keepBranch(repo, expected.branch, at);
    await keepSnapshot(context, input.session.state, { label: "before undo" });
    await resetSoft(repo, expected.commit);
  }
  return null;
}

/**
 * Notes where HEAD is before {@link undoHead}, and gives the way back there, for the case that something after it fails.
 * A detached HEAD stays on the branch of the session: no branch holds where it was.
 */
export async function noteHead(
  { repo }: SessionContext,
  { ledger }: SessionState,
): Promise<(() => Promise<void>) | null> {
  const branch = ledger?.head?.branch ?? null;
  if (branch === null) return null;
  const [before, tip] = await Promise.all([readHead(repo), readTip(repo, branch)]);
  return async () => {
    const now = await readHead(repo);
    const isOnBranch = now.kind === "branch" && now.branch === branch;
    if (isOnBranch && tip !== null && now.commit !== tip) await resetSoft(repo, tip);
    if (isOnBranch && before.kind === "branch" && before.branch !== branch) {
      await switchBranch(repo, before.branch);
    }
  };
}

/**
 * Accepts the commit of somebody else. On the task branch its changes are reviewed like the
 * session's own. The user's earlier changes in it stay there after the session's commit; on the
 * base they count as the user's from the start. Files that are on the disk as the ledger has them
 * stay so. A partly staged file says nothing about the others.
 */
export async function acceptHead(
  context: SessionContext,
  input: { readonly state: SessionState; readonly disk: string | null },
): Promise<RowResult> {
  const { state, disk } = input;
  const { repo } = context;
  const head = await readHead(repo);
  const expected = state.ledger?.head ?? null;
  const branch = head.kind === "branch" ? head.branch : null;
  if (expected === null) return { state, problem: null };
  if (branch !== expected.branch) {
    return { state, problem: makeElsewhereProblem(expected.branch ?? "the branch of the session") };
  }
  const moved = withLedger(state, { head: { branch, commit: head.commit } });
  const isForward = expected.commit !== null && head.commit !== null &&
    await isAncestor(repo, expected.commit, head.commit);
  const from = moved.ledger?.tree ?? null;
  if (!isForward || expected.commit === null || head.commit === null || from === null) {
    return { state: moved, problem: null };
  }
  const commits = { from: expected.commit, to: head.commit };
  const [changes, unbooked] = await Promise.all([
    diffTrees(repo, commits.from, commits.to, { withoutRenames: true }),
    diffTrees(repo, from, disk ?? from, { withoutRenames: true }),
  ]);
  const isOpen = new Set(unbooked.map(({ path }) => path));
  const paths = changes.map(({ path }) => path)
    .filter((path) => isOpen.has(path) && !isProtected(path));
  const tree = await adoptPaths(repo, { onto: from, from: commits.to, paths });
  const booked = withLedger(moved, { tree });
  const { workspace } = booked;
  if (branch === workspace.taskBranch) {
    const { baselineTree, cleanTree } = workspace;
    if (baselineTree === null || cleanTree === null) return { state: booked, problem: null };
    const trees = { baselineTree, cleanTree, currentTree: from, commits };
    const clean = await adoptCommitted(repo, trees);
    return { state: { ...booked, workspace: { ...workspace, cleanTree: clean } }, problem: null };
  }
  const origins = await carryToOrigins(context, state, { from, to: tree, paths });
  const base = branch === workspace.baseBranch
    ? { baseCommit: commits.to, cleanTree: commits.to }
    : {};
  return {
    state: { ...booked, workspace: { ...workspace, ...base, ...origins } },
    problem: null,
  };
}

function makeElsewhereProblem(wanted: string): Problem {
  return makeProblem("head_elsewhere", `HEAD is not on ${wanted}`, {
    at: "data.change_resolution",
    hint: `Send action undo, ask the person to run \`git switch ${wanted}\`, or park.`,
  });
}
