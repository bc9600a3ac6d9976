/** Lists, makes, keeps, deletes and leaves task branches. Only refs are moved; no file changes. */
import { CodeIntelError } from "../../base/errors.ts";
import type { GitRefusal } from "./new_commit.ts";
import { refuseWith } from "./new_commit.ts";
import { SAME_CALL, say } from "../../base/text/words.ts";
import { decode, makeGitError } from "../git.ts";
import { expectUnlocked } from "../locks.ts";
import { OWN_REFS } from "../store_files.ts";
import type { Repository } from "../repository.ts";
import {
  findCheckout,
  isAncestor,
  listRefs,
  readCheckouts,
  readHead,
  readTip,
} from "../repository.ts";
import { createOwnRef } from "../index/own_store.ts";
import { buildZeroId } from "../snapshots/snapshots.ts";

/** What the name of a task branch says. */
export interface TaskBranchParts {
  /** Session that the branch belongs to. */
  readonly sessionId: string;
  /** Branch that the work is merged into. */
  readonly base: string;
}

/** What the names of all task branches begin with. */
export const TASK_BRANCH_PREFIX = "llm_task_";

const TASK_BRANCH = /^llm_task_(session_\d{8}_\d{6}(?:_[0-9a-f]{4})?)_from_(.+)$/s;

/**
 * Name of the task branch of a session. A `/` of the base is written `__`; an underscore stays as it
 * is unless it would then be misread (before `_`, `/` or `=`), where it is written `_=`.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { formatTaskBranchName } from "./branches.ts";
 * const name = formatTaskBranchName("session_20261121_101500_3fa9", "feature/log_in");
 * equal(name, "llm_task_session_20261121_101500_3fa9_from_feature__log_in");
 * ```
 */
export function formatTaskBranchName(sessionId: string, base: string): string {
  const encoded = base.replaceAll(/_(?=[_/=])/g, "_=").replaceAll("/", "__");
  return `${TASK_BRANCH_PREFIX}${sessionId}_from_${encoded}`;
}

/**
 * Session and base of a task branch; null for a name that this program did not make.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { parseTaskBranchName } from "./branches.ts";
 * deepEqual(
 *   parseTaskBranchName("llm_task_session_20260120_114303_from_feature__login"),
 *   { sessionId: "session_20260120_114303", base: "feature/login" },
 * );
 * ```
 */
export function parseTaskBranchName(name: string): TaskBranchParts | null {
  const found = TASK_BRANCH.exec(name);
  const [, sessionId, encoded] = found ?? [];
  if (sessionId === undefined || encoded === undefined) return null;
  const base = encoded.replaceAll(/__|_=/g, (token) => token === "__" ? "/" : "_");
  return { sessionId, base };
}

const BRANCHES = "refs/heads/";

/** One task branch of the repository. */
export interface TaskBranch {
  /** Short name, without `refs/heads/`. */
  readonly name: string;
  /** Id of its session; null when the name does not follow the program's pattern. */
  readonly sessionId: string | null;
  /** Its base branch, from the name; the base may not exist any more. */
  readonly base: string | null;
  /** Whether HEAD of this worktree is on it. */
  readonly isCurrent: boolean;
  /** Commits ahead of its base; null when the base is gone. */
  readonly commitCount: number | null;
  /** Commit that the branch points at. */
  readonly tip: string;
  /** Worktree in which it is checked out. */
  readonly checkedOutAt: string | null;
}

/** All task branches of the repository, sorted by name. */
export async function listTaskBranches(repo: Repository): Promise<TaskBranch[]> {
  const refs = await listRefs(repo, `${BRANCHES}${TASK_BRANCH_PREFIX}`);
  if (refs.size === 0) return [];
  const [head, checkouts] = await Promise.all([readHead(repo), readCheckouts(repo)]);
  const names = [...refs.keys()].map((ref) => ref.slice(BRANCHES.length)).sort();
  return await Promise.all(
    names.filter((name) => !name.includes("/")).map(async (name) => {
      const tip = refs.get(`${BRANCHES}${name}`) ?? "";
      const parts = parseTaskBranchName(name);
      return {
        name,
        sessionId: parts?.sessionId ?? null,
        base: parts?.base ?? null,
        isCurrent: head.kind === "branch" && head.branch === name,
        commitCount: parts === null
          ? null
          : await countCommits(repo, `refs/heads/${parts.base}`, tip),
        tip,
        checkedOutAt: checkouts.get(name) ?? null,
      };
    }),
  );
}

/** How many commits one has that another has not; null where git does not know both. `from` is a commit or a whole ref. */
export async function countCommits(
  repo: Repository,
  from: string,
  tip: string,
): Promise<number | null> {
  try {
    const args = ["rev-list", "--count", "--end-of-options", `${from}..${tip}`];
    return Number(decode(await repo.git.fixed(args)));
  } catch (cause) {
    if (cause instanceof CodeIntelError && cause.code === "git_failed") return null;
    throw cause;
  }
}

/** The outcome of {@link createTaskBranch}. */
export type CreateBranchResult =
  | {
    readonly kind: "created" | "recognised";
    readonly branch: string;
    readonly tip: string;
  }
  | GitRefusal;

/**
 * Makes the task branch of a session at the tip of its base and points HEAD at it. Files and index
 * stay as they are. The same call completes one that was interrupted.
 */
export async function createTaskBranch(
  repo: Repository,
  options: { readonly sessionId: string; readonly base: string },
): Promise<CreateBranchResult> {
  const branch = formatTaskBranchName(options.sessionId, options.base);
  const [head, tip, existing] = await Promise.all([
    readHead(repo),
    readTip(repo, options.base),
    readTip(repo, branch),
  ]);
  if (head.kind === "branch" && head.branch === branch && head.commit !== null) {
    return { kind: "recognised", branch, tip: head.commit };
  }
  if (tip === null) {
    return refuseWith(
      "base_missing",
      `The base branch "${options.base}" does not exist or has no commit`,
      say`Make a first commit or restore the branch, then ${SAME_CALL} again; or work with \`--quick\`.`,
    );
  }
  if (head.kind === "detached" || head.branch !== options.base) {
    const found = head.kind === "detached" ? "a detached HEAD" : `branch "${head.branch}"`;
    return refuseWith(
      "head_elsewhere",
      `Cannot create a task branch from "${options.base}": the worktree is on ${found}`,
      say`Ask the person to run \`git switch ${options.base}\`, then ${SAME_CALL} again.`,
    );
  }
  if (existing !== null && !(await isAncestor(repo, existing, tip))) {
    return refuseWith(
      "task_branch_exists",
      `Cannot create "${branch}": it exists and has commits of its own`,
      say`Ask the person: merge or delete that branch, then ${SAME_CALL} again.`,
    );
  }
  await expectUnlocked(repo, { branches: [branch, options.base] });
  const stdin = `start\nverify refs/heads/${options.base} ${tip}\n` +
    `update refs/heads/${branch} ${tip} ${existing ?? buildZeroId(repo)}\ncommit\n`;
  await repo.git.bytes(["update-ref", "-m", "code-intel: task branch", "--stdin"], { stdin });
  await pointHead(repo, branch);
  return { kind: existing === null ? "created" : "recognised", branch, tip };
}

/** Points HEAD at a branch without looking at files: right only where both have the same tip. */
export async function pointHead(repo: Repository, branch: string): Promise<void> {
  const args = ["symbolic-ref", "-m", `code-intel: to ${branch}`, "HEAD", `refs/heads/${branch}`];
  await repo.git.bytes(args);
}

/** A branch's tip, saved before it is deleted. */
export interface KeptBranch {
  /** Full name of the ref that keeps the tip. */
  readonly ref: string;
  /** Commit that the branch points at. */
  readonly tip: string;
}

/** Makes a deleted branch again at a commit; an existing branch is left alone. */
export async function restoreTip(repo: Repository, branch: string, commit: string): Promise<void> {
  await repo.git.text(["update-ref", `refs/heads/${branch}`, commit, buildZeroId(repo)]);
}

/**
 * Keeps the tip of a branch as `refs/code-intel/branches/<name>/<time>`; null without such a
 * branch.
 */
export async function keepBranch(
  repo: Repository,
  name: string,
  at: Date = repo.clock.now(),
): Promise<KeptBranch | null> {
  const tip = await readTip(repo, name);
  if (tip === null) return null;
  const ref = formatKeepRef(name, at);
  if (!(await createOwnRef(repo, ref, tip, { isKept: true }))) {
    await repo.git.bytes(["update-ref", ref, tip]);
  }
  return { ref, tip };
}

function formatKeepRef(name: string, at: Date): string {
  const time = at.toISOString().replaceAll(/[-:.]/g, "");
  return `${OWN_REFS}/branches/${name}/${time}`;
}

/** The outcome of {@link deleteBranch}. */
export type DeleteBranchResult =
  | { readonly kind: "deleted"; readonly keptAs: string; readonly tip: string }
  | { readonly kind: "absent" }
  | GitRefusal;

/** Deletes a branch; the same transaction makes a ref that keeps its tip. */
export async function deleteBranch(
  repo: Repository,
  name: string,
  at: Date = repo.clock.now(),
): Promise<DeleteBranchResult> {
  const [tip, place] = await Promise.all([readTip(repo, name), findCheckout(repo, name)]);
  if (tip === null) return { kind: "absent" };
  if (place !== null) {
    return refuseWith(
      "branch_checked_out",
      `Cannot delete "${name}": it is checked out in "${place}"`,
      say`Switch that worktree to another branch first, then ${SAME_CALL} again.`,
    );
  }
  await expectUnlocked(repo, { branches: [name], isDeleting: true });
  const keptAs = formatKeepRef(name, at);
  const stdin = `start\nupdate ${keptAs} ${tip}\ndelete refs/heads/${name} ${tip}\ncommit\n`;
  const args = ["update-ref", "--stdin"];
  const result = await repo.git.run(args, { stdin });
  if (result.code !== 0) throw makeGitError(args, result);
  return { kind: "deleted", keptAs, tip };
}

/** The outcome of {@link leaveTaskBranch}. */
export type LeaveBranchResult =
  | { readonly kind: "left"; readonly branch: string }
  | { readonly kind: "stayed"; readonly branch: string; readonly reason: string };

/**
 * Points HEAD back at the base when the task branch has no commit of its own: both tips are the
 * same then, so no file changes. Otherwise nothing is done. The task branch is not deleted.
 */
export async function leaveTaskBranch(
  repo: Repository,
  options: { readonly taskBranch: string; readonly base: string },
): Promise<LeaveBranchResult> {
  const { taskBranch, base } = options;
  const [head, baseTip] = await Promise.all([readHead(repo), readTip(repo, base)]);
  if (head.kind === "branch" && head.branch === base) return { kind: "left", branch: base };
  if (head.kind === "detached" || head.branch !== taskBranch) {
    const branch = head.kind === "detached" ? "HEAD" : head.branch;
    return { kind: "stayed", branch, reason: "HEAD is not on the task branch" };
  }
  const stay = (reason: string): LeaveBranchResult => ({
    kind: "stayed",
    branch: taskBranch,
    reason,
  });
  if (baseTip === null) return stay(`the base branch "${base}" does not exist`);
  if (head.commit !== baseTip) return stay(`"${taskBranch}" and "${base}" have different tips`);
  const place = await findCheckout(repo, base);
  if (place !== null) return stay(`"${base}" is checked out in "${place}"`);
  await expectUnlocked(repo);
  await pointHead(repo, base);
  return { kind: "left", branch: base };
}
