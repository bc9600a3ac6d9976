/**
 * Resolves a HEAD that somebody else moved: it is put back with its content kept, or accepted where
 * it is.
 */
import type { Problem } from "../../base/problem.ts";
import { toProblem } from "../../base/problem.ts";
import type { Head, Repository } from "../../git/mod.ts";
import {
  adoptCommitted,
  adoptPaths,
  diffTrees,
  isAncestor,
  keepBranch,
  readHead,
  readTip,
  resetSoft,
  restoreTip,
  switchBranch,
  takeSnapshot,
} from "../../git/mod.ts";
import { isProtected } from "../../ledger/mod.ts";
import type { ChangeResolution, SessionState } from "../../phase/mod.ts";
import type { Bench, Desk } from "../desk.ts";
import type { InspectInput, Inspection } from "./inspect.ts";
import { carryToOrigins, withLedger } from "./inspect.ts";

/** The outcome of one row. */
export interface RowResult {
  readonly state: SessionState;
  readonly problem: Problem | null;
}

/** `undo` puts HEAD back and keeps its content by a ref; `person` accepts where it is now. */
export async function resolveHead(
  desk: Desk,
  bench: Bench,
  input: InspectInput & {
    readonly state: SessionState;
    readonly row: ChangeResolution;
    readonly inspection: Pick<Inspection, "seen">;
  },
): Promise<RowResult> {
  const { state, row } = input;
  const { repo } = bench;
  const expected = state.ledger?.head ?? null;
  if (repo === null || expected === null) return { state, problem: null };
  const head = await readHead(repo);
  if (row.action === "person") {
    const disk = input.inspection.seen?.tree ?? state.ledger?.tree ?? null;
    return await acceptHead(bench, repo, { state, head, disk });
  }
  if (expected.branch === null) {
    return { state, problem: toElsewhere(`a detached HEAD at ${expected.commit ?? "no commit"}`) };
  }
  if (expected.commit !== null && await readTip(repo, expected.branch) === null) {
    await restoreTip(repo, expected.branch, expected.commit);
  }
  if (head.kind !== "branch" || head.branch !== expected.branch) {
    const switched = await switchBranch(repo, expected.branch);
    if (switched.kind === "refused") return { state, problem: switched.problem };
  }
  const now = await readHead(repo);
  if (now.commit !== expected.commit && expected.commit !== null) {
    const at = desk.deps.clock.now();
    await keepBranch(repo, expected.branch, at);
    const sessionId = input.session.id;
    const { maxFileMb } = input.settings;
    await takeSnapshot(repo, { sessionId, label: "before undo", at, maxFileMb });
    await resetSoft(repo, expected.commit);
  }
  return { state, problem: null };
}

/**
 * Accepts the commit of somebody else. On the task branch its changes are reviewed like the
 * session's own, and the person's earlier changes in it stay there after the session's commit; on
 * the base they count as the person's from the start. Files that are on the disk as the ledger has
 * them stay so, because a partly staged file says nothing about the others.
 */
async function acceptHead(
  bench: Bench,
  repo: Repository,
  input: { readonly state: SessionState; readonly head: Head; readonly disk: string | null },
): Promise<RowResult> {
  const { state, head, disk } = input;
  const expected = state.ledger?.head ?? null;
  const branch = head.kind === "branch" ? head.branch : null;
  if (expected === null || branch !== expected.branch) {
    return { state, problem: toElsewhere(expected?.branch ?? "the branch of the session") };
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
  const origins = await carryToOrigins(bench, state, { from, to: tree, paths });
  const base = branch === workspace.baseBranch
    ? { baseCommit: commits.to, cleanTree: commits.to }
    : {};
  return {
    state: { ...booked, workspace: { ...workspace, ...base, ...origins } },
    problem: null,
  };
}

function toElsewhere(wanted: string): Problem {
  return toProblem("head_elsewhere", `HEAD is not on ${wanted}`, {
    at: "data.change_resolution",
    hint: `Send action undo, ask the person to run \`git switch ${wanted}\`, or park.`,
  });
}
