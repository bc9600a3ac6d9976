/** Lists, makes, keeps, deletes and leaves task branches. Only refs are moved; no file changes. */
import { CodeIntelError } from "../../base/errors.ts";
import type { Problem } from "../../base/problem.ts";
import { toProblem } from "../../base/problem.ts";
import type { Words } from "../../base/text/words.ts";
import { SAME_CALL, say } from "../../base/text/words.ts";
import { parseTaskBranchName, TASK_BRANCH_PREFIX, toTaskBranchName } from "./branch_name.ts";
import { decode, toGitError } from "../git.ts";
import { expectUnlocked } from "../locks.ts";
import { listRefFiles, OWN_REFS } from "../ref_file.ts";
import type { Repository } from "../repository.ts";
import { findCheckout, isAncestor, isOnlyWorktree, readHead, readTip } from "../repository.ts";
import { createOwnRef } from "../snapshots/own_ref_file.ts";
import { toZeroId } from "../snapshots/snapshots.ts";

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

/** All branches that look like task branches. */
export async function listTaskBranches(repo: Repository): Promise<TaskBranch[]> {
  const found = await readTaskRefs(repo) ?? await askTaskRefs(repo);
  return await Promise.all(found.map(async ({ name, tip, checkedOutAt, isCurrent }) => {
    const parts = parseTaskBranchName(name);
    return {
      name,
      sessionId: parts?.sessionId ?? null,
      base: parts?.base ?? null,
      isCurrent,
      commitCount: parts === null ? null : await countAhead(repo, parts.base, tip),
      tip,
      checkedOutAt,
    };
  }));
}

type TaskRef = Pick<TaskBranch, "name" | "tip" | "checkedOutAt" | "isCurrent">;

/** Reads them from the files of the refs; null where only git can tell. */
async function readTaskRefs(repo: Repository): Promise<readonly TaskRef[] | null> {
  const refs = listRefFiles(repo, `${BRANCHES}${TASK_BRANCH_PREFIX}`);
  if (refs === null || !(await isOnlyWorktree(repo))) return null;
  if (refs.size === 0) return [];
  const head = await readHead(repo);
  return [...refs].sort(([one], [other]) => one < other ? -1 : 1).flatMap(([ref, tip]) => {
    const name = ref.slice(BRANCHES.length);
    const isCurrent = head.kind === "branch" && head.branch === name;
    const checkedOutAt = isCurrent ? repo.worktree : null;
    return name.includes("/") ? [] : [{ name, tip, isCurrent, checkedOutAt }];
  });
}

async function askTaskRefs(repo: Repository): Promise<readonly TaskRef[]> {
  const output = await repo.git.text([
    "for-each-ref",
    "--format=%(refname)%00%(objectname)%00%(HEAD)%00%(worktreepath)%00",
    `${BRANCHES}${TASK_BRANCH_PREFIX}*`,
  ]);
  const fields = output.split("\0");
  const branches: TaskRef[] = [];
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [ref = "", tip = "", mark = "", place = ""] = fields.slice(at, at + 4);
    branches.push({
      name: ref.trim().slice(BRANCHES.length),
      isCurrent: mark === "*",
      tip,
      checkedOutAt: place === "" ? null : place,
    });
  }
  return branches;
}

async function countAhead(repo: Repository, base: string, tip: string): Promise<number | null> {
  const from = await readTip(repo, base);
  if (from === null || from === tip) return from === null ? null : 0;
  const args = ["rev-list", "--count", "--end-of-options", `${from}..${tip}`];
  try {
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
  | { readonly kind: "refused"; readonly problem: Problem };

/**
 * Makes the task branch of a session at the tip of its base and points HEAD at it. Files and index
 * stay as they are. The same call completes one that was interrupted.
 */
export async function createTaskBranch(
  repo: Repository,
  options: { readonly sessionId: string; readonly base: string },
): Promise<CreateBranchResult> {
  const branch = toTaskBranchName(options.sessionId, options.base);
  const [head, tip, existing] = await Promise.all([
    readHead(repo),
    readTip(repo, options.base),
    readTip(repo, branch),
  ]);
  if (head.kind === "branch" && head.branch === branch && head.commit !== null) {
    return { kind: "recognised", branch, tip: head.commit };
  }
  if (tip === null) return { kind: "refused", problem: toNoBaseProblem(options.base) };
  if (head.kind === "detached" || head.branch !== options.base) {
    const found = head.kind === "detached" ? "a detached HEAD" : `branch "${head.branch}"`;
    return refuse(
      "head_elsewhere",
      `Cannot create a task branch from "${options.base}": the worktree is on ${found}`,
      say`Ask the person to run \`git switch ${options.base}\`, then ${SAME_CALL} again.`,
    );
  }
  if (existing !== null && !(await isAncestor(repo, existing, tip))) {
    return refuse(
      "task_branch_exists",
      `Cannot create "${branch}": it exists and has commits of its own`,
      say`Ask the person: merge or delete that branch, then ${SAME_CALL} again.`,
    );
  }
  await expectUnlocked(repo, { branches: [branch, options.base] });
  const stdin = `start\nverify refs/heads/${options.base} ${tip}\n` +
    `update refs/heads/${branch} ${tip} ${existing ?? toZeroId(repo)}\ncommit\n`;
  await repo.git.bytes(["update-ref", "-m", "code-intel: task branch", "--stdin"], { stdin });
  await pointHead(repo, branch);
  return { kind: existing === null ? "created" : "recognised", branch, tip };
}

/** Points HEAD at a branch without looking at files: right only where both have the same tip. */
export async function pointHead(repo: Repository, branch: string): Promise<void> {
  const args = ["symbolic-ref", "-m", `code-intel: to ${branch}`, "HEAD", `refs/heads/${branch}`];
  await repo.git.bytes(args);
}

function toNoBaseProblem(base: string): Problem {
  return toProblem("base_missing", `The base branch "${base}" does not exist or has no commit`, {
    hint:
      say`Make a first commit or restore the branch, then ${SAME_CALL} again; or work with \`--quick\`.`,
  });
}

function refuse(
  code: string,
  message: string,
  hint: Words,
): { readonly kind: "refused"; readonly problem: Problem } {
  return { kind: "refused", problem: toProblem(code, message, { hint }) };
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
  await repo.git.text(["update-ref", `refs/heads/${branch}`, commit, toZeroId(repo)]);
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
  const ref = toKeepRef(name, at);
  if (!(await createOwnRef(repo, ref, tip, { isKept: true }))) {
    await repo.git.bytes(["update-ref", ref, tip]);
  }
  return { ref, tip };
}

function toKeepRef(name: string, at: Date): string {
  const time = at.toISOString().replaceAll(/[-:.]/g, "");
  return `${OWN_REFS}/branches/${name}/${time}`;
}

/** The outcome of {@link deleteBranch}. */
export type DeleteBranchResult =
  | { readonly kind: "deleted"; readonly keptAs: string; readonly tip: string }
  | { readonly kind: "absent" }
  | { readonly kind: "refused"; readonly problem: Problem };

/** Deletes a branch; the same transaction makes a ref that keeps its tip. */
export async function deleteBranch(
  repo: Repository,
  name: string,
  at: Date = repo.clock.now(),
): Promise<DeleteBranchResult> {
  const [tip, place] = await Promise.all([readTip(repo, name), findCheckout(repo, name)]);
  if (tip === null) return { kind: "absent" };
  if (place !== null) {
    return refuse(
      "branch_checked_out",
      `Cannot delete "${name}": it is checked out in "${place}"`,
      say`Switch that worktree to another branch first, then ${SAME_CALL} again.`,
    );
  }
  await expectUnlocked(repo, { branches: [name], isDeleting: true });
  const keptAs = toKeepRef(name, at);
  const stdin = `start\nupdate ${keptAs} ${tip}\ndelete refs/heads/${name} ${tip}\ncommit\n`;
  const args = ["update-ref", "--stdin"];
  const result = await repo.git.run(args, { stdin });
  if (result.code !== 0) throw toGitError(args, result);
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
