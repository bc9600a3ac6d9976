/** Deals with task branches that belong to no unfinished session: at step 2 and in the clean-up. */
import type { TreePath } from "../../base/paths.ts";
import { join } from "node:path";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import { buildRefusal } from "../../base/reply.ts";
import { ASKED, SAME_CALL, say, tool } from "../../base/text/words.ts";
import type { TaskBranch } from "../../git/branches/branches.ts";
import {
  deleteBranch,
  listTaskBranches,
  parseTaskBranchName,
} from "../../git/branches/branches.ts";
import type { Repository } from "../../git/repository.ts";
import { listWorktrees, readHead, toProjectPath } from "../../git/repository.ts";
import { mergeStaleBranch } from "../../git/branches/merge.ts";
import { switchBranch } from "../../git/branches/switch_files.ts";
import { writeWorktreeTree } from "../../git/index/private_index.ts";
import type { Effect, WorkspaceState } from "../../phase/state.ts";
import { hasBranchFlow } from "../../phase/table/flags.ts";
import type { SessionStore } from "../../session/store_api.ts";
import type { EffectContext, Performed } from "./effect_context.ts";
import { done } from "./effect_context.ts";

/** Does what the user chose at step 2, and records where the session stands afterwards. */
export async function performStale(
  effect: Extract<Effect, { readonly kind: "resolve_stale" }>,
  context: EffectContext,
): Promise<Performed> {
  switch (effect.choice) {
    case "continue":
      return await adopt(context);
    case "delete":
      return await removeAll(context);
    case "merge":
      return await mergeCurrent(context);
  }
}

/**
 * `continue`: makes the task branch that HEAD is on the session's own; other branches are left
 * alone.
 */
async function adopt(context: EffectContext): Promise<Performed> {
  const head = await readHead(context.repo);
  const parts = head.kind === "branch" ? parseTaskBranchName(head.branch) : null;
  const isFree = await checkCurrent(context.repo, context.deps.store) === null;
  if (head.kind !== "branch" || parts === null || !isFree || !hasBranchFlow(context.state)) {
    return done({ kind: "resolve_stale" }, { reply: { choice: "continue" } });
  }
  return done({ kind: "resolve_stale" }, {
    workspace: { taskBranch: head.branch, baseBranch: parts.base },
    reply: { choice: "continue", adopted_branch: head.branch, base_branch: parts.base },
  });
}

async function removeAll(context: EffectContext): Promise<Performed> {
  const { repo, deps } = context;
  const removed = await deleteStaleBranches(repo, {
    store: deps.store,
    at: deps.clock.now(),
  });
  if (removed.problems.length > 0 && removed.deleted.length === 0) {
    const [problem] = removed.problems;
    if (problem !== undefined) return { kind: "refused", problem };
  }
  return done({ kind: "resolve_stale" }, {
    workspace: await readWorkspace(context),
    reply: {
      choice: "delete",
      deleted_branches: removed.deleted,
      ...(removed.problems.length === 0 ? {} : { left: removed.problems }),
    },
  });
}

async function mergeCurrent(context: EffectContext): Promise<Performed> {
  const { repo, expected } = context;
  const head = await readHead(repo);
  const before = expected.branch === undefined ? null : parseTaskBranchName(expected.branch);
  // After a kill the merge may be done already: then HEAD is on the base that the branch's name
  // contains.
  const isDone = head.kind === "branch" && before !== null && head.branch === before.base;
  if (!isDone) {
    const foreign = await checkCurrent(repo, context.deps.store);
    if (foreign !== null) return { kind: "refused", problem: { ...foreign, at: "data.choice" } };
    const merged = await mergeStaleBranch(repo);
    if (merged.kind === "refused") return merged;
    if (merged.kind === "conflict") {
      return {
        kind: "refused",
        problem: { ...makeConflictProblem(repo, merged.paths), at: "data.choice" },
      };
    }
  }
  return done({ kind: "resolve_stale" }, {
    workspace: await readWorkspace(context),
    reply: { choice: "merge", merged_branch: expected.branch ?? null },
  });
}

/** The problem when HEAD is on the task branch of an unfinished session; null otherwise. */
async function checkCurrent(repo: Repository, store: SessionStore): Promise<Problem | null> {
  const head = await readHead(repo);
  if (head.kind !== "branch" || parseTaskBranchName(head.branch) === null) return null;
  const stale = await listStaleBranches(repo, store);
  return stale.some(({ isCurrent }) => isCurrent) ? null : makeProblem(
    "branch_not_stale",
    `"${head.branch}" belongs to a session that is not finished`,
    {
      hint: say`Resume that session (${
        tool("get_session_status", { session_id: ASKED })
      }) to finish its work, or ask the person to switch to another branch.`,
    },
  );
}

/** Base, tip and baseline after HEAD may have moved. */
async function readWorkspace(context: EffectContext): Promise<Partial<WorkspaceState>> {
  const { repo, session, settings } = context;
  const head = await readHead(repo);
  const { tree } = await writeWorktreeTree(repo, {
    sessionId: session.id,
    maxFileMb: settings.maxFileMb,
  });
  return {
    ...(head.kind === "branch" ? { baseBranch: head.branch } : {}),
    baseCommit: head.commit,
    cleanTree: head.commit,
    baselineTree: tree,
    taskBranch: null,
  };
}

/** Task branches that belong to no active or parked session. */
export async function listStaleBranches(
  repo: Repository,
  store: SessionStore,
): Promise<readonly TaskBranch[]> {
  const branches = await listTaskBranches(repo);
  if (branches.length === 0) return [];
  const sessions = await store.loadAll();
  const owned = await findOwnedElsewhere(repo, branches);
  // A branch whose name has the id of such a session counts as owned: a session that cannot be read
  // may own it, and one that was read may be an older generation without the branch.
  const unfinished = new Set(await store.listLost());
  for (const outcome of sessions) {
    const state = outcome.kind === "loaded" || outcome.kind === "tampered"
      ? outcome.checkpoint.state
      : null;
    if (state?.status === "ended") continue;
    unfinished.add(outcome.id);
    if (state !== null && state.workspace.taskBranch !== null) {
      owned.add(state.workspace.taskBranch);
    }
  }
  for (const { name, sessionId } of branches) {
    if (sessionId !== null && unfinished.has(sessionId)) owned.add(name);
  }
  return branches.filter(({ name }) => !owned.has(name));
}

/**
 * The stale branches about which something has to be decided. An ended session whose branch got no
 * commit left nothing behind, unless HEAD is still there.
 */
export async function listBranchesToSettle(
  repo: Repository,
  store: SessionStore,
): Promise<readonly TaskBranch[]> {
  const stale = await listStaleBranches(repo, store);
  if (stale.length === 0) return [];
  const ended = new Set(await store.listArchived());
  return stale.filter(({ sessionId, isCurrent, commitCount }) =>
    isCurrent || commitCount !== 0 || !ended.has(sessionId ?? "")
  );
}

/** The field of replies that lists stale branches at step 2; empty where there are none. */
export function buildStaleField(stale: readonly TaskBranch[]): Readonly<Record<string, unknown>> {
  return stale.length === 0 ? {} : {
    stale_branches: stale.map((branch) => ({
      name: branch.name,
      session_id: branch.sessionId,
      base_branch: branch.base,
      commit_count: branch.commitCount,
      current: branch.isCurrent,
    })),
  };
}

/**
 * Branches whose session is in another worktree of the repository: each worktree has its own
 * sessions, and a parked session owns a branch that is checked out nowhere.
 */
async function findOwnedElsewhere(
  repo: Repository,
  branches: readonly TaskBranch[],
): Promise<Set<string>> {
  const owned = new Set<string>();
  const others = (await listWorktrees(repo)).filter((path) => path !== repo.worktree);
  await Promise.all(others.flatMap((worktree) =>
    branches.map(async ({ name, sessionId }) => {
      if (sessionId === null) return;
      const path = join(worktree, ".code-intel", "sessions", `${sessionId}.json`);
      if (await Deno.stat(path).catch(() => null) !== null) owned.add(name);
    })
  ));
  return owned;
}

/**
 * Deletes stale branches after a ref keeps each tip; HEAD leaves a stale branch for its base first.
 */
export async function deleteStaleBranches(
  repo: Repository,
  options: { readonly store: SessionStore; readonly at: Date },
): Promise<{ readonly deleted: readonly string[]; readonly problems: readonly Problem[] }> {
  const deleted: string[] = [];
  const problems: Problem[] = [];
  for (const branch of await listStaleBranches(repo, options.store)) {
    if (branch.isCurrent) {
      const left = branch.base === null
        ? { kind: "refused" as const, problem: makeUnknownBaseProblem(branch.name) }
        : await switchBranch(repo, branch.base);
      if (left.kind === "refused") {
        problems.push(left.problem);
        continue;
      }
    }
    const result = await deleteBranch(repo, branch.name, options.at);
    if (result.kind === "refused") problems.push(result.problem);
    else deleted.push(branch.name);
  }
  return { deleted, problems };
}

function makeUnknownBaseProblem(name: string): Problem {
  return {
    code: "base_missing",
    message: `The base of "${name}" cannot be read from its name, and HEAD is on it`,
    hint: say`Ask the person to switch to another branch, then ${SAME_CALL} again.`,
  };
}

/**
 * Merges the checked-out stale branch outside of a session; otherwise refuses, changing nothing.
 */
export async function mergeStale(repo: Repository, store: SessionStore): Promise<Reply> {
  const foreign = await checkCurrent(repo, store);
  if (foreign !== null) return { ...buildRefusal([foreign]), call: "get_session_status" };
  const merged = await mergeStaleBranch(repo);
  switch (merged.kind) {
    case "merged":
      return {
        ok: true,
        merged: merged.after?.hasWork ?? true,
        commit: merged.after?.tip ?? merged.commit,
        kept_as: merged.keptAs,
      };
    case "nothing_to_merge":
      return { ok: true, merged: false, message: "The branch has no commit that its base lacks" };
    case "conflict":
      return buildRefusal([makeConflictProblem(repo, merged.paths)]);
    case "refused":
      return buildRefusal([merged.problem]);
  }
}

function makeConflictProblem(repo: Repository, treePaths: readonly TreePath[]): Problem {
  const paths = treePaths.map((treePath) => toProjectPath(repo, treePath));
  return {
    code: "merge_conflict",
    message: `The task branch conflicts with its base in: ${paths.join(", ")}`,
    hint: "Nothing was changed. Choose delete or continue, or ask the person to merge it.",
  };
}
