/** Moves HEAD and the files of the worktree to another branch; changes of the user in the way stop it. */
import { pointHead } from "./branches.ts";
import type { GitRefusal } from "./new_commit.ts";
import { refuseWith } from "./new_commit.ts";
import { syncRealIndex } from "../index/real_index.ts";
import { expectUnlocked } from "../locks.ts";
import type { Repository } from "../repository.ts";
import { findCheckout, readHead, readTip, toProjectPath } from "../repository.ts";
import { SAME_CALL, say } from "../../base/text/words.ts";
import type { TreePath } from "../../base/paths.ts";
import { join } from "node:path";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { quoteShellWord } from "../../base/text/plain_text.ts";
import type { Change } from "../trees/changes.ts";
import { buildTreeEntry, diffTrees } from "../trees/changes.ts";
import { decode, limitTo, makeGitError, splitNul } from "../git.ts";
import type { TreeEdit } from "../index/scratch_index.ts";
import { applyEdits } from "../index/scratch_index.ts";
import { findBlockingUntracked } from "../trees/file_lists.ts";

/** The outcome of {@link switchBranch}. */
export type SwitchBranchResult = { readonly kind: "switched" } | GitRefusal;

/**
 * Switches to an existing branch. Refuses, changing nothing, when a file that differs between the
 * branches is changed by the user. Safe to repeat after a kill.
 */
export async function switchBranch(repo: Repository, branch: string): Promise<SwitchBranchResult> {
  const [head, tip] = await Promise.all([readHead(repo), readTip(repo, branch)]);
  if (head.kind === "branch" && head.branch === branch) return { kind: "switched" };
  if (tip === null) {
    return refuseWith(
      "base_missing",
      `Cannot switch to "${branch}": there is no such branch`,
      say`Ask the person to restore it, then ${SAME_CALL} again.`,
    );
  }
  const place = await findCheckout(repo, branch);
  if (place !== null) {
    return refuseWith(
      "base_checked_out_elsewhere",
      `Cannot switch to "${branch}": it is checked out in another worktree`,
      say`Ask the person to switch that worktree to another branch, then ${SAME_CALL} again.`,
    );
  }
  await expectUnlocked(repo);
  const from = head.commit ?? tip;
  const problem = await switchFiles(repo, { from, to: tip, isRepeat: true });
  if (problem !== null) return { kind: "refused", problem };
  await pointHead(repo, branch);
  return { kind: "switched" };
}

/**
 * Moves the branch that HEAD is on back to a commit; index and files stay as they are. The caller
 * makes a ref that keeps the tip first.
 */
export async function resetSoft(repo: Repository, commit: string): Promise<void> {
  await expectUnlocked(repo);
  await repo.git.bytes(["reset", "--soft", commit]);
}

/**
 * Points HEAD and the user's index at a branch and leaves every file as it is. The files were put
 * back before to what the branch holds. Refuses where the branch is missing or checked out
 * elsewhere.
 */
export async function attachBranch(
  repo: Repository,
  branch: string,
  sessionId: string,
): Promise<SwitchBranchResult> {
  const [head, tip] = await Promise.all([readHead(repo), readTip(repo, branch)]);
  if (head.kind === "branch" && head.branch === branch) return { kind: "switched" };
  const place = tip === null ? null : await findCheckout(repo, branch);
  if (tip === null || head.commit === null || place !== null) {
    return refuseWith(
      tip === null ? "base_missing" : "base_checked_out_elsewhere",
      `Cannot take "${branch}": it is missing, or checked out in another worktree`,
      `Ask the person to run \`git switch ${branch}\` there, or to restore the branch.`,
    );
  }
  await syncRealIndex(repo, { from: head.commit, to: tip, sessionId });
  await pointHead(repo, branch);
  return { kind: "switched" };
}

/** The commit that index and files belong to now, and the one that they move to. */
export interface SwitchOptions {
  readonly from: string;
  readonly to: string;
}

/** Refuses, changing nothing, when the user has changed a file that the switch has to write. */
export async function checkSwitch(
  repo: Repository,
  options: SwitchOptions,
): Promise<Problem | null> {
  const changes = await diffTrees(repo, options.from, options.to, { withoutRenames: true });
  if (changes.length === 0) return null;
  const inTheWay = await findBlocking(repo, changes);
  if (inTheWay.length > 0) return makeBlockingProblem(repo, inTheWay);
  const result = await readTreeMerge(repo, options, ["-n"]);
  return result.code === 0 ? null : await diagnoseBlocking(repo, options, changes);
}

/**
 * Brings index and files to `to`. Files that are equal in both commits are not looked at, so the
 * user's changes in them stay, staged or not.
 *
 * @param isRepeat True after a kill: files that already have their new content count as ours.
 */
export async function switchFiles(
  repo: Repository,
  options: SwitchOptions & { readonly isRepeat: boolean },
): Promise<Problem | null> {
  const changes = await diffTrees(repo, options.from, options.to, { withoutRenames: true });
  if (changes.length === 0) return null;
  const adopted = options.isRepeat ? await adoptWritten(repo, options.from, changes) : [];
  // A killed switch may have removed a file without writing its new content.
  const wasKilled = adopted.some(({ newMode }) => newMode !== "000000");
  const inTheWay = wasKilled
    ? await findBlockingUntracked(repo, listNewPaths(changes))
    : await findBlocking(repo, changes);
  if (inTheWay.length === 0) {
    const result = await readTreeMerge(repo, options, []);
    if (result.code === 0) return null;
  }
  // A refusal must change nothing, so the entries that were adopted are reset.
  const before = adopted.map(({ path, oldMode, oldOid }) => buildEdit(path, oldMode, oldOid));
  if (before.length > 0) await applyEdits(repo, join(repo.gitDir, "index"), before);
  return inTheWay.length > 0
    ? makeBlockingProblem(repo, inTheWay)
    : await diagnoseBlocking(repo, options, changes);
}

/**
 * Files that the switch would overwrite or bring back although git allows it: untracked files, and
 * files removed by the user.
 */
async function findBlocking(repo: Repository, changes: readonly Change[]): Promise<string[]> {
  const [untracked, removed] = await Promise.all([
    findBlockingUntracked(repo, listNewPaths(changes)),
    findRemoved(repo, changes),
  ]);
  return [...untracked, ...removed];
}

const SUBMODULE = "160000";

/**
 * Files of both commits that are missing on the disk; those that a sparse checkout leaves out do
 * not count.
 */
async function findRemoved(repo: Repository, changes: readonly Change[]): Promise<string[]> {
  const kept = changes.filter(({ oldMode, newMode }) =>
    ![oldMode, newMode].some((mode) => mode === "000000" || mode === SUBMODULE)
  );
  const infos = await Promise.all(
    kept.map(({ path }) => Deno.lstat(join(repo.worktree, path)).catch(() => null)),
  );
  const missing = kept.filter((_, at) => infos[at] === null).map(({ path }) => path);
  if (missing.length === 0) return [];
  const limit = limitTo(missing);
  const args = ["ls-files", "-z", "-t", "--cached", "--", ...limit.args];
  const listed = splitNul(await repo.git.bytes(["--literal-pathspecs", ...args]));
  return listed.filter((line) => line.startsWith("H ") && limit.covers(line.slice(2)))
    .map((line) => line.slice(2));
}

function buildEdit(path: TreePath, mode: string, oid: string): TreeEdit {
  return { path, entry: buildTreeEntry(mode, oid) };
}

/** Paths that only the new commit has. */
export function listNewPaths(changes: readonly Change[]): string[] {
  return changes.filter(({ oldMode }) => oldMode === "000000").map(({ path }) => path);
}

async function readTreeMerge(repo: Repository, options: SwitchOptions, extra: readonly string[]) {
  // Without a refresh, a file whose times alone changed would count as changed.
  await repo.git.run(["update-index", "-q", "--refresh"]);
  return await repo.git.run(["read-tree", ...extra, "-m", "-u", options.from, options.to]);
}

/** Finds out which of the files to be written have changes of the user. */
async function diagnoseBlocking(
  repo: Repository,
  options: SwitchOptions,
  changes: readonly Change[],
): Promise<Problem> {
  const dirty = await listDirty(repo, options.from);
  const hits = changes.map(({ path }) => path).filter((path) =>
    [...dirty].some((name) =>
      name === path || name.startsWith(`${path}/`) || path.startsWith(`${name.replace(/\/$/, "")}/`)
    )
  );
  if (hits.length > 0) return makeBlockingProblem(repo, hits);
  // Something else stops git (a locked index, missing rights); git's message says what.
  const args = ["read-tree", "-n", "-m", "-u", options.from, options.to];
  const again = await repo.git.run(args);
  if (again.code !== 0) {
    await expectUnlocked(repo);
    throw makeGitError(args, again);
  }
  return makeBlockingProblem(repo, changes.map(({ path }) => path));
}

const MOST_NAMED = 20;

const PUT_BACK = "(`git stash pop` brings them back later)";
const THEIR_WORK =
  'Where the session then calls one of them changed, it was the person: add change_resolution [{"path": "…", "action": "person", "reason": "…"}].';

/** The refusal that names the user's files, and how to put them aside. */
export function makeBlockingProblem(repo: Repository, treePaths: readonly TreePath[]): Problem {
  const paths = treePaths.map((treePath) => toProjectPath(repo, treePath));
  const shown = paths.slice(0, MOST_NAMED).join(", ");
  const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : "";
  // This stash leaves only committed content of tracked, new, ignored and removed files.
  const stash = paths.length > MOST_NAMED
    ? "git stash push --include-untracked"
    : `git stash push --all -- ${paths.map(quoteShellWord).join(" ")}`;
  return makeProblem(
    "person_changes_in_the_way",
    `Uncommitted changes of the person are in files that have to be written: ${shown}${more}`,
    {
      hint:
        say`Nothing was changed. Ask the person to put these files aside by \`${stash}\` ${PUT_BACK}, then ${SAME_CALL} again. ${THEIR_WORK}`,
      ...(paths[0] === undefined ? {} : { path: paths[0] }),
    },
  );
}

/**
 * Files that differ from a commit in the index or on the disk, and untracked ones, ignored ones
 * included.
 */
async function listDirty(repo: Repository, commit: string): Promise<Set<string>> {
  const names = ["--name-only", "-z", "--no-renames", commit, "--"];
  const [disk, index, others] = await Promise.all([
    repo.git.bytes(["diff-index", ...names]),
    repo.git.bytes(["diff-index", "--cached", ...names]),
    repo.git.bytes(["ls-files", "-z", "--others"]),
  ]);
  return new Set([...splitNul(disk), ...splitNul(index), ...splitNul(others)]);
}

/** Enters files that a killed switch had written into the index, as the switch would have done. */
async function adoptWritten(
  repo: Repository,
  from: string,
  changes: readonly Change[],
): Promise<Change[]> {
  const args = ["diff-index", "--cached", "--name-only", "-z", "--no-renames", from, "--"];
  const staged = new Set(splitNul(await repo.git.bytes(args)));
  const unstaged = changes.filter(({ path }) => !staged.has(path));
  const hashes = await hashAllOnDisk(repo, unstaged.map(({ path }) => path));
  const adopted: Change[] = [];
  for (const change of unstaged) {
    const wanted = change.newMode === "000000" ? null : change.newOid;
    if (hashes.get(change.path) !== wanted) continue;
    if (await hasMode(repo, change)) adopted.push(change);
  }
  const edits = adopted.map(({ path, newMode, newOid }) => buildEdit(path, newMode, newOid));
  if (edits.length > 0) await applyEdits(repo, join(repo.gitDir, "index"), edits);
  return adopted;
}

/**
 * Whether a file on the disk is executable exactly if its new version is; always true on systems
 * without that right.
 */
async function hasMode(repo: Repository, { path, newMode }: Change): Promise<boolean> {
  if (!newMode.startsWith("100")) return true;
  const { mode } = await Deno.lstat(join(repo.worktree, path)).catch(() => ({ mode: null }));
  return mode === null || ((mode & 0o100) !== 0) === (newMode === "100755");
}

/** Object id that git would give the present file or symlink; null where there is none. */
export async function hashOnDisk(repo: Repository, path: TreePath): Promise<string | null> {
  const file = join(repo.worktree, path);
  const info = await Deno.lstat(file).catch(() => null);
  if (info === null || !(info.isFile || info.isSymlink)) return null;
  return info.isSymlink
    ? await repo.git.line(["hash-object", "--stdin"], { stdin: await Deno.readLink(file) })
    : await repo.git.line(["hash-object", "--", path]);
}

/** The ids of many paths, with one start of git for all regular files among them. */
async function hashAllOnDisk(
  repo: Repository,
  paths: readonly TreePath[],
): Promise<ReadonlyMap<string, string | null>> {
  const hashes = new Map<string, string | null>();
  // Git reads one path from each line, and takes one that begins with a quote as quoted.
  const listed = pickRegularPaths(repo, paths.filter((path) => !/^"|[\r\n]/.test(path)));
  if (listed.length > 1) {
    const args = ["hash-object", "--stdin-paths"];
    const result = await repo.git.run(args, { stdin: listed.map((path) => `${path}\n`).join("") });
    const ids = decode(result.stdout).split("\n").filter((id) => id !== "");
    // Git stops at a file that has disappeared meanwhile; then each file is hashed on its own.
    if (ids.length === listed.length) listed.forEach((path, at) => hashes.set(path, ids[at] ?? ""));
  }
  for (const path of paths) {
    if (!hashes.has(path)) hashes.set(path, await hashOnDisk(repo, path));
  }
  return hashes;
}

function pickRegularPaths(repo: Repository, paths: readonly TreePath[]): readonly TreePath[] {
  return paths.filter((path) => {
    try {
      return Deno.lstatSync(join(repo.worktree, path)).isFile;
    } catch {
      return false;
    }
  });
}
