/**
 * Makes the session's commit: runs the project's hooks, signs, moves the branch, and updates the
 * user's index.
 */
import type { TreePath } from "../../base/paths.ts";
import { join } from "node:path";
import { readControlText } from "../../base/files/control_file.ts";
import { checkOwnFile } from "../../base/files/own_folder.ts";
import { call, say } from "../../base/text/words.ts";
import { diffTrees } from "../trees/changes.ts";
import type { HookChanges, NewTip } from "./hooks.ts";
import { Hooks, HookWatch, makeHookProblem } from "./hooks.ts";
import type { GitRefusal } from "./new_commit.ts";
import {
  listReserved,
  loadIntent,
  moveBranch,
  readCommit,
  refuseWith,
  rewriteTrailers,
  rollBackBranch,
  saveIntent,
  writeCommit,
} from "./new_commit.ts";
import { writeWorktreeTree } from "../index/private_index.ts";
import { addCompleted, expectUnlocked } from "../locks.ts";
import type { SyncIndexResult } from "../index/real_index.ts";
import { syncRealIndex } from "../index/real_index.ts";
import { copyIndex } from "../index/seed_index.ts";
import type { Repository } from "../repository.ts";
import { isAncestor, readHead, readTip, readTree } from "../repository.ts";
import { withScratchIndex } from "../index/scratch_index.ts";

/** The commit to make. */
export interface MakeCommitOptions {
  /** Branch that HEAD is on. */
  readonly branch: string;
  /** The whole message, trailers included. */
  readonly message: string;
  /** The message for the case that hooks changed the tree; default `message`. */
  readonly changedMessage?: string;
  /** The tree, from `buildCommitTree`. */
  readonly tree: string;
  /** First the branch's tip, then the merged base where there is one. */
  readonly parents: readonly string[];
  /** The tip that the branch must still have. */
  readonly expectedHead: string;
  /**
   * True once changes by hooks have been reviewed: then the tree that the hooks leave is committed.
   */
  readonly acceptHookChanges: boolean;
  /** Session under whose refs replaced staged files are kept. */
  readonly sessionId: string;
}

/** The outcome of a commit. */
export type MakeCommitResult =
  | {
    readonly kind: "made";
    readonly commit: string;
    readonly index: SyncIndexResult;
    /** What hooks did to it and afterwards; left out for nothing. */
    readonly after?: CommitHookChanges;
  }
  | {
    /** Hooks changed files; nothing is committed before these changes are reviewed. */
    readonly kind: "hooks_changed";
    readonly tree: string;
    readonly paths: readonly TreePath[];
  }
  | GitRefusal;

/** What hooks did to a commit and afterwards. */
export interface CommitHookChanges extends HookChanges {
  /** Whether the branch still goes on from where the work began: a hook may have taken the commit out of it. */
  readonly hasWork: boolean;
  /** True where the message of the tip says something else of its verification, and that could not be fixed. */
  readonly isMisstated?: true;
}

const MESSAGE_HOOKS = ["prepare-commit-msg", "commit-msg"] as const;

/**
 * Makes the commit once: a call that finds it made answers `made` too. With every other result
 * nothing was committed and no ref was moved.
 */
export async function makeCommit(
  repo: Repository,
  options: MakeCommitOptions,
): Promise<MakeCommitResult> {
  const head = await readHead(repo);
  if (head.kind === "detached" || head.branch !== options.branch || head.commit === null) {
    return refuseMovedHead(options, head.kind === "detached" ? "a detached HEAD" : head.branch);
  }
  if (head.commit !== options.expectedHead) return await recognise(repo, options);
  await expectUnlocked(repo, { branches: [options.branch] });
  const hooked = await runCommitHooks(repo, options);
  if (hooked.kind !== "ready") return hooked;
  const content = { tree: hooked.tree, parents: options.parents, message: hooked.message };
  const written = await writeCommit(repo, content);
  if (written.kind === "refused") return written;
  const { commit } = written;
  const { tree, parents, message } = options;
  await saveIntent(repo, "commit", { commit, tree, parents, message });
  // Hooks take time, and may leave a lock themselves.
  await expectUnlocked(repo, { branches: [options.branch] });
  const watch = new HookWatch(repo, hooked.hooks, options.sessionId);
  const reason = `commit: ${hooked.message.split("\n")[0] ?? ""}`;
  const move = { branch: options.branch, commit, expected: options.expectedHead, reason };
  const moved = await watch.during("reference-transaction", () => moveBranch(repo, move));
  if (moved.kind === "rejected") return { kind: "refused", problem: moved.problem };
  if (moved.kind === "lost_race") return await recognise(repo, options);
  const index = await syncIndex(repo, options, commit).catch(async (failure) => {
    throw await rollBackBranch(repo, { branch: options.branch, commit, to: options.expectedHead })
      ? failure
      : addCompleted(`The commit ${commit} is made; git's index is not brought to it`, failure);
  });
  await watch.during("post-commit", () => hooked.hooks.run("post-commit", {}));
  const made = { branch: options.branch, commit, tree: hooked.tree, asked: options.tree };
  return { kind: "made", commit, index, ...await settleHooks(repo, { watch, made, options }) };
}

/** Looks at what hooks left, and sees to it that the tip says of its verification what is true of it. */
async function settleHooks(
  repo: Repository,
  { watch, made, options }: {
    readonly watch: HookWatch;
    readonly made: NewTip;
    readonly options: MakeCommitOptions;
  },
): Promise<{ readonly after?: CommitHookChanges }> {
  const deeds = await watch.look(made);
  if (deeds === null) return {};
  const { tip, changed } = deeds;
  const { branch, expectedHead, message, changedMessage = message } = options;
  const hasWork = tip !== null && tip !== expectedHead &&
    await isAncestor(repo, expectedHead, tip);
  if (!hasWork || tip === made.commit) return { after: { ...deeds, hasWork } };
  const right = changed.length === 0 ? message : changedMessage;
  const stated = await rewriteTrailers(repo, { branch, tip, message: right });
  if (stated !== null) return { after: { ...deeds, hasWork, tip: stated } };
  const left = await readTip(repo, branch) ?? tip;
  return { after: { ...deeds, hasWork, tip: left, isMisstated: true } };
}

/**
 * Tells why the branch moved: because of this very commit, made before a kill or by a git that
 * outlived it, or because of another one.
 */
async function recognise(repo: Repository, options: MakeCommitOptions): Promise<MakeCommitResult> {
  const tip = await readTip(repo, options.branch);
  if (tip === null || !(await isIntended(repo, tip, options))) {
    return refuseMovedHead(options, tip ?? "no commit");
  }
  const index = await syncIndex(repo, options, tip).catch((failure) => {
    throw addCompleted(`The commit ${tip} is made; git's index is not brought to it`, failure);
  });
  const watch = new HookWatch(repo, await Hooks.load(repo), null);
  const made = { branch: options.branch, commit: tip, tree: null, asked: options.tree };
  return { kind: "made", commit: tip, index, ...await settleHooks(repo, { watch, made, options }) };
}

async function syncIndex(
  repo: Repository,
  options: MakeCommitOptions,
  commit: string,
): Promise<SyncIndexResult> {
  const { expectedHead: from, sessionId } = options;
  return await syncRealIndex(repo, { from, to: commit, sessionId });
}

function refuseMovedHead(options: MakeCommitOptions, found: string): GitRefusal {
  return refuseWith(
    "head_moved",
    `Cannot commit: HEAD should be ${options.branch} at ${options.expectedHead}, it is ${found}`,
    say`${call("get_session_status")}: the move of HEAD has to be settled first (undo or person).`,
  );
}

/** Whether a commit is the one that these options ask for. */
async function isIntended(
  repo: Repository,
  commit: string,
  options: MakeCommitOptions,
): Promise<boolean> {
  const intent = loadIntent(repo, "commit");
  const isAsIntended = intent?.commit === commit && intent.tree === options.tree &&
    intent.message === options.message && intent.parents.join() === options.parents.join();
  if (isAsIntended) return true;
  const { tree, parents, message } = await readCommit(repo, commit);
  return tree === options.tree && parents.join() === options.parents.join() &&
    message === options.message;
}

type HookedCommit =
  | {
    readonly kind: "ready";
    readonly tree: string;
    readonly message: string;
    readonly hooks: Hooks;
  }
  | Exclude<MakeCommitResult, { readonly kind: "made" }>;

/** Runs the hooks that may refuse or change a commit, with an index that holds exactly its tree. */
async function runCommitHooks(
  repo: Repository,
  options: MakeCommitOptions,
): Promise<HookedCommit> {
  const hooks = await Hooks.load(repo);
  const { tree: asked, message: given, sessionId } = options;
  if (!hooks.has("pre-commit", ...MESSAGE_HOOKS)) {
    return { kind: "ready", tree: asked, message: given, hooks };
  }
  return await withScratchIndex(repo, async (indexFile) => {
    await loadIndex(repo, indexFile, asked);
    const before = await writeWorktreeTree(repo, { sessionId });
    const refusal = await hooks.run("pre-commit", { indexFile });
    if (refusal !== null) return { kind: "refused", problem: refusal };
    const tree = await repo.git.line(["write-tree"], { indexFile });
    const message = tree === asked ? given : options.changedMessage ?? given;
    const texted = await runMessageHooks(repo, { hooks, indexFile, message });
    if (texted.kind === "refused") return texted;
    const after = await writeWorktreeTree(repo, { sessionId });
    const paths = new Set([
      ...await listChanged(repo, asked, tree),
      ...await listChanged(repo, before.tree, after.tree),
    ]);
    if (paths.size > 0 && !options.acceptHookChanges) {
      return { kind: "hooks_changed", tree, paths: [...paths].sort() };
    }
    return { kind: "ready", tree, message: texted.message, hooks };
  });
}

async function listChanged(repo: Repository, from: string, to: string): Promise<TreePath[]> {
  const changes = await diffTrees(repo, from, to, { withoutRenames: true });
  return changes.map(({ path }) => path);
}

/**
 * Fills an index with a tree, and takes over the stat data of the user's index for unchanged
 * files.
 */
export async function loadIndex(repo: Repository, indexFile: string, tree: string): Promise<void> {
  // Without the stat data git reads each file, which is slower but gives the same result.
  await copyIndex(repo, indexFile).catch(() => {});
  const kept = await repo.git.run(["read-tree", "-m", tree], { indexFile });
  if (kept.code !== 0) {
    await Deno.remove(indexFile).catch(() => {});
    await repo.git.bytes(["read-tree", await readTree(repo, tree)], { indexFile });
  }
  // Exit status 1 only means that some files differ from the index.
  await repo.git.run(["update-index", "-q", "--refresh"], { indexFile });
}

/** The input of the message hooks. */
export interface MessageHookOptions {
  readonly hooks: Hooks;
  readonly indexFile?: string;
  readonly message: string;
  /** Second argument of prepare-commit-msg, default `message`. */
  readonly source?: "message" | "merge";
}

/** Runs prepare-commit-msg and commit-msg and reads the message that they leave. */
export async function runMessageHooks(
  repo: Repository,
  options: MessageHookOptions,
): Promise<{ readonly kind: "texted"; readonly message: string } | GitRefusal> {
  const { hooks, indexFile, message } = options;
  if (!hooks.has(...MESSAGE_HOOKS)) return { kind: "texted", message };
  // Some hooks read this file by its name instead of using the argument.
  const file = join(repo.gitDir, "COMMIT_EDITMSG");
  checkOwnFile(file, { below: repo.gitDir });
  await Deno.writeTextFile(file, message);
  const reserved = listReserved(message).join("\n");
  const read = () => `${(readControlText(file, "memory", { within: repo.gitDir }) ?? "").trim()}\n`;
  for (const name of MESSAGE_HOOKS) {
    const args = name === "commit-msg" ? [file] : [file, options.source ?? "message"];
    const refusal = await hooks.run(name, {
      args,
      ...(indexFile === undefined ? {} : { indexFile }),
    });
    if (refusal !== null) return { kind: "refused", problem: refusal };
    const spoilt = findMessageFault(read(), reserved);
    if (spoilt !== null) return { kind: "refused", problem: makeHookProblem(name, spoilt) };
  }
  return { kind: "texted", message: read() };
}

/** What a hook did to the message that no commit may have; null for nothing. */
function findMessageFault(left: string, reserved: string): string | null {
  if (left.trim() === "") return "the message is empty after it";
  return listReserved(left).join("\n") === reserved
    ? null
    : "after it the message has other lines that begin with Code-Intel- than the program wrote, and only the " +
      "program knows how the work was verified";
}
